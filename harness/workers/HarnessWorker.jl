# The Julia half of both hostings: as a program (worker.jl) it speaks the worker protocol itself; in julia_host.py it
# only answers what it is asked. A package, so that versions that keep machine code keep that of its
# files (by_version.jl). Standard library only; Julia 1.5 and newer.

module HarnessWorker

using LinearAlgebra: BLAS
import Mmap

include("by_version.jl")
using .ByVersion: compiled, interpreted
ByVersion.interpret!()

include("values.jl")
include("json.jl")
include("arrays.jl")
include("large_arrays.jl")
include("files.jl")
include("calls.jl")

const VERSION_OF_PROTOCOL = 1

# Into a file, Julia holds back what is printed; the last words of a process that is killed would be lost.
function print_at_once()
    # Its buffering stands where a libuv handle has its type, after two pointers. The numbers for none, by line
    # and by block follow each other; the runtime's own stream for errors has none.
    mode(ios) = unsafe_load(Ptr{Cint}(ios + 2 * sizeof(Ptr{Cvoid})))
    none = mode(unsafe_load(cglobal(:ios_stderr, Ptr{Cvoid})))
    for stream in (stdout, stderr)
        if stream isa IOStream && mode(pointer(stream.ios)) in (none + 1, none + 2)
            flush(stream)
            ccall(:ios_bufmode, Cint, (Ptr{Cvoid}, Cint), stream.ios, none)
        end
    end
end

function runtime()
    BLAS.set_num_threads(1)
    print_at_once()
    return Dict(
        "language" => "Julia", "version" => string(Base.VERSION), "hosting" => "process", "libraries" => Dict(),
        "blas" => ByVersion.blas_name(BLAS), "threads" => 1, "dtypes" => ["float64", "float32", "float16"], "signatures" => true,
        "batches" => true,
        "platform" => "$(Sys.MACHINE)",
    )
end

# The names of the arrays that are expected, or empty texts where only their number was sent.
function names_of(params)
    names = get(params, "names", Any[])
    isempty(names) ? fill("", params["outputs"]) : String[names...]
end

# What session.jl adds.
const METHODS = Dict{String,Any}()

function answer(request, arrays)
    method, params = request["method"], get(request, "params", Dict{String,Any}())
    if method == "hello"
        params["protocol"] == VERSION_OF_PROTOCOL ||
            throw(Fault("protocol", "this worker speaks version $VERSION_OF_PROTOCOL of the protocol"))
        facts = runtime()
        facts["shared_memory"] = share!(get(params, "shared_memory", nothing))
        return Dict("protocol" => VERSION_OF_PROTOCOL, "runtime" => facts), Any[]
    end
    if method == "load"
        return load(params["source"], params["stages"], get(params, "signatures", Dict{String,Any}())), Any[]
    end
    if method == "call" && haskey(params, "batch")
        last = get(params, "last", false) ? arrays : Any[compiled(permutedims, a, (2:ndims(a)..., 1)) for a in arrays]
        return call_many(params["handle"], params["stage"], last, names_of(params), params["batch"])
    end
    if method == "call"
        return call(params["handle"], params["stage"], params["outputs"], arrays, names_of(params), get(params, "absent", Any[]))
    end
    method == "bye" && return Dict(), Any[]
    haskey(METHODS, method) && return METHODS[method](params, arrays)
    throw(Fault("protocol", "unknown method $method"))
end

# Reply to a request: an object for JSON, and arrays.
function reply(request, arrays)
    try
        result, given = answer(request, arrays)
        return Dict{String,Any}("id" => get(request, "id", nothing), "result" => result), given
    catch error
        if !(error isa Fault)
            showerror(stderr, error, catch_backtrace())
            println(stderr)
            error = Fault("protocol", first(sprint(showerror, error), 1000))
        end
        message = join(split(error.message), ' ')
        about = Dict{String,Any}("kind" => error.kind, "message" => message, "detail" => error.detail)
        error.line === nothing || (about["line"] = error.line)
        return Dict{String,Any}("id" => get(request, "id", nothing), "error" => about), Any[]
    end
end

include("hostings.jl")

# What is of this process, and not of the one that a package was compiled in.
function __init__()
    merge!(empty!(NAMES), Dict{Any,String}(type => name for (name, type) in TYPES))
    union!(empty!(OURS), keys(Base.loaded_modules))
end

# What each run does, done once while the package is compiled.
function rehearse()
    FILES["rehearsal"] = File(@__FILE__, @__MODULE__, Dict())
    for (name, array) in (("in", zeros(2)), ("in", zeros(2, 2)), ("batch", zeros(2, 3)))
        params = Dict{String,Any}("handle" => "rehearsal", "stage" => "identity", "outputs" => 1)
        name == "batch" && (params["batch"] = 3)
        request = read_json(json(Dict("id" => 1, "method" => "call", "params" => params, "arrays" => Any[descriptor_of(array)])))
        object, given = reply(request, Any[name == "batch" ? array : transposed(array)])
        put_into_memory!(map(descriptor_of, given), given)
        json(object)
    end
    delete!(FILES, "rehearsal")
    for (f, types) in ((load, (String, Dict{String,Any}, Dict{String,Any})), (runtime, ()), (answered, (String,)), (serve, ()))
        precompile(f, types)
    end
end

ByVersion.rehearsed(rehearse)

end
