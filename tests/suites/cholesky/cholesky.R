# A linear system by Cholesky's decomposition.

system <- function(X, ridge) crossprod(X) + diag(ridge, ncol(X))

factor <- function(system) t(chol(system))

forward <- function(factor, X, y) drop(forwardsolve(factor, crossprod(X, y)))

solution <- function(factor, forward) backsolve(t(factor), forward)

log_determinant <- function(factor) 2 * sum(log(diag(factor)))
