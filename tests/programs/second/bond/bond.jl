using LinearAlgebra
using Printf

struct Bond
    coupon::Float64
    T::Int
    P::Float64
end

times(b) = collect(1:2b.T) ./ 2

function payments(b)
    c = fill(100 * b.coupon / 2, 2b.T)
    c[end] += 100
    return c
end

disc(y, t) = (1 + y / 2) .^ (-2 .* t)
pv(b, y) = dot(payments(b), disc(y, times(b)))

# Newton's method on the price
function solve_yield(b; y = 0.04)
    for iter in 1:50
        t = times(b)
        slope = -sum(t .* payments(b) .* disc(y, t)) / (1 + y / 2)
        step = (pv(b, y) - b.P) / slope
        y -= step
        abs(step) < 1e-15 && break
    end
    return y
end

market = [Bond(0.03, 2, 99.1), Bond(0.045, 5, 102.35), Bond(0.05, 10, 97.8)]
Y = solve_yield.(market)

D = zeros(3)
Dmod = zeros(3)
C = zeros(3)
for (k, b) in enumerate(market)
    t = times(b)
    v = payments(b) .* disc(Y[k], t)
    growth = 1 + Y[k] / 2
    D[k] = dot(t, v) / sum(v)
    Dmod[k] = D[k] / growth
    C[k] = sum(v .* t .* (t .+ 0.5)) / growth^2 / sum(v)
end

P = [b.P for b in market]
held = [300, 250, 450]
worth = held .* P ./ 100
V = sum(worth)
share = worth / V
Dport = dot(share, Dmod)

dy = 0.01
approx = P .- P .* Dmod .* dy .+ P .* C .* dy^2 ./ 2
repriced = pv.(market, Y .+ dy)
loss = V - sum(held .* repriced) / 100

# bootstrapping as a triangular system: row i prices the par bond of i years
s = [0.031, 0.034, 0.0365, 0.038, 0.039]
M = LowerTriangular(repeat(s, 1, 5)) + I
df = M \ ones(5)
spot = df .^ (-1 ./ (1:5)) .- 1
f = [1; df[1:end-1]] ./ df .- 1

for (k, nm) in enumerate(["short", "medium", "long"])
    @printf("%s ytm %.10f duration %.8f %.8f convexity %.8f shifted %.8f %.8f\n",
            nm, Y[k], D[k], Dmod[k], C[k], approx[k], repriced[k])
end
@printf("portfolio %.6f duration %.8f loss %.8f\n", V, Dport, loss)
println("zero ", join([@sprintf("%.10f", z) for z in spot], " "))
println("forward ", join([@sprintf("%.10f", z) for z in f], " "))
