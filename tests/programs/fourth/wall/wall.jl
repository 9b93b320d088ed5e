# wall over 24 h, tridiagonal solver by hand
using Printf, Statistics

const dz = 0.02
const tau = 600.0
const Ti = 20.0
const hi, he = 7.7, 25.0

struct Layer
    d::Float64
    lambda::Float64
    rhoc::Float64
end

wall = [Layer(0.24, 0.68, 1700.0 * 840.0), Layer(0.10, 0.035, 30.0 * 1400.0), Layer(0.02, 0.51, 1200.0 * 1000.0)]

counts = [round(Int, l.d / dz) for l in wall]
lambda = vcat([fill(l.lambda, m) for (l, m) in zip(wall, counts)]...)
rhoc = vcat([fill(l.rhoc, m) for (l, m) in zip(wall, counts)]...)
N = sum(counts)

# thermal resistance from centre to centre
R = zeros(N + 1)
R[1] = 1 / he + dz / 2 / lambda[1]
for j in 2:N
    R[j] = dz / 2 / lambda[j-1] + dz / 2 / lambda[j]
end
R[N+1] = 1 / hi + dz / 2 / lambda[N]
K = 1 ./ R

air(s) = -2 + 5 * sin(2pi * (s - 32400) / 86400)

function thomas(lo, di, up, r)
    m = length(di)
    cp = zeros(m)
    dp = zeros(m)
    cp[1] = up[1] / di[1]
    dp[1] = r[1] / di[1]
    for j in 2:m
        w = di[j] - lo[j] * cp[j-1]
        cp[j] = up[j] / w
        dp[j] = (r[j] - lo[j] * dp[j-1]) / w
    end
    x = zeros(m)
    x[m] = dp[m]
    for j in m-1:-1:1
        x[j] = dp[j] - cp[j] * x[j+1]
    end
    return x
end

C = rhoc .* dz
west = K[1:N]
east = K[2:N+1]

# steady state with the temperature at midnight
sources = zeros(N)
sources[1] = west[1] * air(0.0)
sources[N] = east[N] * Ti
theta = thomas(-west, west .+ east, -east, sources)
initial = copy(theta)

first_cell = [theta[1]]
brick_end = [theta[12]]
q = [K[N+1] * (Ti - theta[N])]
for s in 1:144
    global theta
    mean_air = (air((s - 1) * tau) + air(s * tau)) / 2
    net = zeros(N)
    for j in 1:N
        below = j == 1 ? 0.0 : theta[j-1]
        above = j == N ? 0.0 : theta[j+1]
        net[j] = west[j] * below + east[j] * above - (west[j] + east[j]) * theta[j]
    end
    r = C ./ tau .* theta .+ net ./ 2
    r[1] += west[1] * mean_air
    r[N] += east[N] * Ti
    theta = thomas(-west ./ 2, C ./ tau .+ (west .+ east) ./ 2, -east ./ 2, r)
    push!(first_cell, theta[1])
    push!(brick_end, theta[12])
    push!(q, K[N+1] * (Ti - theta[N]))
end

inner = Ti .- q ./ hi
kwh = sum((q[i] + q[i+1]) / 2 * tau for i in 1:144) / 3.6e6
U = 1 / sum(R)
swing(x) = maximum(x) - minimum(x)
ratio = swing(brick_end) / swing(first_cell)
hour = (argmin(first_cell) - 1) * tau / 3600
gain = sum(C .* (theta .- initial)) / 1e3

println("u ", U)
println("start ", join(initial, " "))
println("end ", join(theta, " "))
println("flux ", join([minimum(q), maximum(q), mean(q)], " "))
println("surface ", minimum(inner))
println("loss ", kwh)
@printf("damping %.10f %.6f\n", ratio, hour)
println("stored ", gain)
