# SIR model with Runge-Kutta steps, peak and final size
beta <- 0.42
gamma <- 0.13
N <- 5000
dt <- 0.5
days <- 60

deriv <- function(state, beta, gamma, N) {
  S <- state[1]
  I <- state[2]
  infections <- beta * S * I / N
  recoveries <- gamma * I
  c(-infections, infections - recoveries, recoveries)
}

rk4_step <- function(state, dt, ...) {
  k1 <- deriv(state, ...)
  k2 <- deriv(state + dt / 2 * k1, ...)
  k3 <- deriv(state + dt / 2 * k2, ...)
  k4 <- deriv(state + dt * k3, ...)
  state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
}

steps <- days / dt
traj <- matrix(NA, steps + 1, 3)
traj[1, ] <- c(N - 12, 12, 0)
for (s in 1:steps) {
  traj[s + 1, ] <- rk4_step(traj[s, ], dt, beta, gamma, N)
}

infected <- traj[, 2]
peak_step <- which.max(infected)
peak_time <- (peak_step - 1) * dt
peak <- max(infected)
R0 <- beta / gamma
attack <- traj[steps + 1, 3] / N
doubling <- log(2) / (beta - gamma)

# early growth from a regression on the logarithm
early <- 1:16
slope <- cov(early * dt, log(infected[early])) / var(early * dt)
herd <- 1 - 1 / R0

cat("peak", peak, "at day", peak_time, "\n")
cat("R0", R0, "herd immunity", herd, "\n")
cat("attack rate", attack, "\n")
cat("doubling time", doubling, "slope", slope, "\n")
