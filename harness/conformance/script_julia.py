"""Scripts in Julia."""

from __future__ import annotations

import numpy as np

from harness.conformance import script_values
from harness.conformance.shown import (
    Bounds,
    Call,
    Due,
    OtherSide,
    Shown,
    head,
    last_first,
    missing_in,
    numbers,
    parts,
    quoted,
)
from harness.model import Array

_CHECK = """
done = false
function stop(words...)
    println(words...)
    global done = true
    exit(1)
end
function unfinished()
    done && return
    println("the process was ended before anything was returned")
    flush(stdout)
    ccall(:_exit, Cvoid, (Cint,), 1)
end
atexit(unfinished)
whole(value::Number) = fill(value)
whole(value::AbstractArray) = Array(value)
whole(value) = stop("returned a ", typeof(value), ", and an array is expected")
function called(name, inputs, output, outputs, due)
    isdefined(Main, :HOW) && haskey(HOW, string(name)) &&
        return whole(called_as(name, inputs, output, outputs, due))
    name in names(Source, all = true, imported = true) || stop("there is no function ", name)
    value = getfield(Source, name)(inputs...)
    if !isempty(due) && value isa Union{NamedTuple,AbstractDict}
        has = Dict(string(key) => value[key] for key in keys(value))
        all(one -> haskey(has, one), due) ||
            stop("returned ", join(sort!(collect(keys(has))), ", "), ", and ", join(due, ", "), " expected")
        return whole(has[due[output]])
    end
    outputs == 1 && return whole(value)
    value isa Union{Tuple,NamedTuple,AbstractVector} && length(value) == outputs ||
        stop("a tuple of ", outputs, " arrays is expected")
    return whole(value[output])
end
flat(value) = vec(Float64.(vec(whole(value))))
place(at) = join(Tuple(CartesianIndices(got)[at]), ", ")
"""

_FIT = """
eltype(got) {type} || stop("the type is ", eltype(got), ", and {named} is expected")
size(got) == {shape} || stop("the shape is ", size(got), ", and ", {shape}, " is expected")
"""

_DISTANCE = """
wide(value) = vec(_WIDE.(vec(whole(value))))
alike(x, y) = x == y || (isnan(x) && isnan(y))
turned(x, y) = x == 0 && y == 0 && signbit(x) != signbit(y)
_GAPS
finite = isfinite.(a) .& isfinite.(e)
difference(ours, theirs, rest) = isfinite(ours) && isfinite(theirs) ? abs((ours - theirs) - rest) : 0.0
error_of = ifelse.(differ, Inf, difference.(a, e, low))
same = alike.(real.(a), real.(e)) .& alike.(imag.(a), imag.(e))
nans = isnan.(a) .& same .& .!left_out
over = ((error_of .> limit) .| .!(finite .| same)) .& .!left_out
zeros_of = (turned.(real.(a), real.(e)) .| turned.(imag.(a), imag.(e))) .& .!left_out
rank = ifelse.(over .& .!finite, Inf, ifelse.(left_out, -1.0, error_of))
at = argmax(rank)
none = isnan(a[at]) || isnan(e[at])
what = if differ[at]
    "missing on one side"
elseif over[at] && !finite[at]
    none ? "not a number on one side" : "infinite on one side, or of another sign"
else
    string("largest difference ", rank[at])
end
print(what, " at [", place(at), "], counted from 1: ")
println("got ", a[at], ", expected ", e[at])
print(sum(over), " of ", sum(.!left_out), " elements are beyond their limit; ")
println("the largest limit is ", maximum([0.0; limit[.!left_out]]))
"""

_PLAIN = "a, e = wide(got), wide(due)\ndiffer = falses(length(a))"

_MISSING = """gone(x::AbstractFloat) = Values.is_na(x)
gone(x::Integer) = x == Values.NO_INTEGER
differ = vec(gone.(whole(got))) .!= vec(gone.(whole(due)))
both = vec(gone.(whole(got))) .| vec(gone.(whole(due)))
a, e = ifelse.(both, 0.0, wide(got)), ifelse.(both, 0.0, wide(due))"""

_TEXTS = """
words = Values.texts(got)
words = words isa AbstractArray ? words : fill(words)
left_out = vec(left_out)
over = .!map(isequal, vec(words), vec(due)) .& .!left_out
nans = zeros_of = falses(length(over))
for at in findall(over)[1:min(sum(over), 10)]
    where_ = join(Tuple(CartesianIndices(words)[at]), ", ")
    println("at [", where_, "], counted from 1: got ", repr(words[at]), ", expected ", repr(due[at]))
end
println(sum(over), " of ", sum(.!left_out), " elements differ")
"""

_INSTANTS = """
import Dates
println("as a _KIND: ", _AS(a[at]), " and ", _AS(e[at]))
"""

_PRINTED = """
a = flat(got)
over = .!((least .<= a) .& (a .<= most)) .& .!(isnan.(a) .& isnan.(least)) .& .!left_out
nans = zeros_of = falses(length(a))
for at in findall(over)[1:min(sum(over), 10)]
    println(a[at], " at [", place(at), "], counted from 1, prints other digits")
end
println(sum(over), " of ", sum(.!left_out), " printed numbers differ")
"""

_END = """
done = true
wrong = sum(over)
if any(left_out) && {counted}
    println(sum(left_out), " of ", length(left_out), " elements left out, and not compared here")
end
if any(nans) && !{nan}
    wrong += 1
    println("NaN in ", sum(nans), sum(nans) == 1 ? " place" : " places", " where the case expects none")
end
if any(zeros_of) && {exact}
    wrong += 1
    println("the sign of zero differs in ", sum(zeros_of), sum(zeros_of) == 1 ? " place" : " places")
end
exit(wrong > 0 ? 1 : 0)
"""

_TRIPLE = '"""'


def write(shown: Shown) -> str:
    """Return the script in Julia."""
    kinds = {
        "int": ("<: Integer && eltype(got) != Bool", "an integer"),
        "bool": ("== Bool", "Bool"),
        "float": (f"== {_float(shown.dtype)}", _float(shown.dtype)),
        "complex": (f"== Complex{{{_float(shown.dtype)}}}", f"Complex{{{_float(shown.dtype)}}}"),
    }
    type_, named = kinds.get(shown.kind, ("", ""))
    shape = f"({''.join(f'{size},' for size in shown.shape)})"
    begin = "module Source"
    if "PROGRAM_FILE" in shown.source:
        # Code that a file runs only as the main program is not run here.
        begin += '; const PROGRAM_FILE = ""'
    parts = [
        head(shown),
        "import LinearAlgebra\nLinearAlgebra.BLAS.set_num_threads(1)\n",
        "cd(@__DIR__)\n" if shown.files else "",
        f"\n{begin}\n{shown.source.rstrip()}\nend\n",
        _CHECK,
        script_values.julia(shown),
        f"\ngot = try\n{_called(shown.call)}\ncatch\n    global done = true\n    rethrow()\nend\n",
        _fit(shown, type_, named, shape),
        _due(shown),
        _END.format(
            nan=str(shown.nan).lower(),
            exact=str(shown.exact).lower(),
            counted=str(not isinstance(shown.due, Bounds)).lower(),
        ),
    ]
    return "".join(parts)


def _fit(shown: Shown, type_: str, named: str, shape: str) -> str:
    """The type and the shape: of texts those that they stand for, of what may be missing any numbers."""
    if not shown.form:
        return _FIT.format(type=type_, named=named, shape=shape)
    text = _FIT.format(type="<: Real", named="a number", shape=shape)
    return text.replace("size(got)", "size(got)[1:end-1]") if shown.form == "text" else text


def _due(shown: Shown) -> str:
    size = int(np.prod(shown.shape, dtype=int))
    left = f"falses({size})" if shown.left_out is None else f"flat({_literal(shown.left_out)}) .> 0"
    lines = [f"left_out = {left}"]
    if isinstance(shown.due, Bounds):
        lines += [
            f"least = flat({_literal(shown.due.least)})",
            f"most = flat({_literal(shown.due.most)})",
        ]
        return "\n".join(lines) + _PRINTED
    if shown.form == "text":
        return "\n".join([*lines, _due_texts(shown)]) + _TEXTS
    lines.append(f"limit = flat({_literal(shown.limit)})")
    if isinstance(shown.due, OtherSide):
        lines += [
            f"due = {_called(shown.due.call)}",
            'size(due) == size(got) || stop("the shapes are ", size(got), " and ", size(due))',
            "low = 0.0",
        ]
    else:
        lines += [
            f"due = whole({_literal(shown.due.high)})",
            f"low = vec(whole({_literal(shown.due.low)}))",
        ]
    wide = "ComplexF64" if shown.kind == "complex" else "Float64"
    gaps = _MISSING if shown.form else _PLAIN
    text = "\n".join(lines) + _DISTANCE.replace("_GAPS", gaps).replace("_WIDE", wide)
    if shown.form in ("date", "time"):
        how = "(x -> Dates.Date(1970) + Dates.Day(Int(x)))"
        if shown.form == "time":
            how = "(x -> Dates.DateTime(1970) + Dates.Microsecond(Int(x)))"
        text += _INSTANTS.replace("_KIND", shown.form).replace("_AS", how)
    return text


def _due_texts(shown: Shown) -> str:
    """What is expected of texts: those of another stage, or as they are written here."""
    if isinstance(shown.due, OtherSide):
        return f"due = Values.texts({_called(shown.due.call)})\ndue = due isa AbstractArray ? due : fill(due)"
    assert isinstance(shown.due, Due)
    words = ", ".join(word.replace("$", "\\$") for word in quoted(shown.due.high, "missing"))
    sizes = last_first(shown.due.high)
    if shown.due.high.ndim < 2:
        return f"due = reshape(Any[{words}], {shown.due.high.shape or '()'})"
    return f"due = permutedims(reshape(Any[{words}], {sizes}), {shown.due.high.ndim}:-1:1)"


def _called(call: Call) -> str:
    inputs = "".join(f"    {_literal(array)},  # {name}\n" for name, array in call.inputs)
    names = ", ".join(f'"{name}"' for name in call.names)
    return f"called(:{call.function}, (\n{inputs}), {call.output + 1}, {call.outputs}, [{names}])"


def _literal(array: Array | None) -> str:
    if array is None:
        return "nothing"
    kind = {"b": "Bool", "i": "Int64", "u": "Int64"}.get(array.dtype.kind, _float(parts(array).dtype.name))
    parsed = {"Bool": "Int64", "Float16": "Float64", "Float32": "Float64"}.get(kind, kind)
    if missing_in(array).any():
        words = f"split({numbers(array, repr, _TRIPLE)})"
        return _shaped(f'[word == "NA" ? Values.NA : parse(Float64, word) for word in {words}]', array)
    vector = f"{kind}.(parse.({parsed}, split({numbers(array, repr, _TRIPLE)})))"
    if array.dtype.kind == "c":
        vector = f"collect(reinterpret(Complex{{{kind}}}, {vector}))"
    return _shaped(vector, array)


def _shaped(vector: str, array: Array) -> str:
    if array.ndim == 0:
        return f"{vector}[1]"
    if array.ndim == 1:
        return vector
    return f"permutedims(reshape({vector}, {last_first(array)}), {array.ndim}:-1:1)"


def _float(name: str) -> str:
    return {"float16": "Float16", "float32": "Float32"}.get(name, "Float64")
