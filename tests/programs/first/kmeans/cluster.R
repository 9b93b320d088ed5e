pts <- matrix(c(
  1.02, 2.11, 1.48, 1.83, 5.03, 8.21, 8.07, 8.05, 1.13, 0.61, 9.08, 11.12,
  8.21, 2.04, 10.14, 2.33, 9.27, 3.08, 0.52, 1.41, 7.61, 9.44, 6.83, 8.78
), ncol = 2, byrow = TRUE)
K <- 3
maxIter <- 20

sqDist <- function(x, centers) {
  out <- matrix(0, nrow(x), nrow(centers))
  for (j in seq_len(nrow(centers))) {
    out[, j] <- rowSums(sweep(x, 2, centers[j, ])^2)
  }
  out
}

lo <- apply(pts, 2, min)
rng <- apply(pts, 2, max) - lo
z <- sweep(sweep(pts, 2, lo), 2, rng, "/")

cent <- z[c(1, 4, 7), ]
history <- c()
for (iter in 1:maxIter) {
  d <- sqDist(z, cent)
  cl <- apply(d, 1, which.min)
  newCent <- matrix(0, K, 2)
  for (j in 1:K) {
    newCent[j, ] <- colMeans(z[cl == j, , drop = FALSE])
  }
  move <- sqrt(sum((newCent - cent)^2))
  cent <- newCent
  d2 <- sqDist(z, cent)
  wss <- sum(d2[cbind(seq_len(nrow(z)), cl)])
  history <- c(history, wss)
  if (move < 1e-9) break
}

sizes <- tabulate(cl, K)
centersOrig <- sweep(sweep(cent, 2, rng, "*"), 2, lo, "+")

D <- as.matrix(dist(z))
s <- numeric(nrow(z))
for (i in seq_len(nrow(z))) {
  same <- cl == cl[i]
  ai <- sum(D[i, same]) / (sum(same) - 1)
  others <- setdiff(1:K, cl[i])
  bi <- min(sapply(others, function(j) mean(D[i, cl == j])))
  s[i] <- (bi - ai) / max(ai, bi)
}
avgSil <- mean(s)

cat("sizes:", sizes, "\n")
print(round(centersOrig, 3))
cat("inertia:", wss, "\n")
cat("silhouette:", avgSil, "\n")
