# Meta-analysis by hand: inverse variance, DerSimonian and Laird
dat <- read.csv("trials.csv")
tab <- with(dat, cbind(a = ev_t, b = n_t - ev_t, c = ev_c, d = n_c - ev_c))
empty <- apply(tab == 0, 1, any)
tab[empty, ] <- tab[empty, ] + 0.5

dat$yi <- log(tab[, "a"] * tab[, "d"] / (tab[, "b"] * tab[, "c"]))
dat$vi <- rowSums(1 / tab)
wi <- 1 / dat$vi
k <- nrow(dat)

# fixed effect
theta.F <- weighted.mean(dat$yi, wi)
se.F <- 1 / sqrt(sum(wi))

# heterogeneity
Q <- sum(wi * (dat$yi - theta.F)^2)
pval.Q <- pchisq(Q, k - 1, lower.tail = FALSE)
I2 <- max(0, (Q - (k - 1)) / Q)
DL <- function(yi, vi) {
  wi <- 1 / vi
  mu <- weighted.mean(yi, wi)
  excess <- sum(wi * (yi - mu)^2) - (length(yi) - 1)
  max(0, excess / (sum(wi) - sum(wi^2) / sum(wi)))
}
tau2 <- DL(dat$yi, dat$vi)

# random effects
RE <- function(yi, vi, tau2 = DL(yi, vi)) {
  ws <- 1 / (vi + tau2)
  c(est = sum(ws * yi) / sum(ws), se = sum(ws)^-0.5)
}
fit <- RE(dat$yi, dat$vi)
mu <- fit[["est"]]
se <- fit[["se"]]
zval <- mu / se
pval <- 2 * pnorm(-abs(zval))
ci.lb <- exp(mu - qnorm(0.975) * se)
ci.ub <- exp(mu + qnorm(0.975) * se)
half <- qt(0.975, df = k - 2) * sqrt(tau2 + se^2)
pred <- exp(mu + c(-1, 1) * half)

# leave one out
loo <- numeric(k)
for (j in 1:k) loo[j] <- exp(RE(dat$yi[-j], dat$vi[-j])["est"])
influential <- dat$study[which.max(abs(loo - exp(mu)))]

# Egger's test
snd <- dat$yi / sqrt(dat$vi)
prec <- 1 / sqrt(dat$vi)
reg <- summary(lm(snd ~ prec))$coefficients
bias <- reg[1, "Estimate"]
pval.bias <- reg[1, "Pr(>|t|)"]

# regions
sub <- sapply(split(dat, dat$region), function(s) RE(s$yi, s$vi, tau2 = 0))
z.sub <- (sub["est", "north"] - sub["est", "south"]) / sqrt(sum(sub["se", ]^2))

f <- function(x) paste(format(round(x, 9), nsmall = 9, trim = TRUE), collapse = " ")
cat("log odds", f(dat$yi), "\n")
cat("fixed", f(c(theta.F, se.F)), "\n")
cat("Q", f(Q), "p", f(pval.Q), "I2", f(100 * I2), "tau2", f(tau2), "\n")
cat("random", f(c(mu, se)), "z", f(zval), "p", f(pval), "\n")
cat("OR", f(c(ci.lb, ci.ub)), "prediction", f(pred), "\n")
cat("left out", f(loo), influential, "\n")
cat("Egger", f(bias), "p", f(pval.bias), "\n")
cat("north, south", f(sub["est", ]), "z", f(z.sub), "\n")
