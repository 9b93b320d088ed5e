# The Julia half of both hostings: as a program (worker.jl) it speaks the worker protocol itself; in julia_host.py it
# only answers what it is asked. A package, so that versions that keep machine code keep that of this file
# (by_version.jl). Standard library only; Julia 1.5 and newer.

module HarnessWorker

using LinearAlgebra: BLAS
import Mmap

include("by_version.jl")
using .ByVersion: compiled, interpreted
ByVersion.interpret!()

include("values.jl")
include("large_arrays.jl")

const VERSION_OF_PROTOCOL = 1

# ---- JSON -----------------------------------------------------------------------------------------

mutable struct Reader
    bytes::Vector{UInt8}
    at::Int
end

peek(r::Reader) = r.at <= length(r.bytes) ? r.bytes[r.at] : error("JSON ends too early")
isspace_json(b) = b in (0x20, 0x09, 0x0a, 0x0d)

function skip!(r::Reader)
    while r.at <= length(r.bytes) && isspace_json(r.bytes[r.at])
        r.at += 1
    end
end

function expect!(r::Reader, text)
    for b in codeunits(text)
        peek(r) == b || error("JSON: $text is expected at byte $(r.at)")
        r.at += 1
    end
end

function read_json(text::AbstractString)
    r = Reader(Vector{UInt8}(codeunits(text)), 1)
    value = read_value(r)
    skip!(r)
    r.at > length(r.bytes) || error("JSON: something follows at byte $(r.at)")
    return value
end

function read_value(r::Reader)
    skip!(r)
    b = peek(r)
    b == UInt8('{') && return read_object(r)
    b == UInt8('[') && return read_list(r)
    b == UInt8('"') && return read_text(r)
    b == UInt8('t') && (expect!(r, "true"); return true)
    b == UInt8('f') && (expect!(r, "false"); return false)
    b == UInt8('n') && (expect!(r, "null"); return nothing)
    return read_number(r)
end

# Whether another item follows, after the opening bracket or an item.
function another!(r::Reader, close::Char, first::Bool)
    skip!(r)
    if peek(r) == UInt8(close)
        r.at += 1
        return false
    end
    first || expect!(r, ",")
    return true
end

function read_object(r::Reader)
    expect!(r, "{")
    object = Dict{String,Any}()
    while another!(r, '}', isempty(object))
        skip!(r)
        key = read_text(r)
        skip!(r)
        expect!(r, ":")
        object[key] = read_value(r)
    end
    return object
end

function read_list(r::Reader)
    expect!(r, "[")
    list = Any[]
    while another!(r, ']', isempty(list))
        push!(list, read_value(r))
    end
    return list
end

function read_number(r::Reader)
    first = r.at
    while r.at <= length(r.bytes) && Char(r.bytes[r.at]) in "+-0123456789.eE"
        r.at += 1
    end
    text = String(r.bytes[first:r.at-1])
    whole = tryparse(Int, text)
    whole === nothing || return whole
    number = tryparse(Float64, text)
    return number === nothing ? error("JSON: not a value at byte $first") : number
end

const ESCAPES = Dict('n' => '\n', 't' => '\t', 'r' => '\r', 'b' => '\b', 'f' => '\f', '"' => '"', '\\' => '\\', '/' => '/')

function read_hex(r::Reader)
    peek(r)
    code = parse(UInt32, String(r.bytes[r.at:r.at+3]), base = 16)
    r.at += 4
    return code
end

function read_text(r::Reader)
    expect!(r, "\"")
    close = findnext(isequal(UInt8('"')), r.bytes, r.at)
    close === nothing && error("JSON: a text has no end")
    text = r.bytes[r.at:close-1]
    if findfirst(isequal(UInt8('\\')), text) === nothing
        r.at = close + 1
        return String(text)
    end
    return read_escaped(r, close)
end

# From one escape to the next, for a session interprets this: its code is long, and has few of them.
function read_escaped(r::Reader, close)
    out = IOBuffer()
    while true
        escaped = findnext(isequal(UInt8('\\')), r.bytes, r.at)
        while close !== nothing && close < r.at
            close = findnext(isequal(UInt8('"')), r.bytes, r.at)
        end
        close === nothing && error("JSON: a text has no end")
        if escaped === nothing || escaped > close
            write(out, r.bytes[r.at:close-1])
            r.at = close
            break
        end
        write(out, r.bytes[r.at:escaped-1])
        r.at = escaped + 1
        escape = Char(peek(r))
        r.at += 1
        if escape != 'u'
            print(out, ESCAPES[escape])
            continue
        end
        code = read_hex(r)
        if 0xd800 <= code <= 0xdbff
            expect!(r, "\\u")
            code = 0x10000 + ((code - 0xd800) << 10) + (read_hex(r) - 0xdc00)
        end
        print(out, Char(code))
    end
    r.at += 1
    return String(take!(out))
end

write_json(io::IO, ::Nothing) = print(io, "null")
write_json(io::IO, x::Union{Bool,Integer}) = print(io, x)
write_json(io::IO, x::AbstractFloat) = isfinite(x) ? print(io, x) : print(io, "null")

const ESCAPED = r"[\"\\\\\x00-\x1f]"

function write_json(io::IO, text::AbstractString)
    print(io, '"')
    if text isa String && isvalid(text) && !occursin(ESCAPED, text)
        print(io, text, '"')
        return
    end
    for c in text
        if !isvalid(c)
            print(io, '\ufffd')
        elseif c == '"' || c == '\\'
            print(io, '\\', c)
        elseif c < ' '
            print(io, "\\u", string(UInt32(c), base = 16, pad = 4))
        else
            print(io, c)
        end
    end
    print(io, '"')
end

function write_json(io::IO, list::Union{AbstractVector,Tuple})
    print(io, '[')
    for (i, item) in enumerate(list)
        i > 1 && print(io, ',')
        write_json(io, item)
    end
    print(io, ']')
end

function write_json(io::IO, object::AbstractDict)
    print(io, '{')
    for (i, (key, value)) in enumerate(object)
        i > 1 && print(io, ',')
        write_json(io, String(key))
        print(io, ':')
        write_json(io, value)
    end
    print(io, '}')
end

function json(value)
    io = IOBuffer()
    write_json(io, value)
    return String(take!(io))
end

# ---- arrays ---------------------------------------------------------------------------------------

const TYPES = Dict{String,DataType}(
    "bool" => Bool, "int8" => Int8, "int16" => Int16, "int32" => Int32, "int64" => Int64,
    "uint8" => UInt8, "uint16" => UInt16, "uint32" => UInt32, "uint64" => UInt64,
    "float16" => Float16, "float32" => Float32, "float64" => Float64,
    "complex64" => ComplexF32, "complex128" => ComplexF64,
)
const NAMES = Dict{Any,String}(type => name for (name, type) in TYPES)

function read_array(io::IO, descriptor)
    haskey(TYPES, descriptor["dtype"]) || error("Julia has no $(descriptor["dtype"])")
    type, shape = TYPES[descriptor["dtype"]], Tuple{Vararg{Int}}(descriptor["shape"])
    # Sent with the last index fastest; Julia's first index runs fastest.
    moved = length(shape) > 1 && descriptor["order"] != "F"
    if moved && haskey(descriptor, "at")
        return compiled(transposed, unsafe_wrap(Array, Ptr{type}(place_of(descriptor)), reverse(shape)))
    end
    array = fresh(type, moved ? reverse(shape) : shape)
    if haskey(descriptor, "at")
        copy_bytes(pointer_of(array), place_of(descriptor), sizeof(array))
    else
        compiled(read!, io, array)
    end
    return moved ? compiled(transposed, array) : array
end

transposed(array) = permutedims!(fresh(eltype(array), reverse(size(array))), array, ndims(array):-1:1)

argument(array::AbstractArray{T,0}) where {T} = array[]
argument(array::AbstractArray) = array

# An array as the protocol has it, or the text that says why not.
give(value::Number) = haskey(NAMES, typeof(value)) ? fill(value) : "returned a number of type $(typeof(value)), which cannot be kept"
function give(value::AbstractArray{T}) where {T}
    haskey(NAMES, T) && return value isa Array ? value : Array(value)
    # Any[] that is filled with push! holds numbers all the same.
    if !isconcretetype(T) && all(item -> item isa Number, value)
        found = mapreduce(typeof, promote_type, value; init = Union{})
        found === Union{} && return zeros(Float64, size(value))
        haskey(NAMES, found) && return convert(Array{found}, value)
    end
    return "returned an array of $T, which cannot be kept"
end
give(value) = "returned $(described(value)), and an array is expected"

described(value::AbstractString) = "the text $(repr(first(value, 40)))"
described(::Nothing) = "nothing"
described(value::Tuple) = "a tuple of $(length(value))"
described(value) = "a $(typeof(value))"

# The values that have the names that are expected; nothing where the value names none.
function named(value::Union{NamedTuple,AbstractDict}, due)
    has = Dict(string(key) => value[key] for key in keys(value))
    all(name -> haskey(has, name), due) && return Any[has[name] for name in due]
    missing_ = filter(name -> !haskey(has, name), due)
    verb = length(missing_) == 1 ? "is" : "are"
    kind = value isa NamedTuple ? "NamedTuple" : "Dict"
    there = join(sort!(collect(keys(has))), ", ")
    throw(Fault("value", "returned a $kind with $there: $(join(missing_, ", ")) $verb missing"))
end
named(value, due) = nothing

items(value::Union{Tuple,NamedTuple}) = Any[value...]
items(value::AbstractVector{<:Union{AbstractArray,Number}}) = eltype(value) <: Number ? nothing : Any[value...]
items(value::AbstractVector{Any}) = copy(value)
items(value) = nothing

# ---- files and stages -----------------------------------------------------------------------------

struct Fault <: Exception
    kind::String
    message::String
    line::Union{Int,Nothing}
    detail::String
end

Fault(kind, message) = Fault(kind, message, nothing, "")

struct File
    path::String
    names::Module
    signatures::Dict{String,Any}
end

const FILES = Dict{String,File}()

function fault(kind, error, trace, path)
    line = nothing
    while error isa LoadError
        error.file == path && (line = error.line)
        error = error.error
    end
    ours = filter(frame -> string(frame.file) == path, stacktrace(trace))
    isempty(ours) || (line = first(ours).line)
    text = sprint(showerror, error)
    said = filter(!isempty, strip.(split(text, '\n')))
    message = isempty(said) ? string(typeof(error)) : first(said)
    parser = ByVersion.syntax_error(text)
    if parser !== nothing
        line = parser[1]
        isempty(parser[2]) || (message = parser[2])
    end
    frames = ["$path:$(frame.line): $(frame.func)" for frame in ours]
    detail = join(vcat(first(text, 4000), unique(frames)[1:min(end, 20)]), '\n')
    return Fault(kind, first(message, 1000), line, detail)
end

# The project beside a file, if there is one.
function project_of(path)
    beside = (joinpath(dirname(abspath(path)), name) for name in ("JuliaProject.toml", "Project.toml"))
    found = filter(isfile, collect(beside))
    return isempty(found) ? nothing : first(found)
end

# With the packages of a file's own project before all others.
function with_project(f, path)
    project = project_of(path)
    project === nothing && return f()
    before = Base.ACTIVE_PROJECT[]
    Base.ACTIVE_PROJECT[] = project
    try
        return f()
    finally
        Base.ACTIVE_PROJECT[] = before
    end
end

# What is loaded before any file: a standard library may lie elsewhere than it says.
const OURS = Set(keys(Base.loaded_modules))

# Where each package was found that a file has loaded; older versions of pathof look for it anew.
const PLACES = Dict{Base.PkgId,String}()

function note_packages()
    for (id, loaded) in Base.loaded_modules
        (id in OURS || haskey(PLACES, id)) && continue
        place = pathof(loaded)
        place === nothing || (PLACES[id] = place)
    end
end

# Julia loads a package once in a process: of two cases with versions of their own, the second would get the
# first's.
function check_packages(path)
    text = read(path, String)
    for (id, place) in PLACES
        occursin(id.name, text) || continue
        own = Base.identify_package(id.name) == id ? Base.locate_package(id) : nothing
        (own === nothing || own == place) && continue
        throw(Fault("load", "the package $(id.name) is loaded from $place, and a process of Julia loads it once: run this case alone"))
    end
end

function load(path, stages, signatures)
    with_project(path) do
        try
            load_in_place(path, stages, signatures)
        finally
            note_packages()
        end
    end
end

function load_in_place(path, stages, signatures)
    isfile(path) && check_packages(path)
    names = Module(gensym(first(splitext(basename(path)))))
    Core.eval(names, :(eval(x) = Core.eval($names, x)))
    Core.eval(names, :(include(x) = Base.include($names, x)))
    Core.eval(names, :(include(f::Function, x) = Base.include(f, $names, x)))
    try
        compiled(Base.include, names, path)
    catch error
        throw(fault("load", error, catch_backtrace(), path))
    end
    handle = "h$(length(FILES) + 1)"
    FILES[handle] = File(path, names, signatures)
    # What the file defines is newer than this function.
    problems = Any[
        Base.invokelatest(haskey(signatures, stage) ? adapted_problem : problem, names, stage, get(signatures, stage, inputs))
        for (stage, inputs) in stages
    ]
    return Dict("handle" => handle, "problems" => filter(!isnothing, problems))
end

# How many arguments these are is for the call to tell: methods are of types.
function adapted_problem(names, stage, how)
    try
        Values.target(how, stage, names)
        return nothing
    catch error
        return Dict("stage" => stage, "kind" => "missing", "message" => first(split(sprint(showerror, error), '\n')))
    end
end

function problem(names, stage, inputs)
    # Not isdefined: Base has a `keys` and a `values` of its own.
    own = Symbol(stage) in Base.names(names, all = true, imported = true) && isdefined(names, Symbol(stage))
    own || return Dict("stage" => stage, "kind" => "missing", "message" => "there is no function $stage")
    f = getfield(names, Symbol(stage))
    known = methods(f)
    isempty(known) && return Dict("stage" => stage, "kind" => "missing", "message" => "$stage is not a function")
    any(m -> m.isva ? inputs >= m.nargs - 2 : inputs == m.nargs - 1, known) && return nothing
    m = first(known)
    return Dict(
        "stage" => stage, "kind" => "arity", "line" => Int(m.line),
        "message" => "$stage takes $(join(sort!(unique(m.nargs - 1 for m in known)), " or ")) arguments, and the stage has $inputs inputs",
    )
end

# What a function returns, and its seconds, without those of the code around it, which may be interpreted.
function timed(@nospecialize(f), @nospecialize(arguments))
    start = time_ns()
    value = Base.invokelatest(f, arguments...)
    return value, (time_ns() - start) / 1e9
end

function call(handle, stage, outputs, arrays, due, absent)
    file = FILES[handle]
    how = get(file.signatures, stage, nothing)
    for place in absent
        insert!(arrays, place + 1, nothing)
    end
    if how === nothing
        f = Base.invokelatest(getfield, file.names, Symbol(stage))
        arguments = Any[array isa AbstractArray{<:Any,0} ? compiled(argument, array) : array for array in arrays]
    else
        f = Values.adapted
        arguments = (how, stage, file.names, arrays)
    end
    local value, seconds
    try
        # What a function includes, too, is found beside its file.
        value, seconds = with_project(file.path) do
            task_local_storage(() -> compiled(timed, f, arguments), :SOURCE_PATH, file.path)
        end
    catch error
        error isa Values.Refused && throw(Fault("call", error.message))
        throw(fault("call", error, catch_backtrace(), file.path))
    end
    if how !== nothing && haskey(how, "returns")
        value = coded(how["returns"], value)
        outputs == 1 && (value = only(value))
    elseif !any(isempty, due) && (fields = Base.invokelatest(Values.by_name, value)) !== nothing &&
           !(value isa Union{NamedTuple,AbstractDict}) && all(name -> haskey(fields, name), due)
        # An object has its fields by name.
        value = fields
    end
    values = any(isempty, due) ? nothing : named(value, due)
    values === nothing && (values = outputs == 1 ? Any[value] : items(value))
    values === nothing && throw(Fault("value", "returned $(described(value)), and a tuple of $outputs arrays is expected"))
    length(values) == outputs || throw(Fault("value", "returned $(length(values)) values, and $outputs are expected"))
    given = Any[item isa Array && haskey(NAMES, eltype(item)) ? item : compiled(give, item) for item in values]
    for (i, item) in enumerate(given)
        item isa Array || throw(Fault("value", (outputs > 1 ? "value $i of $outputs: " : "") * item))
    end
    return Dict("seconds" => seconds), given
end

# One stage for each of many inputs, which lie along the last dimension. The reply's arrays have the inputs along
# the first one; "others" are the places of those that have no result, or one that is not like most.
function call_many(handle, stage, stacks, due, count)
    file = FILES[handle]
    f = Base.invokelatest(getfield, file.names, Symbol(stage))
    results = Vector{Any}(nothing, count)
    start = time_ns()
    with_project(file.path) do
        task_local_storage(() -> compiled(fill_results, results, f, stacks, due), :SOURCE_PATH, file.path)
    end
    seconds = (time_ns() - start) / 1e9
    return compiled(batch, results, due, count, seconds)
end

function batch(results, due, count, seconds)
    forms = Any[result === nothing ? nothing : form_of(result) for result in results]
    counts = Dict{Any,Int}()
    for form in forms
        form === nothing || (counts[form] = get(counts, form, 0) + 1)
    end
    isempty(counts) &&
        return Dict("seconds" => seconds, "others" => collect(0:count-1)), Any[Float64[] for _ in due]
    usual = first(sort!(collect(counts), by = last, rev = true)).first
    given = Any[stacked(results, forms, usual, i, count) for i in 1:length(due)]
    return Dict("seconds" => seconds, "others" => [at - 1 for at in 1:count if forms[at] != usual]), given
end

function fill_results(results, @nospecialize(f), stacks, due)
    for at in 1:length(results)
        try
            results[at] = values_given(f(Any[input_of(stack, at) for stack in stacks]...), due)
        catch error
            error isa InterruptException && rethrow()
        end
    end
end

input_of(stack::Vector, at) = stack[at]
input_of(stack::Matrix, at) = stack[:, at]
input_of(stack::Array{T,3}, at) where {T} = stack[:, :, at]
input_of(stack::Array, at) = copy(selectdim(stack, ndims(stack), at))

# The arrays in a value; nothing where there are none.
function values_given(value, due)
    if !any(isempty, due) && !(value isa Union{NamedTuple,AbstractDict,AbstractArray,Number})
        fields = Values.by_name(value)
        fields !== nothing && all(name -> haskey(fields, name), due) && (value = fields)
    end
    values = any(isempty, due) ? nothing : named(value, due)
    values === nothing && (values = length(due) == 1 ? Any[value] : items(value))
    (values === nothing || length(values) != length(due)) && return nothing
    given = Any[give(item) for item in values]
    return all(item -> item isa Array, given) ? given : nothing
end

form_of(result) = Any[(eltype(array), size(array)) for array in result]

function stacked(results, forms, usual, i, count)
    type, shape = usual[i]
    stack = zeros(type, shape..., count)
    each = prod(shape)
    for at in 1:count
        forms[at] == usual && copyto!(stack, (at - 1) * each + 1, results[at][i], 1, each)
    end
    return permutedims(stack, (ndims(stack), 1:ndims(stack)-1...))
end

function coded(forms, value)
    try
        return compiled(Values.give_all, forms, value)
    catch error
        error isa Values.Refused || rethrow()
        throw(Fault("value", error.message))
    end
end

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

# For julia_host.py: a request at an address, with the addresses of its arrays; the address of the reply, which ends
# with a zero byte, with those of the arrays that it has. They stay until the next one.
exchange(address::Ptr{UInt8}) = interpreted(answered, unsafe_string(address))::Ptr{UInt8}

function answered(text::String)
    request = compiled(read_json, text)
    descriptors = get(request, "arrays", Any[])
    rooms = any(descriptor -> haskey(descriptor, "room"), descriptors) ? KEPT[][2] : Any[]
    # Arrays that are in no variable are collected when Julia makes room for those of this request.
    KEPT[] = ("", Any[])
    if request["method"] == "room"
        # Python writes into these arrays, and calls with them.
        object, given = Dict{String,Any}("result" => Dict()), Any[fresh_of(descriptor) for descriptor in descriptors]
    else
        object, given = reply(request, Any[array_at(descriptor, rooms) for descriptor in descriptors])
    end
    object["arrays"] = [merge(descriptor_of(array), Dict("address" => address_of(array))) for array in given]
    text = json(object)
    KEPT[] = (text, given)
    return pointer(text)
end

const KEPT = Ref{Any}(("", Any[]))

fresh_of(descriptor) = fresh(TYPES[descriptor["dtype"]], descriptor["shape"])

function array_at(descriptor, rooms)
    haskey(TYPES, descriptor["dtype"]) || error("Julia has no $(descriptor["dtype"])")
    haskey(descriptor, "room") && return rooms[descriptor["room"]+1]
    array = fresh_of(descriptor)
    copy_bytes(pointer_of(array), Ptr{Cvoid}(descriptor["address"]), sizeof(array))
    return array
end

descriptor_of(@nospecialize(array)) =
    Dict{String,Any}("dtype" => NAMES[eltype(array)], "shape" => collect(Int, size(array)), "order" => "F")

# Tell Python where it finds `exchange`.
entry_at(place) = unsafe_store!(Ptr{Ptr{Cvoid}}(place), @cfunction(exchange, Ptr{UInt8}, (Ptr{UInt8},)))

# ---- the program ----------------------------------------------------------------------------------

# Keep the pipes for the protocol; descriptor 0 reads nothing and 1 writes to 2 afterwards.
function take_pipes()
    requests, replies = ccall(:dup, Cint, (Cint,), 0), ccall(:dup, Cint, (Cint,), 1)
    for descriptor in (requests, replies)
        # Julia has made them non-blocking for itself, and F_SETFD: programs started from here get none of them.
        flags = ccall(:fcntl, Cint, (Cint, Cint, Cint...), descriptor, 3, 0)
        ccall(:fcntl, Cint, (Cint, Cint, Cint...), descriptor, 4, flags & ~Cint(Sys.isapple() ? 4 : 0x800))
        ccall(:fcntl, Cint, (Cint, Cint, Cint...), descriptor, 2, 1)
    end
    redirect_stdin(open("/dev/null"))
    redirect_stdout(stderr)
    # What `display` shows would go to the pipe that was standard output.
    pushdisplay(TextDisplay(stdout))
    # PR_SET_PDEATHSIG: die with the parent.
    Sys.islinux() && ccall(:prctl, Cint, (Cint, Culong, Culong, Culong, Culong), 1, 9, 0, 0, 0)
    return Base.fdio(requests, true), Base.fdio(replies, true)
end

# A worker of many calls has its requests read by compiled code, which takes longer to be ready than few take to be read.
function serve(reads = text -> compiled(read_json, text))
    ByVersion.interpret!()
    requests, replies = take_pipes()
    while (line = readline(requests)) != ""
        request = reads(line)
        exchanged(request, requests, replies)
        request["method"] == "bye" && break
    end
end

# One request and its reply. Its arrays are in no variable afterwards: Julia collects them when it makes room for the
# next ones.
function exchanged(request, requests, replies)
    arrays = Any[read_array(requests, descriptor) for descriptor in get(request, "arrays", Any[])]
    object, given = reply(request, arrays)
    isempty(given) || (object["arrays"] = map(descriptor_of, given))
    piped = put_into_memory!(get(object, "arrays", Any[]), given)
    write(replies, json(object), '\n')
    foreach(array -> compiled(write, replies, array), piped)
    flush(replies)
end

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
