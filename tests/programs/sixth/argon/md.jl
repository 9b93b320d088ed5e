using Statistics, Printf, LinearAlgebra

const L = 4.2
const rc = L / 2
const nside = 3
const n = nside * nside
const dt = 0.004
const ushift = 4 * (1 / rc^12 - 1 / rc^6)

# coordinates are the columns here: 2 x n
function lattice()
    a = L / nside
    R = zeros(2, n)
    for i in 0:nside-1, j in 0:nside-1
        k = i * nside + j
        R[:, k + 1] = [(i + 0.5) * a + 0.08 * sin(2.3k), (j + 0.5) * a + 0.08 * cos(1.7k)]
    end
    R
end

function velocities(T)
    V = vcat([cos(3.1k + 0.4) for k in 0:n-1]', [sin(4.7k) for k in 0:n-1]')
    V = V .- mean(V, dims = 2)
    V * sqrt(T * 2 * (n - 1) / sum(abs2, V))
end

nearest(d) = d .- L .* round.(d ./ L)

function interact(R)
    F = zero(R)
    U = 0.0
    W = 0.0
    for i in 1:n, j in 1:n
        i == j && continue
        d = nearest(R[:, i] - R[:, j])
        r = norm(d)
        if r <= rc
            U += (4 * (r^-12 - r^-6) - ushift) / 2      # every pair comes twice
            fr = 24 * (2 * r^-12 - r^-6)
            F[:, i] += fr / r^2 * d
            W += fr / 2
        end
    end
    F, U, W
end

R = lattice()
V = velocities(0.8)
R0 = copy(R)
F, U, W = interact(R)

nsteps = 50
K, E, Us, T, P, D2 = [zeros(nsteps) for _ in 1:6]
for s in 1:nsteps
    global R, V, F, U, W
    R = R + V * dt + F * dt^2 / 2
    Fold = F
    F, U, W = interact(R)
    V = V + (Fold + F) / 2 * dt
    K[s] = sum(V .^ 2) / 2
    Us[s] = U
    E[s] = K[s] + U
    T[s] = 2 * K[s] / (2 * (n - 1))
    P[s] = n / L^2 * T[s] + W / (2 * L^2)
    D2[s] = mean(sum((R - R0) .^ 2, dims = 1))
end
Edrift = maximum(abs.(E .- E[1]))

half = nsteps ÷ 2 + 1
Tmean = mean(T[half:end])
Pblock = vec(mean(reshape(P[half:end], :, 5), dims = 1))
Perr = std(Pblock) / sqrt(length(Pblock))
t = dt * (half:nsteps)
slope = cov(t, D2[half:end]) / var(t)
Dself = slope / 4

# pairs per ring against an even spread
nbin = 6
width = rc / nbin
h = zeros(nbin)
for i in 1:n-1, j in i+1:n
    r = norm(nearest(R[:, i] - R[:, j]))
    r < rc && (h[floor(Int, r / width) + 1] += 2)
end
ring = [pi * width^2 * (b^2 - (b - 1)^2) for b in 1:nbin]
gr = h ./ n ./ (ring .* n / L^2)

@printf("energy %.9f drift %.9f\n", E[end], Edrift)
@printf("kinetic %.9f potential %.9f\n", K[end], Us[end])
@printf("temperature %.9f\n", Tmean)
@printf("pressure %.9f +- %.9f\n", mean(Pblock), Perr)
@printf("msd %.9f diffusion %.9f\n", D2[end], Dself)
println("g ", round.(gr, digits = 8))
