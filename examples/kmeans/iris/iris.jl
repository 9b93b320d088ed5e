# Lloyd's algorithm; groups are numbered in the order in which they are met, from the last flower on.

using Statistics

nearest(point, centres) = argmin([sum(abs2, point - centre) for centre in centres])

function groups(points)
    n = size(points, 1)
    flowers = [points[i, :] for i in 1:n]
    centres = flowers[[n, n ÷ 2 + 1, 1]]
    now = Int[]
    while true
        before, now = now, [nearest(flower, centres) for flower in flowers]
        now == before && return now
        centres = [mean(flowers[now .== k]) for k in 1:3]
    end
end

centres(points, groups) = reduce(vcat, mean(points[groups .== k, :], dims = 1) for k in unique(groups))

function within(points, groups)
    sum(unique(groups)) do k
        own = points[groups .== k, :]
        sum(abs2, own .- mean(own, dims = 1))
    end
end
