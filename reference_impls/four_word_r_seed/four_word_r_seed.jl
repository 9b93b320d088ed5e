# Scaled dot-product self-attention of four words, step by step.

Q(words, W_Q) = words * W_Q

K(words, W_K) = words * W_K

V(words, W_V) = words * W_V

scores(Q, K) = Q * K'

maxs(scores) = maximum(scores, dims = 2)

function weights(scores, maxs, K)
    d_k = eltype(K)(size(K, 2))
    e = exp.((scores .- maxs) ./ sqrt(d_k))
    return e ./ sum(e, dims = 2)
end

attention(weights, V) = weights * V
