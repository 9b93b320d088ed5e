# A polynomial of degree 10.

using LinearAlgebra

design(x) = x .^ (0:10)'

function triangle(design)
    R = qr(design).R
    return sign.(diag(R)) .* R
end

function scaled(x)
    low, high = extrema(x)
    middle = (high + low) / 2
    return (x .- middle) ./ (high - middle)
end

function fitted(scaled, y)
    Q = Matrix(qr(design(scaled)).Q)
    return Q * (Q' * y)
end
