# Least squares of weight on height and age, by hand
dat <- read.csv("heights.csv")

center <- function(v) {
  v - mean(v)
}

fit_ols <- function(X, y) {
  decomposition <- qr(X)
  coefs <- qr.coef(decomposition, y)
  R <- qr.R(decomposition)
  list(coef = coefs, XtXinv = chol2inv(R))
}

h <- center(dat$height)
a <- center(dat$age)
X <- cbind(1, h, a)
fit <- fit_ols(X, dat$weight)

betaHat <- unname(fit$coef)
fittedValues <- as.vector(X %*% betaHat)
resid <- dat$weight - fittedValues
n <- nrow(X)
p <- ncol(X)
s2 <- sum(resid^2) / (n - p)
se <- sqrt(diag(fit$XtXinv) * s2)
tval <- betaHat / se

tss <- sum((dat$weight - mean(dat$weight))^2)
rss <- sum(resid^2)
R2 <- 1 - rss / tss
adjR2 <- 1 - (1 - R2) * (n - 1) / (n - p)
loglik <- -n / 2 * (log(2 * pi) + log(rss / n) + 1)
AIC <- -2 * loglik + 2 * (p + 1)

out <- data.frame(estimate = betaHat, se = se, t = tval)
rownames(out) <- c("(Intercept)", "height", "age")
print(round(out, 4))
cat("R2", R2, "adjusted", adjR2, "\n")
cat("AIC", AIC, "\n")
