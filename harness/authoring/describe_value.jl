# Describes a value in lines of text, as harness/workers/describe_value.py: path, kind, dtype, missing, words.
module DescribedValue

using Dates: Date, DateTime

named(value::Union{NamedTuple,AbstractDict}) = [string(key) => value[key] for key in keys(value)]
named(::Union{AbstractArray,Number,AbstractString,Tuple,Nothing,Missing,Function,Date,DateTime,Symbol}) = nothing
named(value) = [string(name) => getproperty(value, name) for name in propertynames(value)]

dtype_of(types) = all(T -> T <: Bool, types) ? "bool" : all(T -> T <: Integer && !(T <: Bool), types) ? "int" :
    any(T -> T <: Complex, types) ? "complex" : "float"

function kind_of(value)
    if value isa NamedTuple && Set(keys(value)) == Set([:labels, :levels])
        return ("category", "float", any(ismissing, value.labels), [])
    end
    known = named(value)
    known === nothing || return (isempty(known) ? "other" : "names", "float", false, known)
    items = value isa AbstractArray ? vec(collect(value)) : Any[value]
    gaps = any(ismissing, items)
    there = filter(!ismissing, items)
    isempty(there) && gaps && return ("other", "float", false, [])
    nameof(typeof(value)) === :CategoricalArray && return ("category", "float", gaps, [])
    if !isempty(there)
        all(item -> item isa AbstractString, there) && return ("text", "float", gaps, [])
        all(item -> item isa Date, there) && return ("date", "float", gaps, [])
        all(item -> item isa DateTime, there) && return ("time", "float", gaps, [])
    end
    all(item -> item isa Number, there) && !(value isa Tuple) &&
        return ("array", dtype_of(map(typeof, there)), gaps, [])
    value isa Union{Tuple,AbstractVector} && length(value) <= 20 &&
        return ("list", "float", false, [string(at) => item for (at, item) in enumerate(value)])
    return ("other", "float", false, [])
end

function lines(value, path = String[])
    kind, dtype, gaps, parts = length(path) > 6 ? ("other", "float", false, []) : kind_of(value)
    word = value === nothing ? "nothing" : "a $(nameof(typeof(value)))"
    line = join([join(path, "\x1d"), kind, dtype, Int(gaps), word], "\x1f")
    return join([line; [lines(part, [path; name]) for (name, part) in parts]], "\n")
end

end
