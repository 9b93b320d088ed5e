# Day cycle of a wall.  Implicit trapezoidal rule, Thomas algorithm.
using DelimitedFiles, Printf, Statistics

const αs = 0.55
const he = 20.0
const hi = 7.7
const Ti = 22.0

function thomas(a, b, c, d)
    n = length(d)
    cp = zeros(n)
    dp = zeros(n)
    cp[1] = c[1] / b[1]
    dp[1] = d[1] / b[1]
    for i in 2:n
        m = b[i] - a[i] * cp[i-1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i-1]) / m
    end
    x = copy(dp)
    for i in n-1:-1:1
        x[i] -= cp[i] * x[i+1]
    end
    return x
end

function build(tab)
    C = Float64[]
    r = Float64[]      # half-cell resistances
    for l in 1:size(tab, 1)
        d, λ, ρ, cp, m = Float64.(tab[l, 2:6])
        for _ in 1:Int(m)
            push!(C, ρ * cp * d / m)
            push!(r, d / m / λ / 2)
        end
    end
    Rsum = 1 / he + 2 * sum(r) + 1 / hi
    R = vcat(1 / he + r[1], [r[i] + r[i+1] for i in 1:length(r)-1], r[end] + 1 / hi)
    return C, R, 1 / Rsum
end

function crank!(T, C, R, Te0, Te1, dt)
    n = length(T)
    a, b, c, d = zeros(n), zeros(n), zeros(n), zeros(n)
    for i in 1:n
        kw = dt / (2 * C[i] * R[i])
        ke = dt / (2 * C[i] * R[i+1])
        west = i == 1 ? Te0 : T[i-1]
        east = i == n ? Ti : T[i+1]
        d[i] = T[i] + kw * (west - T[i]) + ke * (east - T[i])
        b[i] = 1 + kw + ke
        if i == 1
            d[i] += kw * Te1
        else
            a[i] = -kw
        end
        if i == n
            d[i] += ke * Ti
        else
            c[i] = -ke
        end
    end
    T .= thomas(a, b, c, d)
end

function main()
    tab, _ = readdlm("layers.csv", ','; header = true)
    met, _ = readdlm("outdoor.csv", ','; header = true)
    Tsa = Float64.(met[:, 2]) .+ αs / he .* Float64.(met[:, 3])
    C, R, U = build(tab)

    dt = 600.0
    nsub = 6
    drive = Float64[]
    for h in 0:23, s in 0:nsub-1
        w = s / nsub
        nxt = Tsa[mod(h + 1, 24)+1]
        push!(drive, (1 - w) * Tsa[h+1] + w * nxt)
    end
    push!(drive, drive[1])

    T = fill(Ti, length(C))
    nstep = length(drive) - 1
    Tsi = zeros(nstep)
    q = zeros(nstep)
    for day in 1:4
        for j in 1:nstep
            crank!(T, C, R, drive[j], drive[j+1], dt)
            q[j] = (T[end] - Ti) / R[end]
            Tsi[j] = Ti + q[j] / hi
        end
    end

    amp_e = maximum(drive) - minimum(drive)
    amp_i = maximum(Tsi) - minimum(Tsi)
    f = amp_i / amp_e
    te = (argmax(drive) - 1) * dt / 3600
    ti = argmax(Tsi) * dt / 3600
    ϕ = mod(ti - te, 24)
    Q = sum(q) * dt / 3600
    E = sum(C .* (T .- Ti)) / 1e3

    @printf("U value            %.7f\n", U)
    @printf("sol-air min/max    %.4f / %.4f, mean %.6f\n", minimum(drive), maximum(drive), mean(drive[1:end-1]))
    @printf("decrement factor   %.8f\n", f)
    @printf("time lag           %.4f h\n", ϕ)
    @printf("heat gain          %.6f Wh/m2\n", Q)
    @printf("heat stored        %.5f kJ/m2\n", E)
    for (i, t) in enumerate(T)
        @printf("  cell %2d  %.5f\n", i, t)
    end
end

main()
