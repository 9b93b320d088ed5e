using Statistics
using Printf

rate = 128
n = 96
time = [(i - 1) / rate for i in 1:n]
y = [1.5 * sinpi(24s) + 0.7 * cos(61 * pi * s + 0.4) + 0.2 * s + 0.1 for s in time]

# Fourier coefficient number k as sums of cosines and sines
function coefficient(x, k)
    re = 0.0
    im = 0.0
    for j in 0:length(x)-1
        angle = 2 * pi * k * j / length(x)
        re += x[j+1] * cos(angle)
        im -= x[j+1] * sin(angle)
    end
    return complex(re, im)
end

function inverse(F)
    m = length(F)
    out = zeros(m)
    for j in 0:m-1
        for k in 0:m-1
            out[j+1] += real(F[k+1] * exp(2im * pi * j * k / m))
        end
    end
    return out ./ m
end

b = cov(time, y) / var(time)
a = mean(y) - b * mean(time)
resid = y .- a .- b .* time

w = sin.(pi .* (0:n-1) ./ n) .^ 2
tapered = w .* resid
F = [coefficient(tapered, k) for k in 0:n-1]

nyq = div(n, 2)
grid = (0:nyq) .* (rate / n)
amp = map(0:nyq) do k
    scale = (k == 0 || k == nyq) ? 1 : 2
    scale * abs(F[k+1]) / sum(w)
end
dB = 20 .* log10.(amp .+ 1e-12)
phi = angle.(F[1:nyq+1])

function find_peaks(v, limit)
    found = Int[]
    for i in 2:length(v)-1
        if v[i] > limit && v[i] > max(v[i-1], v[i+1])
            push!(found, i)
        end
    end
    return found
end

top = find_peaks(amp, 0.1)
offset = [(dB[i-1] - dB[i+1]) / (2 * (dB[i-1] - 2dB[i] + dB[i+1])) for i in top]
tones = (top .- 1 .+ offset) .* rate ./ n

E1 = sum(abs2, tapered)
E2 = mean(abs2.(F))
center = sum(grid .* amp) / sum(amp)

cut = floor(Int, 20 * n / rate)
low = copy(F)
low[cut+2:n-cut] .= 0
lowpassed = inverse(low)
rms = sqrt(mean(lowpassed .^ 2))

println("slope ", b, " intercept ", a)
println("peaks at bins ", top .- 1)
for (j, i) in enumerate(top)
    @printf("%.8f Hz amplitude %.8f (%.6f dB) phase %.8f\n", tones[j], amp[i], dB[i], phi[i])
end
println("energy ", E1, " ", E2)
println("centroid ", center)
println("rms of the low-passed signal ", rms)
