# Kaplan-Meier by hand, log-rank test, restricted mean
dat <- data.frame(
  time = c(6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8),
  event = c(1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
  arm = rep(c("new", "old"), each = 12)
)

km <- function(time, event) {
  ut <- sort(unique(time[event == 1]))
  at_risk <- sapply(ut, function(t) sum(time >= t))
  deaths <- sapply(ut, function(t) sum(time == t & event == 1))
  surv <- cumprod(1 - deaths / at_risk)
  greenwood <- cumsum(deaths / (at_risk * (at_risk - deaths)))
  data.frame(time = ut, n = at_risk, d = deaths, surv = surv, se = surv * sqrt(greenwood))
}

logrank <- function(d) {
  ut <- sort(unique(d$time[d$event == 1]))
  O <- 0
  E <- 0
  V <- 0
  for (t in ut) {
    n <- sum(d$time >= t)
    n1 <- sum(d$time >= t & d$arm == "new")
    dj <- sum(d$time == t & d$event == 1)
    d1 <- sum(d$time == t & d$event == 1 & d$arm == "new")
    O <- O + d1
    E <- E + dj * n1 / n
    if (n > 1) {
      V <- V + dj * (n1 / n) * (1 - n1 / n) * (n - dj) / (n - 1)
    }
  }
  chi2 <- (O - E)^2 / V
  c(observed = O, expected = E, chisq = chi2, p = pchisq(chi2, 1, lower.tail = FALSE))
}

new <- subset(dat, arm == "new")
old <- subset(dat, arm == "old")
fit_new <- km(new$time, new$event)
fit_old <- km(old$time, old$event)
median_new <- fit_new$time[min(which(fit_new$surv <= 0.5))]
test <- logrank(dat)

rmst <- function(fit, tau) {
  t <- c(0, fit$time[fit$time < tau], tau)
  s <- c(1, fit$surv[fit$time < tau])
  sum(diff(t) * s)
}
rm_diff <- rmst(fit_new, 8) - rmst(fit_old, 8)

print(fit_new)
cat("median", median_new, "\n")
print(test)
cat("restricted mean", rm_diff, "\n")
