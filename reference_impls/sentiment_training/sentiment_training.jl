# Training by stochastic gradient descent, one review after the other: with the published gradient and with the
# exact one. Words are columns.

using LinearAlgebra

# The vectors of a sentence's words as columns, and below them each word's position, counted from 0.
function embed(table, tokens)
    embeddings = permutedims(table[tokens .+ 1, :])
    return vcat(embeddings, (0:length(tokens)-1)')
end

# The tokens of every sentence.
sentences(tokens, offsets) = [tokens[offsets[i]+1:offsets[i+1]] for i in 1:length(offsets)-1]

one_hot(label) = [label == class ? 1.0 : 0.0 for class in 0:2, column in 1:1]

linear(x, weights, bias) = weights * x .+ bias

function softmax(scores)
    powers = exp.(scores .- maximum(scores))
    return powers / sum(powers)
end

function attention(q, k)
    e = q' * k / sqrt(length(q))
    alpha = similar(e)
    for row in 1:size(e, 1)
        alpha[row, :] = softmax(e[row, :])
    end
    return alpha
end

# Of a derivative dL/dalpha. As published: the first column of alpha serves every row, and there is no scale.
function published_score_gradient(dL_dalpha, alpha, q)
    first = alpha[:, 1]
    return dL_dalpha * (Diagonal(first) - first * first')
end

function exact_score_gradient(dL_dalpha, alpha, q)
    return alpha .* (dL_dalpha .- sum(alpha .* dL_dalpha, dims=2)) / sqrt(length(q))
end

# The loss of one sentence, and its gradient in every parameter.
function loss_and_gradient(x, y, Q, Qb, K, Kb, V, Vb, W, b, score_gradient)
    n = size(x, 2)
    q, k, v = linear(x, Q, Qb), linear(x, K, Kb), linear(x, V, Vb)
    alpha = attention(q, k)
    z = v * alpha'
    f = linear(z, W, b)
    p = softmax(sum(f, dims=2) / n)
    loss = -sum(y .* log.(p))

    dL_df = (p - y) * fill(1 / n, 1, n)
    dL_dz = W' * dL_df
    dL_dv = dL_dz * alpha
    dL_dalpha = dL_dz' * v
    dL_de = score_gradient(dL_dalpha, alpha, q)
    dL_dq = k * dL_de'
    dL_dk = q * dL_de
    gradient = (
        dL_dq * x', sum(dL_dq, dims=2), dL_dk * x', sum(dL_dk, dims=2), dL_dv * x', sum(dL_dv, dims=2),
        dL_df * z', sum(dL_df, dims=2),
    )
    return loss, gradient
end

# Loss after every epoch, and the parameters after the last; the first `trained` of the eight are trained.
function train(table, tokens, offsets, labels, rate, epochs, parameters, score_gradient, trained)
    reviews = sentences(tokens, offsets)[labels .>= 0]
    targets = one_hot.(labels[labels .>= 0])
    losses = zeros(epochs)
    for epoch in 1:epochs
        for (review, y) in zip(reviews, targets)
            isempty(review) && continue
            x = embed(table, review)
            loss, gradient = loss_and_gradient(x, y, parameters..., score_gradient)
            losses[epoch] += loss / length(reviews)
            moved = map((p, g) -> p - rate * g, parameters[1:trained], gradient[1:trained])
            parameters = (moved..., parameters[trained+1:end]...)
        end
    end
    return losses, parameters
end

function train_published(
    table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b,
)
    losses, (Q, Qb, K, Kb, V, Vb) = train(
        table, corpus_tokens, corpus_offsets, corpus_labels, rate[1], epochs[1],
        (Q, Qb, K, Kb, V, Vb, W, b), published_score_gradient, 6,
    )
    return losses, Q, Qb, K, Kb, V, Vb
end

function train_published_all(
    table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b,
)
    losses, parameters = train(
        table, corpus_tokens, corpus_offsets, corpus_labels, rate[1], epochs[1],
        (Q, Qb, K, Kb, V, Vb, W, b), published_score_gradient, 8,
    )
    return (losses, parameters...)
end

function train_exact(
    table, corpus_tokens, corpus_offsets, corpus_labels, rate, epochs, Q, Qb, K, Kb, V, Vb, W, b,
)
    losses, (Q, Qb, K, Kb, V, Vb) = train(
        table, corpus_tokens, corpus_offsets, corpus_labels, rate[1], epochs[1],
        (Q, Qb, K, Kb, V, Vb, W, b), exact_score_gradient, 6,
    )
    return losses, Q, Qb, K, Kb, V, Vb
end

# The attention weights of the sentences that were not trained on, one matrix each.
function attention_after(table, corpus_tokens, corpus_offsets, corpus_labels, Q, Qb, K, Kb)
    evaluated = sentences(corpus_tokens, corpus_offsets)[corpus_labels .< 0]
    return Tuple(map(evaluated) do sentence
        x = embed(table, sentence)
        attention(linear(x, Q, Qb), linear(x, K, Kb))
    end)
end

const attention_published = attention_after
const attention_published_all = attention_after
const attention_exact = attention_after
