# Weight gain of calves: animal model, additive relationships by the tabular method
ped <- read.csv("animals.csv")
ped[is.na(ped$sire), "sire"] <- 0
ped[is.na(ped$dam), "dam"] <- 0
n <- nrow(ped)

relationship <- function(sire, dam) {
  n <- length(sire)
  A <- matrix(0, n, n)
  for (i in 1:n) {
    s <- sire[i]
    d <- dam[i]
    if (i > 1) {
      for (j in 1:(i - 1)) {
        r <- 0
        if (s > 0) r <- r + A[j, s]
        if (d > 0) r <- r + A[j, d]
        A[i, j] <- A[j, i] <- r / 2
      }
    }
    A[i, i] <- 1 + (if (s > 0 && d > 0) A[s, d] / 2 else 0)
  }
  A
}

A <- relationship(ped$sire, ped$dam)
inbreeding <- diag(A) - 1
h2 <- 1 / 3
alpha <- (1 - h2) / h2

rec <- which(!is.na(ped$gain))
y <- ped$gain[rec]
fixed <- data.frame(sex = factor(ped$sex[rec]), herd = factor(ped$herd[rec]))
X <- model.matrix(~ 0 + sex + herd, fixed)
Z <- diag(n)[rec, ]

lhs <- rbind(
  cbind(crossprod(X), t(X) %*% Z),
  cbind(t(Z) %*% X, t(Z) %*% Z + alpha * solve(A))
)
rhs <- c(t(X) %*% y, t(Z) %*% y)
C <- solve(lhs)
sol <- as.vector(C %*% rhs)
p <- ncol(X)
b <- sol[1:p]
u <- sol[-(1:p)]

# variance of the errors, and how sure each value is
s2e <- (sum(y^2) - sum(sol * rhs)) / (length(y) - p)
s2u <- s2e / alpha
pev <- diag(C)[-(1:p)] * s2e
rel <- 1 - pev / ((1 + inbreeding) * s2u)
acc <- sqrt(pmax(rel, 0))

# choice: the best males and females, and the next generation
rank.within <- function(sex, k) {
  who <- which(ped$sex == sex)
  who[order(-u[who])][1:k]
}
sires <- rank.within("M", 2)
dams <- rank.within("F", 3)
plan <- expand.grid(dam = dams, sire = sires)
plan$F <- A[cbind(plan$sire, plan$dam)] / 2
plan$ebv <- (u[plan$sire] + u[plan$dam]) / 2
plan$index <- plan$ebv - 2 * plan$F
best <- plan[which.max(plan$index), ]

intensity <- function(q) dnorm(qnorm(1 - q)) / q
response <- mean(c(intensity(0.1), intensity(0.4))) * mean(acc[rec]) * sqrt(s2u)
contrib <- colMeans(A[c(sires, dams), c(sires, dams)])
coancestry <- mean(A[c(sires, dams), c(sires, dams)]) / 2
ne <- 1 / (2 * coancestry)

cat("inbreeding", sprintf("%.7f", inbreeding[inbreeding > 0]), "\n")
cat("fixed", sprintf("%.6f", b), "\n")
for (i in 1:n) cat(ped$id[i], sprintf("%.6f %.6f %.6f", u[i], rel[i], acc[i]), "\n")
cat("variances", sprintf("%.6f %.6f", s2e, s2u), "\n")
cat("sires", sires, "dams", dams, "\n")
cat("best mating", best$sire, best$dam, sprintf("%.7f %.6f", best$F, best$index), "\n")
cat("response", sprintf("%.6f", response), "coancestry", sprintf("%.6f %.6f", coancestry, ne), sprintf("%.5f", max(contrib)), "\n")
