# SIR model with Runge-Kutta steps, peak and final size
using Statistics

struct Params
    β::Float64
    γ::Float64
    N::Float64
end

function rhs(u, p)
    S, I, R = u
    new_cases = p.β * S * I / p.N
    healed = p.γ * I
    return [-new_cases, new_cases - healed, healed]
end

function simulate(u0, p, h, n)
    out = zeros(n + 1, 3)
    u = copy(u0)
    out[1, :] = u
    for i in 1:n
        a = rhs(u, p)
        b = rhs(u .+ h / 2 .* a, p)
        c = rhs(u .+ h / 2 .* b, p)
        d = rhs(u .+ h .* c, p)
        u = u .+ h .* (a .+ 2 .* b .+ 2 .* c .+ d) ./ 6
        out[i + 1, :] = u
    end
    return out
end

p = Params(0.42, 0.13, 5000.0)
h = 0.5
n = Int(60 / h)
u0 = [p.N - 12, 12.0, 0.0]
path = simulate(u0, p, h, n)

I = path[:, 2]
top = argmax(I)
t_peak = (top - 1) * h
I_peak = I[top]
R0 = p.β / p.γ
final_size = path[end, 3] / p.N
t_double = log(2) / (p.β - p.γ)

window = collect(1:16) .* h
logs = log.(I[1:16])
growth = cov(window, logs) / var(window)
threshold = 1 - 1 / R0

println("peak ", I_peak, " at day ", t_peak)
println("R0 ", R0, " herd immunity ", threshold)
println("attack rate ", final_size)
println("doubling time ", t_double, " slope ", growth)
