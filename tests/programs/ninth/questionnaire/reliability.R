# Scale of eight items (1 to 5), matrix algebra throughout
answers <- read.csv("answers.csv")
items <- as.matrix(answers[, -(1:2)])
keep <- complete.cases(items)
items <- items[keep, ]
group <- answers$group[keep]
negative <- c("q4", "q7")
items[, negative] <- 6 - items[, negative]

n <- nrow(items)
k <- ncol(items)
S <- cov(items)
alpha <- k / (k - 1) * (1 - sum(diag(S)) / sum(S))

Rm <- cor(items)
rbar <- mean(Rm[lower.tri(Rm)])
alpha.std <- k * rbar / (1 + (k - 1) * rbar)

drop.one <- function(j) {
  Sj <- S[-j, -j]
  (k - 1) / (k - 2) * (1 - sum(diag(Sj)) / sum(Sj))
}
alpha.without <- sapply(1:k, drop.one)
total <- rowSums(items)
r.it <- sapply(1:k, function(j) cor(items[, j], total - items[, j]))

# Guttman's lambda 2 and the split into odd and even items
off <- S - diag(diag(S))
lambda2 <- (sum(off) + sqrt(k / (k - 1) * sum(off^2))) / sum(S)
odd <- rowSums(items[, seq(1, k, 2)])
even <- rowSums(items[, seq(2, k, 2)])
r.half <- cor(odd, even)
spearman.brown <- 2 * r.half / (1 + r.half)
sem <- sd(total) * sqrt(1 - alpha)

# two-way analysis of variance: persons by items
grand <- mean(items)
ms.p <- k * sum((rowMeans(items) - grand)^2) / (n - 1)
ms.i <- n * sum((colMeans(items) - grand)^2) / (k - 1)
res <- sweep(sweep(items, 1, rowMeans(items)), 2, colMeans(items)) + grand
ms.e <- sum(res^2) / ((n - 1) * (k - 1))
icc <- (ms.p - ms.e) / (ms.p + (k - 1) * ms.e + k * (ms.i - ms.e) / n)

# difference of the groups
ga <- total[group == "a"]
gb <- total[group == "b"]
pooled <- ((length(ga) - 1) * var(ga) + (length(gb) - 1) * var(gb)) / (n - 2)
d <- (mean(gb) - mean(ga)) / sqrt(pooled)

cat("n =", n, " alpha =", format(alpha, digits = 9), " standardised =", format(alpha.std, digits = 9), "\n")
print(data.frame(item = colnames(items), mean = colMeans(items), r.it = r.it, without = alpha.without), digits = 8)
cat("lambda2", format(lambda2, digits = 9), " split half", format(spearman.brown, digits = 9), "\n")
cat("sem", format(sem, digits = 9), " icc(2,1)", format(icc, digits = 9), "\n")
cat("cohen d", format(d, digits = 9), "\n")
