# The gradient of the sentiment loss: as published, and exact for the published forward pass.
#
# Words are columns, except in the gradients of queries and keys, where the article has them as rows. Every
# exact stage pulls a gradient back through one step of the forward pass: its arguments are that step's, and the
# gradient of the step's result.

STEP <- 2^-5

linear <- function(x, weights, bias) weights %*% x + as.vector(bias)

softmax_rows <- function(scores) {
  powers <- exp(scores - apply(scores, 1, max))
  powers / rowSums(powers)
}

# The forward pass

x <- function(table, tokens) {
  embeddings <- t(table[tokens + 1, , drop = FALSE])
  rbind(embeddings, seq_len(ncol(embeddings)) - 1)
}

q <- function(x, Q, Qb) linear(x, Q, Qb)

k <- function(x, K, Kb) linear(x, K, Kb)

v <- function(x, V, Vb) linear(x, V, Vb)

e <- function(q, k) crossprod(q, k) / sqrt(length(q))

alpha <- function(e) softmax_rows(e)

z <- function(v, alpha) tcrossprod(v, alpha)

f <- function(z, W, b) linear(z, W, b)

pooled <- function(f) matrix(rowMeans(f))

p <- function(pooled) t(softmax_rows(t(pooled)))

loss <- function(p, y) -sum(y * log(p))

# The published gradient

dL_dp <- function(p, y) p - y

dp_df <- function(z) matrix(1 / ncol(z), 1, ncol(z))

dL_df <- function(dL_dp, dp_df) dL_dp %*% dp_df

dL_dW <- function(dL_df, z) tcrossprod(dL_df, z)

dL_db <- function(dL_df) matrix(rowSums(dL_df))

dL_dz <- function(dL_df, W) crossprod(W, dL_df)

dalpha_de <- function(alpha) {
  first <- alpha[, 1]
  diag(first, nrow = length(first)) - outer(first, first)
}

dL_dalpha <- function(dL_dz, v) crossprod(dL_dz, v)

dL_de <- function(dL_dalpha, dalpha_de) dL_dalpha %*% dalpha_de

dL_dq <- function(dL_de, k) tcrossprod(dL_de, k)

dL_dk <- function(dL_de, q) t(q %*% dL_de)

dL_dv <- function(dL_dz, alpha) dL_dz %*% alpha

dL_dQ <- function(dL_dq, x) t(x %*% dL_dq)

dL_dK <- function(dL_dk, x) t(x %*% dL_dk)

dL_dV <- function(dL_dv, x) tcrossprod(dL_dv, x)

dL_dQb <- function(dL_dq) matrix(colSums(dL_dq))

dL_dKb <- function(dL_dk) matrix(colSums(dL_dk))

dL_dVb <- function(dL_dv) matrix(rowSums(dL_dv))

# The exact gradient

dL_dp_exact <- function(pooled, y) p(pooled) - y

dL_df_exact <- function(f, dL_dp_exact) {
  n <- ncol(f)
  matrix(dL_dp_exact / n, nrow(f), n)
}

dL_dW_exact <- function(z, W, b, dL_df_exact) tcrossprod(dL_df_exact, z)

dL_db_exact <- function(z, W, b, dL_df_exact) matrix(rowSums(dL_df_exact))

dL_dz_exact <- function(z, W, b, dL_df_exact) crossprod(W, dL_df_exact)

dL_dalpha_exact <- function(v, alpha, dL_dz_exact) crossprod(dL_dz_exact, v)

dL_dv_exact <- function(v, alpha, dL_dz_exact) dL_dz_exact %*% alpha

dL_de_exact <- function(e, dL_dalpha_exact) {
  weights <- alpha(e)
  weights * (dL_dalpha_exact - rowSums(weights * dL_dalpha_exact))
}

dL_dq_exact <- function(q, k, dL_de_exact) tcrossprod(dL_de_exact, k) / sqrt(length(q))

dL_dk_exact <- function(q, k, dL_de_exact) t(q %*% dL_de_exact) / sqrt(length(q))

dL_dQ_exact <- function(x, Q, Qb, dL_dq_exact) t(x %*% dL_dq_exact)

dL_dQb_exact <- function(x, Q, Qb, dL_dq_exact) matrix(colSums(dL_dq_exact))

dL_dK_exact <- function(x, K, Kb, dL_dk_exact) t(x %*% dL_dk_exact)

dL_dKb_exact <- function(x, K, Kb, dL_dk_exact) matrix(colSums(dL_dk_exact))

dL_dV_exact <- function(x, V, Vb, dL_dv_exact) tcrossprod(dL_dv_exact, x)

dL_dVb_exact <- function(x, V, Vb, dL_dv_exact) matrix(rowSums(dL_dv_exact))

gradient <- function(x, y, Q, Qb, K, Kb, V, Vb, W, b) {
  queries <- q(x, Q, Qb)
  keys <- k(x, K, Kb)
  values <- v(x, V, Vb)
  scores <- e(queries, keys)
  weights <- alpha(scores)
  context <- z(values, weights)
  classes <- f(context, W, b)
  to_f <- dL_df_exact(classes, dL_dp_exact(pooled(classes), y))
  to_z <- dL_dz_exact(context, W, b, to_f)
  to_v <- dL_dv_exact(values, weights, to_z)
  to_e <- dL_de_exact(scores, dL_dalpha_exact(values, weights, to_z))
  to_q <- dL_dq_exact(queries, keys, to_e)
  to_k <- dL_dk_exact(queries, keys, to_e)
  list(
    dL_dQ_exact(x, Q, Qb, to_q),
    dL_dQb_exact(x, Q, Qb, to_q),
    dL_dK_exact(x, K, Kb, to_k),
    dL_dKb_exact(x, K, Kb, to_k),
    dL_dV_exact(x, V, Vb, to_v),
    dL_dVb_exact(x, V, Vb, to_v),
    dL_dW_exact(context, W, b, to_f),
    dL_db_exact(context, W, b, to_f)
  )
}

# The slope of the loss along four directions: in (Q, Qb), in (K, Kb), in (V, Vb) and in (W, b)

loss_at <- function(x, y, at) {
  weights <- alpha(e(q(x, at$Q, at$Qb), k(x, at$K, at$Kb)))
  loss(p(pooled(f(z(v(x, at$V, at$Vb), weights), at$W, at$b))), y)
}

slope_exact <- function(dL_dQ_exact, dL_dQb_exact, dL_dK_exact, dL_dKb_exact,
                        dL_dV_exact, dL_dVb_exact, dL_dW_exact, dL_db_exact,
                        Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step) {
  c(
    sum(dL_dQ_exact * Q_step) + sum(dL_dQb_exact * Qb_step),
    sum(dL_dK_exact * K_step) + sum(dL_dKb_exact * Kb_step),
    sum(dL_dV_exact * V_step) + sum(dL_dVb_exact * Vb_step),
    sum(dL_dW_exact * W_step) + sum(dL_db_exact * b_step)
  )
}

slope_differences <- function(x, y, Q, Qb, K, Kb, V, Vb, W, b,
                              Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step) {
  here <- list(Q = Q, Qb = Qb, K = K, Kb = Kb, V = V, Vb = Vb, W = W, b = b)
  steps <- list(Q_step, Qb_step, K_step, Kb_step, V_step, Vb_step, W_step, b_step)
  moved <- function(pair, by) {
    there <- here
    for (i in c(2 * pair - 1, 2 * pair)) there[[i]] <- here[[i]] + by * steps[[i]]
    loss_at(x, y, there)
  }
  slope <- function(pair) {
    near <- moved(pair, STEP) - moved(pair, -STEP)
    far <- moved(pair, 2 * STEP) - moved(pair, -2 * STEP)
    (8 * near - far) / (12 * STEP)
  }
  sapply(1:4, slope)
}
