using DelimitedFiles, LinearAlgebra, Printf, Statistics

raw, head = readdlm("assay.csv", ',', header = true)
s, v, inh = raw[:, 2], raw[:, 3], raw[:, 4]
plain = inh .== 0
s0, v0 = s[plain], v[plain]
s1, v1 = s[.!plain], v[.!plain]

mm(s, vm, km) = vm * s / (km + s)

# straight line through the reciprocals; returns (Vmax, Km)
function reciprocal_fit(s, v)
    x = 1 ./ s
    y = 1 ./ v
    slope = sum((x .- mean(x)) .* (y .- mean(y))) / sum(abs2, x .- mean(x))
    icept = mean(y) - slope * mean(x)
    return 1 / icept, slope / icept
end

function fit_mm(s, v, vm, km)
    for it in 1:30
        den = km .+ s
        J = [s ./ den (-vm .* s ./ den .^ 2)]
        resid = v .- vm .* s ./ den
        d = J \ resid
        vm += d[1]
        km += d[2]
    end
    return vm, km
end

vm_lb, km_lb = reciprocal_fit(s0, v0)
vm_lb_i, km_lb_i = reciprocal_fit(s1, v1)
vm, km = fit_mm(s0, v0, vm_lb, km_lb)
vm_i, km_i = fit_mm(s1, v1, vm_lb_i, km_lb_i)

fitted = mm.(s0, vm, km)
err = v0 - fitted
sse = dot(err, err)
see = sqrt(sse / (length(v0) - 2))
rsq = 1 - sse / (var(v0) * (length(v0) - 1))

conc = maximum(inh)
ki = conc * km / (km_i - km)
turnover = vm / 0.02
eff = turnover / km

# progress curve
function progress(start, h, steps)
    sub = [start]
    prod = [0.0]
    for j in 1:steps
        r = mm(sub[end], vm, km)
        push!(sub, sub[end] - h * r)
        push!(prod, prod[end] + h * r)
    end
    return sub, prod
end

h = 0.05
substrate, product = progress(20.0, h, 100)
half_time = (findfirst(substrate .<= 10) - 1) * h
mean_rate = product[end] / 5

@printf("double reciprocal %.9f %.9f %.9f %.9f\n", vm_lb, km_lb, vm_lb_i, km_lb_i)
@printf("least squares %.9f %.9f %.9f %.9f\n", vm, km, vm_i, km_i)
@printf("sigma %.9f R2 %.9f\n", see, rsq)
@printf("Ki %.9f kcat %.9f efficiency %.9f\n", ki, turnover, eff)
@printf("half consumed at %.2f left %.9f made %.9f mean rate %.9f\n",
        half_time, substrate[end], product[end], mean_rate)
