# Values that are no plain arrays, as in values.py. Standard library only; Julia 1.5 and newer.
module Values

import Dates
using Dates: Date, DateTime, Day, Millisecond

const NO_TEXT = 0x0010ffff
const NO_INTEGER = typemin(Int64)
const NA = reinterpret(Float64, 0x7ff00000000007a2)

struct Refused <: Exception
    message::String
end

Base.showerror(io::IO, why::Refused) = print(io, why.message)
refuse(words...) = throw(Refused(string(words...)))

described(value::AbstractString) = "the text $(repr(first(value, 40)))"
described(::Nothing) = "nothing"
described(value) = "a $(typeof(value))"

kind_of(form) = get(form, "kind", "array")
part_names(form) = String[last(split(part["name"], '.')) for part in form["parts"]]
is_na(x) = isnan(x) && reinterpret(UInt64, x) & 0xffffffff == 0x7a2

# ---- from arrays ----------------------------------------------------------------------------------

scalar(array::AbstractArray{T,0}) where {T} = array[]
scalar(array::AbstractArray) = array

function text_of(row)
    isempty(row) || first(row) != NO_TEXT || return missing
    return String([Char(code) for code in row if code != 0])
end

narrow(array::AbstractArray) = isempty(array) ? convert(Array{String}, array) : map(identity, array)

function texts(codes)
    size_ = size(codes)[1:end-1]
    rows = reshape(codes, prod(size_), size(codes, ndims(codes)))
    made = Array{Union{Missing,String}}(undef, size_)
    for i in 1:length(made)
        made[i] = text_of(rows[i, :])
    end
    return isempty(size_) ? made[] : narrow(made)
end

function instants(array, kind)
    made = map(array) do number
        number == NO_INTEGER && return missing
        kind == "date" && return Date(1970, 1, 1) + Day(number)
        rem(number, 1000) == 0 || refuse("Julia's DateTime has milliseconds, and an input has microseconds")
        return DateTime(1970, 1, 1) + Millisecond(div(number, 1000))
    end
    return made isa AbstractArray ? scalar(made) : made
end

const TYPES = Dict("int" => Int64, "bool" => Bool)

function with_gaps(array, dtype)
    T = get(TYPES, dtype, Float64)
    made = map(x -> is_na(x) ? missing : T(x), array)
    made isa AbstractArray || return made
    return ndims(made) == 0 ? made[] : convert(Array{Union{Missing,T}}, made)
end

# The package CategoricalArrays, where a file has loaded it.
function categories()
    found = [loaded for (id, loaded) in Base.loaded_modules if id.name == "CategoricalArrays"]
    return isempty(found) ? nothing : first(found)
end

function category(labels, levels)
    package = categories()
    package === nothing && return (labels = labels, levels = levels)
    made = Base.invokelatest(package.categorical, labels)
    return Base.invokelatest(package.levels!, made, levels)
end

function take!(form, left)
    kind = kind_of(form)
    if kind in ("names", "list")
        made = Any[take!(part, left) for part in form["parts"]]
        isempty(made) || !all(isnothing, made) || return nothing
        kind == "list" && return map(identity, made)
        return NamedTuple{Tuple(Symbol.(part_names(form)))}(Tuple(made))
    end
    array = popfirst!(left)
    if kind == "category"
        levels = popfirst!(left)
        return array === nothing ? nothing : category(texts(array), texts(levels))
    end
    array === nothing && return nothing
    kind == "text" && return texts(array)
    kind in ("date", "time") && return instants(array, kind)
    return get(form, "missing", false) ? with_gaps(array, get(form, "dtype", "float")) : scalar(array)
end

# ---- to arrays ------------------------------------------------------------------------------------

letters(::Missing) = Int32[NO_TEXT]
letters(text::AbstractString) = Int32[Int32(letter) for letter in text]
letters(value) = refuse("returned ", described(value), " among its elements, and text is expected")

function codes(value)
    value isa Union{AbstractString,Missing,AbstractArray} || refuse("returned ", described(value), ", and text is expected")
    value isa AbstractArray || return letters(value) |> row -> isempty(row) ? Int32[0] : row
    rows = map(letters, collect(value))
    width = maximum([1; vec(length.(rows))])
    made = zeros(Int32, length(rows), width)
    for (i, row) in enumerate(rows)
        made[i, 1:length(row)] = row
    end
    return reshape(made, size(value)..., width)
end

number_of(::Missing, kind) = NO_INTEGER
number_of(day::Date, kind) = kind == "date" ? Int64((day - Date(1970, 1, 1)).value) : number_of(DateTime(day), kind)
function number_of(at::DateTime, kind)
    if kind == "time"
        microseconds, beyond = Base.Checked.mul_with_overflow(1000, (at - DateTime(1970, 1, 1)).value)
        beyond && refuse("returned a time that 64 bits cannot count, and one nearer to 1970 is expected")
        return microseconds
    end
    at == DateTime(Date(at)) || refuse("returned a time of day, and a date is expected")
    return number_of(Date(at), kind)
end
number_of(value, kind) = refuse("returned ", described(value), ", and a ", kind, " is expected")

counted(value::AbstractArray, kind) = Array{Int64}(map(item -> number_of(item, kind), value))
counted(value, kind) = fill(number_of(value, kind))

# Before the name of a kind of numbers: integers do for floats, and whole floats for integers.
const LENIENT = "lenient "

gap(::Missing, dtype) = NA
gap(x::Bool, dtype) = dtype == "bool" ? Float64(x) : misfit(x, dtype)
gap(x::Integer, dtype) = dtype in ("int", LENIENT * "int", LENIENT * "float") ? Float64(x) : misfit(x, dtype)
function gap(x::AbstractFloat, dtype)
    fits = dtype in ("float", LENIENT * "float") || (dtype == LENIENT * "int" && isinteger(x))
    return fits ? Float64(x) : misfit(x, dtype)
end
gap(x, dtype) = misfit(x, dtype)
misfit(x, dtype) = refuse("returned ", described(x), " among its elements, and ", dtype, " is expected")

kind_of_number(form) = (get(form, "lenient", false) ? LENIENT : "") * get(form, "dtype", "float")

gaps(value::AbstractArray, dtype) = Array{Float64}(map(x -> gap(x, dtype), value))
gaps(value, dtype) = fill(gap(value, dtype))

function labels_and_levels(value)
    if value isa NamedTuple && haskey(value, :labels) && haskey(value, :levels)
        return value.labels, value.levels
    end
    package = categories()
    if package === nothing || parentmodule(typeof(value)) !== package
        refuse("returned ", described(value), ", and a category is expected: a CategoricalArray, or (labels = ..., levels = ...)")
    end
    labels = Any[ismissing(item) ? missing : string(item) for item in value]
    return reshape(labels, size(value)), string.(Base.invokelatest(package.levels, value))
end

function leaf(form, value)
    kind = kind_of(form)
    kind == "text" && return Any[codes(value)]
    kind == "category" && return Any[codes(part) for part in labels_and_levels(value)]
    kind in ("date", "time") && return Any[counted(value, kind)]
    return Any[get(form, "missing", false) ? gaps(value, kind_of_number(form)) : value]
end

# The values by name: of a NamedTuple or a Dict, or of an object's fields; nothing of others.
by_name(value::Union{NamedTuple,AbstractDict}) = Dict(string(key) => value[key] for key in keys(value))
by_name(::Union{AbstractArray,Number,AbstractString,Tuple,Nothing,Missing,Function,Date,DateTime,Symbol}) = nothing
by_name(value) = Dict(string(name) => getproperty(value, name) for name in propertynames(value))

function parts_of(value, due, whole)
    known = by_name(value)
    if known !== nothing && (!whole || haskey(known, due[1]))
        lost = filter(name -> !haskey(known, name), due)
        has = join(sort!(collect(keys(known))), ", ")
        isempty(lost) || refuse("returned ", described(value), " with ", has, ": ", join(lost, ", "), " missing")
        return Any[known[name] for name in due]
    end
    whole && return Any[value]
    value isa Union{Tuple,AbstractVector} || refuse("returned ", described(value), ", and ", length(due), " values in a tuple are expected")
    length(value) == length(due) || refuse("returned ", length(value), " values, and ", length(due), " are expected")
    return Any[value...]
end

function give(form, value)
    kind = kind_of(form)
    try
        kind in ("names", "list") || return leaf(form, value)
        due = part_names(form)
        if kind == "names"
            known = by_name(value)
            known === nothing && refuse("returned ", described(value), ", and values by name are expected")
            more = sort!(filter(name -> !(name in due), collect(keys(known))))
            isempty(more) || refuse("returned ", join(more, ", "), " too, which the case does not declare")
        else
            value isa Union{Tuple,AbstractVector} || refuse("returned ", described(value), ", and a list is expected")
        end
        values = parts_of(value, due, false)
        return reduce(vcat, (give(part, item) for (part, item) in zip(form["parts"], values)), init = Any[])
    catch why
        why isa Refused || rethrow()
        refuse(form["name"], ": ", why.message)
    end
end

function give_all(forms, value)
    values = parts_of(value, String[form["name"] for form in forms], length(forms) == 1)
    return reduce(vcat, (give(form, item) for (form, item) in zip(forms, values)), init = Any[])
end

# ---- calls ----------------------------------------------------------------------------------------

# The function of a stage, and of one that begins with a type, the type whose object it takes first.
function target(how, stage, names)
    called = get(how, "call", stage)
    owner, _, name = rpartition(called)
    isempty(owner) && return function_in(names, Symbol(name)), nothing
    holder = Core.eval(names, Meta.parse(owner))
    holder isa Module && return getfield(holder, Symbol(name)), nothing
    holder isa Type || refuse(owner, " is neither a module nor a type")
    return function_in(names, Symbol(name)), holder
end

function_in(names, name) = isdefined(names, name) ? getfield(names, name) : refuse("there is no function $name")

function rpartition(text)
    at = findlast(isequal('.'), text)
    return at === nothing ? ("", "", text) : (text[1:prevind(text, at)], ".", text[nextind(text, at):end])
end

# What is left out at the end has its default, where there is a method without it; elsewhere it is nothing.
function called(f, arguments)
    while !isempty(arguments) && last(arguments) === nothing && applicable(f, arguments[1:end-1]...)
        arguments = arguments[1:end-1]
    end
    return f(arguments...)
end

function adapted(how, stage, names, arrays)
    f, type = target(how, stage, names)
    left = copy(arrays)
    arguments = haskey(how, "takes") ? Any[take!(form, left) for form in how["takes"]] :
        Any[array === nothing ? nothing : scalar(array) for array in arrays]
    type === nothing && return called(f, arguments)
    first_ = Int[place + 1 for place in how["construct"]]
    object = called(type, arguments[first_])
    value = f(object, arguments[setdiff(1:length(arguments), first_)]...)
    return value === nothing ? object : value
end

end
