s <- read.csv("survey.csv", stringsAsFactors = FALSE)
s$smoking <- factor(s$smoking, c("never", "occasional", "regular"))
s$exercise <- factor(s$exercise, c("none", "some", "frequent"))

tab <- table(s$exercise, s$smoking)
O <- unclass(tab)
dimnames(O) <- NULL
N <- nrow(s)
exTot <- rowSums(O)
smTot <- colSums(O)

E <- outer(exTot, smTot) / N
pearson <- (O - E) / sqrt(E)
X2 <- sum(pearson^2)
llr <- O * log(O / E)
llr[O == 0] <- 0
G2 <- 2 * sum(llr)

dof <- prod(dim(O) - 1)
p1 <- 1 - pchisq(X2, dof)
p2 <- 1 - pchisq(G2, dof)
V <- sqrt(X2 / N / (min(dim(O)) - 1))

# concordant and discordant pairs of people, straight from the table
r <- row(O)
cl <- col(O)
agree <- 0
disagree <- 0
for (i in 1:3) {
  for (j in 1:3) {
    agree <- agree + O[i, j] * sum(O[r > i & cl > j])
    disagree <- disagree + O[i, j] * sum(O[r > i & cl < j])
  }
}
gam <- (agree - disagree) / (agree + disagree)

oddsNever <- O[, 1] / rowSums(O[, -1])
OR <- oddsNever[3] / oddsNever[1]
ageMean <- tapply(s$age, s$smoking, mean)

print(tab)
print(round(t(E), 4))
print(round(t(pearson), 4))
cat(sprintf("X2 %.8f p %.8f; G2 %.8f p %.8f; df %d\n", X2, p1, G2, p2, as.integer(dof)))
cat(sprintf("V %.8f gamma %.8f OR %.8f\n", V, gam, OR))
cat("mean age", sprintf("%.4f", ageMean), "\n")
