# Scaled dot-product self-attention of four words, step by step.

Q <- function(words, W_Q) words %*% W_Q

K <- function(words, W_K) words %*% W_K

V <- function(words, W_V) words %*% W_V

scores <- function(Q, K) Q %*% t(K)

maxs <- function(scores) as.matrix(apply(scores, 1, max))

weights <- function(scores, maxs, K) {
  e <- exp((scores - maxs[, 1]) / sqrt(ncol(K)))  # the vector is recycled down the rows
  e / rowSums(e)
}

attention <- function(weights, V) weights %*% V
