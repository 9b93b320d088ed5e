# minimum variance portfolio
n_months <- 36
fund <- c("steel", "sun", "bank", "bread")

t <- 0:n_months
P <- matrix(0, n_months + 1, 4, dimnames = list(NULL, fund))
for (f in 1:4) {
  g <- f - 1
  P[, f] <- 100 * exp((0.004 + 0.002 * g) * t +
    (0.03 + 0.01 * g) * sin(t * (1.1 + 0.37 * g)) + 0.02 * cos(t * 0.53 + g))
}

R <- apply(P, 2, function(p) diff(p) / head(p, -1))
centred <- sweep(R, 2, colMeans(R))
S <- t(centred) %*% centred / (n_months - 1)
sigma_year <- sqrt(12 * diag(S))

min_variance <- function(S) {
  inv <- solve(S)
  rowSums(inv) / sum(inv)
}
w <- min_variance(S)
v <- as.numeric(t(w) %*% S %*% w)
risk_share <- as.numeric(w * (S %*% w)) / v

r_p <- as.numeric(R %*% w)
equity <- numeric(n_months)
peak <- numeric(n_months)
level <- 1
top <- 0
for (m in seq_len(n_months)) {
  level <- level * (1 + r_p[m])
  top <- max(top, level)
  equity[m] <- level
  peak[m] <- top
}
loss <- (peak - equity) / peak
worst <- max(loss)
worst_month <- which.max(loss)

cagr <- equity[n_months]^(12 / n_months) - 1
sd_year <- sqrt(12 * v)
ratio <- (cagr - 0.02) / sd_year

value_at_risk <- -quantile(r_p, 0.05, names = FALSE)
es <- -mean(r_p[r_p <= -value_at_risk])

index <- rowMeans(R)
b <- apply(R, 2, function(x) cov(x, index)) / var(index)

cat("vol", sigma_year, "\n")
cat("weights", w, "\n")
cat("contributions", risk_share, "\n")
cat("drawdown", worst, worst_month, "\n")
cat("annual", cagr, sd_year, ratio, "\n")
cat("risk", value_at_risk, es, "\n")
cat("beta", b, "\n")
