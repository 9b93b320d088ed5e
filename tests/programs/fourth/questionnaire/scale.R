raw <- read.csv("answers.csv", row.names = 1)
X <- as.matrix(raw)
for (j in c(2, 5, 6)) X[, j] <- 6 - X[, j]

N <- nrow(X)
K <- ncol(X)
S <- cov(X)

# alpha from the covariance matrix
alpha_of <- function(S) {
  p <- ncol(S)
  p / (p - 1) * (1 - sum(diag(S)) / sum(S))
}
rel <- alpha_of(S)
if_dropped <- numeric(K)
r_it <- numeric(K)
for (j in 1:K) {
  if_dropped[j] <- alpha_of(S[-j, -j])
  r_it[j] <- cor(X[, j], rowSums(X[, -j]))
}
p_item <- colMeans(X - 1) / 4

# split half
h1 <- rowSums(X[, seq(1, K, by = 2)])
h2 <- rowSums(X[, seq(2, K, by = 2)])
rh <- cor(h1, h2)
sb <- rh / (0.5 * (1 + rh))
g <- 4 * cov(h1, h2) / var(h1 + h2)

# persons
tot <- rowSums(X)
centre <- mean(tot)
dev <- tot - centre
spread <- sqrt(sum(dev^2) / (N - 1))
err <- spread * sqrt(1 - rel)
Tval <- 50 + 10 * dev / spread
pr <- numeric(N)
for (i in 1:N) {
  pr[i] <- 100 * (sum(tot < tot[i]) + 0.5 * sum(tot == tot[i])) / N
}
kelley <- rel * tot + (1 - rel) * centre
half_width <- qnorm(0.975) * err
n_clear <- sum(abs(dev) > half_width)

size <- round(0.27 * N)
o <- order(tot)
low <- X[o[1:size], ]
high <- X[o[(N - size + 1):N], ]
D <- (colMeans(high) - colMeans(low)) / 4

show <- function(label, x) cat(label, format(unname(x), digits = 12), "\n")
show("alpha", rel)
show("without", if_dropped)
show("item-total", r_it)
show("difficulty", p_item)
show("halves", c(rh, sb, g))
show("sem", err)
show("band", half_width)
show("t", Tval)
show("percentile", pr)
show("true", kelley)
show("discrimination", D)
show("clear", n_clear)
