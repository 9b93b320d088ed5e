using Statistics
using Printf

# image[x, y]
nx, ny = 18, 14
disc(x, y) = hypot(x - 9, y - 7) <= 4
img = [Float64((20 + 3(x - 1) + 2(y - 1) + 110 * disc(x, y)) % 256) for x in 1:nx, y in 1:ny]

function pad(M)
    a, b = size(M)
    ix = [1; 1:a; a]
    iy = [1; 1:b; b]
    return M[ix, iy]
end

# separable filter: u along x, v along y
function separable(M, u, v)
    P = pad(M)
    a, b = size(M)
    S = u[1] * P[1:a, :] + u[2] * P[2:a+1, :] + u[3] * P[3:a+2, :]
    return v[1] * S[:, 1:b] + v[2] * S[:, 2:b+1] + v[3] * S[:, 3:b+2]
end

smooth = [1, 2, 1]
deriv = [-1, 0, 1]
soft = separable(img, smooth / 4, smooth / 4)
Dx = separable(soft, deriv, smooth)
Dy = separable(soft, smooth, deriv)
G = sqrt.(Dx .^ 2 + Dy .^ 2)
theta = atand.(Dy, Dx)

Gmax = maximum(G)
bins = clamp.(floor.(Int, G / Gmax * 32), 0, 31)
counts = [count(==(b), bins) for b in 0:31]

# between-class variance for every split
p = counts / sum(counts)
omega = cumsum(p)
mu = cumsum(p .* (0:31))
between = [0 < omega[i] < 1 - 1e-12 ? (mu[end] * omega[i] - mu[i])^2 / (omega[i] * (1 - omega[i])) : -1.0 for i in 1:32]
sep, split = findmax(between)
cutoff = split / 32 * Gmax

E = G .>= cutoff
nE = count(E)
where_edge = findall(E)
cx = mean(I[1] for I in where_edge) - 1
cy = mean(I[2] for I in where_edge) - 1
avg = mean(G)

for y in 1:ny
    println(join(E[x, y] ? '#' : '.' for x in 1:nx))
end
@printf("peak %.9f mean %.9f\n", Gmax, avg)
@printf("threshold %.9f separation %.9f\n", cutoff, sep)
@printf("edge pixels %d, centre %.6f %.6f\n", nE, cx, cy)
@printf("direction at (12, 6): %.6f, at (8, 2): %.6f\n", theta[13, 7], theta[9, 3])
