# Least squares by a QR decomposition.

using LinearAlgebra

function triangle(X)
    R = qr(X).R
    return sign.(diag(R)) .* R
end

coefficients(X, y) = qr(X) \ y

residuals(X, y, coefficients) = y - X * coefficients
