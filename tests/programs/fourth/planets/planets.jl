# geocentric positions of the planets
using Printf
using LinearAlgebra

const AU_LIGHT = 8.316746
const ε = deg2rad(23.43928)

lines = readlines("elements.csv")
header = split(lines[1], ",")
tab = [split(l, ",") for l in lines[2:end]]
planet = [String(t[1]) for t in tab]
num(col) = [parse(Float64, t[findfirst(==(col), header)]) for t in tab]

semi = num("a")
ecc = num("e")
inc = deg2rad.(num("i"))
Ω = deg2rad.(num("node"))
ϖ = deg2rad.(num("peri"))
λ0 = num("L")
n = num("rate")
absmag = num("H")

# days since noon of 1 January 2000
function days2000(y, m, d)
    return 367 * y - div(7 * (y + div(m + 9, 12)), 4) + div(275 * m, 9) + d - 730531.5
end

function eccentric(M, e)
    E = M
    for k in 1:60
        E = E - (E - e * sin(E) - M) / (1 - e * cos(E))
    end
    return E
end

Rx(t) = [1 0 0; 0 cos(t) -sin(t); 0 sin(t) cos(t)]
Rz(t) = [cos(t) -sin(t) 0; sin(t) cos(t) 0; 0 0 1]

days = days2000(2024, 10, 7.25)
cy = days / 36525

function place(p)
    M = deg2rad(λ0[p] + n[p] * cy) - ϖ[p]
    M = rem2pi(M, RoundNearest)
    E = eccentric(M, ecc[p])
    ν = 2 * atan(sqrt((1 + ecc[p]) / (1 - ecc[p])) * tan(E / 2))
    dist = semi[p] * (1 - ecc[p] * cos(E))
    flat = [dist * cos(ν), dist * sin(ν), 0.0]
    return Rz(Ω[p]) * Rx(inc[p]) * Rz(ϖ[p] - Ω[p]) * flat
end

P = hcat([place(p) for p in 1:length(planet)]...)
sun_dist = [norm(P[:, p]) for p in 1:length(planet)]
earth = findfirst(==("Earth"), planet)

others = [p for p in 1:length(planet) if p != earth]
count_ = length(others)
α = zeros(count_)
δ = zeros(count_)
ρ = zeros(count_)
ψ = zeros(count_)
β = zeros(count_)
k = zeros(count_)
mag = zeros(count_)
for (j, p) in enumerate(others)
    v = P[:, p] - P[:, earth]
    ρ[j] = norm(v)
    q = Rx(ε) * v
    α[j] = mod(rad2deg(atan(q[2], q[1])), 360) / 15
    δ[j] = rad2deg(asin(q[3] / ρ[j]))
    # angles of the triangle sun, earth, planet
    s = -P[:, earth]
    ψ[j] = rad2deg(acos(dot(s, v) / (norm(s) * ρ[j])))
    β[j] = rad2deg(acos(dot(v, P[:, p]) / (ρ[j] * sun_dist[p])))
    k[j] = cosd(β[j] / 2)^2
    mag[j] = absmag[p] + 5 * log10(ρ[j] * sun_dist[p])
end
minutes = AU_LIGHT .* ρ
v_orbit = [29.7847 * sqrt(2 / sun_dist[p] - 1 / semi[p]) for p in 1:length(planet)]
best = planet[others[argmax(ψ)]]

@printf("jd %.6f %.12f\n", days + 2451545.0, cy)
println("r ", join(sun_dist, " "))
for j in 1:count_
    println(planet[others[j]], " ", join([α[j], δ[j], ρ[j], ψ[j], β[j], k[j], mag[j], minutes[j]], " "))
end
println("speed ", join(v_orbit, " "))
println("best ", best)
