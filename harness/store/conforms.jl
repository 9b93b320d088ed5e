# Holds values against the test vectors of `harness export`. Julia's standard library is enough.

module Conforms

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
    Dict(String(name) => conforms_npy(joinpath(folder, case, path)) for (name, path) in pairs)
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
