# From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.
# Words are columns.

function softmax(scores; dims)
    powers = exp.(scores .- maximum(scores, dims=dims))
    return powers ./ sum(powers, dims=dims)
end

embeddings(table, tokens) = permutedims(table[tokens .+ 1, :])

x(embeddings) = vcat(embeddings, (0:size(embeddings, 2)-1)')

q(x, Q, Qb) = Q * x .+ Qb

k(x, K, Kb) = K * x .+ Kb

v(x, V, Vb) = V * x .+ Vb

e(q, k) = q' * k / sqrt(eltype(q)(length(q)))

alpha(e) = softmax(e, dims=2)

z(v, alpha) = v * alpha'

f(z, W, b) = W * z .+ b

pooled(f) = sum(f, dims=2) / size(f, 2)

p(pooled) = softmax(pooled, dims=1)

function e_exact(q, k)
    d_k = eltype(k)(size(k, 1))
    return q' * k / sqrt(d_k)
end

alpha_exact(e_exact) = softmax(e_exact, dims=2)

z_exact(v, alpha_exact) = v * alpha_exact'

p_exact(z_exact, W, b) = p(pooled(f(z_exact, W, b)))
