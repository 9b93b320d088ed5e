# Compositions of functions, in the rows of files: julia functions_live.jl FOLDER WIDTH JOB...
# Rows are columns here: a file's last axis is Julia's first.
top(x) = maximum(x, dims = 1)
const FUNCTIONS = Dict(
    "tanh_gelu" => x -> (c = eltype(x)(0.044715); r = sqrt(eltype(x)(2) / eltype(x)(pi));
                         @. x / 2 * (1 + tanh(r * (x + c * x^3)))),
    "softplus" => x -> @.(max(x, 0) + log1p(exp(-abs(x)))),
    "layer_norm" => x -> (centred = x .- sum(x, dims = 1) ./ size(x, 1);
                          centred ./ sqrt.(sum(centred .^ 2, dims = 1) ./ size(x, 1) .+ eltype(x)(0.1))),
    "logsumexp" => x -> log.(sum(exp.(x .- top(x)), dims = 1)) .+ top(x),
    "softmax" => x -> exp.(x) ./ sum(exp.(x), dims = 1))
for job in ARGS[3:end]
    name, precision = split(job, '-')
    haskey(FUNCTIONS, name) || continue
    path, width = joinpath(ARGS[1], job), parse(Int, ARGS[2])
    x = read!(path * ".x", Matrix{Float64}(undef, width, div(filesize(path * ".x"), 8 * width)))
    found = FUNCTIONS[name]((precision == "float32" ? Float32 : Float64).(x))
    write(path * ".julia", Float64.(found))
end
