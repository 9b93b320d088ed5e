d <- read.csv("flowers.csv")
X <- as.matrix(d[, c("length", "width", "spots")])
y <- 2 * (d$kind == "alba") - 1
isTrain <- d$set == "train"
Xtr <- X[isTrain, ]
ytr <- y[isTrain]
M <- 6

# all candidate stumps as columns of predictions
midpoints <- lapply(1:3, function(j) {
  u <- sort(unique(Xtr[, j]))
  (u[-1] + u[-length(u)]) / 2
})
cand <- data.frame(j = rep(1:3, lengths(midpoints)), thr = unlist(midpoints))
cand <- cand[rep(seq_len(nrow(cand)), each = 2), ]
cand$dir <- rep(c(1, -1), length.out = nrow(cand))

applyStumps <- function(X, cand) {
  side <- X[, cand$j, drop = FALSE] <= matrix(cand$thr, nrow(X), nrow(cand), byrow = TRUE)
  t(t(2 * side - 1) * cand$dir)
}

Htr <- applyStumps(Xtr, cand)
Hall <- applyStumps(X, cand)
miss <- Htr != ytr

D <- rep(1, length(ytr)) / length(ytr)
chosen <- integer(M)
eps <- beta <- numeric(M)
for (k in 1:M) {
  e <- colSums(D * miss)
  best <- which(e < min(e) + 1e-12)[1]
  chosen[k] <- best
  eps[k] <- e[best]
  beta[k] <- log(1 / eps[k] - 1) / 2
  D <- ifelse(miss[, best], D / (2 * eps[k]), D / (2 * (1 - eps[k])))
}

F <- Hall[, chosen] %*% diag(beta)
partial <- t(apply(F, 1, cumsum))
trainErr <- colMeans(sign(partial[isTrain, ]) != ytr)
total <- partial[, M]

out <- total[!isTrain]
truth <- y[!isTrain]
err <- mean(out * truth <= 0)
marg <- ytr * total[isTrain] / sum(beta)
minMarg <- min(marg)
P <- plogis(2 * out)
imp <- tapply(beta, factor(cand$j[chosen], 1:3), sum, default = 0) / sum(beta)

# area under the curve from mid-ranks
r <- rank(out)
n1 <- sum(truth == 1)
n0 <- sum(truth == -1)
AUC <- (sum(r[truth == 1]) - n1 * (n1 + 1) / 2) / (n1 * n0)

res <- data.frame(feature = colnames(X)[cand$j[chosen]], cut = cand$thr[chosen], error = eps,
                  alpha = beta, train = trainErr)
print(format(res, digits = 10), row.names = FALSE)
cat("weights", sprintf("%.8f", D), "\n")
cat("importance", sprintf("%.8f", imp), "\n")
cat("test error", err, "auc", sprintf("%.8f", AUC), "smallest margin", sprintf("%.8f", minMarg), "\n")
cat("probabilities", sprintf("%.8f", P), "\n")
