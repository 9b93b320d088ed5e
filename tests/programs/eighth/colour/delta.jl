using LinearAlgebra, Statistics, Printf

struct Lab
    L::Float64
    a::Float64
    b::Float64
end

const RGB2XYZ = [0.4124564 0.3575761 0.1804375
                 0.2126729 0.7151522 0.0721750
                 0.0193339 0.1191920 0.9503041]
const cone = [0.8951 0.2664 -0.1614; -0.7502 1.7135 0.0367; 0.0389 -0.0685 1.0296]
const w65 = [0.95047, 1.0, 1.08883]
const w50 = [0.96422, 1.0, 0.82521]

gammainv(u) = u > 0.04045 ? ((u + 0.055) / 1.055)^2.4 : u / 12.92

function von_kries(from, to)
    ratio = (cone * to) ./ (cone * from)
    return cone \ (Diagonal(ratio) * cone)
end

function tolab(v, white)
    fx, fy, fz = map(v ./ white) do r
        r > 216 / 24389 ? cbrt(r) : (24389 / 27 * r + 16) / 116
    end
    Lab(116fy - 16, 500(fx - fy), 200(fy - fz))
end

pow7(c) = sqrt(c^7 / (c^7 + 25.0^7))

function Δe00(p::Lab, q::Lab)
    C̄ = 0.5 * (sqrt(p.a^2 + p.b^2) + sqrt(q.a^2 + q.b^2))
    stretch = 1.5 - 0.5 * pow7(C̄)
    a1 = stretch * p.a
    a2 = stretch * q.a
    C1 = sqrt(a1^2 + p.b^2)
    C2 = sqrt(a2^2 + q.b^2)
    h1 = atand(p.b, a1)
    h1 < 0 && (h1 += 360)
    h2 = atand(q.b, a2)
    h2 < 0 && (h2 += 360)
    Δh = h2 - h1
    H = h1 + h2
    if abs(Δh) > 180
        Δh += Δh > 0 ? -360 : 360
        H += H < 360 ? 360 : -360
    end
    h̄ = H / 2
    C = (C1 + C2) / 2
    l = (p.L + q.L) / 2 - 50
    T = 1 - 0.17cosd(h̄ - 30) + 0.24cosd(2h̄) + 0.32cosd(3h̄ + 6) - 0.2cosd(4h̄ - 63)
    tL = (q.L - p.L) / (1 + 0.015l^2 / sqrt(20 + l^2))
    tC = (C2 - C1) / (1 + 0.045C)
    tH = 2sqrt(C1 * C2) * sind(Δh / 2) / (1 + 0.015C * T)
    θ = 60 * exp(-((h̄ - 275) / 25)^2)
    sqrt(tL^2 + tC^2 + tH^2 - 2pow7(C) * sind(θ) * tC * tH)
end

temperature(x, y) = evalpoly((x - 0.332) / (0.1858 - y), (5520.33, 6823.3, 3525.0, 449.0))

@printf("check %.6f\n", Δe00(Lab(50, 2.6772, -79.7751), Lab(50, 0, -82.7485)))

patch = String[]
truth = Lab[]
xyz = Vector{Float64}[]
for line in Iterators.drop(eachline("patches.csv"), 1)
    cells = split(line, ',')
    push!(patch, cells[1])
    vals = parse.(Float64, cells[2:7])
    push!(truth, Lab(vals[4:6]...))
    push!(xyz, RGB2XYZ * gammainv.(vals[1:3] ./ 255))
end
n = length(patch)

toD50 = von_kries(w65, w50)
seen = [tolab(toD50 * v, w50) for v in xyz]
E = [Δe00(truth[i], seen[i]) for i in 1:n]
E76 = zeros(n)
for i in 1:n
    E76[i] = norm([seen[i].L - truth[i].L, seen[i].a - truth[i].a, seen[i].b - truth[i].b])
end
@printf("%.6f %.6f %.6f\n", mean(E), median(E), quantile(E, 0.95))
@printf("%.6f %.6f\n", mean(E76), sqrt(sum(abs2, E76) / n))
worst = sortperm(E, rev = true)[1:3]
for w in worst
    @printf("%s %.6f %.6f\n", patch[w], E[w], E76[w])
end

greys = 19:24
lightness = [p.L for p in truth]
lum = [L > 8 ? ((L + 16) / 116)^3 : L / 903.3 for L in lightness]
Ycam = [v[2] for v in xyz]
scale = dot(lum[greys], Ycam[greys]) / dot(Ycam[greys], Ycam[greys])
white = sum(xyz[greys]) / length(greys)
white /= white[2]
balance = von_kries(white, w50)
again = [tolab(balance * (scale * v), w50) for v in xyz]
E2 = Δe00.(truth, again)
c = [hypot(p.a, p.b) for p in again[greys]]
@printf("CCT %.4f factor %.7f\n", temperature(white[1] / sum(white), white[2] / sum(white)), scale)
@printf("then %.6f improved %d chroma %.6f\n", mean(E2), count(E2 .< E), maximum(c))
