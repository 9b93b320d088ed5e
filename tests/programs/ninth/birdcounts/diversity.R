# Six sites, all visits taken together
obs <- read.csv("counts.csv", stringsAsFactors = FALSE)
comm <- xtabs(count ~ site + species, data = obs)
comm <- unclass(comm)
total <- rowSums(comm)
p <- comm / total

richness <- rowSums(comm > 0)
H <- -rowSums(ifelse(p > 0, p * log(p), 0))
evenness <- H / log(richness)
simpson <- 1 - rowSums(comm * (comm - 1)) / (total * (total - 1))

f1 <- rowSums(comm == 1)
f2 <- rowSums(comm == 2)
chao <- richness + f1 * (f1 - 1) / (2 * (f2 + 1))

rarefy <- function(n, m) {
  n <- n[n > 0]
  sum(1 - exp(lchoose(sum(n) - n, m) - lchoose(sum(n), m)))
}
m <- min(total)
rare <- apply(comm, 1, rarefy, m = m)

bray <- function(a, b) sum(abs(a - b)) / sum(a + b)
ns <- nrow(comm)
BC <- matrix(0, ns, ns, dimnames = list(rownames(comm), rownames(comm)))
for (i in 1:ns) for (j in 1:ns) BC[i, j] <- bray(sqrt(comm[i, ]), sqrt(comm[j, ]))

tree <- hclust(as.dist(BC), method = "average")
coph <- cor(as.dist(BC), cophenetic(tree))

# gamma, alpha and beta (weights by the size of the sample)
w <- total / sum(total)
gamma <- exp(-sum((pool <- colSums(comm) / sum(comm)) * log(pool)))
alpha <- exp(sum(w * H))
beta <- gamma / alpha

cat("site        S    N   Shannon    even      Simpson   Chao1     rarefied\n")
for (s in rownames(comm)) {
  cat(sprintf("%-10s %2d %4d  %.6f  %.6f  %.6f  %.5f  %.6f\n",
              s, richness[s], total[s], H[s], evenness[s], simpson[s], chao[s], rare[s]))
}
cat("merged at", sprintf("%.7f", tree$height), "\n")
cat("nearest to the meadow:", names(sort(BC["meadow", ]))[2], sprintf("%.7f", sort(BC["meadow", ])[2]), "\n")
cat(sprintf("cophenetic correlation %.7f\n", coph))
cat(sprintf("gamma %.6f alpha %.6f beta %.6f\n", gamma, alpha, beta))
