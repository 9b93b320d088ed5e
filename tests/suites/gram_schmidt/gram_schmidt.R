# Least squares by the modified Gram-Schmidt process.

orthogonal <- function(X) {
  p <- ncol(X)
  V <- X
  Q <- matrix(0, nrow(X), p)
  R <- matrix(0, p, p)
  for (j in seq_len(p)) {
    R[j, j] <- sqrt(sum(V[, j]^2))
    Q[, j] <- V[, j] / R[j, j]
    for (k in seq_len(p)[-seq_len(j)]) {
      R[j, k] <- sum(Q[, j] * V[, k])
      V[, k] <- V[, k] - R[j, k] * Q[, j]
    }
  }
  list(Q, R)
}

projections <- function(Q, y) {
  found <- numeric(ncol(Q))
  for (j in seq_along(found)) {
    found[j] <- sum(Q[, j] * y)
    y <- y - found[j] * Q[, j]
  }
  found
}

coefficients <- function(R, projections) backsolve(R, projections)
