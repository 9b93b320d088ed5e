# harmonic analysis of a tide gauge
using DelimitedFiles
using LinearAlgebra
using Printf
using Statistics

const NAMES = ["M2", "S2", "N2", "K1", "O1", "M4"]
const DEG_H = [28.9841042, 30.0, 28.4397295, 15.0410686, 13.9430356, 57.9682084]
omega = DEG_H .* pi / 180
nc = length(omega)

raw, header = readdlm("gauge.csv", ',', Float64, header=true)
t = raw[:, 1]
p = raw[:, 3]
eta = raw[:, 2] .+ 0.00993 .* (p .- 1013.25)

# columns: 1, cos w1 t, sin w1 t, cos w2 t, ...
function design(t, omega)
    A = ones(length(t), 2 * length(omega) + 1)
    for (j, w) in enumerate(omega)
        A[:, 2j] = cos.(w * t)
        A[:, 2j+1] = sin.(w * t)
    end
    return A
end

A = design(t, omega)
x = A \ eta
r = eta - A * x
sigma2 = sum(abs2, r) / (length(eta) - length(x))
C = sigma2 * inv(Symmetric(A' * A))
se = sqrt.(diag(C))

cosines = x[2:2:end]
sines = x[3:2:end]
H = sqrt.(cosines .^ 2 + sines .^ 2)
g = mod.(rad2deg.(atan.(sines, cosines)), 360)
eH = sqrt.((cosines .* se[2:2:end]) .^ 2 + (sines .* se[3:2:end]) .^ 2) ./ H
snr = (H ./ eH) .^ 2
r2 = 1 - var(r, corrected=false) / var(eta, corrected=false)
amp = Dict(zip(NAMES, H))
pha = Dict(zip(NAMES, g))
F = (amp["K1"] + amp["O1"]) / (amp["M2"] + amp["S2"])

function height(hour)
    z = x[1]
    for k in 1:nc
        z += H[k] * cos(omega[k] * hour - deg2rad(g[k]))
    end
    return z
end

# high and low waters
dt = 0.25
grid = collect(700:dt:771.75)
z = height.(grid)
times = Float64[]
levels = Float64[]
ishigh = Bool[]
for i in 2:length(z)-1
    up = z[i] - z[i-1]
    down = z[i+1] - z[i]
    if up * down < 0
        curvature = down - up
        s = -(up + down) / (2 * curvature)
        push!(times, grid[i] + dt * s)
        push!(levels, z[i] + (up + down) * s / 4)
        push!(ishigh, up > 0)
    end
end
hw = mean(levels[ishigh])
lw = mean(levels[.!ishigh])
springs = 2 * (amp["M2"] + amp["S2"])
neaps = 2 * (amp["M2"] - amp["S2"])
lag = (pha["S2"] - pha["M2"]) / (DEG_H[2] - DEG_H[1])

@printf("mean level %.6f, explained %.8f, form %.8f\n", x[1], r2, F)
for k in 1:nc
    @printf("%s: %.6f m, %.5f deg, snr %.4f\n", NAMES[k], H[k], g[k], snr[k])
end
for (w, l, h) in zip(times, levels, ishigh)
    @printf("%-5s %.5f %.6f\n", h ? "high" : "low", w, l)
end
@printf("range %.6f, spring %.6f, neap %.6f, age %.5f h\n", hw - lw, springs, neaps, lag)
