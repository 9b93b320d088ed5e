# One sum in eight shapes.

using LinearAlgebra

by_rows(x) = vec(permutedims(x))

function total(x)
    result = zero(eltype(x))
    for i in length(x):-1:1
        result += x[i]
    end
    return result
end

axis_by_axis(x) = sum(sum(x, dims = 1))

function strided(x)
    flat = by_rows(x)
    return sum([sum(flat[start:4:end]) for start in 1:4])
end

function accumulators(x)
    flat = by_rows(x)
    parts = zeros(eltype(x), 8)
    for i in eachindex(flat)
        parts[mod1(i, 8)] += flat[i]
    end
    return sum(parts)
end

running(x) = cumsum(by_rows(x))

function alternating(x)
    result = zero(eltype(x))
    for (i, element) in enumerate(by_rows(x))
        result += isodd(i) ? element : -element
    end
    return result
end

ordered(x) = sum(sort(vec(x)))

inner(x, y) = dot(x, y)
