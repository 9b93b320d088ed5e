# Constants that every language computes in its own way.

transformed <- function(x) {
  d <- ncol(x)
  x %*% t(cos(pi * outer(0:(d - 1), seq(0.5, d - 0.5)) / d))
}

encoded <- function(x) {
  d <- ncol(x)
  angle <- outer(seq_len(nrow(x)) - 1, exp(-log(10000) * seq(0, d - 2, by = 2) / d))
  odd <- seq(1, d, by = 2)
  x[, odd] <- x[, odd] + sin(angle)
  x[, odd + 1] <- x[, odd + 1] + cos(angle)
  x
}

later <- function(x) x * sum(rep(0.1, 200))

windowed <- function(x) {
  d <- ncol(x)
  sweep(x, 2, sin(pi * seq(0, 1, length.out = d))^2, `*`)
}

rows <- function(x) t(mvfft(t(x)))
