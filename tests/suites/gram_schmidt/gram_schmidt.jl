# Least squares by the modified Gram-Schmidt process.

using LinearAlgebra

function orthogonal(X)
    n, p = size(X)
    V, Q, R = copy(X), zero(X), zeros(eltype(X), p, p)
    for j in 1:p
        R[j, j] = norm(V[:, j])
        Q[:, j] = V[:, j] ./ R[j, j]
        for k in j+1:p
            R[j, k] = dot(Q[:, j], V[:, k])
            V[:, k] .-= R[j, k] .* Q[:, j]
        end
    end
    return Q, R
end

function projections(Q, y)
    rest = copy(y)
    found = zeros(eltype(y), size(Q, 2))
    for j in eachindex(found)
        found[j] = dot(Q[:, j], rest)
        rest .-= found[j] .* Q[:, j]
    end
    return found
end

coefficients(R, projections) = UpperTriangular(R) \ projections
