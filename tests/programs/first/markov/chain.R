# Stationary distribution, absorption and simulation of a small weather chain
obs <- strsplit("SSCRSCCRRNSSSCRNNCSSRRCSCSNRCSSCRRSC", "")[[1]]
lev <- c("S", "C", "R", "N")
x <- match(obs, lev)
K <- length(lev)

cnt <- matrix(0, K, K)
for (t in 2:length(x)) {
  cnt[x[t - 1], x[t]] <- cnt[x[t - 1], x[t]] + 1
}

trans_prob <- function(counts, pseudo = 0.5) {
  sm <- counts + pseudo
  sm / rowSums(sm)
}
P <- trans_prob(cnt)

# solve pi (P - I) = 0 with sum(pi) = 1
A <- rbind(t(P) - diag(K), rep(1, K))
stat <- qr.solve(A, c(rep(0, K), 1))

H <- -sum(stat * rowSums(P * log2(P)))

rain <- 3
sub <- P[-rain, -rain]
hit <- solve(diag(K - 1) - sub, rep(1, K - 1))

loglik <- sum(cnt * log(P))
npar <- K * (K - 1)
BIC <- npar * log(length(x) - 1) - 2 * loglik

p <- c(1, 0, 0, 0)
for (day in 1:5) {
  p <- as.vector(p %*% P)
}
tvd <- sum(abs(p - stat)) / 2

names(stat) <- lev
print(round(stat, 4))
cat("entropy rate", H, "\n")
cat("hitting times", hit, "\n")
cat("BIC", BIC, "\n")
cat("after five days", p, "distance", tvd, "\n")
