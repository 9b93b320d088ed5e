# Linear least squares by a QR decomposition.

design <- function(x, degree, intercept) {
  powers <- lapply(seq_len(ncol(x)), function(k) outer(x[, k], seq_len(degree), "^"))
  x <- do.call(cbind, powers)
  if (intercept == 1) unname(cbind(1, x)) else x
}

# R's qr takes columns out that are nearly dependent: with its usual tolerance of 1e-7 Filip has no answer.
coefficients <- function(design, y) qr.coef(qr(design, tol = 1e-16), y)

r_squared <- function(design, y, coefficients, intercept) {
  residuals <- y - design %*% coefficients
  centred <- if (intercept == 1) y - mean(y) else y
  1 - sum(residuals^2) / sum(centred^2)
}
