# Lotka and Volterra, two plain vectors
using Statistics

const a = 1.1
const b = 0.4
const c = 0.1
const d = 0.4

hare_rate(x, y) = a * x - b * x * y
lynx_rate(x, y) = c * x * y - d * y

function simulate(x0, y0, dt, n)
    xs = zeros(n + 1)
    ys = zeros(n + 1)
    xs[1] = x0
    ys[1] = y0
    for i in 1:n
        x, y = xs[i], ys[i]
        p1, q1 = hare_rate(x, y), lynx_rate(x, y)
        p2, q2 = hare_rate(x + dt * p1 / 2, y + dt * q1 / 2), lynx_rate(x + dt * p1 / 2, y + dt * q1 / 2)
        p3, q3 = hare_rate(x + dt * p2 / 2, y + dt * q2 / 2), lynx_rate(x + dt * p2 / 2, y + dt * q2 / 2)
        p4, q4 = hare_rate(x + dt * p3, y + dt * q3), lynx_rate(x + dt * p3, y + dt * q3)
        xs[i + 1] = x + dt * (p1 + 2p2 + 2p3 + p4) / 6
        ys[i + 1] = y + dt * (q1 + 2q2 + 2q3 + q4) / 6
    end
    return xs, ys
end

dt = 0.05
n = 600
hares, lynxes = simulate(10.0, 5.0, dt, n)
clock = [dt * i for i in 0:n]

tops = Int[]
for i in 2:n
    if hares[i] > hares[i - 1] && hares[i] >= hares[i + 1]
        push!(tops, i)
    end
end
top_times = clock[tops]
cycle_length = (top_times[end] - top_times[1]) / (length(tops) - 1)

energy = c .* hares .- d .* log.(hares) .+ b .* lynxes .- a .* log.(lynxes)
leak = maximum(abs.(energy .- energy[1]))

whole = tops[1]:(tops[end] - 1)
avg_hares = mean(hares[whole])
avg_lynxes = mean(lynxes[whole])
per_hare = lynxes[tops] ./ hares[tops]

area = 0.0
for i in 1:n
    global area += dt * (hares[i] + hares[i + 1]) / 2
end
taken = 0.05 * area

println("peaks ", top_times)
println("period ", cycle_length)
println("drift ", leak)
println("means ", avg_hares, " ", avg_lynxes)
println("ratio ", per_hare)
println("harvest ", taken)
println("end ", hares[end], " ", lynxes[end])
