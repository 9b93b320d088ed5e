# Band powers of a short signal, with a transform written out
using Statistics

const fs = 64.0
N = 128
t = (0:N-1) ./ fs
noise = [0.02 * (37k % 11) for k in 0:N-1]
x = 1.3 .* sin.(2π .* 6 .* t) .+ 0.7 .* cos.(2π .* 13 .* t .+ 0.4) .+ 0.25 .* sin.(2π .* 21.5 .* t) .+ noise .+ 0.5 .* t

function remove_trend(x)
    A = hcat(ones(length(x)), 0:length(x)-1)
    c = A \ x
    return x .- A * c
end

function dft(x)
    n = length(x)
    half = div(n, 2)
    X = zeros(ComplexF64, half + 1)
    for k in 0:half
        s = 0.0 + 0.0im
        for j in 0:n-1
            s += x[j+1] * exp(-2im * π * k * j / n)
        end
        X[k+1] = s
    end
    return X
end

y = remove_trend(x)
w = 0.5 .* (1 .- cos.(2π .* (0:N-1) ./ N))
X = dft(y .* w)
f = collect(0:div(N, 2)) .* fs ./ N
S = abs2.(X) ./ (fs * sum(w .^ 2))
S[2:end-1] .*= 2
df = f[2] - f[1]

function power_between(f, S, a, b)
    total = 0.0
    for (fi, Si) in zip(f, S)
        if a <= fi < b
            total += Si
        end
    end
    return total
end

limits = [(4, 8), (8, 14), (14, 30)]
P = [power_between(f, S, a, b) * df for (a, b) in limits]
share = P ./ sum(P)
fpeak = f[argmax(S)]
fmean = sum(f .* S) / sum(S)

h = [1, 4, 6, 4, 1] ./ 16
ys = zeros(N)
for n in 1:N
    acc = 0.0
    for m in -2:2
        if 1 <= n + m <= N
            acc += h[m+3] * y[n+m]
        end
    end
    ys[n] = acc
end
rms = sqrt(mean(ys .^ 2))
zc = sum(sign.(ys[2:end]) .!= sign.(ys[1:end-1]))
ph = rad2deg(angle(X[13]))

println("powers ", P)
println("relative ", share)
println("peak ", fpeak, " centroid ", fmean)
println("rms ", rms, " crossings ", zc)
println("phase ", ph)
