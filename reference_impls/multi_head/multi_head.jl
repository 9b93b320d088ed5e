# Multi-head self-attention: every head attends on its own; the heads are concatenated and projected.
# What each head holds has four dimensions: head, sequence, token, feature.

# Four dimensions from one matrix a head and a sequence; the head runs fastest.
function each_head(step, heads, sequences)
    matrices = [step(h, b) for h in 1:heads, b in 1:sequences]
    rows, columns = size(first(matrices))
    stack = reshape(reduce(hcat, vec(matrices)), rows, columns, heads, sequences)
    return permutedims(stack, (3, 4, 1, 2))
end

function linear_of_each_head(x, weight)
    return each_head((h, b) -> x[b, :, :] * weight[h, :, :]', size(weight, 1), size(x, 1))
end

Q(x, query_weight) = linear_of_each_head(x, query_weight)

K(x, key_weight) = linear_of_each_head(x, key_weight)

V(x, value_weight) = linear_of_each_head(x, value_weight)

scores(Q, K) = each_head((h, b) -> Q[h, b, :, :] * K[h, b, :, :]', size(Q, 1), size(Q, 2))

scaled(scores, K) = scores ./ sqrt(eltype(K)(size(K, 4)))

function weights(scaled)
    e = exp.(scaled .- maximum(scaled, dims = 4))
    return e ./ sum(e, dims = 4)
end

function head_outputs(weights, V)
    return each_head((h, b) -> weights[h, b, :, :] * V[h, b, :, :], size(V, 1), size(V, 2))
end

concat_heads(head_outputs) = cat((head_outputs[h, :, :, :] for h in axes(head_outputs, 1))..., dims = 3)

function multihead_output(concat_heads, output_weight, output_bias)
    projected = [concat_heads[b, :, :] * output_weight' .+ output_bias' for b in axes(concat_heads, 1)]
    return permutedims(cat(projected..., dims = 3), (3, 1, 2))
end
