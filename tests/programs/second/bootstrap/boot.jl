using Statistics
using Printf

groups = Dict(
    "control" => [4.1, 5.6, 3.9, 7.2, 6.4, 5.0, 4.8, 6.1, 5.9, 7.7, 3.3, 5.2],
    "treated" => [6.3, 7.9, 5.8, 9.4, 6.9, 7.1, 8.8, 5.5, 7.4, 10.2],
)
dosage = [10, 25, 8, 40, 18, 22, 33, 5, 20, 45]
reps = 300

mutable struct Lcg
    state::Int64
end

function draw!(g::Lcg, n)
    g.state = mod(1103515245 * g.state + 12345, 2^31)
    return div(g.state * n, 2^31) + 1
end

# each column is a resample
resamples(n, reps, seed) = (g = Lcg(seed); [draw!(g, n) for i in 1:n, b in 1:reps])

x = groups["control"]
y = groups["treated"]
I1 = resamples(length(x), reps, 42)
I2 = resamples(length(y), reps, 4711)

theta = median(y) - median(x)
m1 = [median(x[I1[:, b]]) for b in 1:reps]
m2 = [median(y[I2[:, b]]) for b in 1:reps]
boot = m2 - m1

boot_bias = mean(boot .- theta)
boot_se = std(boot)
sorted = sort(boot)
function type7(sorted, p)
    pos = (length(sorted) - 1) * p + 1
    low = floor(Int, pos)
    high = min(low + 1, length(sorted))
    return sorted[low] + (pos - low) * (sorted[high] - sorted[low])
end
lo = type7(sorted, 0.025)
hi = type7(sorted, 0.975)
basic_lo, basic_hi = 2theta - hi, 2theta - lo
margin = 1.959963984540054 * boot_se
norm_lo = theta - boot_bias - margin
norm_hi = theta - boot_bias + margin
p = (1 + count(boot .<= 0)) / (reps + 1)

function pearson(a, b)
    da = a .- mean(a)
    db = b .- mean(b)
    return sum(da .* db) / sqrt(sum(abs2, da) * sum(abs2, db))
end

rho = pearson(dosage, y)
rho_boot = Float64[]
fisher = Float64[]
for b in 1:reps
    rb = pearson(dosage[I2[:, b]], y[I2[:, b]])
    push!(rho_boot, rb)
    if abs(rb) < 1
        push!(fisher, log((1 + rb) / (1 - rb)) / 2)
    end
end
fisher_se = std(fisher)
zr = log((1 + rho) / (1 - rho)) / 2
back(z) = (exp(2z) - 1) / (exp(2z) + 1)
rho_lo = back(zr - 1.96 * fisher_se)
rho_hi = back(zr + 1.96 * fisher_se)

n = length(y)
leave_out = zeros(n)
for i in 1:n
    keep = setdiff(1:n, i)
    leave_out[i] = pearson(dosage[keep], y[keep])
end
jack_mean = mean(leave_out)
jack_est = n * rho - (n - 1) * jack_mean
jack_se = sqrt((n - 1) / n * sum((leave_out .- jack_mean) .^ 2))
skew = sum((jack_mean .- leave_out) .^ 3) / (6 * sum((jack_mean .- leave_out) .^ 2)^1.5)

@printf("difference %.6f bias %.8f se %.8f p %.6f\n", theta, boot_bias, boot_se, p)
@printf("percentile %.6f %.6f\n", lo, hi)
@printf("basic %.6f %.6f normal %.8f %.8f\n", basic_lo, basic_hi, norm_lo, norm_hi)
@printf("r %.8f interval %.8f %.8f\n", rho, rho_lo, rho_hi)
@printf("jackknife %.8f se %.8f acceleration %.8f\n", jack_est, jack_se, skew)
