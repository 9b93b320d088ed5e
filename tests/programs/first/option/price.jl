# Black-Scholes, a binomial tree and implied volatility
using Printf

S0, K, r, σ, T = 102.5, 100.0, 0.031, 0.22, 0.75

erf_series(x) = 2 / sqrt(π) * sum((-1)^n * x^(2n + 1) / (factorial(big(n)) * (2n + 1)) for n in 0:40)
Φ(x) = Float64(0.5 * (1 + erf_series(x / sqrt(2))))
φ(x) = exp(-x^2 / 2) / sqrt(2π)

function black_scholes(S, K, r, σ, T)
    d1 = (log(S / K) + (r + σ^2 / 2) * T) / (σ * sqrt(T))
    d2 = d1 - σ * sqrt(T)
    call = S * Φ(d1) - K * exp(-r * T) * Φ(d2)
    put = K * exp(-r * T) * Φ(-d2) - S * Φ(-d1)
    return call, put, d1
end

function binomial_put(S, K, r, σ, T, n)
    Δt = T / n
    u = exp(σ * sqrt(Δt))
    d = 1 / u
    q = (exp(r * Δt) - d) / (u - d)
    disc = exp(-r * Δt)
    V = [max(K - S * u^j * d^(n - j), 0.0) for j in 0:n]
    for step in n-1:-1:0
        for j in 0:step
            hold = disc * (q * V[j+2] + (1 - q) * V[j+1])
            exercise = K - S * u^j * d^(step - j)
            V[j+1] = max(hold, exercise)
        end
    end
    return V[1]
end

call, put, d1 = black_scholes(S0, K, r, σ, T)
american = binomial_put(S0, K, r, σ, T, 24)
premium = american - put
delta = Φ(d1)
gamma = φ(d1) / (S0 * σ * sqrt(T))
vega = S0 * φ(d1) * sqrt(T)

function implied(target; lo = 0.01, hi = 1.0)
    while hi - lo > 1e-10
        mid = (lo + hi) / 2
        price = black_scholes(S0, K, r, mid, T)[1]
        if price > target
            hi = mid
        else
            lo = mid
        end
    end
    return (lo + hi) / 2
end
iv = implied(9.4)

@printf("call %.6f put %.6f\n", call, put)
@printf("american %.6f premium %.6f\n", american, premium)
println("greeks ", delta, " ", gamma, " ", vega)
println("implied ", iv)
