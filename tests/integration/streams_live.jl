# Writes the draws of live Julia as raw numbers: one file a case, 20 seeds one after the other.
using Random

const FOLDER = ARGS[1]
const COUNT = parse(Int, ARGS[2])
const SEEDS = parse.(BigInt, split(ARGS[3], ','))

scalars(f, T, rng, n) = T[f(rng, T) for _ in 1:n]

const CASES = Dict(
    "rand" => r -> rand(r, COUNT),
    "rand_odd" => r -> rand(r, 3, 16667),
    "rand_scalars" => r -> scalars(rand, Float64, r, COUNT),
    "rand32" => r -> rand(r, Float32, COUNT + 3),
    "rand32_scalars" => r -> scalars(rand, Float32, r, COUNT),
    "randn" => r -> randn(r, COUNT),
    "randn_scalars" => r -> scalars(randn, Float64, r, COUNT),
    "randn32" => r -> randn(r, Float32, COUNT),
    "randn32_scalars" => r -> scalars(randn, Float32, r, COUNT),
    "randexp" => r -> randexp(r, COUNT),
    "randexp_scalars" => r -> scalars(randexp, Float64, r, COUNT),
    "randexp32" => r -> randexp(r, Float32, COUNT),
    "randexp32_scalars" => r -> scalars(randexp, Float32, r, COUNT),
    "range" => r -> rand(r, 1:1000, COUNT),
    "range_wide" => r -> rand(r, -5:2^62, COUNT),
    "range_rejecting" => r -> rand(r, 0:(2^62 + 2^61), COUNT),
    "range_full" => r -> rand(r, typemin(Int):typemax(Int), COUNT),
    "range_scalars" => r -> [rand(r, 1:7) for _ in 1:COUNT],
    "shuffle" => r -> shuffle(r, collect(1:COUNT)),
    "randperm" => r -> randperm(r, COUNT),
    "column_major" => r -> vec(randn(r, 51, 51)),
)

# every way of drawing after every other, at the sizes where the ways change
function mixed(rng)
    out = Float64[]
    for n in (0, 1, 2, 5, 6, 7, 8, 12, 13, 14, 15, 16, 31, 63, 64, 200, 381, 382, 383, 384, 385, 386, 765, 1001, 1003)
        push!(out, rand(rng), rand(rng, Float32), randn(rng), randexp(rng, Float32), rand(rng, 1:3))
        append!(out, rand(rng, n)); append!(out, rand(rng, Float32, n)); append!(out, randn(rng, n))
        append!(out, rand(rng, 1:10^9, n)); append!(out, randexp(rng, n)); append!(out, randn(rng, Float32, n))
        append!(out, shuffle(rng, 1.0:n)); append!(out, randperm(rng, n))
    end
    out
end

function write_cases(prefix, make)
    for (name, draw) in CASES
        open(io -> foreach(seed -> write(io, draw(make(seed))), SEEDS), joinpath(FOLDER, prefix * name), "w")
    end
    open(io -> foreach(seed -> write(io, mixed(make(seed))), SEEDS), joinpath(FOLDER, prefix * "mixed"), "w")
end

write_cases("MersenneTwister_", MersenneTwister)
VERSION >= v"1.7" && write_cases("Xoshiro_", seed -> getfield(Random, :Xoshiro)(seed))
for table in (:ki, :wi, :fi, :ke, :we, :fe)
    write(joinpath(FOLDER, "table_$table"), collect(getfield(Random, table)))
end
refused = try MersenneTwister(-1); false catch; true end
write(joinpath(FOLDER, "refused"), UInt8(refused))
write(joinpath(FOLDER, "version"), string(VERSION))
