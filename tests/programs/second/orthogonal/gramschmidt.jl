# QR by modified Gram-Schmidt, least squares and eigenvalues with it
using LinearAlgebra
using Printf

year = [1, 2, 3, 4, 5, 6, 7, 8]
yield = [3.1, 3.9, 5.2, 5.8, 7.4, 7.9, 9.6, 9.9]

function vandermonde(x, degree)
    V = ones(length(x), degree + 1)
    for j in 1:degree
        V[:, j+1] = V[:, j] .* x
    end
    return V
end

function mgs(A)
    m, n = size(A)
    Q = float(copy(A))
    R = zeros(n, n)
    for j in 1:n
        R[j, j] = norm(Q[:, j])
        Q[:, j] /= R[j, j]
        for k in j+1:n
            R[j, k] = dot(Q[:, j], Q[:, k])
            Q[:, k] -= R[j, k] * Q[:, j]
        end
    end
    return Q, R
end

function backsolve(R, b)
    n = length(b)
    x = zeros(n)
    for i in n:-1:1
        s = b[i]
        for j in i+1:n
            s -= R[i, j] * x[j]
        end
        x[i] = s / R[i, i]
    end
    return x
end

A = vandermonde(year .- 4.5, 3)
Q, R = mgs(A)
qty = Q' * yield
coef = backsolve(R, qty)
fit = A * coef
residual = yield - fit
rss = sum(residual .^ 2)
sequential = qty .^ 2
variance = rss / (length(yield) - length(coef))
Rinv = hcat([backsolve(R, Float64[i == j for i in 1:4]) for j in 1:4]...)
covariance = variance * Rinv * Rinv'
stderror = sqrt.(diag(covariance))
leverage = vec(sum(Q .^ 2, dims = 2))
press = sum((residual ./ (1 .- leverage)) .^ 2)

# eigenvalues of a symmetric matrix by the plain QR iteration
S = [4.0 1.0 0.5 0.0; 1.0 3.0 0.2 0.4; 0.5 0.2 2.0 0.3; 0.0 0.4 0.3 1.0]
function qr_iteration(S, steps)
    T = copy(S)
    E = Matrix(1.0I, 4, 4)
    for k in 1:steps
        q, r = mgs(T)
        T = r * q
        E = E * q
    end
    return diag(T), E
end
lambda, vectors = qr_iteration(S, 400)
vectors = vectors .* sign.(vectors[1, :])'
determinant = prod(lambda)
cond_number = lambda[1] / lambda[end]

next_year = dot(coef, [1, 4.5, 4.5^2, 4.5^3])
orthogonality = maximum(abs.(Q' * Q - I))

println("coefficients ", round.(coef, digits = 8))
println("standard errors ", round.(stderror, digits = 8))
println("sequential sums of squares ", round.(sequential, digits = 8))
@printf("rss %.10f press %.10f next %.10f\n", rss, press, next_year)
println("leverage ", round.(leverage, digits = 8))
println("eigenvalues ", round.(lambda, digits = 8))
@printf("determinant %.10f condition %.10f\n", determinant, cond_number)
println("orthogonal ", orthogonality < 1e-12)
