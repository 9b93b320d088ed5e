# Constants that every language computes in its own way.

function transformed(x)
    T = eltype(x)
    d = size(x, 2)
    return x * cos.(T(pi) .* (0:d-1) .* (2 .* (0:d-1)' .+ 1) ./ 2d)'
end

function encoded(x)
    T = eltype(x)
    n, d = size(x)
    y = copy(x)
    for i in 1:n, j in 0:2:d-1
        angle = (i - 1) * T(10000)^(-T(j) / d)
        y[i, j + 1] += sin(angle)
        y[i, j + 2] += cos(angle)
    end
    return y
end

function later(x)
    time = zero(eltype(x))
    for _ in 1:200
        time += eltype(x)(0.1)
    end
    return x .* time
end

function windowed(x)
    T = eltype(x)
    d = size(x, 2)
    return x .* T.(0.5 .* (1 .- cos.(range(0, stop = 2pi, length = d))))'
end

function rows(x)
    T = eltype(x)
    place = 0:size(x, 2)-1
    return x * exp.(Complex{T}.(-2im * pi .* place .* place' ./ size(x, 2)))
end
