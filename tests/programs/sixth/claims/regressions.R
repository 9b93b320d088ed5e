# Chain ladder as a set of regressions through the origin (Mack 1999); the same figures without loops
long <- read.csv("payments.csv")
inc <- unclass(xtabs(paid ~ origin + dev, long))
m <- ncol(inc)
known <- row(inc) + col(inc) <= m + 1
Cum <- t(apply(inc, 1, cumsum))
Cum[!known] <- NA

models <- lapply(seq_len(m - 1), function(d) {
  ok <- known[, d + 1]
  lm(y ~ x + 0, weights = 1 / x, data = data.frame(x = Cum[ok, d], y = Cum[ok, d + 1]))
})
f <- sapply(models, function(fit) unname(coef(fit)))
sig <- sapply(models[-(m - 1)], function(fit) summary(fit)$sigma)
tail2 <- min(sig[m - 2]^4 / sig[m - 3]^2, sig[(m - 3):(m - 2)]^2)
sig <- c(sig, sqrt(tail2))
volume <- sapply(models, function(fit) sum(fit$model$x))

# ultimates by cumulated factors
to.ult <- rev(cumprod(rev(c(f, 1))))
diagonal <- rev(Cum[row(Cum) + col(Cum) == m + 1])
ult <- diagonal * rev(to.ult)
ibnr <- ult - diagonal

# expected cumulative payments, known ones kept
expected <- outer(ult, to.ult, "/")
square <- ifelse(known, Cum, expected)

ratio <- sig^2 / f^2
process <- sweep(1 / square[, -m], 2, ratio, "*")
param <- matrix(ratio / volume, m, m - 1, byrow = TRUE)
future <- !known[, -1]
rmse <- ult * sqrt(rowSums((process + param) * future))

# covariances between the years: they share the factors
common <- rowSums(2 * param * future)
after <- sum(ult) - cumsum(ult)
IBNR <- sum(ibnr)
RMSE <- sqrt(sum(rmse^2) + sum(ult * after * common))

new <- square[, -1] - square[, -m]
calendar <- row(inc)[, -1] + col(inc)[, -1] - m - 1
cash <- tapply(new[future], calendar[future], sum)
discounted <- sum(cash * 1.03^-(seq_along(cash) - 0.5))

lsd <- sqrt(log1p((RMSE / IBNR)^2))
q995 <- qlnorm(0.995, meanlog = log(IBNR) - lsd^2 / 2, sdlog = lsd)

show <- function(...) cat(..., "\n")
num <- function(x, d = 6) formatC(x, digits = d, format = "f")
show("factors", num(f, 8))
show("ultimate", num(ult))
show("reserve", num(ibnr), "total", num(IBNR))
show("se", num(rmse), "total", num(RMSE))
show("coming", num(cash), "value", num(discounted))
show("worst", num(q995))
