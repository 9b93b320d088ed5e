using LinearAlgebra, Printf, Statistics

data = [1 3.1; 2 3.9; 3 5.2; 4 5.8; 5 7.4; 6 7.9; 7 9.6; 8 9.9]
t = data[:, 1] .- mean(data[:, 1])
y = data[:, 2]
X = [ti^p for ti in t, p in 0:3]
n, p = size(X)

# reflections are applied to the matrix and to the right hand side at once
function householder(X, y)
    W = copy(X)
    z = copy(y)
    n, p = size(W)
    for k in 1:p
        v = W[k:n, k]
        v[1] += copysign(norm(v), v[1])
        v /= norm(v)
        W[k:n, :] -= 2v * (v' * W[k:n, :])
        z[k:n] -= 2v * dot(v, z[k:n])
    end
    return W[1:p, :], z
end

U, z = householder(X, y)
flip = Diagonal(sign.(diag(U)))
U = flip * triu(U)
effects = flip * z[1:p]
beta = UpperTriangular(U) \ effects
yhat = X * beta
e = y .- yhat
SSE = sum(abs2, z[p+1:n])
SS = effects .* effects
s2 = SSE / (n - p)
C = s2 * inv(U' * U)
se = [sqrt(C[i, i]) for i in 1:p]
H = X * inv(X' * X) * X'
hat = diag(H)
loo = zeros(n)
for i in 1:n
    keep = [k for k in 1:n if k != i]
    b = X[keep, :] \ y[keep]
    loo[i] = y[i] - dot(X[i, :], b)
end
PRESS = dot(loo, loo)

# Jacobi rotations
function jacobi(M, sweeps)
    A = copy(M)
    m = size(A, 1)
    V = Matrix{Float64}(I, m, m)
    for s in 1:sweeps, i in 1:m-1, j in i+1:m
        abs(A[i, j]) < 1e-300 && continue
        theta = (A[j, j] - A[i, i]) / (2 * A[i, j])
        tn = (theta >= 0 ? 1 : -1) / (abs(theta) + sqrt(theta^2 + 1))
        c = 1 / sqrt(tn^2 + 1)
        G = Matrix{Float64}(I, m, m)
        G[i, i] = G[j, j] = c
        G[i, j] = tn * c
        G[j, i] = -tn * c
        A = G' * A * G
        V = V * G
    end
    order = sortperm(diag(A), rev = true)
    return diag(A)[order], V[:, order]
end

Sym = [4.0 1.0 0.5 0.0
       1.0 3.0 0.2 0.4
       0.5 0.2 2.0 0.3
       0.0 0.4 0.3 1.0]
values, V = jacobi(Sym, 12)
for j in 1:4
    if V[1, j] < 0
        V[:, j] = -V[:, j]
    end
end
detS = prod(values)
kappa = maximum(values) / minimum(values)
forecast = evalpoly(9 - mean(data[:, 1]), beta)

println("coefficients ", round.(beta, digits = 8))
println("standard errors ", round.(se, digits = 8))
println("sequential sums of squares ", round.(SS, digits = 8))
@printf("rss %.10f press %.10f next %.10f\n", SSE, PRESS, forecast)
println("leverage ", round.(hat, digits = 8))
println("eigenvalues ", round.(values, digits = 8))
@printf("determinant %.10f condition %.10f\n", detS, kappa)
println("vectors orthogonal ", maximum(abs, V' * V - I) < 1e-12)
