using Printf

# Rouard: the stack is replaced by its reflection, from the glass up
const λ0 = 550.0
const sell = ((1.03961212, 0.00600069867), (0.231792344, 0.0200179144), (1.01046945, 103.560653))

function glass(λ)
    x = (λ * 1e-3)^2
    n2 = 1.0
    for (B, C) in sell
        n2 += B * x / (x - C)
    end
    return complex(sqrt(n2))
end

const coef = Dict(
    :L => (1.3714, 2860.0, 0.0),
    :M => (1.6092, 5870.0, 0.0),
    :Z => (2.0210, 16300.0, 0.0),
    :H => (2.2280, 44200.0, 4e-4),
)
index(sym, λ) = coef[sym][1] + coef[sym][2] / λ^2 - im * coef[sym][3]

struct Film
    sym::Symbol
    d::Float64
end
Film(sym) = Film(sym, λ0 / (4 * real(index(sym, λ0))))
halfwave(sym) = Film(sym, 2 * Film(sym).d)

admittance(n, c, pol) = pol == :s ? n * c : n / c

function solve(films, λ, θ, pol)
    ns = glass(λ)
    n = [complex(1.0); [index(f.sym, λ) for f in films]; ns]
    c = sqrt.(1 .- (sin(θ) ./ n) .^ 2)
    y = admittance.(n, c, pol)
    last = length(n)
    ρ = (y[last - 1] - y[last]) / (y[last - 1] + y[last])
    τ = 2 * y[last - 1] / (y[last - 1] + y[last])
    for j in (last - 2):-1:1
        film = films[j]
        δ = 2π * n[j + 1] * film.d * c[j + 1] / λ
        rj = (y[j] - y[j + 1]) / (y[j] + y[j + 1])
        tj = 2 * y[j] / (y[j] + y[j + 1])
        back = exp(-2im * δ)
        τ = tj * τ * exp(-im * δ) / (1 + rj * ρ * back)
        ρ = (rj + ρ * back) / (1 + rj * ρ * back)
    end
    R = abs2(ρ)
    T = real(y[last]) / real(y[1]) * abs2(τ)
    return R, T, angle(ρ)
end

band = 400.0:5.0:700.0
V = @. 1.019 * exp(-285.4 * (band / 1000 - 0.559)^2)
stacks = [
    "bare" => Film[],
    "single" => [Film(:L)],
    "broad" => [Film(:L), halfwave(:Z), Film(:M)],
    "mirror" => vcat(repeat([Film(:H), Film(:L)], 5), Film(:H)),
]

for (title, films) in stacks
    out = [solve(films, λ, 0.0, :s) for λ in band]
    R = first.(out)
    A = 1 .- R .- getindex.(out, 2)
    Rv = sum(R .* V) / sum(V)
    low, where = findmin(R)
    @printf("%s: luminous %.6f %%, minimum %.6f %% (%.0f nm)\n", title, 100Rv, 100low, band[where])
    @printf("  maximum %.6f %%, absorption %.6f %%\n", 100maximum(R), 100maximum(A))
end

mirror = last(stacks)[2]
λs = collect(380.0:0.5:900.0)
Rm = zeros(length(λs))
φ = zeros(length(λs))
for (i, λ) in enumerate(λs)
    Rm[i], _, φ[i] = solve(mirror, λ, 0.0, :s)
end
high = findall(Rm .> 0.9)
k = findfirst(λs .== λ0)
dφ = rem2pi(φ[k + 1] - φ[k - 1], RoundNearest)
ω(λ) = 2π * 299.792458 / λ
τg = -dφ / (ω(λs[k + 1]) - ω(λs[k - 1]))
@printf("mirror: %.8f, %.1f to %.1f nm, %.6f fs\n", maximum(Rm), λs[first(high)], λs[last(high)], τg)

ar = stacks[3][2]
for deg in [15, 45, 60]
    Rs, = solve(ar, λ0, deg2rad(deg), :s)
    Rp, = solve(ar, λ0, deg2rad(deg), :p)
    @printf("%d: %.8f %.8f %.8f %.6f\n", deg, Rs, Rp, 0.5 * (Rs + Rp), (Rs - Rp) / (Rs + Rp))
end
