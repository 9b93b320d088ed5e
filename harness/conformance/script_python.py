"""Scripts in Python, with NumPy, PyTorch or JAX."""

from __future__ import annotations

import ast

from harness.conformance import script_values
from harness.conformance.shown import (
    Bounds,
    Call,
    Due,
    OtherSide,
    Shown,
    by_column,
    head,
    missing_in,
    numbers,
    parts,
    quoted,
)
from harness.model import Array
from harness.numerics.formats import complex_dtype

_TRIPLE = '"""'

_CHECK = """
def _stop(why):
    print(why, flush=True)
    _end(1)


# Who ends the process returns nothing.
_end, _os._exit = _os._exit, lambda code=0: _stop("os._exit was called before anything was returned")
_done, _ENDED = False, "the process was ended before anything was returned"
_atexit.register(lambda: _done or hasattr(_sys, "last_type") or _stop(_ENDED))


def _described(value):
    return "None" if value is None else f"a {type(value).__name__}"


def _number(value):
    kind = _numpy.int64 if isinstance(value, int) and not isinstance(value, bool) else None
    return _numpy.asarray(value, dtype=kind)

def _named(value, names):
    if isinstance(value, dict) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        known = value if isinstance(value, dict) else value._asdict()
        if isinstance(value, tuple) and not set(known) & set(names):
            return None
    elif hasattr(value, "columns") and hasattr(value, "to_numpy"):
        known = {one: value[one].to_numpy() for one in value.columns}
    else:
        return None
    if not set(names) <= set(known):
        _stop(f"returned {_described(value)} with {', '.join(known)}, and {', '.join(names)} expected")
    return [known[one] for one in names]


def _call(name, inputs, output, outputs, names):
    how = globals().get("_HOW", {}).get(name)
    if how is not None:
        return _called_as(name, how, inputs, output, outputs, names)
    function = globals().get(name)
    if not callable(function):
        _stop(f"there is no function {name}")
    value = function(*inputs)
    named = _named(value, names)
    if named is not None:
        return _array(named[output])
    if outputs == 1:
        return _array(value)
    if not isinstance(value, (list, tuple)) or len(value) != outputs:
        _stop(f"{outputs} arrays in a tuple are expected")
    return _array(value[output])
"""

_ARRAY = """

def _array(value):
    if isinstance(value, _numpy.ma.MaskedArray):
        _stop("returned a masked array, whose mask cannot be kept")
    if hasattr(value, "toarray") and hasattr(value, "nnz"):
        value = value.toarray()
    elif hasattr(value, "to_numpy") and getattr(value, "ndim", 1) == 1:
        value = value.to_numpy()
    if isinstance(value, (_numpy.ndarray, _numpy.generic)):
        return _numpy.asarray(value)
    if isinstance(value, (bool, int, float, complex)):
        return _number(value)
    _stop(f"returned {_described(value)}, and an array is expected")
"""

_TENSOR = """

def _array(value):
    if isinstance(value, (bool, int, float, complex)):
        return _number(value)
    if not isinstance(value, _torch.Tensor):
        _stop(f"returned {_described(value)}, and a tensor is expected")
    if value.layout != _torch.strided or value.is_quantized:
        _stop(f"returned a tensor of layout {value.layout}, and a dense one is expected")
    try:
        return value.detach().cpu().resolve_conj().resolve_neg().numpy()
    except (TypeError, RuntimeError):
        _stop(f"returned a tensor of dtype {value.dtype} on the device {value.device}, which cannot be kept")
"""

_JAX = """

def _array(value):
    if isinstance(value, (bool, int, float, complex)):
        return _number(value)
    if not isinstance(value, (_jax.Array, _numpy.ndarray, _numpy.generic)):
        _stop(f"returned {_described(value)}, and an array is expected")
    return _numpy.asarray(value)
"""

_OF_LIBRARY = {"numpy": _ARRAY, "torch": _TENSOR, "jax": _JAX, "jax-jit": _JAX}
"""What makes an array of NumPy of what a function returns, by library."""

_FIT = """
if _got.dtype.{kind}:
    _stop(f"the dtype is {{_got.dtype}}, and {dtype} is expected")
if _got.shape != {shape}:
    _stop(f"the shape is {{_got.shape}}, and {shape} is expected")
"""

_DISTANCE = """
_a, _e = _got.astype(_WIDE), _due.astype(_WIDE)
_parts = ((_a.real, _e.real), (_a.imag, _e.imag))
with _numpy.errstate(all="ignore"):
    _finite = _numpy.isfinite(_a) & _numpy.isfinite(_e)
    _error = _numpy.where(_finite, _numpy.abs((_a - _e) - _low), 0.0)
    _same = [(x == y) | (_numpy.isnan(x) & _numpy.isnan(y)) for x, y in _parts]
    _alike = _numpy.logical_and(*_same)
    _error = _numpy.where(_differ, _numpy.inf, _error)
    _over = (_error > _limit) | ~(_finite | _alike)
_nan = _numpy.isnan(_a) & _alike
_zeros = [(x == 0) & (y == 0) & (_numpy.signbit(x) != _numpy.signbit(y)) for x, y in _parts]
_zero = _numpy.logical_or(*_zeros)
_over, _nan, _zero = (one & ~_left_out for one in (_over, _nan, _zero))
_rank = _numpy.where(_over & ~_finite, _numpy.inf, _numpy.where(_left_out, -1.0, _error))
_at = _numpy.unravel_index(_numpy.argmax(_rank), _rank.shape)
_what = f"largest difference {_rank[_at]:.17g}"
if _differ[_at]:
    _what = "missing on one side"
elif _over[_at] and not _finite[_at]:
    _none = _numpy.isnan(_a[_at]) or _numpy.isnan(_e[_at])
    _what = "not a number on one side" if _none else "infinite on one side, or of another sign"
print(f"{_what} at {[int(one) for one in _at]}, counted from 0:", end=" ")
print(f"got {_a[_at]:.17g}, expected {_e[_at]:.17g}")
print(f"{int(_over.sum())} of {int((~_left_out).sum())} elements are beyond their limit;", end=" ")
print(f"the largest limit is {_limit[~_left_out].max(initial=0.0):.3g}")
"""

_PLAIN = "_differ = _numpy.zeros(_got.shape, bool)\n"

_MISSING = """

def _gone(array):
    return _values.is_missing(array) if array.dtype.kind == "f" else (array == _values.NO_INTEGER)


_differ = _gone(_got) != _gone(_due)
_gone = _gone(_got) & _gone(_due)
_got, _due = (_numpy.where(_gone | _differ, 0, one) for one in (_got, _due))
"""

_TEXTS = """
_words = _numpy.array(_values.texts(_got), dtype=object)
_over = _numpy.array([x != y for x, y in zip(_words.ravel(), _due.ravel())], bool).reshape(_due.shape)
_over &= ~_left_out
_nan = _zero = _numpy.zeros_like(_over)
for _at in _numpy.argwhere(_over)[:10].tolist():
    print(f"at {_at}, counted from 0: got {_words[tuple(_at)]!r}, expected {_due[tuple(_at)]!r}")
print(f"{int(_over.sum())} of {int((~_left_out).sum())} elements differ")
"""

_INSTANTS = """
_shown = [_numpy.asarray(one)[_at] for one in (_got, _due)]
print("as a _KIND:", " and ".join(str(_numpy.datetime64(int(one), "_UNIT")) for one in _shown))
"""

_PRINTED = """
_a = _got.astype(float)
_nan = _numpy.isnan(_a) & _numpy.isnan(_least)
_over = ~((_least <= _a) & (_a <= _most)) & ~_nan & ~_left_out
_zero = _nan = _numpy.zeros_like(_over)
for _at in _numpy.argwhere(_over)[:10].tolist():
    print(f"{_a[tuple(_at)]:.17g} at {_at}, counted from 0, prints other digits")
print(f"{int(_over.sum())} of {int((~_left_out).sum())} printed numbers differ")
"""

_END = """
_done = True
_wrong = int(_over.sum())
if _left_out.any() and {counted}:
    print(f"{{int(_left_out.sum())}} of {{_left_out.size}} elements left out, and not compared here")
if _nan.any() and not {nan}:
    _wrong += 1
    print(f"NaN in {{int(_nan.sum())}} place{{'s' if _nan.sum() != 1 else ''}} where the case expects none")
if _zero.any() and {exact}:
    _wrong += 1
    print(f"the sign of zero differs in {{int(_zero.sum())}} place{{'s' if _zero.sum() != 1 else ''}}")
_sys.exit(int(_wrong > 0))
"""

_KINDS = {"int": "kind not in 'iu'", "bool": "kind != 'b'"}


def write(shown: Shown, library: str) -> str:
    """Return the script in Python, with NumPy, PyTorch or JAX."""
    imports = "import atexit as _atexit\nimport os as _os\nimport sys as _sys\nimport numpy as _numpy\n"
    if library == "torch":
        imports += "import torch as _torch\n_torch.set_num_threads(1)\n"
    check = _CHECK
    if library.startswith("jax"):
        imports += "import jax as _jax\n"
        if library == "jax-jit":
            check = check.replace("function(*inputs)", "_jax.jit(function)(*inputs)")
    dtype = {"float": shown.dtype, "complex": complex_dtype(shown.dtype).name}.get(shown.kind, shown.kind)
    kind = _KINDS.get(shown.kind, f"name != '{dtype}'")
    has_limit = not isinstance(shown.due, Bounds)
    return "".join(
        [
            head(shown),
            _prepared(shown, library),
            "\n\n\n",
            imports,
            check,
            _OF_LIBRARY[library],
            script_values.python(shown),
            f"\n\n_got = {_called(shown.call, library)}\n",
            _FIT.format(kind="kind == 'O'" if shown.form else kind, dtype=dtype, shape=shown.shape)
            if shown.form != "text"
            else _FIT.format(kind="kind not in 'iu'", dtype="text", shape=shown.shape).replace(
                "_got.shape", "_got.shape[:-1]"
            ),
            _due(shown, library),
            _END.format(nan=shown.nan, exact=shown.exact, counted=has_limit),
        ]
    )


def _due(shown: Shown, library: str) -> str:
    left = _plain(shown.left_out) if shown.left_out is not None else f"_numpy.zeros({shown.shape}, bool)"
    lines = [f"_left_out = {left}"]
    if isinstance(shown.due, Bounds):
        lines += [f"_least = {_plain(shown.due.least)}", f"_most = {_plain(shown.due.most)}"]
        return "\n".join(lines) + _PRINTED
    if shown.form == "text":
        return "\n".join([*lines, _due_texts(shown, library)]) + _TEXTS
    lines.append(f"_limit = {_plain(shown.limit)}")
    if isinstance(shown.due, OtherSide):
        lines.append(f"_due, _low = {_called(shown.due.call, library)}, 0.0")
        lines.append("if _due.shape != _got.shape:")
        lines.append('    _stop(f"the shapes are {_got.shape} and {_due.shape}")')
    else:
        lines += [f"_due = {_plain(shown.due.high)}", f"_low = {_plain(shown.due.low)}"]
    wide = "complex" if shown.kind == "complex" else "float"
    text = "\n".join(lines) + "\n" + (_MISSING if shown.form else _PLAIN)
    text += _DISTANCE.replace("_WIDE", wide)
    if shown.form in ("date", "time"):
        text += _INSTANTS.replace("_KIND", shown.form).replace("_UNIT", "D" if shown.form == "date" else "us")
    return text


def _due_texts(shown: Shown, library: str) -> str:
    """What is expected of texts: those of another stage, or as they are written here."""
    if isinstance(shown.due, OtherSide):
        called = _called(shown.due.call, library)
        return f"_due = _numpy.array(_values.texts({called}), dtype=object)"
    assert isinstance(shown.due, Due)
    words = ", ".join(quoted(shown.due.high, "None"))
    return f"_due = _numpy.array([{words}], dtype=object).reshape({shown.shape!r})"


def _called(call: Call, library: str) -> str:
    def literal(array: Array | None) -> str:
        if array is None:
            return "None"
        made = {"torch": "_torch.from_numpy", "jax": "_jax.numpy.asarray", "jax-jit": "_jax.numpy.asarray"}
        return f"{made[library]}({_plain(array)})" if library in made else _plain(array)

    inputs = "".join(f"    {literal(array)},  # {name}\n" for name, array in call.inputs)
    return f"_call({call.function!r}, [\n{inputs}], {call.output}, {call.outputs}, {list(call.names)!r})"


def _plain(array: Array) -> str:
    plain = parts(array).dtype
    kind = "float" if plain.kind == "f" else "int"
    if missing_in(array).any():
        kind = "_values.number_of"
    text = f"_numpy.array([{kind}(one) for one in {numbers(array, repr, _TRIPLE)}.split()])"
    text = f"{text}.astype({plain.name!r})"
    if plain != array.dtype:
        text += f".view({array.dtype.name!r})"
    text += f".reshape({array.shape!r})"
    return f"_numpy.asfortranarray({text})" if by_column(array) else text


def _prepared(shown: Shown, library: str) -> str:
    """Return the source, with the harness's settings inserted before its first statement, if possible."""
    source = shown.source.rstrip()
    line = "import os as _os; _os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')"
    if library.startswith("jax"):
        line += "; import jax as _jax; _jax.config.update('jax_enable_x64', True)"
        line += "; _jax.config.update('jax_platforms', 'cpu')"
    if "__name__" in source:
        line += "; __name__ = 'source'"
    if shown.files:
        line += (
            "; import sys as _sys; _here = _os.path.dirname(_os.path.abspath(__file__))"
            "; _sys.path.insert(0, _here); _os.chdir(_here)"
        )
    try:
        body = ast.parse(source).body
    except SyntaxError:
        # Compiled by itself, so that the message is that of the source, with its line.
        text = ",\n".join(map(repr, source.split("\n")))
        return f'exec(compile("\\n".join([\n{text}\n]), "source", "exec"))'
    first = next((s for s in body if not _stands_first(s)), None)
    lines = source.split("\n")
    place = first.lineno - 1 if first is not None else len(lines)
    if first is not None and getattr(first, "decorator_list", []):
        place = first.decorator_list[0].lineno - 1  # type: ignore[attr-defined]
    return "\n".join([*lines[:place], line, *lines[place:]])


def _stands_first(statement: ast.stmt) -> bool:
    """Whether a statement has to begin its file: a docstring, or an import from the future."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
