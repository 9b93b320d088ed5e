plots <- read.csv("plots.csv")
plots$fertilizer <- factor(plots$fertilizer)

agg <- aggregate(height ~ fertilizer, plots, mean)
names(agg)[2] <- "mean"
agg$n <- as.vector(table(plots$fertilizer))
agg$var <- as.vector(tapply(plots$height, plots$fertilizer, var))

y <- plots$height
N <- length(y)
a <- nlevels(plots$fertilizer)
CF <- sum(y)^2 / N                      # correction for the mean
totalSS <- sum(y^2) - CF
groupTotals <- rowsum(y, plots$fertilizer)
trtSS <- sum(groupTotals^2 / agg$n) - CF
errSS <- totalSS - trtSS
trtDF <- a - 1
errDF <- N - a
trtMS <- trtSS / trtDF
errMS <- errSS / errDF
Fval <- trtMS / errMS
eta2 <- trtSS / totalSS
omega2 <- (trtSS - trtDF * errMS) / (totalSS + errMS)

v <- agg$n - 1
numer <- errDF * log(errMS) - sum(v * log(agg$var))
denom <- 1 + (sum(1 / v) - 1 / sum(v)) / (3 * trtDF)
K2 <- numer / denom

cmp <- t(combn(a, 2))
comparisons <- data.frame(
  pair = paste(agg$fertilizer[cmp[, 1]], agg$fertilizer[cmp[, 2]], sep = "-"),
  diff = agg$mean[cmp[, 1]] - agg$mean[cmp[, 2]]
)
comparisons$se <- sqrt(errMS * rowSums(1 / cbind(agg$n[cmp[, 1]], agg$n[cmp[, 2]])))
comparisons$t <- comparisons$diff / comparisons$se

print(agg, digits = 8)
cat("between", trtDF, sprintf("%.6f %.6f F %.8f", trtSS, trtMS, Fval), "\n")
cat("within", errDF, sprintf("%.6f %.6f", errSS, errMS), "\n")
cat(sprintf("eta2 %.8f omega2 %.8f bartlett %.8f\n", eta2, omega2, K2))
for (i in seq_len(nrow(comparisons))) {
  cat(comparisons$pair[i], sprintf("%.6f", comparisons$t[i]), "\n")
}
