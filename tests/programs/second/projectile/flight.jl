using LinearAlgebra, Printf

# a baseball
const g = 9.81
const m = 0.145
const wind = [-2.0, 0.0]
const h = 0.01
A = pi * 0.0366^2
drag = 1.225 * 0.35 * A / (2m)

accel(v) = [0.0, -g] - drag * norm(v - wind) * (v - wind)

# one Runge-Kutta step for position r and velocity v
function advance(r, v)
    a1 = accel(v)
    v2 = v + h / 2 * a1
    a2 = accel(v2)
    v3 = v + h / 2 * a2
    a3 = accel(v3)
    v4 = v + h * a3
    a4 = accel(v4)
    rnew = r + h / 6 * (v + 2v2 + 2v3 + v4)
    vnew = v + h / 6 * (a1 + 2a2 + 2a3 + a4)
    return rnew, vnew
end

function simulate(v0, theta)
    r = [0.0, 1.8]
    v = v0 * [cosd(theta), sind(theta)]
    R = [r]
    V = [v]
    while r[2] >= 0
        r, v = advance(r, v)
        push!(R, r)
        push!(V, v)
    end
    return R, V
end

function ground(R, V)
    n = length(R)
    s = R[n-1][2] / (R[n-1][2] - R[n][2])
    t = (n - 2 + s) * h
    x = (1 - s) * R[n-1][1] + s * R[n][1]
    v = (1 - s) * V[n-1] + s * V[n]
    return t, x, v
end

R, V = simulate(40.0, 38.0)
T, x_end, v_end = ground(R, V)
heights = [r[2] for r in R]
ymax, imax = findmax(heights)
tmax = (imax - 1) * h
v_impact = norm(v_end)
angle_impact = atand(-v_end[2] / v_end[1])

kinetic = [m * dot(v, v) / 2 for v in V]
potential = m * g * heights
E = kinetic + potential
dE = E[1] - E[end]
len = sum(norm(R[i+1] - R[i]) for i in 1:length(R)-1)

thetas = 25:5:55
reach = Float64[]
for th in thetas
    Rt, Vt = simulate(40.0, th)
    push!(reach, ground(Rt, Vt)[2])
end
opt = thetas[argmax(reach)]
no_air = 40.0^2 * sind(2 * 38.0) / g
v_term = sqrt(g / drag)

@printf("steps %d\n", length(R) - 1)
@printf("time %.10f distance %.10f\n", T, x_end)
@printf("apex %.10f at %.2f\n", ymax, tmax)
@printf("impact %.10f m/s, %.10f degrees\n", v_impact, angle_impact)
@printf("energy lost %.10f path length %.10f\n", dE, len)
for (th, x) in zip(thetas, reach)
    @printf("%d %.6f\n", th, x)
end
@printf("best %d vacuum %.10f terminal %.10f\n", opt, no_air, v_term)
