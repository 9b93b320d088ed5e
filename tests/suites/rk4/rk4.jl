# The Lorenz system by the classical Runge-Kutta method.

function slope(state, sigma, rho, beta)
    x, y, z = state
    return [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
end

function one_step(state, step, sigma, rho, beta)
    k1 = slope(state, sigma, rho, beta)
    k2 = slope(state .+ step / 2 .* k1, sigma, rho, beta)
    k3 = slope(state .+ step / 2 .* k2, sigma, rho, beta)
    k4 = slope(state .+ step .* k3, sigma, rho, beta)
    return state .+ step / 6 .* (k1 .+ 2 .* k2 .+ 2 .* k3 .+ k4)
end

function trajectory(state, step, sigma, rho, beta, count)
    states = zeros(eltype(state), count + 1, 3)
    states[1, :] = state
    for i in 1:count
        states[i+1, :] = one_step(states[i, :], step, sigma, rho, beta)
    end
    return states
end
