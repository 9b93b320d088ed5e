# Lorenz's system by the classical Runge-Kutta method.

const STEP = 0.01

slope((x, y, z)) = [10(y - x), x * (28 - z) - y, x * y - 8 / 3 * z]

function step(start)
    k1 = slope(start)
    k2 = slope(start + STEP / 2 * k1)
    k3 = slope(start + STEP / 2 * k2)
    k4 = slope(start + STEP * k3)
    start + STEP / 6 * (k1 + 2k2 + 2k3 + k4)
end

function orbit(start)
    result = zeros(2001, 3)
    result[1, :] = start
    for i in 1:2000
        result[i+1, :] = step(result[i, :])
    end
    result
end
