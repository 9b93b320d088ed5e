# From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.
# Words are columns.

linear <- function(x, weights, bias) weights %*% x + as.vector(bias)

softmax_rows <- function(scores) {
  powers <- exp(scores - apply(scores, 1, max))
  powers / rowSums(powers)
}

embeddings <- function(table, tokens) t(table[tokens + 1, , drop = FALSE])

x <- function(embeddings) rbind(embeddings, seq_len(ncol(embeddings)) - 1)

q <- function(x, Q, Qb) linear(x, Q, Qb)

k <- function(x, K, Kb) linear(x, K, Kb)

v <- function(x, V, Vb) linear(x, V, Vb)

e <- function(q, k) crossprod(q, k) / sqrt(length(q))

alpha <- function(e) softmax_rows(e)

z <- function(v, alpha) tcrossprod(v, alpha)

f <- function(z, W, b) linear(z, W, b)

pooled <- function(f) matrix(rowMeans(f))

p <- function(pooled) t(softmax_rows(t(pooled)))

e_exact <- function(q, k) {
  d_k <- nrow(k)
  crossprod(q, k) / sqrt(d_k)
}

alpha_exact <- function(e_exact) softmax_rows(e_exact)

z_exact <- function(v, alpha_exact) tcrossprod(v, alpha_exact)

p_exact <- function(z_exact, W, b) p(pooled(f(z_exact, W, b)))
