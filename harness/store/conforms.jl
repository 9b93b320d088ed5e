# Holds values against the test vectors of `harness export`. Julia's standard library is enough.

module Conforms

import Dates
using Dates: Date, DateTime
using Test

export conforms, conforms_inputs, conforms_npy, @test_conforms

"The folder that was exported to, unless a call says otherwise."
const FOLDER = Ref("vectors")

"""
    @test_conforms value case output [sample=...] [mode=...] [against=...] [folder=...]

A `@test` that `value` is within the limits of the stored truth.
"""
macro test_conforms(value, case, output, options...)
    keywords = [Expr(:kw, option.args[1], esc(option.args[2])) for option in options]
    call = Expr(:call, conforms, Expr(:parameters, keywords...), esc(value), esc(case), esc(output))
    # What is compared is printed where the test fails, with the line of the caller.
    test = Expr(:macrocall, GlobalRef(Test, Symbol("@test")), __source__, :(said == ""))
    :(let said = $call
        $test
    end)
end

"The inputs that an output follows from, as a Dict by name."
function conforms_inputs(case, output; sample = nothing, mode = "chained", folder = FOLDER[])
    vector = _vector(case, output, sample, mode, nothing, folder)
    pairs = split.(split(vector["inputs"]), "=")
    arrays = Dict{String,Any}(String(name) => conforms_npy(joinpath(folder, case, path)) for (name, path) in pairs)
    return _values(arrays, vector["input_forms"])
end

"\"\" where the value conforms, else a sentence: what is off, where, and by how much."
function conforms(value, case, output; sample = nothing, mode = "chained", against = nothing, folder = FOLDER[])
    vector = _vector(case, output, sample, mode, against, folder)
    what = "$output of $case, sample $(vector["sample"]), $mode"
    vector["expected"] == "" && error("$what: nothing is known: $(vector["reason"])")
    up_to = vector["up_to"]
    up_to in ("", "sign", "sign of columns") ||
        error("$what: it is compared up to $up_to, which this file cannot do")
    read(name) = conforms_npy(joinpath(folder, case, name))
    due = read(vector["expected"])
    form = vector["form"]
    form == "" || return _conforms_form(value, due, read, vector, what) do levels
        conforms(levels, case, "$output.levels"; sample = sample, mode = mode, against = against, folder = folder)
    end
    why = _kind(value, due, vector["kind"])
    why == "" || return "$what: $why"
    ours = value isa AbstractArray ? value : fill(value)
    size(ours) == size(due) || return "$what: the shape is $(size(ours)), and $(size(due)) is expected"
    low = vector["low"] == "" ? zero(due) : read(vector["low"])
    due, low = _facing(up_to, due, low, ours)
    limit = read(vector["limit"])
    judged = vector["left_out"] == "" ? trues(size(due)) : .!read(vector["left_out"])
    any(judged) || error("$what: no element can be judged: $(vector["reason"])")
    if vector["basis"] == "coarse"
        @info "$what: compared coarsely only, with $(vector["against"]): $(vector["reason"])"
    end
    alike = _alike.(real.(ours), real.(due)) .& _alike.(imag.(ours), imag.(due))
    finite = isfinite.(ours) .& isfinite.(due)
    apart(a, e, l) = abs((_wide(a) - _wide(e)) - _wide(l))
    error_of(a, e, l, ok, same) = ok ? Float64(apart(a, e, l)) : (same ? 0.0 : Inf)
    errors = error_of.(ours, due, low, finite, alike)
    over = (errors .> limit) .& judged
    if any(over)
        at = argmax(ifelse.(over, errors, -1.0))
        index = join(Tuple(at), ", ")
        return "$what: $(count(over)) of $(count(judged)) elements are beyond their limit; " *
               "largest error $(errors[at]) at [$index], $(limit[at]) is allowed: $(ours[at]), and $(due[at]) is expected"
    end
    none = isnan.(ours) .& alike .& judged
    any(none) && vector["nan"] == "0" && return "$what: NaN in $(count(none)) places, where the case expects none"
    return ""
end

"An array of a .npy file, with Julia's own order of elements; of no dimensions for a single number."
function conforms_npy(path)
    open(path) do file
        magic = Base.read(file, 8)
        magic == UInt8[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0] ||
            error("$path is no .npy file of version 1.0")
        header = String(Base.read(file, ltoh(Base.read(file, UInt16))))
        name = match(r"'descr': '([^']*)'", header).captures[1]
        sizes = split(match(r"'shape': \(([^)]*)\)", header).captures[1], ",")
        shape = [parse(Int, size) for size in sizes if strip(size) != ""]
        types = Dict(
            "<f8" => Float64, "<f4" => Float32, "<f2" => Float16, "<c16" => ComplexF64, "<c8" => ComplexF32,
            "<i8" => Int64, "<i4" => Int32, "|b1" => Bool,
        )
        haskey(types, name) || error("$path: no reader for $name")
        array = Array{types[name]}(undef, reverse(shape)...)
        read!(file, array)
        length(shape) < 2 ? array : permutedims(array, length(shape):-1:1)
    end
end

const NO_INTEGER = typemin(Int64)

_is_na(x) = isnan(x) && reinterpret(UInt64, x) & 0xffffffff == 0x7a2

function _text(row)
    isempty(row) || first(row) != 0x10ffff || return missing
    return String([Char(code) for code in row if code != 0])
end

function _texts(codes)
    rows = reshape(codes, prod(size(codes)[1:end-1]), size(codes, ndims(codes)))
    return reshape(Any[_text(rows[i, :]) for i in axes(rows, 1)], size(codes)[1:end-1])
end

_narrow(array) = ndims(array) == 0 ? array[] : map(identity, array)

"What an array of numbers stands for: texts of code points, days, microseconds, numbers that may be missing."
function _value(array, form)
    form in ("text", "category") && return _texts(array)
    form == "date" && return map(x -> x == NO_INTEGER ? missing : Date(1970) + Dates.Day(x), array)
    form == "time" && return map(x -> x == NO_INTEGER ? missing : DateTime(1970) + Dates.Millisecond(div(x, 1000)), array)
    T = Dict("missing:float" => Float64, "missing:int" => Int64, "missing:bool" => Bool)[form]
    return convert(Array{Union{Missing,T}}, map(x -> _is_na(x) ? missing : T(x), array))
end

"Arrays by name as values: categories with their levels, and what has a dot in its name inside of a value."
function _values(arrays, forms)
    for (name, form) in split.(split(forms), "=")
        haskey(arrays, name) && (arrays[name] = _narrow(_value(arrays[name], form)))
    end
    for (name, form) in split.(split(forms), "=")
        form == "category" && (arrays[name] = (labels = arrays[name], levels = pop!(arrays, "$name.levels")))
    end
    made = Dict{String,Any}()
    for (name, array) in arrays
        _put!(made, split(name, '.'), array)
    end
    return Dict{String,Any}(name => _closed(value) for (name, value) in made)
end

function _put!(into, path, value)
    length(path) == 1 && return into[path[1]] = value
    return _put!(get!(into, path[1], Dict{String,Any}()), path[2:end], value)
end

_closed(value) = value
function _closed(value::Dict)
    inside = Dict(name => _closed(part) for (name, part) in value)
    all(name -> all(isdigit, name), keys(inside)) && return [inside[string(at)] for at in 1:length(inside)]
    names_ = sort!(collect(keys(inside)))
    return NamedTuple{Tuple(Symbol.(names_))}(Tuple(inside[name] for name in names_))
end

"A category's labels and levels: of a NamedTuple, or as a package's function `levels` says."
function _category(value)
    value isa NamedTuple && haskey(value, :labels) && haskey(value, :levels) && return value
    home = parentmodule(typeof(value))
    value isa AbstractArray && isdefined(home, :levels) || return nothing
    return (labels = map(x -> ismissing(x) ? missing : string(x), value), levels = string.(home.levels(value)))
end

_fits(x, form) = x isa Dict(
    "text" => AbstractString, "category" => AbstractString, "date" => Date, "time" => DateTime,
    "missing:float" => AbstractFloat, "missing:int" => Integer, "missing:bool" => Bool,
)[form] && (form != "missing:int" || !(x isa Bool))

_apart(a::Number, e::Number) = a == e ? 0.0 : isnan(a) || isnan(e) ? (isnan(a) && isnan(e) ? 0.0 : Inf) : Float64(abs(a - e))
_apart(a::Date, e::Date) = Float64(abs((a - e).value))
_apart(a::DateTime, e::DateTime) = 1000.0 * abs((a - e).value)
_apart(a, e) = isequal(a, e) ? 0.0 : Inf

function _conforms_form(of_levels, value, due, read, vector, what)
    form = vector["form"]
    if form == "category"
        known = _category(value)
        known === nothing && return "$what: it is a $(typeof(value)), and a category is expected"
        said = of_levels(known.levels)
        said == "" || return said
        value = known.labels
    end
    ours = value isa AbstractArray ? value : fill(value)
    odd = findfirst(x -> !ismissing(x) && !_fits(x, form), vec(collect(ours)))
    odd === nothing || return "$what: it holds a $(typeof(vec(collect(ours))[odd])), and $form is expected"
    expected = _value(due, form)
    size(ours) == size(expected) || return "$what: the shape is $(size(ours)), and $(size(expected)) is expected"
    limit = read(vector["limit"])
    judged = vector["left_out"] == "" ? trues(size(expected)) : .!read(vector["left_out"])
    any(judged) || error("$what: no element can be judged: $(vector["reason"])")
    errors = map((a, e) -> ismissing(a) || ismissing(e) ? (ismissing(a) && ismissing(e) ? 0.0 : Inf) : _apart(a, e), ours, expected)
    over = (errors .> limit) .& judged
    if any(over)
        at = argmax(ifelse.(over, errors, -1.0))
        index = join(Tuple(at), ", ")
        return "$what: $(count(over)) of $(count(judged)) elements differ; the worst at [$index]: " *
               "$(repr(ours[at])), and $(repr(expected[at])) is expected"
    end
    none = map(x -> x isa AbstractFloat && isnan(x), ours) .& judged
    any(none) && vector["nan"] == "0" && return "$what: NaN in $(count(none)) places, where the case expects none"
    return ""
end

function _kind(value, due, kind)
    ours = value isa AbstractArray ? eltype(value) : typeof(value)
    fits = kind == "int" ? ours <: Integer && ours !== Bool : ours === eltype(due)
    fits ? "" : "the type is $ours, and $(kind == "int" ? "an integer" : eltype(due)) is expected"
end

_wide(x) = x
_wide(x::Union{Float16,Float32}) = Float64(x)
_wide(x::Bool) = Int(x)
_alike(x, y) = x == y || (isnan(x) && isnan(y))

"What is expected, with the signs that are nearest to the value."
function _facing(up_to, due, low, value)
    up_to == "" && return due, low
    along = up_to == "sign" ? ntuple(identity, ndims(due)) : 1
    agree = sum(value .* due; dims = along)
    signs = ifelse.(agree .< 0, -1, 1)
    signs .* due, signs .* low
end

function _vector(case, output, sample, mode, against, folder)
    path = joinpath(folder, case, "index.tsv")
    isfile(path) || error("$path is not there: harness export $case writes it")
    lines = readlines(path)
    names = split(lines[1], '\t')
    rows = [Dict(zip(names, split(line, '\t'))) for line in lines[2:end]]
    rows_of = filter(row -> row["output"] == output && row["mode"] == mode, rows)
    isempty(rows_of) && error(
        "$case has no output $output that is $mode; there are: " *
        join(unique(row["output"] for row in rows), ", "),
    )
    wanted = sample === nothing ? rows_of[1]["sample"] : sample
    chosen = filter(row -> row["sample"] == wanted, rows_of)
    isempty(chosen) && error(
        "$output has no sample $wanted; there are: " *
        join(unique(row["sample"] for row in rows_of), ", "),
    )
    if against !== nothing
        chosen = filter(row -> row["against"] == against, chosen)
        isempty(chosen) && error("$output is not compared with $against")
    end
    first(chosen)
end

end
