# Multi-head self-attention of a sentence, head by head; the head is the first dimension.

# The matrix of one head; matrix() keeps a single row or column a matrix.
one_head <- function(heads, h) matrix(heads[h, , ], dim(heads)[2], dim(heads)[3])

each_head <- function(heads, step) {
  matrices <- lapply(seq_len(heads), step)
  aperm(array(unlist(matrices), c(dim(matrices[[1]]), heads)), c(3, 1, 2))
}

project <- function(x, weight) each_head(dim(weight)[1], function(h) x %*% one_head(weight, h))

# Tokens count from 0, rows from 1.
sentence_embed <- function(tokens, embedding) embedding[tokens + 1, , drop = FALSE]

queries <- function(sentence_embed, w_query) project(sentence_embed, w_query)

keys <- function(sentence_embed, w_key) project(sentence_embed, w_key)

values <- function(sentence_embed, w_value) project(sentence_embed, w_value)

scores <- function(queries, keys) {
  products <- each_head(dim(keys)[1], function(h) one_head(queries, h) %*% t(one_head(keys, h)))
  products / sqrt(dim(keys)[3])
}

# Along the last dimension: what has one number a row is recycled along it.
attention_weights <- function(scores) {
  e <- exp(scores - as.vector(apply(scores, c(1, 2), max)))
  e / as.vector(rowSums(e, dims = 2))
}

head_outputs <- function(attention_weights, values) {
  each_head(dim(values)[1], function(h) one_head(attention_weights, h) %*% one_head(values, h))
}

concat_heads <- function(head_outputs) {
  do.call(cbind, lapply(seq_len(dim(head_outputs)[1]), function(h) one_head(head_outputs, h)))
}

multihead_output <- function(concat_heads, w_output) concat_heads %*% w_output
