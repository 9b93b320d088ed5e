# Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head.
# A batch has three dimensions: sequence, token, feature.

# One sequence of a batch; matrix() keeps a single row or column a matrix.
one_sequence <- function(batch, b) matrix(batch[b, , ], dim(batch)[2], dim(batch)[3])

# A batch again, from one matrix a sequence.
stacked <- function(matrices) {
  aperm(array(unlist(matrices), c(dim(matrices[[1]]), length(matrices))), c(3, 1, 2))
}

each_sequence <- function(batch, step) stacked(lapply(seq_len(dim(batch)[1]), step))

linear <- function(x, weight) each_sequence(x, function(b) one_sequence(x, b) %*% t(weight))

# Softmax along the last dimension: what has one number a row is recycled along it.
softmax <- function(scores) {
  e <- exp(scores - as.vector(apply(scores, c(1, 2), max)))
  e / as.vector(rowSums(e, dims = 2))
}

Q <- function(x, query_weight) linear(x, query_weight)

K <- function(x, key_weight) linear(x, key_weight)

V <- function(x, value_weight) linear(x, value_weight)

scores <- function(Q, K) each_sequence(Q, function(b) one_sequence(Q, b) %*% t(one_sequence(K, b)))

scaled <- function(scores, K) scores / sqrt(dim(K)[3])

weights <- function(scaled) softmax(scaled)

row_sums <- function(weights) rowSums(weights, dims = 2)

sharpened <- function(scaled) softmax(12 * scaled)

outputs <- function(weights, V) {
  each_sequence(weights, function(b) one_sequence(weights, b) %*% one_sequence(V, b))
}

mask <- function(scaled) {
  size <- dim(scaled)[3]
  ones <- matrix(1, size, size)
  ones[upper.tri(ones)] <- 0
  ones
}

masked_scores <- function(scaled, mask) {
  each_sequence(scaled, function(b) ifelse(mask == 0, -Inf, one_sequence(scaled, b)))
}

masked_weights <- function(masked_scores) softmax(masked_scores)

head_Q <- function(head_x, head_query_weight) linear(head_x, head_query_weight)

head_K <- function(head_x, head_key_weight) linear(head_x, head_key_weight)

head_V <- function(head_x, head_value_weight) linear(head_x, head_value_weight)

head_scores <- function(head_Q, head_K) scores(head_Q, head_K) / sqrt(dim(head_K)[3])

head_weights <- function(head_scores) softmax(head_scores)

head_outputs <- function(head_weights, head_V) outputs(head_weights, head_V)
