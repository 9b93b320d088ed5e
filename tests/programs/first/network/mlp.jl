# A small network, columns are samples
using LinearAlgebra, Statistics

X = [0.1 0.7 -0.6 0.3 -0.8; 0.9 -0.2 0.4 0.3 -0.5; -0.3 0.5 0.8 -0.9 0.2]
labels = [1, 2, 2, 1, 3]
Y = [Float64(labels[j] == i) for i in 1:3, j in 1:5]

mutable struct Net
    W1
    b1
    W2
    b2
end

net = Net(
    [0.21 0.42 -0.15; -0.33 0.11 0.24; 0.14 -0.27 0.31; 0.05 0.36 -0.08], zeros(4),
    [0.12 0.27 -0.35 0.16; -0.22 0.18 0.07 -0.29; 0.31 -0.14 0.23 0.02], zeros(3),
)

function predict(net, X)
    h = tanh.(net.W1 * X .+ net.b1)
    z = net.W2 * h .+ net.b2
    z = z .- maximum(z, dims = 1)
    ez = exp.(z)
    return h, ez ./ sum(ez, dims = 1)
end

function cost(net, P, Y, λ)
    n = size(Y, 2)
    data = -sum(Y .* log.(P)) / n
    penalty = λ / 2 * (sum(abs2, net.W1) + sum(abs2, net.W2))
    return data + penalty
end

function train!(net, X, Y; η = 0.3, λ = 0.01, epochs = 40)
    history = Float64[]
    n = size(X, 2)
    for epoch in 1:epochs
        h, P = predict(net, X)
        push!(history, cost(net, P, Y, λ))
        δ = (P .- Y) ./ n
        gW2 = δ * h' .+ λ .* net.W2
        gb2 = vec(sum(δ, dims = 2))
        back = (net.W2' * δ) .* (1 .- h .^ 2)
        gW1 = back * X' .+ λ .* net.W1
        gb1 = vec(sum(back, dims = 2))
        net.W1 = net.W1 .- η .* gW1
        net.b1 = net.b1 .- η .* gb1
        net.W2 = net.W2 .- η .* gW2
        net.b2 = net.b2 .- η .* gb2
    end
    return history
end

history = train!(net, X, Y)
h, P = predict(net, X)
guess = [argmax(P[:, j]) for j in 1:size(P, 2)]
acc = mean(guess .== labels)
conf = vec(maximum(P, dims = 1))
w_norm = norm(net.W1)

println("loss ", history[1], " ", history[end])
println("predicted ", guess, " accuracy ", acc)
println("confidence ", conf)
println("norm ", w_norm)
