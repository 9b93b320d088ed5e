scores(Q, K) = Q * K'

function weights(scores, K)
    scaled = scores ./ sqrt(size(K, 2))
    e = exp.(scaled .- maximum(scaled, dims=2))
    return e ./ sum(e, dims=2)
end

output(weights, V) = weights * V
