# Exponential smoothing, autocorrelation, and a Ljung-Box test of monthly sales
y <- c(
  112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118,
  115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114, 140,
  145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166
)
a <- 0.4
b <- 0.15
ly <- log(y)
N <- length(ly)

lev <- numeric(N)
tr <- numeric(N)
pred <- numeric(N)
lev[1] <- ly[1]
tr[1] <- ly[2] - ly[1]
pred[1] <- ly[1]
for (t in 2:N) {
  pred[t] <- lev[t - 1] + tr[t - 1]
  lev[t] <- a * ly[t] + (1 - a) * pred[t]
  tr[t] <- b * (lev[t] - lev[t - 1]) + (1 - b) * tr[t - 1]
}

e <- (ly - pred)[-1]
MSE <- mean(e^2)
MAPE <- 100 * mean(abs(exp(pred[-1]) - y[-1]) / y[-1])
h <- 1:6
fc <- exp(lev[N] + h * tr[N])

lags <- 8
r <- acf(e, lag.max = lags, plot = FALSE)$acf[-1]
m <- length(e)
k <- seq_len(lags)
stat <- m * (m + 2) * sum(r^2 / (m - k))
pval <- pchisq(stat, df = lags, lower.tail = FALSE)

t0 <- seq_len(N) - 1
lin <- lm(ly ~ t0)
slope <- unname(coef(lin)[2])
growth <- exp(12 * slope) - 1
resid <- unname(residuals(lin))
s <- rowMeans(matrix(resid, nrow = 12))
s <- s - mean(s)

cat("MSE", MSE, "MAPE", MAPE, "\n")
cat("forecast", fc, "\n")
cat("Ljung-Box", stat, pval, "\n")
cat("growth a year", growth, "\n")
print(round(s, 4))
