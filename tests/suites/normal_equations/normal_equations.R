# Least squares by normal equations.

gram <- function(X) crossprod(X)

moments <- function(X, y) drop(crossprod(X, y))

coefficients <- function(gram, moments) solve(gram, moments, tol = 0)

residuals <- function(X, y, coefficients) drop(y - X %*% coefficients)

variance <- function(X, residuals) sum(residuals^2) / (nrow(X) - ncol(X))
