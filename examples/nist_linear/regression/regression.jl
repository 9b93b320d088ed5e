# Linear least squares by a QR decomposition.

using LinearAlgebra, Statistics

function design(x, degree, intercept)
    powers = [x[:, k] .^ power for k in 1:size(x, 2) for power in 1:degree]
    columns = intercept == 1 ? [[ones(size(x, 1))]; powers] : powers
    reduce(hcat, columns)
end

coefficients(design, y) = qr(design) \ y

function r_squared(design, y, coefficients, intercept)
    residuals = y - design * coefficients
    centred = intercept == 1 ? y .- mean(y) : y
    1 - sum(abs2, residuals) / sum(abs2, centred)
end
