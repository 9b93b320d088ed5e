using DelimitedFiles
using Printf
using Statistics

struct Census
    sites::Vector{String}
    species::Vector{String}
    n::Matrix{Int}        # species by sites
end

function load(path)
    rows = readdlm(path, ','; header = true)[1]
    sites = sort(unique(String.(rows[:, 1])))
    species = sort(unique(String.(rows[:, 3])))
    n = zeros(Int, length(species), length(sites))
    for k in 1:size(rows, 1)
        i = findfirst(==(rows[k, 3]), species)
        j = findfirst(==(rows[k, 1]), sites)
        n[i, j] += rows[k, 4]
    end
    return Census(sites, species, n)
end

function shannon(v)
    N = sum(v)
    h = 0.0
    for x in v
        x == 0 && continue
        h -= x / N * log(x / N)
    end
    return h
end

unbiased_simpson(v) = 1 - sum(v .* (v .- 1)) / (sum(v) * (sum(v) - 1))

function chao1(v)
    single = count(==(1), v)
    double = count(==(2), v)
    return count(v .> 0) + single * (single - 1) / (2 * (double + 1))
end

# expected number of species among m birds
function rarefied(v, m)
    N = sum(v)
    expected = 0.0
    for x in v
        absent = 1.0
        for t in 0:m-1
            absent *= max(N - x - t, 0) / (N - t)
        end
        expected += 1 - absent
    end
    return expected
end

function braycurtis(n)
    r = sqrt.(n)
    k = size(n, 2)
    return [1 - 2 * sum(min.(r[:, a], r[:, b])) / (sum(r[:, a]) + sum(r[:, b])) for a in 1:k, b in 1:k]
end

function upgma(D)
    k = size(D, 1)
    groups = [[i] for i in 1:k]
    heights = Float64[]
    coph = zeros(k, k)
    while length(groups) > 1
        best = Inf
        pair = (0, 0)
        for a in 1:length(groups)-1, b in a+1:length(groups)
            d = mean(D[groups[a], groups[b]])
            if d < best
                best = d
                pair = (a, b)
            end
        end
        a, b = pair
        for i in groups[a], j in groups[b]
            coph[i, j] = coph[j, i] = best
        end
        push!(heights, best)
        groups[a] = vcat(groups[a], groups[b])
        deleteat!(groups, b)
    end
    return heights, coph
end

census = load("counts.csv")
k = length(census.sites)
N = vec(sum(census.n, dims = 1))
S = vec(sum(census.n .> 0, dims = 1))
Hs = [shannon(census.n[:, j]) for j in 1:k]
J = Hs ./ log.(S)
D1 = [unbiased_simpson(census.n[:, j]) for j in 1:k]
C1 = [chao1(census.n[:, j]) for j in 1:k]
smallest = minimum(N)
ES = [rarefied(census.n[:, j], smallest) for j in 1:k]

dist = braycurtis(census.n)
heights, coph = upgma(dist)
lower = [(i, j) for j in 1:k for i in j+1:k]
r_coph = cor([dist[i, j] for (i, j) in lower], [coph[i, j] for (i, j) in lower])

Hγ = shannon(vec(sum(census.n, dims = 2)))
Hα = sum(N .* Hs) / sum(N)
Dγ, Dα = exp(Hγ), exp(Hα)
Dβ = exp(Hγ - Hα)

for j in 1:k
    println(census.sites[j], ": ", S[j], " species, ", N[j], " birds")
    @printf("   H' %.6f  J' %.6f  1-D %.6f  Chao1 %.5f  E(S) %.6f\n", Hs[j], J[j], D1[j], C1[j], ES[j])
end
println("UPGMA heights: ", join([@sprintf("%.7f", h) for h in heights], ", "))
me = findfirst(==("meadow"), census.sites)
other = sortperm(dist[:, me])[2]
@printf("closest to meadow is %s at %.7f\n", census.sites[other], dist[other, me])
@printf("r(cophenetic) = %.7f\n", r_coph)
@printf("diversity: gamma %.6f, alpha %.6f, beta %.6f\n", Dγ, Dα, Dβ)
