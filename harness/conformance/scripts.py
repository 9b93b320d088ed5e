"""Stand-alone scripts that run one stage of one source file on inputs written into them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np

from harness.model import Array

_WIDTH = 100
_TRIPLE = '"""'


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What a script shows: a stage's function, its inputs, and what it should return.

    ``output`` counts from 0, of ``outputs``; ``limit`` is the largest error of each element, None where it
    is not known.
    """

    title: str
    source: str
    function: str
    inputs: tuple[tuple[str, Array], ...]
    output: int
    outputs: int
    due: Array
    limit: Array | None


def write_script(runtime: str, shown: Shown) -> str | None:
    """The script for a runtime: numpy, torch, r or julia; None for any other."""
    writer = _WRITERS.get(runtime)
    return None if writer is None else writer(shown)


def _python(shown: Shown, library: str) -> str:
    def plain(array: Array) -> str:
        kind = "float" if array.dtype.kind == "f" else "int"
        numbers = f"_numpy.array([{kind}(one) for one in {_numbers(array, repr, _TRIPLE)}.split()])"
        return f"{numbers}.astype({array.dtype.name!r}).reshape({array.shape!r})"

    def literal(array: Array) -> str:
        return f"_torch.from_numpy({plain(array)})" if library == "torch" else plain(array)

    inputs = "\n".join(f"    {literal(array)},  # {name}" for name, array in shown.inputs)
    got = f"_got[{shown.output}]" if shown.outputs > 1 else "_got"
    returned = f"{got}.detach().numpy()" if library == "torch" else f"_numpy.asarray({got})"
    library_import = "import torch as _torch\n" if library == "torch" else ""
    return f"""# {shown.title}
# The source file follows as it is; then its function is called, and held against what is due.

{shown.source.rstrip()}


import sys as _sys
import numpy as _numpy
{library_import}
_inputs = [
{inputs}
]
_due = {plain(shown.due)}
_limit = {"None" if shown.limit is None else plain(shown.limit)}

_got = {shown.function}(*_inputs)
_got = {returned}
if _got.shape != _due.shape:
    _sys.exit(f"the shape is {{_got.shape}}, and {{_due.shape}} is due")
_got64, _due64 = _got.astype(float), _due.astype(float)
_same = (_got64 == _due64) | (_numpy.isnan(_got64) & _numpy.isnan(_due64))
with _numpy.errstate(invalid="ignore"):
    _error = _numpy.where(_same, 0.0, _numpy.abs(_got64 - _due64))
_error[_numpy.isnan(_error)] = _numpy.inf
_over = _error > _limit if _limit is not None else _error < 0
_at = _numpy.unravel_index(_numpy.argmax(_error), _error.shape)
_place = [int(one) for one in _at]
print(f"largest difference {{_error[_at]:.17g}} at {{_place}}, counted from 0:", end=" ")
print(f"got {{_got64[_at]:.17g}}, due {{_due64[_at]:.17g}}")
if _limit is None:
    print("no limit is known for this stage")
else:
    print(f"{{int(_over.sum())}} of {{_error.size}} elements are beyond their limit;", end=" ")
    print(f"the largest limit is {{_limit.max():.3g}}")
_sys.exit(int(_over.any()))
"""


def _r(shown: Shown) -> str:
    def literal(array: Array) -> str:
        kind = {"b": "as.logical", "i": "as.integer", "u": "as.integer"}.get(array.dtype.kind, "as.numeric")
        if array.dtype.kind in "iu" and array.size and np.abs(array.astype(np.float64)).max() >= 2**31:
            kind = "as.numeric"
        words = array.astype(int) if array.dtype.kind == "b" else array
        text = _numbers(words, float.hex)
        inner = f'as.integer(strsplit({text}, "\\\\s+")[[1]])' if kind == "as.logical" else ""
        vector = f"as.logical({inner})" if inner else f'{kind}(strsplit({text}, "\\\\s+")[[1]])'
        if array.ndim < 2:
            return vector
        dims = ", ".join(map(str, reversed(array.shape)))
        return f"aperm(array({vector}, dim = c({dims})), {array.ndim}:1)"

    inputs = ",\n".join(f"  # {name}\n  {literal(array)}" for name, array in shown.inputs)
    chosen = f"[[{shown.output + 1}]]" if shown.outputs > 1 else ""
    shape = ", ".join(f"{size}L" for size in (shown.due.shape or (1,)))
    limit = "NULL" if shown.limit is None else literal(shown.limit)
    return f"""# {shown.title}
# The source file follows as it is; then its function is called, and held against what is due.

{shown.source.rstrip()}


.inputs <- list(
{inputs}
)
.due <- {literal(shown.due)}
.limit <- {limit}

.got <- do.call({shown.function}, .inputs){chosen}
.shape <- if (is.null(dim(.got))) length(.got) else dim(.got)
if (!identical(as.integer(.shape), c({shape}))) {{
  cat("the shape is", .shape, "and", c({shape}), "is due\\n")
  quit(status = 1)
}}
.same <- (.got == .due) | (is.nan(.got) & is.nan(.due))
.error <- ifelse(.same %in% TRUE, 0, abs(.got - .due))
.error[is.na(.error)] <- Inf
.at <- which.max(.error)
.place <- if (is.null(dim(.got))) .at else arrayInd(.at, dim(.got))
cat(sprintf("largest difference %.17g at [%s], counted from 1: got %.17g, due %.17g\\n",
            .error[.at], paste(.place, collapse = ", "), as.numeric(.got[.at]), as.numeric(.due[.at])))
if (is.null(.limit)) {{
  cat("no limit is known for this stage\\n")
  quit(status = 0)
}}
.over <- sum(.error > .limit)
cat(sprintf("%d of %d elements are beyond their limit; the largest limit is %.3g\\n",
            .over, length(.error), max(.limit)))
quit(status = as.integer(.over > 0))
"""


def _julia(shown: Shown) -> str:
    def literal(array: Array) -> str:
        kind = {"b": "Bool", "i": "Int64", "u": "Int64"}.get(
            array.dtype.kind, "Float32" if array.dtype == np.float32 else "Float64"
        )
        words = array.astype(int) if array.dtype.kind == "b" else array
        parsed = "Int64" if kind == "Bool" else "Float64" if kind == "Float32" else kind
        vector = f"{kind}.(parse.({parsed}, split({_numbers(words, repr, _TRIPLE)})))"
        if array.ndim == 0:
            return f"{vector}[1]"
        if array.ndim == 1:
            return vector
        dims = ", ".join(map(str, reversed(array.shape)))
        return f"permutedims(reshape({vector}, {dims}), {array.ndim}:-1:1)"

    inputs = "\n".join(f"    {literal(array)},  # {name}" for name, array in shown.inputs)
    got = f"reproduced[{shown.output + 1}]" if shown.outputs > 1 else "reproduced"
    limit = "nothing" if shown.limit is None else f"whole({literal(shown.limit)})"
    return f"""# {shown.title}
# The source file follows as it is, in a module; then its function is called, and held against what is due.

module Source
{shown.source.rstrip()}
end

whole(value) = value isa Number ? fill(value) : Array(value)

inputs = (
{inputs}
)
due = whole({literal(shown.due)})
limit = {limit}

reproduced = Source.{shown.function}(inputs...)
got = whole({got})
if size(got) != size(due)
    println("the shape is ", size(got), ", and ", size(due), " is due")
    exit(1)
end
difference(a, b) = isequal(a, b) || a == b ? 0.0 : isnan(a - b) ? Inf : abs(Float64(a) - Float64(b))
error_of = map(difference, got, due)
at = argmax(error_of)
print("largest difference ", error_of[at], " at [", join(Tuple(at), ", "), "], counted from 1: ")
println("got ", got[at], ", due ", due[at])
if limit === nothing
    println("no limit is known for this stage")
    exit(0)
end
over = sum(error_of .> limit)
print(over, " of ", length(got), " elements are beyond their limit; ")
println("the largest limit is ", maximum(limit))
exit(over > 0 ? 1 : 0)
"""


def _numbers(array: Array, real: Callable[[float], str], quotes: str = '"') -> str:
    """Every number in C order, as a text over several lines; each float is read back bit for bit."""
    flat: Sequence[float | int] = array.ravel().tolist()
    words = [_word(one, real) if isinstance(one, float) else str(int(one)) for one in flat]
    lines = textwrap.wrap(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False)
    text = "\n".join(lines)
    return f"{quotes}{text}{quotes}"


def _word(value: float, real: Callable[[float], str]) -> str:
    if value != value:
        return "NaN"
    if value in (np.inf, -np.inf):
        return "Inf" if value > 0 else "-Inf"
    return real(value)


_WRITERS: Mapping[str, Callable[[Shown], str]] = {
    "numpy": lambda shown: _python(shown, "numpy"),
    "torch": lambda shown: _python(shown, "torch"),
    "r": _r,
    "julia": _julia,
}
