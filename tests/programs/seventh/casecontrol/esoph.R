study <- read.csv("study.csv")
study$high <- study$drinks == "80+"
study$stratum <- paste(study$age, study$smoke)

# 2 x 2 x K: exposure, disease, stratum
tab <- xtabs(n ~ high + case + stratum, data = study)[2:1, 2:1, ]
K <- dim(tab)[3]
N <- apply(tab, 3, sum)
odds.ratio <- function(m) m[1, 1] * m[2, 2] / (m[1, 2] * m[2, 1])
z975 <- 1.959964

pooled <- apply(tab, 1:2, sum)
or.crude <- odds.ratio(pooled)
se.crude <- sqrt(sum(1 / pooled))
ci.crude <- exp(log(or.crude) + c(-1, 1) * z975 * se.crude)

num <- tab[1, 1, ] * tab[2, 2, ] / N
den <- tab[1, 2, ] * tab[2, 1, ] / N
OR <- sum(num) / sum(den)
con <- (tab[1, 1, ] + tab[2, 2, ]) / N
dis <- 1 - con
rbg <- sum(con * num) / (2 * sum(num)^2) +
  sum(con * den + dis * num) / (2 * sum(num) * sum(den)) +
  sum(dis * den) / (2 * sum(den)^2)
ci <- OR * exp(c(-1, 1) * z975 * sqrt(rbg))

rows <- apply(tab, c(1, 3), sum)
cols <- apply(tab, c(2, 3), sum)
E <- rows[1, ] * cols[1, ] / N
V <- rows[1, ] * rows[2, ] * cols[1, ] * cols[2, ] / (N^2 * (N - 1))
stat <- (abs(sum(tab[1, 1, ] - E)) - 0.5)^2 / sum(V)

# homogeneity: expected cell from the quadratic
expected.cell <- function(r1, c1, n, or) {
  qa <- 1 - or
  qb <- n - r1 - c1 + or * (r1 + c1)
  qc <- -or * r1 * c1
  disc <- qb^2 - 4 * qa * qc
  roots <- (-qb + c(-1, 1) * sqrt(disc)) / (2 * qa)
  roots[roots > 0 & roots < min(r1, c1)]
}
hat <- numeric(K)
contrib <- numeric(K)
for (k in 1:K) {
  e <- expected.cell(rows[1, k], cols[1, k], N[k], OR)
  others <- c(e, rows[1, k] - e, cols[1, k] - e, N[k] - rows[1, k] - cols[1, k] + e)
  hat[k] <- e
  contrib[k] <- (tab[1, 1, k] - e)^2 * sum(1 / others)
}
BD <- sum(contrib)

# dose response
by.dose <- xtabs(n ~ drinks + case, data = study)
dose <- c(20, 60, 100)
r <- by.dose[, "1"]
m <- rowSums(by.dose)
pbar <- sum(r) / sum(m)
dbar <- weighted.mean(dose, m)
Tt <- sum(r * (dose - dbar))
vT <- pbar * (1 - pbar) * sum(m * (dose - dbar)^2)
paf <- pooled[1, 1] / sum(pooled[, 1]) * (1 - 1 / OR)

cat(sprintf("crude %.8f (%.6f to %.6f)\n", or.crude, ci.crude[1], ci.crude[2]))
cat(sprintf("Mantel-Haenszel %.8f (%.6f to %.6f)\n", OR, ci[1], ci[2]))
cat(sprintf("chi2 %.6f, p %.6e\n", stat, pchisq(stat, 1, lower.tail = FALSE)))
cat(sprintf("Breslow-Day %.6f, p %.8f, first %.6f\n", BD, pchisq(BD, K - 1, lower.tail = FALSE), hat[1]))
cat(sprintf("trend z %.8f, attributable %.8f\n", Tt / sqrt(vT), paf))
