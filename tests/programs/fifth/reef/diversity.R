# fish counts per site -> diversity indices
d <- read.csv("counts.csv")
tab <- xtabs(count ~ site + species, data = d)
N <- rowSums(tab)
nsite <- nrow(tab)

indices <- data.frame(S = integer(nsite), H = 0, D = 0, J = 0, N2 = 0, chao1 = 0)
for (s in seq_len(nsite)) {
  x <- tab[s, ]
  x <- x[x > 0]
  p <- x / sum(x)
  f1 <- sum(x == 1)
  f2 <- sum(x == 2)
  lam <- sum(p^2)
  indices$S[s] <- length(x)
  indices$H[s] <- -sum(p * log(p))
  indices$D[s] <- 1 - lam
  indices$J[s] <- indices$H[s] / log(length(x))
  indices$N2[s] <- 1 / lam
  indices$chao1[s] <- length(x) + f1 * (f1 - 1) / (2 * (f2 + 1))
}

m <- min(N)
expected <- function(x) {
  tot <- sum(x)
  absent <- exp(lchoose(tot - x, m) - lchoose(tot, m))
  sum(1 - absent)
}
ES <- apply(tab, 1, expected)

pool <- colSums(tab) / sum(tab)
Hgamma <- -sum(pool * log(pool))
Halpha <- weighted.mean(indices$H, N)
numAlpha <- exp(Halpha)
numGamma <- exp(Hgamma)
numBeta <- exp(Hgamma - Halpha)

# dissimilarity: 1 - 2 * common / (all of both)
common <- outer(seq_len(nsite), seq_len(nsite),
                Vectorize(function(i, j) sum(pmin(tab[i, ], tab[j, ]))))
BC <- 1 - 2 * common / outer(N, N, "+")
pairs <- BC[lower.tri(BC)]
uniqueness <- (rowSums(BC) - diag(BC)) / (nsite - 1)
tmp <- BC
diag(tmp) <- Inf
nearest <- which(tmp == min(tmp), arr.ind = TRUE)
nearest <- sort(nearest[1, ])

ranked <- sort(pool, decreasing = TRUE)
cumulated <- cumsum(ranked)
nhalf <- sum(cumulated < 0.5) + 1

show <- function(label, ...) cat(label, format(c(...), digits = 13), "\n")
show("richness", indices$S)
show("shannon", indices$H)
show("simpson, hill", indices$D, indices$N2)
show("evenness", indices$J)
show("chao", indices$chao1)
show("rarefied", m, ES)
show("partition", numAlpha, numBeta, numGamma)
show("bray", mean(pairs), max(pairs), uniqueness)
show("closest", nearest)
show("dominance", cumulated[1:4], nhalf)
