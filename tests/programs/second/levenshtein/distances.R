places <- c("Hamburg", "Homburg", "Hamborn", "Bamberg", "Nurnberg", "Bernburg",
            "Marburg", "Magdeburg", "Amberg", "Sonneberg")
k <- length(places)

# full dynamic programming table
editDistance <- function(a, b) {
  x <- strsplit(tolower(a), "")[[1]]
  y <- strsplit(tolower(b), "")[[1]]
  tab <- matrix(0, length(x) + 1, length(y) + 1)
  tab[, 1] <- 0:length(x)
  tab[1, ] <- 0:length(y)
  for (i in seq_along(x)) {
    for (j in seq_along(y)) {
      sub <- tab[i, j] + (x[i] != y[j])
      tab[i + 1, j + 1] <- min(tab[i, j + 1] + 1, tab[i + 1, j] + 1, sub)
    }
  }
  tab[length(x) + 1, length(y) + 1]
}

d <- matrix(0, k, k, dimnames = list(places, places))
for (i in 2:k) {
  for (j in 1:(i - 1)) {
    d[i, j] <- editDistance(places[i], places[j])
    d[j, i] <- d[i, j]
  }
}

len <- nchar(places)
longest <- outer(len, len, pmax)
sim <- 1 - d / longest

avg <- unname(rowSums(d)) / (k - 1)
central <- which.min(avg)
dNoSelf <- d
diag(dNoSelf) <- Inf
nn <- apply(dNoSelf, 1, which.min)

# single linkage by Kruskal's spanning tree
edges <- which(upper.tri(d), arr.ind = TRUE)
w <- d[edges]
o <- order(w)
edges <- edges[o, ]
w <- w[o]
group <- 1:k
heights <- c()
for (e in seq_along(w)) {
  g1 <- group[edges[e, 1]]
  g2 <- group[edges[e, 2]]
  if (g1 != g2) {
    group[group == g2] <- g1
    heights <- c(heights, w[e])
  }
}
treeLength <- sum(heights)

cons <- gsub("[aeiou]", "", tolower(places))
cons <- gsub("(.)\\1+", "\\1", cons)
consDist <- sapply(cons, editDistance, b = cons[central], USE.NAMES = FALSE)
total <- sum(sim[lower.tri(sim)])

res <- data.frame(name = places, skeleton = cons, mean = round(avg, 6),
                  nearest = places[nn], skel = consDist)
print(res, row.names = FALSE)
cat("medoid", places[central], "\n")
near <- which(d <= 3 & lower.tri(d), arr.ind = TRUE)
cat("close", nrow(near), paste(places[near[, 2]], places[near[, 1]], sep = "-"), "\n")
cat("merges", heights, "sum", treeLength, "\n")
cat(sprintf("similarity %.9f\n", total))
