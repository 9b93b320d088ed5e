# Values as the trace has them: arrays of numbers, truth values and texts, parts of records and dictionaries by name.

struct Part
    path::String
    type::String
    shape::Tuple
    data::Vector{UInt8}
end

bytes(values::Array{T}) where {T} = collect(reinterpret(UInt8, vec(values)))
quoted(text) = "\"" * replace(replace(replace(text, "\\" => "\\\\"), "\"" => "\\\""), r"[[:cntrl:]]" => " ") * "\""

one_value(value, path) = is_time(typeof(value)) ? Part(path, "f8", (), bytes([days_of(value)])) : nothing
one_value(value::Bool, path) = Part(path, "b1", (), UInt8[value])
one_value(value::Union{Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}, path) =
    typemin(Int64) <= value <= typemax(Int64) ? Part(path, "i8", (), bytes([Int64(value)])) : nothing
one_value(value::Float32, path) = Part(path, "f4", (), bytes([value]))
one_value(value::Real, path) = (value isa Irrational || value isa Rational || value isa AbstractFloat) ? Part(path, "f8", (), bytes([Float64(value)])) : nothing
one_value(value::Complex, path) = Part(path, "c16", (), bytes([ComplexF64(value)]))
one_value(value::AbstractString, path) = Part(path, "s", (), Vector{UInt8}("[" * quoted(String(value)) * "]"))
# Days since 1970, and seconds where they are not whole, as in the other languages.
days_of(value) = nameof(typeof(value)) === :Date ? Float64(value.instant.periods.value - 719163) :
    (seconds = (value.instant.periods.value - 62135683200000) / 1000; seconds % 86400 == 0 ? seconds / 86400 : seconds)
is_time(kind) = kind isa DataType && nameof(kind) in (:Date, :DateTime) && nameof(parentmodule(kind)) === :Dates
function one_value(value::AbstractArray, path)
    is_time(eltype(value)) && return Part(path, "f8", size(value), bytes(Float64[days_of(item) for item in value]))
    length(value) * 8 > SITE_BYTES && return nothing
    eltype(value) isa DataType && parentmodule(eltype(value)) === Main && return nothing
    shape = size(value)
    kind = eltype(value)
    kind <: Bool && return Part(path, "b1", shape, collect(reinterpret(UInt8, vec(Array{Bool}(value)))))
    kind <: Integer && isconcretetype(kind) && sizeof(kind) <= 8 && return Part(path, "i8", shape, bytes(Array{Int64}(value)))
    kind <: Float32 && return Part(path, "f4", shape, bytes(Array{Float32}(value)))
    kind <: Real && isconcretetype(kind) && return Part(path, "f8", shape, bytes(Array{Float64}(value)))
    kind <: Complex && return Part(path, "c16", shape, bytes(Array{ComplexF64}(value)))
    isempty(value) && return nothing
    if all(item -> item isa AbstractString, value)
        return Part(path, "s", shape, Vector{UInt8}("[" * join((quoted(String(item)) for item in vec(collect(value))), ",") * "]"))
    end
    if all(item -> item isa Union{Real,Missing}, value)
        return Part(path, "f8", shape, bytes(Float64[item === missing ? NaN : item for item in value]))
    end
    if value isa AbstractVector && all(item -> item isa AbstractArray{<:Real}, value)
        same = all(size(item) == size(value[1]) for item in value)
        same && ndims(value[1]) == 1 && return one_value(permutedims(reduce(hcat, value)), path)
    end
    return nothing
end
one_value(value::Union{AbstractRange}, path) = one_value(collect(value), path)

function parts_of!(found, @nospecialize(value), path, depth)
    (length(found) >= MOST_PARTS || value === nothing || value isa Union{Function,Type,Module,IO}) && return
    if parentmodule(typeof(value)) === Main
        # Its own methods are the program's: they are not asked.
        depth < 3 && fields_of!(found, value, path, depth + 1)
        return
    end
    part = value isa Union{Tuple,NamedTuple,AbstractDict} ? nothing : one_value(value, path)
    if part !== nothing
        push!(found, part::Part)
        return
    end
    depth < 3 && inner_parts!(found, value, path, depth + 1)
    return
end

# A method for each kind of value, which is compiled only where there is one, and not for each type.
function inner_parts!(found, @nospecialize(value::Union{Tuple,NamedTuple}), path, depth)
    for number in 1:min(nfields(value), MOST_PARTS)
        step = value isa NamedTuple ? ".$(fieldname(typeof(value), number))" : "[$number]"
        parts_of!(found, getfield(value, number), path * step, depth)
    end
end
function inner_parts!(found, @nospecialize(value::AbstractVector), path, depth)
    for (number, item) in enumerate(Iterators.take(value, MOST_PARTS))
        parts_of!(found, item, "$path[$number]", depth)
    end
end
function inner_parts!(found, @nospecialize(value::AbstractDict), path, depth)
    names = Any[keys(value)...]
    any(name -> parentmodule(typeof(name)) === Main, names) && return
    sort!(names; by = string)
    # Of numbers by name: they are a vector as well.
    if valtype(value) <: Real && isconcretetype(valtype(value)) && length(value) > 1
        parts_of!(found, valtype(value)[value[key] for key in names], path, depth)
        length(value) > 16 && return
    end
    for key in names
        parts_of!(found, value[key], "$path[$(repr(key))]", depth)
    end
end
function inner_parts!(found, @nospecialize(value), path, depth)
    if nameof(parentmodule(typeof(value))) === :LinearAlgebra
        fields_of!(found, value, path, depth)
    elseif nameof(typeof(value)) === :DataFrame
        for name in names(value)
            parts_of!(found, value[!, name], "$path.$name", depth)
        end
    end
end

function fields_of!(found, @nospecialize(value), path, depth)
    for name in fieldnames(typeof(value))
        isdefined(value, name) && parts_of!(found, getfield(value, name), "$path.$name", depth)
    end
end

# Whatever a value does when it is looked at, its program goes on as if it had not been.
function safe_parts_of(@nospecialize(value))
    found = Part[]
    try
        parts_of!(found, value, "", 0)
    catch
        empty!(found)
    end
    return found
end

function encoded(frame, site, count, parts)
    io = IOBuffer()
    write(io, "E\t$site\t$frame\t$count\t$(length(parts))\n")
    for part in parts
        sizes = String[]
        for k in 1:nfields(part.shape)
            push!(sizes, string(getfield(part.shape, k)))
        end
        write(io, "V\t", clean(part.path), "\t", part.type, "\tF\t", join(sizes, "x"), "\t", string(length(part.data)), "\n")
        write(io, part.data)
    end
    take!(io)
end

# Of values without a part, those that hold nothing of what they were made of; but for arrays with elements.
const HOLDING_NOTHING = Union{Nothing,Missing,Function,Type,Module,AbstractArray,AbstractDict,Tuple,AbstractString,Symbol}

function record(frame, site, count, @nospecialize(value))
    parts = safe_parts_of(value)
    if isempty(parts)
        holds = !(value isa HOLDING_NOTHING) || value isa AbstractArray && !isempty(value)
        count <= FIRST && holds && say("E", site, frame, count, 0)
        return
    end
    size = sum(length(part.data) for part in parts)
    size > SITE_BYTES && return
    if count > FIRST || BYTES[site] + size > SITE_BYTES || TOTAL[] + size > ALL_BYTES
        held = get!(HELD, site, Vector{UInt8}[])
        push!(held, encoded(frame, site, count, parts))
        length(held) > LAST && popfirst!(held)
        return
    end
    BYTES[site] += size
    TOTAL[] += size
    write(OUT[], encoded(frame, site, count, parts))
    # The program may be ended from outside.
    if time() - FLUSHED[] > 0.5
        flush(OUT[])
        FLUSHED[] = time()
    end
    return
end
