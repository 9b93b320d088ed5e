# The Kalman filter of a level that moves at random.

const NOISE = 15099.0
const MOVES = 1469.1

function filtered(flow)
    level, variance = similar(flow), similar(flow)
    a, p = 0.0, 1.0e7
    for t in eachindex(flow)
        f = p + NOISE
        level[t] = a + p * (flow[t] - a) / f
        variance[t] = p * NOISE / f
        a, p = level[t], variance[t] + MOVES
    end
    (variance = variance, level = level)
end

innovations(flow, level) = flow .- [level[1]; level[1:end-1]]

steady(variance) = variance[end]
