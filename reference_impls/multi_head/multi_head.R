# Multi-head self-attention: every head attends on its own; the heads are concatenated and projected.
# What each head holds has four dimensions: head, sequence, token, feature.

# The matrix of one head and one sequence; matrix() keeps a single row or column a matrix.
part <- function(heads, h, b) matrix(heads[h, b, , ], dim(heads)[3], dim(heads)[4])

# One matrix of a stack.
slice <- function(stack, i) matrix(stack[i, , ], dim(stack)[2], dim(stack)[3])

# Four dimensions from one matrix a head and a sequence; the head runs fastest.
each_head <- function(heads, sequences, step) {
  matrices <- list()
  for (b in seq_len(sequences)) {
    for (h in seq_len(heads)) {
      matrices[[length(matrices) + 1]] <- step(h, b)
    }
  }
  aperm(array(unlist(matrices), c(dim(matrices[[1]]), heads, sequences)), c(3, 4, 1, 2))
}

linear_of_each_head <- function(x, weight) {
  each_head(dim(weight)[1], dim(x)[1], function(h, b) {
    slice(x, b) %*% t(slice(weight, h))
  })
}

Q <- function(x, query_weight) linear_of_each_head(x, query_weight)

K <- function(x, key_weight) linear_of_each_head(x, key_weight)

V <- function(x, value_weight) linear_of_each_head(x, value_weight)

scores <- function(Q, K) {
  each_head(dim(Q)[1], dim(Q)[2], function(h, b) part(Q, h, b) %*% t(part(K, h, b)))
}

scaled <- function(scores, K) scores / sqrt(dim(K)[4])

# Along the last dimension: what has one number a row is recycled along it.
weights <- function(scaled) {
  e <- exp(scaled - as.vector(apply(scaled, c(1, 2, 3), max)))
  e / as.vector(rowSums(e, dims = 3))
}

head_outputs <- function(weights, V) {
  each_head(dim(V)[1], dim(V)[2], function(h, b) part(weights, h, b) %*% part(V, h, b))
}

# Features run faster than heads, so that each head's stay together.
concat_heads <- function(head_outputs) {
  size <- dim(head_outputs)
  array(aperm(head_outputs, c(2, 3, 4, 1)), c(size[2], size[3], size[4] * size[1]))
}

multihead_output <- function(concat_heads, output_weight, output_bias) {
  out <- array(0, c(dim(concat_heads)[1:2], nrow(output_weight)))
  for (b in seq_len(dim(out)[1])) {
    projected <- slice(concat_heads, b) %*% t(output_weight)
    out[b, , ] <- sweep(projected, 2, output_bias, "+")
  }
  out
}
