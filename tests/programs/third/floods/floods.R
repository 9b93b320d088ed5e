# Gumbel fit of annual maxima, two ways
k <- 0:39
flow <- 180 + 45 * sin(1.7 * k) + 30 * cos(0.9 * k * k) + ((k * 37) %% 23) * 4
yr <- 1971 + k
n <- length(flow)
gam <- 0.5772156649015329

# method of moments
beta <- sd(flow) * sqrt(6) / pi
mu <- mean(flow) - gam * beta

# probability weighted moments
o <- sort(flow)
w <- (seq_len(n) - 1) / (n - 1)
pwm1 <- mean(w * o)
lambda2 <- 2 * pwm1 - mean(o)
beta_pwm <- lambda2 / log(2)
mu_pwm <- mean(flow) - gam * beta_pwm

return_level <- function(T, m, b) {
  p <- 1 - 1 / T
  m - b * log(-log(p))
}
Ts <- c(2, 10, 50, 100)
rl <- sapply(Ts, return_level, m = mu, b = beta)
rl_pwm <- sapply(Ts, return_level, m = mu_pwm, b = beta_pwm)

# Gringorten
pp <- numeric(n)
miss <- numeric(n)
for (i in seq_len(n)) {
  pp[i] <- (i - 0.44) / (n + 0.12)
  fitted <- exp(-exp(-(o[i] - mu) / beta))
  miss[i] <- abs(fitted - pp[i])
}
ks <- max(miss)

block <- (yr - 1971) %/% 10
peak <- tapply(flow, block, max)
peak_year <- sapply(split(seq_len(n), block), function(ix) yr[ix[which.max(flow[ix])]])
limit <- quantile(flow, 0.9, type = 7, names = FALSE)
n_above <- sum(flow > limit)

cat("moments", mu, beta, "\n")
cat("lmoments", mu_pwm, beta_pwm, "\n")
cat("levels", rl, "\n")
cat("levels l", rl_pwm, "\n")
cat("worst", ks, "\n")
cat("decades", peak, peak_year, "\n")
cat("q90", limit, n_above, "\n")
