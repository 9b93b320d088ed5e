# A ratio of two polynomials, fitted by Gauss and Newton's steps, each halved until it helps.
using LinearAlgebra

value(x, b) = sum(b[k] .* x .^ (k - 1) for k in eachindex(b))

over(x, b, top) = value(x, b[1:top+1])
under(x, b, top) = 1 .+ x .* value(x, b[top+2:end])

function jacobian(x, b, top)
    below = under(x, b, top)
    first_ = [x .^ power ./ below for power in 0:top]
    second = [-over(x, b, top) .* x .^ power ./ below .^ 2 for power in 1:length(b)-top-1]
    return reduce(hcat, [first_; second])
end

function scaled(x, b, top)
    slopes = jacobian(x, b, top)
    size_ = vec(sqrt.(sum(abs2, slopes, dims = 1)))
    return qr(slopes ./ size_'), size_
end

function step_from(x, y, b, top)
    factors, size_ = scaled(x, b, top)
    return (factors \ residuals(x, y, b, top)) ./ size_
end

residuals(x, y, fit, top) = y .- over(x, fit, top) ./ under(x, fit, top)

function fit(x, y, start, top)
    b = start
    for _ in 1:100
        full = step_from(x, y, b, top)
        before = residual_sum(residuals(x, y, b, top))
        share = 1.0
        while share > 1e-10 && residual_sum(residuals(x, y, b .+ share .* full, top)) >= before
            share = share / 2
        end
        share <= 1e-10 && break
        b = b .+ share .* full
    end
    for _ in 1:30
        b = b .+ step_from(x, y, b, top)
    end
    return b
end

residual_sum(residuals) = sum(abs2, residuals)

function deviations(x, fit, residual_sum, top)
    factors, size_ = scaled(x, fit, top)
    inverse = inv(UpperTriangular(factors.R))
    return sqrt.(residual_sum / (length(x) - length(fit)) .* vec(sum(abs2, inverse, dims = 2))) ./ size_
end
