# Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head.
# A batch has three dimensions: sequence, token, feature.

using LinearAlgebra

# A batch from one matrix a sequence.
function each_sequence(step, batch)
    matrices = [step(b) for b in axes(batch, 1)]
    return permutedims(cat(matrices..., dims = 3), (3, 1, 2))
end

linear(x, weight) = each_sequence(b -> x[b, :, :] * weight', x)

# Softmax along the last dimension.
function softmax(scores)
    e = exp.(scores .- maximum(scores, dims = 3))
    return e ./ sum(e, dims = 3)
end

Q(x, query_weight) = linear(x, query_weight)

K(x, key_weight) = linear(x, key_weight)

V(x, value_weight) = linear(x, value_weight)

scores(Q, K) = each_sequence(b -> Q[b, :, :] * K[b, :, :]', Q)

scaled(scores, K) = scores ./ sqrt(eltype(K)(size(K, 3)))

weights(scaled) = softmax(scaled)

row_sums(weights) = dropdims(sum(weights, dims = 3), dims = 3)

sharpened(scaled) = softmax(12 .* scaled)

outputs(weights, V) = each_sequence(b -> weights[b, :, :] * V[b, :, :], weights)

mask(scaled) = tril(ones(eltype(scaled), size(scaled, 2), size(scaled, 3)))

function masked_scores(scaled, mask)
    return each_sequence(b -> ifelse.(mask .== 0, eltype(scaled)(-Inf), scaled[b, :, :]), scaled)
end

masked_weights(masked_scores) = softmax(masked_scores)

head_Q(head_x, head_query_weight) = linear(head_x, head_query_weight)

head_K(head_x, head_key_weight) = linear(head_x, head_key_weight)

head_V(head_x, head_value_weight) = linear(head_x, head_value_weight)

head_scores(head_Q, head_K) = scores(head_Q, head_K) ./ sqrt(eltype(head_K)(size(head_K, 3)))

head_weights(head_scores) = softmax(head_scores)

head_outputs(head_weights, head_V) = outputs(head_weights, head_V)
