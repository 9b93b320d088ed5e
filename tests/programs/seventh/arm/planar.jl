using LinearAlgebra, Printf

links = [(l=0.42, m=3.1), (l=0.34, m=2.2), (l=0.16, m=0.7)]
l = [k.l for k in links]
m = [k.m for k in links]
g = 9.81

# absolute angles are cumulative sums
function fk(θ)
    φ = cumsum(θ)
    x = cumsum(l .* cos.(φ))
    y = cumsum(l .* sin.(φ))
    return x, y, φ
end

pose(θ) = (k = fk(θ); [k[1][end], k[2][end], atan(sin(k[3][end]), cos(k[3][end]))])

function jac(θ)
    φ = cumsum(θ)
    J = zeros(3, 3)
    for i in 1:3
        J[1, i] = -sum(l[i:end] .* sin.(φ[i:end]))
        J[2, i] = sum(l[i:end] .* cos.(φ[i:end]))
        J[3, i] = 1
    end
    return J
end

wrap(a) = mod(a + pi, 2pi) - pi

function ik(goal, θ; λ=0.02, maxit=300)
    n = 0
    while n < maxit
        e = goal - pose(θ)
        e[3] = wrap(e[3])
        norm(e) < 1e-12 && break
        J = jac(θ)
        θ += (J' * J + λ^2 * I) \ (J' * e)
        n += 1
    end
    return θ, n
end

θ0 = [20.0, 35.0, 15.0] * pi / 180
target = [0.25, 0.62, 130 * pi / 180]
θ1, its = ik(target, θ0)

T = 1.5
n = 31
t = collect(0:n-1) * T / (n - 1)
s = @. 10 * (t / T)^3 - 15 * (t / T)^4 + 6 * (t / T)^5
sdot = @. 30 * (t / T)^2 * (1 - t / T)^2 / T
Δ = θ1 - θ0

Θ = zeros(3, n)       # a column for each time
ω = zeros(3, n)
tip = zeros(2, n)
v = zeros(n)
w = zeros(n)
τ = zeros(3, n)
for k in 1:n
    Θ[:, k] = θ0 + s[k] * Δ
    ω[:, k] = sdot[k] * Δ
    x, y, φ = fk(Θ[:, k])
    tip[:, k] = [x[3], y[3]]
    Jp = jac(Θ[:, k])[1:2, :]
    v[k] = norm(Jp * ω[:, k])
    w[k] = prod(svdvals(Jp))
    # gravity
    xc = x - l .* cos.(φ) / 2
    base = [0.0, x[1], x[2]]
    for i in 1:3
        τ[i, k] = g * sum(m[j] * (xc[j] - base[i]) for j in i:3)
    end
end
arc = sum(norm(tip[:, k+1] - tip[:, k]) for k in 1:n-1)
vmax = maximum(v)
P = vec(sum(τ .* ω, dims=1))
W = sum((P[1:end-1] + P[2:end]) / 2) * (t[2] - t[1])
extra = jac(θ1)' * [0.0, -12.0, 0.0]

show3(u) = join([@sprintf("%.7f", c) for c in u], " ")
println("joints ", show3(θ1 * 180 / pi), " after ", its)
@printf("path %.8f m, fastest %.8f m/s\n", arc, vmax)
@printf("dexterity %.8f to %.8f\n", minimum(w), maximum(w))
println("torques ", show3(τ[:, 1]), " ", show3(τ[:, end]))
@printf("work %.8f J, load", W)
println(" ", show3(extra))
