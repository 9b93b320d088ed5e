# The inverse of the relationships directly (Henderson 1976, with inbreeding), and Gauss-Seidel
using Printf, Statistics, LinearAlgebra

rows = [split(strip(l), ',') for l in readlines("animals.csv")[2:end]]
number(s) = isempty(s) ? 0 : parse(Int, s)
N = length(rows)
father = [number(r[2]) for r in rows]
mother = [number(r[3]) for r in rows]
male = [r[4] == "M" for r in rows]
herd = [number(r[5]) for r in rows]
gain = [isempty(r[6]) ? NaN : parse(Float64, r[6]) for r in rows]

# kinship by recursion on the younger one
const memo = Dict{Tuple{Int,Int},Float64}()
function kinship(i, j)
    (i == 0 || j == 0) && return 0.0
    i < j && return kinship(j, i)
    get!(memo, (i, j)) do
        i == j ? 0.5 * (1 + kinship(father[i], mother[i])) : 0.5 * (kinship(father[i], j) + kinship(mother[i], j))
    end
end
F = [kinship(father[i], mother[i]) for i in 1:N]

function inverse(father, mother, F)
    Ainv = zeros(N, N)
    for i in 1:N
        parents = filter(!iszero, [father[i], mother[i]])
        dii = 1 - 0.25 * sum(Float64[1 + F[q] for q in parents])
        w = 1 / dii
        Ainv[i, i] += w
        for q in parents
            Ainv[i, q] -= w / 2
            Ainv[q, i] -= w / 2
            for q2 in parents
                Ainv[q, q2] += w / 4
            end
        end
    end
    return Ainv
end

Ainv = inverse(father, mother, F)
λ = (1 - 1 / 3) / (1 / 3)
obs = findall(!isnan, gain)
nfix = 4
W = zeros(length(obs), nfix + N)
for (k, i) in enumerate(obs)
    W[k, male[i] ? 2 : 1] = 1
    herd[i] > 1 && (W[k, 1 + herd[i]] = 1)
    W[k, nfix + i] = 1
end
G = W' * W
G[nfix+1:end, nfix+1:end] .+= λ .* Ainv
q = W' * gain[obs]

function seidel(G, q; tol = 1e-15, most = 100_000)
    x = zeros(length(q))
    for sweep in 1:most
        change = 0.0
        for i in eachindex(x)
            new = x[i] + (q[i] - dot(G[i, :], x)) / G[i, i]
            change += (new - x[i])^2
            x[i] = new
        end
        change / dot(x, x) < tol^2 && break
    end
    return x
end

θ = seidel(G, q)
β, a = θ[1:nfix], θ[nfix+1:end]
fit = W * θ
σe = dot(gain[obs], gain[obs] - fit) / (length(obs) - nfix)
σa = σe / λ
Cd = diag(inv(G))[nfix+1:end]
r2 = @. 1 - Cd * λ / (1 + F)
accuracy = sqrt.(max.(r2, 0.0))

ranking = sortperm(a, rev = true)
bulls = filter(i -> male[i], ranking)[1:2]
cows = filter(i -> !male[i], ranking)[1:3]
top = (-Inf, 0, 0, 0.0)
for s in bulls, d in cows
    global top
    f = kinship(s, d)
    merit = (a[s] + a[d]) / 2 - 2f
    if merit > top[1]
        top = (merit, s, d, f)
    end
end

# selection differential of a truncated normal; 10 and 40 percent
z = [1.2815515655446004, 0.2533471031357997]
density = exp.(-z .^ 2 / 2) / sqrt(2π)
i_sel = density ./ [0.1, 0.4]
R = mean(i_sel) * mean(accuracy[obs]) * sqrt(σa)
group = [bulls; cows]
K = [kinship(x, y) for x in group, y in group]
meanK = sum(K) / length(K)

println("F ", join([@sprintf("%.7f", f) for f in F if f > 0], " "))
println("β ", join([@sprintf("%.6f", v) for v in β], " "))
for i in 1:N
    println(i, " ", @sprintf("%.6f %.6f %.6f", a[i], r2[i], accuracy[i]))
end
@printf("σ² %.6f %.6f\n", σe, σa)
println("bulls ", join(bulls, " "), " cows ", join(cows, " "))
@printf("mate %d %d: %.7f %.6f\n", top[2], top[3], top[4], top[1])
@printf("R %.6f K %.6f %.6f %.5f\n", R, meanK, 1 / (2meanK), 2maximum(mean(K, dims = 1)))
