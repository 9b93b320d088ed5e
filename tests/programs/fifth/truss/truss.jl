# Stiffness method for a pin-jointed plane frame
using LinearAlgebra

struct Bar
    from::Int
    to::Int
    A::Float64   # m2
    I::Float64   # m4
end

X = [0.0 3.0 6.0 9.0 1.5 4.5 7.5;
     0.0 0.0 0.0 0.0 2.2 2.8 2.2]
chord(i, j) = Bar(i, j, 12e-4, 60e-8)
rafter(i, j) = Bar(i, j, 16e-4, 110e-8)
web(i, j) = Bar(i, j, 8e-4, 35e-8)
members = [chord(1, 2), chord(2, 3), chord(3, 4), rafter(1, 5), rafter(5, 6), rafter(6, 7), rafter(7, 4),
           web(5, 2), web(2, 6), web(6, 3), web(3, 7)]
young = 210e6
density = 7850.0

nj = size(X, 2)
nm = length(members)

# each bar stretches by row . displacements
B = zeros(nm, 2nj)
L = zeros(nm)
for (k, m) in enumerate(members)
    d = X[:, m.to] - X[:, m.from]
    L[k] = norm(d)
    e = d / L[k]
    B[k, 2m.from-1:2m.from] = -e
    B[k, 2m.to-1:2m.to] = e
end
areas = [m.A for m in members]
inertias = [m.I for m in members]
stiff = young .* areas ./ L
Kfull = B' * Diagonal(stiff) * B

P = zeros(2, nj)
P[:, 5] = [3.0, -18.0]
P[:, 6] = [0.0, -42.0]
P[:, 7] = [0.0, -25.0]
P[:, 2] = [0.0, -6.5]
p = vec(P)

supports = [1, 2, 8]
open = setdiff(1:2nj, supports)
Kff = Kfull[open, open]
D = zeros(2nj)
D[open] = cholesky(Symmetric(Kff)) \ p[open]
react = (Kfull*D-p)[supports]

N = stiff .* (B * D)
sigma = N ./ areas ./ 1000
euler = pi^2 * young .* inertias ./ L .^ 2
util = [n < 0 ? abs(n) / e : 0.0 for (n, e) in zip(N, euler)]
peak, which = findmax(util)

U = sum(N .^ 2 ./ stiff) / 2
total = density * dot(areas, L)
vertical = D[2:2:end]
drop = 1000 * minimum(vertical)
omega = sqrt.(eigvals(Symmetric(Kff))[1:3] ./ (total / nj))
f = omega ./ (2 * pi)
residual = abs(sum(P[2, :]) + react[2] + react[3])

println("sag ", drop, " mm; displacements ", 1000 .* D[open])
println("reactions ", react)
println("normal ", N)
println("stress ", maximum(sigma), " ", minimum(sigma), " ", sum(abs.(sigma)) / nm)
println("buckling ", peak, " ", which)
println("energy ", U, " mass ", total)
println("frequencies ", f)
println("balanced ", residual < 1e-8)
