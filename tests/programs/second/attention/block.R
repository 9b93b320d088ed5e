# causal attention, feed-forward layer and next-token loss in base R
ids <- c(3, 1, 4, 1, 5) + 1
n <- length(ids)
V <- 7
D <- 8
H <- 2
dh <- D / H

param <- function(r, c, phase) {
  outer(0:(r - 1), 0:(c - 1), function(i, j) sin(1.7 * i + 2.3 * j + phase)) / sqrt(r)
}
Emb <- param(V, D, 0.1)
Wq <- param(D, D, 0.2)
Wk <- param(D, D, 1.3)
Wv <- param(D, D, 2.4)
Wo <- param(D, D, 3.5)
W1 <- param(D, 12, 4.6)
W2 <- param(12, D, 5.7)
b1 <- cos(0:11) / 10

layernorm <- function(M) {
  mu <- rowMeans(M)
  s2 <- rowMeans((M - mu)^2)
  (M - mu) / sqrt(s2 + 1e-5)
}
softmaxRow <- function(z) {
  ez <- exp(z - max(z))
  ez / sum(ez)
}
gelu <- function(u) u * pnorm(u)

pe <- matrix(0, n, D)
for (p in 1:n) {
  for (j in seq(1, D, by = 2)) {
    omega <- 1 / 10000^((j - 1) / D)
    pe[p, j] <- sin((p - 1) * omega)
    pe[p, j + 1] <- cos((p - 1) * omega)
  }
}

X <- Emb[ids, ] + pe
Z <- layernorm(X)
Q <- Z %*% Wq
K <- Z %*% Wk
Val <- Z %*% Wv

A <- array(0, c(H, n, n))
ctx <- matrix(0, n, D)
for (hd in 1:H) {
  cols <- ((hd - 1) * dh + 1):(hd * dh)
  for (i in 1:n) {
    s <- as.vector(K[1:i, cols, drop = FALSE] %*% Q[i, cols]) / sqrt(dh)
    A[hd, i, 1:i] <- softmaxRow(s)
    ctx[i, cols] <- A[hd, i, 1:i] %*% Val[1:i, cols, drop = FALSE]
  }
}

resid1 <- X + ctx %*% Wo
act <- gelu(sweep(layernorm(resid1) %*% W1, 2, b1, "+"))
Y <- resid1 + act %*% W2

lg <- Y %*% t(Emb)
lse <- apply(lg, 1, function(z) max(z) + log(sum(exp(z - max(z)))))
lp <- lg - lse
ce <- -lp[cbind(1:(n - 1), ids[-1])]
L <- mean(ce)
ppl <- exp(L)
guess <- max.col(lg, ties.method = "first")
ent <- colMeans(apply(A, c(1, 2), function(a) -sum(a[a > 0] * log(a[a > 0]))))

cat("attention of the last token", round(as.vector(t(A[, n, ])), 8), "\n")
cat("entropy", round(ent, 8), "\n")
cat("output norm", round(sqrt(rowSums(Y^2)), 8), "\n")
cat("nll", round(ce, 8), "\n")
cat(sprintf("loss %.10f perplexity %.10f\n", L, ppl))
cat("predicted", guess - 1, "\n")
