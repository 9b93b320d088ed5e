# Functions of Julia in the points of files: julia in_julia.jl FOLDER JOB...; a job is FUNCTION-PRECISION.
const FUNCTIONS = Dict{String,Any}(
    "exp" => exp, "exp2" => exp2, "expm1" => expm1, "log" => log, "log2" => log2, "log10" => log10,
    "log1p" => log1p, "sqrt" => sqrt, "cbrt" => cbrt, "sin" => sin, "cos" => cos, "tan" => tan,
    "arcsin" => asin, "arccos" => acos, "arctan" => atan, "sinh" => sinh, "cosh" => cosh, "tanh" => tanh,
    "arcsinh" => asinh, "arccosh" => acosh, "arctanh" => atanh, "reciprocal" => inv,
    "arctan2" => atan, "hypot" => hypot, "power" => ^)
const PRECISIONS = Dict("float64" => Float64, "float32" => Float32, "float16" => Float16)

readall(path) = read!(path, Vector{Float64}(undef, div(filesize(path), 8)))

function compute(f, arguments...)
    values = Vector{Float64}(undef, length(arguments[1]))
    for place in eachindex(values)
        values[place] = Float64(f(map(one -> one[place], arguments)...))
    end
    return values
end

for job in ARGS[2:end]
    cut = findlast('-', job)
    name, precision = job[1:cut-1], job[cut+1:end]
    haskey(PRECISIONS, precision) || continue
    if startswith(name, "power_")
        exponent = parse(Float64, name[7:end])
        literal = isinteger(exponent) ? Int(exponent) : PRECISIONS[precision](exponent)
        # Written into the source: Julia multiplies for small integers.
        f = eval(:(x -> x^$literal))
    else
        haskey(FUNCTIONS, name) || continue
        f = FUNCTIONS[name]
    end
    base = joinpath(ARGS[1], job)
    arguments = [PRECISIONS[precision].(readall(base * axis)) for axis in (".x", ".y") if isfile(base * axis)]
    try
        write(base * ".julia", Base.invokelatest(compute, f, arguments...))
    catch error
        println(stderr, job, ": ", error)
    end
end
