# The same after a rewrite: parameters in a struct, vectors instead of loops
struct Market
    spot::Float64
    strike::Float64
    rate::Float64
    maturity::Float64
end

normal_cdf(x) = begin
    # Simpson's rule from zero
    n = 400
    h = x / n
    ys = [exp(-(k * h)^2 / 2) for k in 0:n]
    w = [k == 0 || k == n ? 1 : iseven(k) ? 2 : 4 for k in 0:n]
    0.5 + h / 3 * sum(w .* ys) / sqrt(2pi)
end
normal_pdf(x) = exp(-0.5x^2) / sqrt(2pi)

function d_values(m, vol)
    root = vol * sqrt(m.maturity)
    d1 = (log(m.spot / m.strike) + m.rate * m.maturity) / root + root / 2
    return d1, d1 - root
end

function european(m, vol)
    d1, d2 = d_values(m, vol)
    discount = exp(-m.rate * m.maturity)
    call = m.spot * normal_cdf(d1) - m.strike * discount * normal_cdf(d2)
    put = call - m.spot + m.strike * discount
    return (call = call, put = put)
end

function tree(m, vol, steps)
    dt = m.maturity / steps
    up = exp(vol * sqrt(dt))
    p = (exp(m.rate * dt) - 1 / up) / (up - 1 / up)
    prices(level) = m.spot .* up .^ (2 .* (0:level) .- level)
    values = max.(m.strike .- prices(steps), 0)
    for level in steps-1:-1:0
        cont = exp(-m.rate * dt) .* (p .* values[2:end] .+ (1 - p) .* values[1:end-1])
        values = max.(cont, m.strike .- prices(level))
    end
    return values[1]
end

market = Market(102.5, 100.0, 0.031, 0.75)
vol = 0.22
eu = european(market, vol)
am = tree(market, vol, 24)
early = am - eu.put
d1, d2 = d_values(market, vol)
Δ = normal_cdf(d1)
Γ = normal_pdf(d1) / (market.spot * vol * sqrt(market.maturity))
ν = market.spot * normal_pdf(d1) * sqrt(market.maturity)

function solve_vol(m, price)
    a, b = 0.01, 1.0
    for _ in 1:60
        c = 0.5 * (a + b)
        european(m, c).call > price ? (b = c) : (a = c)
    end
    return 0.5 * (a + b)
end
sigma = solve_vol(market, 9.4)

println("call ", eu.call, " put ", eu.put)
println("american ", am, " premium ", early)
println("greeks ", Δ, " ", Γ, " ", ν)
println("implied ", sigma)
