# Attention of the first token of a sentence: its key, query and value, and what it makes of all tokens.

# Tokens count from 0, rows from 1.
sentence_embed <- function(tokens, embedding) embedding[tokens + 1, , drop = FALSE]

key_1 <- function(sentence_embed, w_key) as.vector(w_key %*% sentence_embed[1, ])

query_1 <- function(sentence_embed, w_query) as.vector(w_query %*% sentence_embed[1, ])

value_1 <- function(sentence_embed, w_value) as.vector(w_value %*% sentence_embed[1, ])

keys <- function(sentence_embed, w_key) sentence_embed %*% t(w_key)

values <- function(sentence_embed, w_value) sentence_embed %*% t(w_value)

a1 <- function(query_1, keys) {
  scaled <- as.vector(query_1 %*% t(keys)) / sqrt(ncol(keys))
  e <- exp(scaled - max(scaled))
  e / sum(e)
}

z1 <- function(a1, values) as.vector(a1 %*% values)
