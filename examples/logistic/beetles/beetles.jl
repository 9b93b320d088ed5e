# Logistic regression by Newton's method.

logistic(t) = 1 / (1 + exp(-t))

function coefficients(dose, n, killed)
    X = [ones(length(dose)) dose]
    beta = zeros(2)
    for _ in 1:25
        p = logistic.(X * beta)
        hessian = X' * ((n .* p .* (1 .- p)) .* X)
        beta += hessian \ (X' * (killed - n .* p))
    end
    beta
end

probabilities(dose, coefficients) = logistic.(coefficients[1] .+ coefficients[2] .* dose)

term(y, mu) = y > 0 ? y * log(y / mu) : 0.0

function deviance(n, killed, probabilities)
    expected = n .* probabilities
    2 * sum(term.(killed, expected) .+ term.(n - killed, n - expected))
end
