# Survival curves: rewritten with tables
time <- c(6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8)
status <- c(rep(1, 9), 0, 0, 0, rep(1, 11), 0)
group <- factor(rep(c("new", "old"), c(12, 12)))

survival_curve <- function(tt, ss) {
  o <- order(tt, -ss)
  tt <- tt[o]
  ss <- ss[o]
  N <- length(tt)
  S <- 1
  varsum <- 0
  rows <- NULL
  for (u in unique(tt[ss == 1])) {
    risk <- N - sum(tt < u)
    died <- sum(ss[tt == u])
    S <- S * (risk - died) / risk
    varsum <- varsum + died / (risk * (risk - died))
    rows <- rbind(rows, c(u, risk, died, S, S * sqrt(varsum)))
  }
  colnames(rows) <- c("t", "risk", "died", "S", "stderr")
  as.data.frame(rows)
}

curves <- lapply(levels(group), function(g) survival_curve(time[group == g], status[group == g]))
names(curves) <- levels(group)

when <- sort(unique(time[status == 1]))
Y <- outer(time, when, ">=")
D <- outer(time, when, "==") * status
isnew <- as.numeric(group == "new")
y_all <- colSums(Y)
y_new <- colSums(Y * isnew)
d_all <- colSums(D)
d_new <- colSums(D * isnew)
expected <- d_all * y_new / y_all
variance <- ifelse(y_all > 1, expected * (1 - y_new / y_all) * (y_all - d_all) / (y_all - 1), 0)
obs <- sum(d_new)
ex <- sum(expected)
stat <- (obs - ex)^2 / sum(variance)
pval <- 1 - pchisq(stat, 1)

med <- with(curves$new, t[which(S <= 0.5)[1]])
area <- function(curve, upto) {
  keep <- curve$t < upto
  grid <- c(0, curve$t[keep], upto)
  sum(c(1, curve$S[keep]) * diff(grid))
}
gain <- area(curves$new, 8) - area(curves$old, 8)

print(curves$new)
cat("median", med, "\n")
cat("logrank", obs, ex, stat, pval, "\n")
cat("restricted mean", gain, "\n")
