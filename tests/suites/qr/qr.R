# Least squares by a QR decomposition.

triangle <- function(X) {
  R <- qr.R(qr(X, tol = 0))
  R * sign(diag(R))
}

coefficients <- function(X, y) qr.coef(qr(X, tol = 0), y)

residuals <- function(X, y, coefficients) drop(y - X %*% coefficients)
