lines <- readLines("mt.fasta")
head <- grepl("^>", lines)
taxa <- sub("^>([^ ]+).*", "\\1", lines[head])
joined <- tapply(lines[!head], cumsum(head)[!head], paste, collapse = "")
aln <- do.call(rbind, strsplit(as.vector(joined), ""))
rownames(aln) <- taxa
nt <- nrow(aln)
sites <- ncol(aln)

GC <- rowMeans(aln == "G" | aln == "C")

# every pair of sequences, sites that differ and how
purine <- aln == "A" | aln == "G"
ts <- tv <- matrix(0, nt, nt, dimnames = list(taxa, taxa))
for (i in 1:nt) {
  for (j in 1:nt) {
    differ <- aln[i, ] != aln[j, ]
    same.class <- purine[i, ] == purine[j, ]
    ts[i, j] <- mean(differ & same.class)
    tv[i, j] <- mean(differ & !same.class)
  }
}
jc69 <- -0.75 * log(1 - 4 * (ts + tv) / 3)
k80 <- -log(1 - 2 * ts - tv) / 2 - log(1 - 2 * tv) / 4
kappa <- sum(ts) / sum(tv)

# average linkage is UPGMA; its heights are whole distances
hc <- hclust(as.dist(k80), method = "average")
h <- hc$height / 2
coph <- cophenetic(hc)
ccc <- cor(as.dist(k80), coph)

to.newick <- function(hc) {
  part <- character(nrow(hc$merge))
  for (s in seq_len(nrow(hc$merge))) {
    kids <- hc$merge[s, ]
    text <- ifelse(kids < 0, hc$labels[abs(kids)], part[abs(kids)])
    part[s] <- paste0("(", paste(sort(text, method = "radix"), collapse = ","), ")")
  }
  part[length(part)]
}
phylo <- to.newick(hc)

calib <- 13   # Ma: the orang-utan
age <- calib * h / h[nt - 2]
others <- k80["human", taxa != "human"]
closest <- names(which.min(others))

low <- function(m) m[lower.tri(m)]
f <- function(x) paste(sprintf("%.8f", x), collapse = " ")
cat("GC", f(GC), "\n")
cat("Jukes and Cantor, largest", f(max(low(jc69))), "mean", f(mean(low(jc69))), "\n")
cat("Kimura, largest", f(max(low(k80))), "mean", f(mean(low(k80))), "\n")
cat("transitions per transversion", f(kappa), "\n")
cat("heights", f(h), "\n")
cat("million years", f(age), "\n")
cat("r", f(ccc), "nearest to man:", closest, "\n")
cat(phylo, "\n")
