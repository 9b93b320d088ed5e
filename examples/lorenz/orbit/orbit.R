# Lorenz's system by the classical Runge-Kutta method.

h <- 0.01

slope <- function(start) {
  x <- start[1]
  y <- start[2]
  z <- start[3]
  c(10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z)
}

step <- function(start) {
  k1 <- slope(start)
  k2 <- slope(start + h / 2 * k1)
  k3 <- slope(start + h / 2 * k2)
  k4 <- slope(start + h * k3)
  start + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
}

orbit <- function(start) {
  path <- Reduce(function(state, i) step(state), seq_len(2000), start, accumulate = TRUE)
  do.call(rbind, path)
}
