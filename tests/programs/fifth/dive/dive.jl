# Bühlmann tissues along a dive profile, in small explicit pieces
using DelimitedFiles

raw, header = readdlm("profile.csv", ',', header = true)
tm = Float64.(raw[:, 1])
dm = Float64.(raw[:, 2])
nseg = length(tm) - 1

const P0 = 1.013
const PH2O = 0.0627
o2, n2 = 0.32, 0.68
T = [5.0 1.1696 0.5578
     8.0 1.0000 0.6514
     12.5 0.8618 0.7222
     18.5 0.7562 0.7825
     27.0 0.6200 0.8126
     38.3 0.5043 0.8434
     54.3 0.4410 0.8693
     77.0 0.4000 0.8910]
halves, av, bv = T[:, 1], T[:, 2], T[:, 3]
kv = log(2) ./ halves

absolute = P0 .+ dm ./ 10
insp = n2 .* (absolute .- PH2O)
pN2_air = 0.79 * (P0 - PH2O)

loads = zeros(length(halves), nseg + 1)
loads[:, 1] .= pN2_air
dt = diff(tm)
for s in 1:nseg
    slope = (insp[s+1] - insp[s]) / dt[s]
    for c in 1:length(halves)
        k = kv[c]
        lag = insp[s] - slope / k
        # the solution of dP/dt = k (insp(t) - P)
        loads[c, s+1] = lag + slope * dt[s] + (loads[c, s] - lag) * exp(-k * dt[s])
    end
end

gf = 0.75
tol = (loads[:, 2:end] .- gf .* av) ./ (gf ./ bv .+ (1 - gf))
ceil_m = max.(0, vec(maximum(10 .* (tol .- P0), dims = 1)))

final = loads[:, end]
M0 = av .+ P0 ./ bv
sat = final ./ M0
ctrl = argmax(sat)

mid = (dm[1:end-1] .+ dm[2:end]) ./ 2
pmid = P0 .+ mid ./ 10
rmv = 17.5
litres = rmv * sum(pmid .* dt)
bar_left = 210 - litres / 12

ppo2 = o2 .* pmid
toxic = ppo2 .> 0.5
units = sum(dt[toxic] .* (2 .* (ppo2[toxic] .- 0.5)) .^ 0.83)
steps = [0.6, 0.8, 1.0, 1.2, 1.4, 1.6]
minutes = [720, 450, 300, 210, 150, 45]
allowed(x) = minutes[min(searchsortedfirst(steps, x), 6)]
clock = 100 * sum(dt[toxic] ./ allowed.(ppo2[toxic]))

bottom = maximum(dm)
avg = sum(mid .* dt) / (tm[end] - tm[1])
MOD = 10 * (1.4 / o2 - P0)
EAD = (bottom + 10) * n2 / 0.79 - 10

pause = 0
rest = copy(final)
while any(rest .> 1.1 * pN2_air)
    global pause += 10
    global rest = pN2_air .+ (final .- pN2_air) .* exp.(-kv .* pause)
end

line(label, xs...) = println(label, " ", join(vcat(xs...), " "))
line("tissues", final)
line("saturation", sat, ctrl)
line("ceilings", ceil_m, maximum(ceil_m))
line("gas", litres, bar_left)
line("oxygen", units, clock)
line("depth", bottom, avg, MOD, EAD)
line("interval", pause)
