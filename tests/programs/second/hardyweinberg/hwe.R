geno <- read.csv("genotypes.csv", stringsAsFactors = FALSE)
loci <- setdiff(names(geno), c("id", "village"))

# number of copies (0, 1, 2) of the alphabetically first allele
dosage <- function(calls) {
  calls[calls == "NN"] <- NA
  a1 <- substr(calls, 1, 1)
  a2 <- substr(calls, 2, 2)
  ref <- min(c(a1, a2), na.rm = TRUE)
  (a1 == ref) + (a2 == ref)
}

D <- sapply(geno[loci], dosage)
missRate <- colMeans(is.na(D))
N <- colSums(!is.na(D))
pHat <- colMeans(D, na.rm = TRUE) / 2

hw <- data.frame(locus = loci, n = N, p = pHat)
hw$chisq <- NA
hw$Fis <- NA
for (k in seq_along(loci)) {
  obs <- table(factor(D[, k], levels = 2:0))
  p <- hw$p[k]
  expect <- hw$n[k] * c(p^2, 2 * p * (1 - p), (1 - p)^2)
  hw$chisq[k] <- sum((obs - expect)^2 / expect)
  hw$Fis[k] <- 1 - obs[["1"]] / expect[2]
}
hw$pval <- pchisq(hw$chisq, df = 1, lower.tail = FALSE)

# Fst among villages, locus rs101
d1 <- D[, "rs101"]
pv <- tapply(d1, geno$village, mean, na.rm = TRUE) / 2
nv <- tapply(!is.na(d1), geno$village, sum)
pTotal <- weighted.mean(pv, nv)
HS <- weighted.mean(2 * pv * (1 - pv), nv)
HT <- 2 * pTotal * (1 - pTotal)
Fst <- 1 - HS / HT

hw$miss <- missRate
print(format(hw, digits = 7), row.names = FALSE)
print(round(pv, 5))
cat(sprintf("Hs=%.6f Ht=%.6f Fst=%.6f\n", HS, HT, Fst))
