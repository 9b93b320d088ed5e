# The Kalman filter of a level that moves at random, as a recursion over the observations.

noise <- 15099
moves <- 1469.1

filtered <- function(flow) {
  step <- function(state, y) {
    prior <- state[2] + moves
    posterior <- 1 / (1 / prior + 1 / noise)
    c(state[1] + posterior / noise * (y - state[1]), posterior)
  }
  path <- Reduce(step, flow, accumulate = TRUE, c(0, 1e7 - moves))
  states <- do.call(rbind, path[-1])
  data.frame(level = states[, 1], variance = states[, 2])
}

innovations <- function(flow, level) flow - c(level[1], head(level, -1))

steady <- function(variance) tail(variance, 1)
