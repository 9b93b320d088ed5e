using LinearAlgebra
using Printf
using Statistics

edges = [(1, 2, 4), (1, 3, 2), (3, 2, 1), (2, 4, 5), (3, 4, 8), (3, 5, 10), (4, 5, 2),
         (4, 6, 6), (5, 6, 3), (6, 7, 1), (7, 1, 9), (5, 1, 12), (2, 7, 11)]
names = collect('A':'G')
N = length(names)

W = fill(Inf, N, N)
for (i, j, w) in edges
    W[i, j] = w
end

# Floyd and Warshall, with the next vertex on the way
function floyd(W)
    n = size(W, 1)
    D = copy(W)
    nxt = zeros(Int, n, n)
    for i in 1:n
        D[i, i] = 0
        for j in 1:n
            if isfinite(W[i, j])
                nxt[i, j] = j
            end
        end
    end
    for k in 1:n, i in 1:n, j in 1:n
        through = D[i, k] + D[k, j]
        if through < D[i, j]
            D[i, j] = through
            nxt[i, j] = nxt[i, k]
        end
    end
    return D, nxt
end

function walk(nxt, i, j)
    way = [i]
    while i != j
        i = nxt[i, j]
        push!(way, i)
    end
    return way
end

D, nxt = floyd(W)
stops = names[walk(nxt, 1, 6)]
ecc = vec(maximum(D, dims = 2))
diam = maximum(ecc)
rad = minimum(ecc)
close = (N - 1) ./ vec(sum(D, dims = 2))
meanpath = sum(D) / (N^2 - N)

# PageRank from the linear system
Adj = isfinite.(W)
outdeg = vec(sum(Adj, dims = 2))
indeg = vec(sum(Adj, dims = 1))
P = Adj ./ outdeg
d = 0.85
pr = (I - d * P') \ fill((1 - d) / N, N)
ranking = names[sortperm(pr, rev = true)]
roads = sum(W[Adj])

for i in 1:N
    @printf("%s rank %.10f closeness %.8f out %d in %d from A %.1f ecc %.1f\n",
            names[i], pr[i], close[i], outdeg[i], indeg[i], D[1, i], ecc[i])
end
println("order ", join(ranking, " "))
println("A to F: ", join(stops, " "))
@printf("diameter %.1f radius %.1f average %.8f roads %.1f\n", diam, rad, meanpath, roads)
