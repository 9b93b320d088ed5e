# A ratio of two polynomials, fitted by Gauss and Newton's steps, each halved until it helps.

value <- function(x, b) as.vector(outer(x, seq_along(b) - 1, "^") %*% b)

over <- function(x, b, top) value(x, b[seq_len(top + 1)])
under <- function(x, b, top) 1 + x * value(x, b[-seq_len(top + 1)])

jacobian <- function(x, b, top) {
  below <- under(x, b, top)
  first <- outer(x, 0:top, "^") / below
  second <- -over(x, b, top) * outer(x, seq_len(length(b) - top - 1), "^") / below^2
  cbind(first, second)
}

# R's qr takes columns out that are nearly dependent: with its usual tolerance of 1e-7 it may leave none of Hahn's.
scaled <- function(x, b, top) {
  slopes <- jacobian(x, b, top)
  size <- sqrt(colSums(slopes^2))
  list(qr = qr(sweep(slopes, 2, size, "/"), tol = 1e-14), size = size)
}

step_from <- function(x, y, b, top) {
  at <- scaled(x, b, top)
  qr.coef(at$qr, residuals(x, y, b, top)) / at$size
}

residuals <- function(x, y, fit, top) y - over(x, fit, top) / under(x, fit, top)

fit <- function(x, y, start, top) {
  b <- start
  for (i in 1:100) {
    full <- step_from(x, y, b, top)
    before <- residual_sum(residuals(x, y, b, top))
    share <- 1
    while (share > 1e-10 && residual_sum(residuals(x, y, b + share * full, top)) >= before) share <- share / 2
    if (share <= 1e-10) break
    b <- b + share * full
  }
  for (i in 1:30) b <- b + step_from(x, y, b, top)
  b
}

residual_sum <- function(residuals) sum(residuals^2)

deviations <- function(x, fit, residual_sum, top) {
  at <- scaled(x, fit, top)
  inverse <- backsolve(qr.R(at$qr), diag(length(fit)))
  sqrt(residual_sum / (length(x) - length(fit)) * rowSums(inverse^2)) / at$size
}
