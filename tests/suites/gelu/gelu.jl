# The Gaussian error linear unit in two forms.

function by_tanh(x)
    T = eltype(x)
    return T(0.5) .* x .* (1 .+ tanh.(T(sqrt(2 / pi)) .* (x .+ T(0.044715) .* x .^ 3)))
end

erf(x::Float64) = ccall((:erf, Base.Math.libm), Float64, (Float64,), x)
erf(x::Float32) = ccall((:erff, Base.Math.libm), Float32, (Float32,), x)

by_erf(x) = x .* (1 .+ erf.(x ./ sqrt(eltype(x)(2)))) ./ 2
