# Thresholds, rounding, order and loops that end by a condition.

above(x, threshold) = ifelse.(x .> threshold, x, zero(eltype(x)))

signs(x) = sign.(x)

floors(x) = floor.(x)

nearest(x) = round.(x)

remainder(x) = mod.(x, 3)

largest(x) = [argmax(x) - 1]

ordered(x) = sort(x)

bins(x, edges) = [searchsortedfirst(edges, element) - 1 for element in x]

function huber(x, threshold)
    loss = zero(x)
    for i in eachindex(x)
        if abs(x[i]) <= threshold
            loss[i] = x[i]^2 / 2
        else
            loss[i] = threshold * (abs(x[i]) - threshold / 2)
        end
    end
    return loss
end

limited(x, threshold) = clamp.(x, -threshold, threshold)

centre(sizes) = sum(sizes) / length(sizes)

sides(sizes, centre) = eltype(sizes).(sizes .> centre)

function root_of(number)
    root = max(number, one(number))
    step = root
    while abs(step) > 0.3 * root
        step = (root - number / root) / 2
        root -= step
    end
    return root - (root - number / root) / 2
end

roots(positive) = root_of.(positive)
