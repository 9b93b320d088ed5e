# The Lorenz system by the classical Runge-Kutta method.

slope <- function(state, sigma, rho, beta) {
  x <- state[1]
  y <- state[2]
  z <- state[3]
  c(sigma * (y - x), x * (rho - z) - y, x * y - beta * z)
}

one_step <- function(state, step, sigma, rho, beta) {
  k1 <- slope(state, sigma, rho, beta)
  k2 <- slope(state + step / 2 * k1, sigma, rho, beta)
  k3 <- slope(state + step / 2 * k2, sigma, rho, beta)
  k4 <- slope(state + step * k3, sigma, rho, beta)
  state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
}

trajectory <- function(state, step, sigma, rho, beta, count) {
  states <- matrix(0, count + 1, 3)
  states[1, ] <- state
  for (i in seq_len(count)) states[i + 1, ] <- one_step(states[i, ], step, sigma, rho, beta)
  states
}
