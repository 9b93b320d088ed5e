scores <- function(Q, K) Q %*% t(K)

weights <- function(scores, K) {
  scaled <- scores / sqrt(ncol(K))
  e <- exp(scaled - apply(scaled, 1, max))
  e / rowSums(e)
}

output <- function(weights, V) weights %*% V
