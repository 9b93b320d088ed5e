# Training by stochastic gradient descent, one review after the other: with the published gradient and with the
# exact one. Words are columns.

# The vectors of a sentence's words as columns, and below them each word's position, counted from 0.
embed <- function(table, tokens) {
  rbind(t(table[tokens + 1, , drop = FALSE]), seq_along(tokens) - 1)
}

sentences <- function(table, tokens, offsets) {
  lapply(seq_len(length(offsets) - 1), function(i) {
    embed(table, tokens[seq_len(offsets[i + 1] - offsets[i]) + offsets[i]])
  })
}

linear <- function(x, weights, bias) weights %*% x + as.vector(bias)

attention <- function(q, k) {
  e <- crossprod(q, k) / sqrt(length(q))
  powers <- exp(e - apply(e, 1, max))
  powers / rowSums(powers)
}

softmax <- function(scores) {
  powers <- exp(scores - max(scores))
  powers / sum(powers)
}

# Of a derivative dL/dalpha. As published: the first column of alpha serves every row, and there is no scale.
published_score_gradient <- function(dL_dalpha, alpha, q) {
  first <- alpha[, 1]
  dL_dalpha %*% (diag(first, nrow = length(first)) - outer(first, first))
}

exact_score_gradient <- function(dL_dalpha, alpha, q) {
  alpha * (dL_dalpha - rowSums(alpha * dL_dalpha)) / sqrt(length(q))
}

# The loss of one sentence, and its gradient in every parameter.
loss_and_gradient <- function(x, y, at, score_gradient) {
  n <- ncol(x)
  q <- linear(x, at$Q, at$Qb)
  k <- linear(x, at$K, at$Kb)
  v <- linear(x, at$V, at$Vb)
  alpha <- attention(q, k)
  z <- tcrossprod(v, alpha)
  f <- linear(z, at$W, at$b)
  p <- softmax(rowMeans(f))

  dL_df <- matrix((p - y) / n, 3, n)
  dL_dz <- crossprod(at$W, dL_df)
  dL_dv <- dL_dz %*% alpha
  dL_de <- score_gradient(crossprod(dL_dz, v), alpha, q)
  dL_dq <- tcrossprod(k, dL_de)
  dL_dk <- q %*% dL_de
  list(
    loss = -sum(y * log(p)),
    gradient = list(
      Q = tcrossprod(dL_dq, x), Qb = rowSums(dL_dq),
      K = tcrossprod(dL_dk, x), Kb = rowSums(dL_dk),
      V = tcrossprod(dL_dv, x), Vb = rowSums(dL_dv),
      W = tcrossprod(dL_df, z), b = rowSums(dL_df)
    )
  )
}

# The loss after every epoch, and the parameters; only those named in `trained` are trained.
train <- function(table, tokens, offsets, labels, rate, epochs, parameters, score_gradient, trained) {
  reviews <- sentences(table, tokens, offsets)[labels >= 0]
  targets <- lapply(labels[labels >= 0], function(label) as.numeric(0:2 == label))
  losses <- numeric(epochs)
  for (epoch in seq_len(epochs)) {
    total <- 0
    for (i in seq_along(reviews)) {
      if (ncol(reviews[[i]]) == 0) next
      found <- loss_and_gradient(reviews[[i]], targets[[i]], parameters, score_gradient)
      total <- total + found$loss
      for (name in trained) parameters[[name]] <- parameters[[name]] - rate * found$gradient[[name]]
    }
    losses[epoch] <- total / length(reviews)
  }
  c(list(losses), unname(parameters[trained]))
}

train_published <- function(table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs,
                            Q, Qb, K, Kb, V, Vb, W, b) {
  parameters <- list(Q = Q, Qb = Qb, K = K, Kb = Kb, V = V, Vb = Vb, W = W, b = b)
  train(table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, parameters,
        published_score_gradient, c("Q", "Qb", "K", "Kb", "V", "Vb"))
}

train_published_all <- function(table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs,
                                Q, Qb, K, Kb, V, Vb, W, b) {
  parameters <- list(Q = Q, Qb = Qb, K = K, Kb = Kb, V = V, Vb = Vb, W = W, b = b)
  train(table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, parameters,
        published_score_gradient, names(parameters))
}

train_exact <- function(table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs,
                        Q, Qb, K, Kb, V, Vb, W, b) {
  parameters <- list(Q = Q, Qb = Qb, K = K, Kb = Kb, V = V, Vb = Vb, W = W, b = b)
  train(table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, parameters,
        exact_score_gradient, c("Q", "Qb", "K", "Kb", "V", "Vb"))
}

# The attention weights of the sentences that were not trained on.
attention_published <- function(table, corpus_tokens, corpus_offsets, corpus_labels, Q, Qb, K, Kb) {
  evaluated <- sentences(table, corpus_tokens, corpus_offsets)[corpus_labels < 0]
  lapply(evaluated, function(x) attention(linear(x, Q, Qb), linear(x, K, Kb)))
}

attention_published_all <- attention_published

attention_exact <- attention_published
