using DelimitedFiles
using Printf
using Statistics

data = readdlm("tide.csv", ',', skipstart = 1)
x = data[:, 1]
y = data[:, 2]

# Thomas' algorithm for a tridiagonal system
function thomas(lower, main, upper, r)
    n = length(main)
    c = zeros(n)
    d = zeros(n)
    c[1] = n > 1 ? upper[1] / main[1] : 0.0
    d[1] = r[1] / main[1]
    for i in 2:n
        den = main[i] - lower[i-1] * c[i-1]
        if i < n
            c[i] = upper[i] / den
        end
        d[i] = (r[i] - lower[i-1] * d[i-1]) / den
    end
    for i in n-1:-1:1
        d[i] -= c[i] * d[i+1]
    end
    return d
end

# coefficients a + b u + c u^2 + d u^3 on every interval, u = x - knot
function coefficients(x, y)
    h = diff(x)
    slopes = diff(y) ./ h
    inner = thomas(h[2:end-1], 2 .* (h[1:end-1] .+ h[2:end]), h[2:end-1], 3 .* diff(slopes))
    c = [0.0; inner; 0.0]
    b = slopes .- h .* (2 .* c[1:end-1] .+ c[2:end]) ./ 3
    d = diff(c) ./ (3 .* h)
    return (knots = x, a = y[1:end-1], b = b, c = c, d = d, h = h)
end

interval(s, z) = clamp(searchsortedlast(s.knots, z), 1, length(s.a))

function value(s, z)
    i = interval(s, z)
    u = z - s.knots[i]
    return s.a[i] + u * (s.b[i] + u * (s.c[i] + u * s.d[i]))
end

function derivative(s, z)
    i = interval(s, z)
    u = z - s.knots[i]
    return s.b[i] + 2 * s.c[i] * u + 3 * s.d[i] * u^2
end

function integral(s)
    total = 0.0
    for i in 1:length(s.a)
        u = s.h[i]
        total += s.a[i] * u + s.b[i] * u^2 / 2 + s.c[i] * u^3 / 3 + s.d[i] * u^4 / 4
    end
    return total
end

s = coefficients(x, y)
curvature = 2 .* s.c
points = collect(x[1]:0.25:x[end])
levels = [value(s, z) for z in points]
rates = [derivative(s, z) for z in points]

# the maximum: Newton on the derivative
function crest(s, z)
    for k in 1:40
        i = interval(s, z)
        second = 2 * s.c[i] + 6 * s.d[i] * (z - s.knots[i])
        z -= derivative(s, z) / second
    end
    return z
end

top_time = crest(s, 4.0)
top = value(s, top_time)
area = integral(s)
average = area / (x[end] - x[1])
span = maximum(levels) - minimum(levels)
share = count(levels .> 3) / length(levels)
k = curvature
energy = sum(s.h .* (k[1:end-1] .^ 2 .+ k[1:end-1] .* k[2:end] .+ k[2:end] .^ 2)) / 3

println("curvature ", join(round.(curvature, digits = 8), " "))
@printf("at 7.5 h %.10f slope %.10f\n", value(s, 7.5), derivative(s, 7.5))
@printf("high water %.8f h %.10f m\n", top_time, top)
@printf("mean %.10f range %.10f\n", average, span)
@printf("above 3 m %.6f steepest %.10f\n", share, maximum(abs, rates))
@printf("bending %.10f\n", energy)
