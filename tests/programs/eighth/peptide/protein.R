aa <- read.csv("aminoacids.csv", stringsAsFactors = FALSE)
rownames(aa) <- aa$code
fasta <- readLines("lysozyme.fasta")
full <- paste(fasta[-1], collapse = "")
chain <- strsplit(substring(full, 19), "")[[1]]
n <- length(chain)
tab <- table(factor(chain, levels = aa$code))

titrating <- rbind(
  data.frame(pk = aa$pk, charge = aa$charge, times = as.vector(tab))[!is.na(aa$pk), ],
  data.frame(pk = c(8.6, 3.6), charge = c(1, -1), times = 1)
)
Z <- function(pH) {
  with(titrating, sum(times * charge / (1 + 10^(charge * (pH - pk)))))
}
pI <- uniroot(Z, c(0, 14), tol = 1e-12)$root

mw <- sum(aa[chain, "average"]) + 18.01528
eps <- sum(c(W = 5500, Y = 1490) * tab[c("W", "Y")])
eps.ox <- eps + 125 * (tab[["C"]] %/% 2)
gravy <- mean(aa[chain, "hydropathy"])
x <- 100 * tab / n
ai <- unname(x["A"] + 2.9 * x["V"] + 3.9 * (x["I"] + x["L"]))

## triangular window, edges at 40 %
tri <- c(seq(0.4, 1, length.out = 5), seq(1, 0.4, length.out = 5)[-1])
kd <- aa[chain, "hydropathy"]
smooth <- as.vector(stats::filter(kd, tri / sum(tri)))
top <- which.max(smooth)

## digestion
cut <- which(chain %in% c("K", "R") & c(chain[-1], "") != "P")
cut <- cut[cut < n]
from <- c(1, cut + 1)
to <- c(cut, n)
digest <- data.frame(from, to)
digest$seq <- substring(paste(chain, collapse = ""), from, to)
total <- c(0, cumsum(aa[chain, "mono"] + 57.02146 * (chain == "C")))
digest$mass <- total[to + 1] - total[from] + 18.01056
basic <- c(0, cumsum(chain %in% c("K", "R", "H")))
digest$z <- basic[to + 1] - basic[from] + 1
digest$mz <- digest$mass / digest$z + 1.007276
shown <- digest[digest$mz >= 400 & digest$mz <= 1200, ]
shown <- shown[order(shown$mz), ]
cov <- sum(shown$to - shown$from + 1) / n

cat("n", n, "Mr", sprintf("%.4f", mw), "pI", sprintf("%.6f", pI), "\n")
cat("Z(7.4)", sprintf("%.6f", Z(7.4)), "\n")
cat("eps", eps.ox, eps, sprintf("%.6f", eps.ox / mw), "\n")
cat("gravy", sprintf("%.6f", gravy), "aliphatic index", sprintf("%.4f", ai), "\n")
cat("profile", top, sprintf("%.6f", max(smooth, na.rm = TRUE)), sprintf("%.6f", min(smooth, na.rm = TRUE)), "\n")
for (r in seq_len(nrow(shown))) {
  with(shown[r, ], cat(sprintf("%.5f %d+ %d %s\n", mz, as.integer(z), as.integer(from), seq)))
}
cat("covered", sprintf("%.6f", cov), "\n")
