# Lloyd's algorithm: labels and centroids.

distances(points, start) =
    [sum(abs2, points[i, :] - start[k, :]) for i in 1:size(points, 1), k in 1:size(start, 1)]

labels(distances) = [argmin(distances[i, :]) - 1 for i in 1:size(distances, 1)]

function centroids(points, labels, start)
    result = copy(start)
    for k in 1:size(start, 1)
        own = labels .== k - 1
        if any(own)
            result[k, :] = sum(points[own, :], dims = 1) ./ count(own)
        end
    end
    return result
end

inertia(points, centroids, labels) = sum(abs2, points - centroids[labels.+1, :])

function settled(points, start)
    found, before = start, Int[]
    now = labels(distances(points, found))
    while now != before
        found = centroids(points, now, found)
        before, now = now, labels(distances(points, found))
    end
    return found
end
