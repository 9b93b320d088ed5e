# Writes julia.txt: the same values as the REPL shows them, on a small and on a large screen.
# julia record.jl > julia.txt
using Random
rng = MersenneTwister(1)
values = [
    "vector" => rand(rng, 30),
    "float32" => rand(rng, Float32, 30),
    "matrix" => rand(rng, 20, 20),
    "array" => rand(rng, 2, 3, 2),
    "adjoint" => rand(rng, 3)',
    "integers" => collect(1:40),
    "tiny" => 1e-10 * rand(rng, 3, 3),
    "special" => [1.5, NaN, Inf, -Inf],
    "complex" => rand(rng, ComplexF64, 3),
    "tuple" => (1, 2.5, 0.125f0),
    "words" => split("This is a sentence", " "),
]
println("%% Julia ", VERSION)
for (name, value) in values, size in ((14, 60), (1000, 1000))
    println("%% ", name, " ", size[1])
    show(IOContext(stdout, :limit => true, :displaysize => size), MIME"text/plain"(), value)
    println()
end
