"""Values of a Python program as arrays in bytes, part by part."""

from __future__ import annotations

import contextlib
import json
import struct
import sys
from array import array
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

MOST_BYTES = 16 << 20
_MOST_PARTS = 64
_MOST_DEPTH = 3
_MOST_NAMED = 16
_MOST_COUNTED = 1 << 16
_OWN_METHODS = frozenset({list, dict, tuple, str, int, float, bool, complex, range, slice, type(None)})
_HOLDING_NOTHING = (
    list, dict, tuple, str, bytes, type, ModuleType, FunctionType, BuiltinFunctionType, MethodType,
)  # fmt: skip
_WRITTEN = frozenset({"builtins", "numpy", "datetime", "decimal", "fractions", "pandas"})
"""Modules of keys that are written without the program's own code."""
_DAY = 86400.0
"""Seconds."""
FIRST_DAY = 719163
"""The first of January 1970, counted as `datetime.date` does."""


class Part(NamedTuple):
    """One array of a value: where in the value it is, its type, its shape and its bytes in C order.

    ``labels`` is what its axes are labelled with, as JSON; empty where they are only counted.
    """

    path: str
    type: str
    shape: tuple[int, ...]
    data: bytes
    labels: str = ""


def parts_of(value: Any, modules: frozenset[str] = frozenset()) -> list[Part]:
    """The arrays that a value holds; none for what is no data.

    Parameters
    ----------
    value : object
        Any value of the program.
    modules : frozenset of str
        Modules whose objects are looked into: the program's own.
    """
    parts: list[Part] = []
    # Whatever a value does when it is looked at, its program goes on as if it had not been.
    with contextlib.suppress(Exception):
        for part in _parts(value, "", 0, modules):
            if len(part.data) <= MOST_BYTES:
                parts.append(part)
            if len(parts) >= _MOST_PARTS:
                break
        if parts and (labels := _labels(value)):
            parts[0] = parts[0]._replace(labels=labels)
    return parts


def hands_on(value: Any) -> bool:
    """Whether a value without arrays of its own holds what it was made of: groups, a model, a spline."""
    return value is not None and not issubclass(type(value), _HOLDING_NOTHING)


def _labels(value: Any) -> str:
    """The labels of the rows of a table or of a series, where they are texts or numbers of its own."""
    if not (is_a(value, "pandas", "DataFrame") or is_a(value, "pandas", "Series")):
        return ""
    index = value.index
    if is_a(index, "pandas", "RangeIndex") or len(index) > _MOST_PARTS:
        return ""
    items = index.tolist()
    return json.dumps([items, None]) if {type(item) for item in items} in ({str}, {int}, {float}) else ""


def _parts(value: Any, path: str, depth: int, modules: frozenset[str]) -> Iterator[Part]:
    value = _plain(value)
    one = _one(value, path)
    if one is not None:
        yield one
        return
    if depth >= _MOST_DEPTH or value is None:
        return
    kind = type(value)
    if kind is list and (columns := _records(value)) is not None:
        items = columns
    elif issubclass(kind, dict):
        if len(value) > 1 and all(_is_number(item) for item in value.values()):
            # Of numbers by name: they are a vector as well.
            whole = _sequence([item if type(item) is int else float(item) for item in value.values()], path)
            if whole is not None:
                yield whole
                if len(value) > _MOST_NAMED:
                    return
        items = [(f"[{_key(key, at)}]", item) for at, (key, item) in enumerate(value.items())]
    elif issubclass(kind, tuple) and hasattr(value, "_fields"):
        items = [(f".{name}", item) for name, item in zip(value._fields, value, strict=False)]
    elif kind is list or kind is tuple:
        items = [(f"[{number}]", item) for number, item in enumerate(value)]
    elif kind is slice:
        items = [(f".{name}", getattr(value, name)) for name in ("start", "stop", "step")]
    elif (table := _columns(value)) is not None:
        items = table
    elif kind.__module__ in modules:
        # Past what the class itself does when it is asked for an attribute.
        items = [(f".{name}", item) for name, item in object.__getattribute__(value, "__dict__").items()]
    else:
        return
    for step, item in items[:_MOST_PARTS]:
        yield from _parts(item, path + step, depth + 1, modules)


def _records(value: list[Any]) -> list[tuple[str, Any]] | None:
    """A list of dictionaries with the same keys is a table."""
    if len(value) < 2 or not all(issubclass(type(item), dict) for item in value):
        return None
    rows = [_plain(item) for item in value]
    keys = list(rows[0])
    if any(list(row) != keys for row in rows[1:]):
        return None
    return [(f"[{_key(key, at)}]", [row[key] for row in rows]) for at, key in enumerate(keys)]


def _plain(value: Any) -> Any:
    """What the program's own kind of list, dictionary or tuple holds, without its methods."""
    kind = type(value)
    if kind in _OWN_METHODS:
        return value
    if issubclass(kind, list):
        return list(list.__iter__(value))
    if issubclass(kind, dict):
        return dict(dict.items(value)) if kind.__module__ != "collections" else value
    if issubclass(kind, tuple) and not hasattr(kind, "_fields"):
        return tuple(tuple.__iter__(value))
    return value


def _key(key: Any, at: int) -> str:
    """A key as it is written; its number, where only the program's own code says how."""
    kinds = {type(item) for item in key} if type(key) is tuple else {type(key)}
    own = any(kind.__module__ not in _WRITTEN for kind in kinds)
    return str(at) if own else repr(key)


def _is_number(value: Any) -> bool:
    return (
        issubclass(type(value), (int, float))
        or is_a(value, "numpy", "floating")
        or is_a(value, "numpy", "integer")
    )


def is_a(value: Any, module: str, name: str) -> bool:
    """Whether a value is of a class of a library, which need not be loaded."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and issubclass(type(value), kind)


def _columns(value: Any) -> list[tuple[str, Any]] | None:
    """What a table has by name: its columns; of a row whose columns are of several types, its cells."""
    if is_a(value, "numpy", "ndarray") or is_a(value, "numpy", "void"):
        return [(f"[{name!r}]", value[name]) for name in value.dtype.names or ()]
    if is_a(value, "pandas", "Series"):
        return [(f"[{name!r}]", item) for name, item in value.head(_MOST_PARTS).items()]
    if not is_a(value, "pandas", "DataFrame"):
        return None
    return [(f"[{name!r}]", value[name].to_numpy()) for name in value.columns]


def _one(value: Any, path: str) -> Part | None:
    """One array, where the value is one: a number, a text, an array, or a list of such of one shape."""
    kind = type(value)
    if kind is float:
        return Part(path, "f8", (), struct.pack("<d", value))
    if kind is bool:
        return Part(path, "b1", (), bytes([value]))
    if kind is int:
        if -(1 << 63) <= value < 1 << 63:
            return Part(path, "i8", (), struct.pack("<q", value))
        return Part(path, "f8", (), struct.pack("<d", float(value))) if abs(value) < 10**300 else None
    if kind is complex:
        return Part(path, "c16", (), struct.pack("<dd", value.real, value.imag))
    if kind is str:
        return Part(path, "s", (), json.dumps([value]).encode())
    if kind is range and len(value) < _MOST_COUNTED:
        value, kind = list(value), list
    if issubclass(kind, (list, tuple)) and not hasattr(kind, "_fields"):
        value = _plain(value)
        return _sequence(value, path) if value else None
    number = number_of(value)
    if number is not None:
        return Part(path, "f8", (), struct.pack("<d", number))
    return _array(value, path)


def number_of(value: Any) -> float | None:
    """Exact numbers as floats, days as those since 1970, times and spans in seconds."""
    if is_a(value, "decimal", "Decimal") or is_a(value, "fractions", "Fraction"):
        try:
            return float(value)
        except (OverflowError, ValueError):
            return None
    if is_a(value, "datetime", "timedelta"):
        return float(value.total_seconds())
    if is_a(value, "datetime", "date") and value == value:
        days = value.toordinal() - FIRST_DAY
        if not hasattr(value, "hour"):
            return float(days)
        offset = value.utcoffset()
        seconds = value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
        seconds -= offset.total_seconds() if offset is not None else 0
        return float(days) if not seconds else days * _DAY + seconds
    return None


def _array(value: Any, path: str) -> Part | None:
    numpy = sys.modules.get("numpy")
    if is_a(value, "torch", "Tensor"):
        with sys.modules["torch"].no_grad():
            dense = value.detach().cpu()
            if not dense.is_sparse:
                value = (
                    (dense.float() if str(dense.dtype) == "torch.bfloat16" else dense).resolve_conj().numpy()
                )
    if is_a(value, "pandas", "Series") or is_a(value, "pandas", "Index"):
        value = value.to_numpy()
    if numpy is None or not issubclass(type(value), (numpy.ndarray, numpy.generic)):
        return None
    if issubclass(type(value), numpy.ma.MaskedArray):
        value = value.astype(float).filled(numpy.nan)
    value = numpy.asarray(value)
    shape = tuple(int(size) for size in value.shape)
    if value.dtype.kind in "mM":
        return Part(path, "f8", shape, (_seconds(value) / unit_of(value)).tobytes())
    if value.dtype.kind in "UO":
        items = value.ravel().tolist()
        if items and all(issubclass(type(item), str) for item in items):
            return Part(path, "s", shape, json.dumps(items).encode())
        if items and all(issubclass(type(item), (int, float)) for item in items):
            return Part(path, "f8", shape, array("d", map(float, items)).tobytes())
        exact = [number for item in items if (number := number_of(item)) is not None]
        if items and len(exact) == len(items):
            return Part(path, "f8", shape, array("d", exact).tobytes())
        return None
    name = {"f": "f8", "c": "c16", "b": "b1", "i": "i8", "u": "i8"}.get(value.dtype.kind)
    if name is None:
        return None
    if name == "f8" and value.dtype.itemsize <= 4:
        name = "f4"
    # What is too large for a float warns nobody, as it does not when it is not recorded.
    with numpy.errstate(all="ignore") if value.dtype.itemsize > 8 else contextlib.nullcontext():
        return Part(path, name, shape, value.astype(name, order="C").tobytes())


def _seconds(times: Any) -> Any:
    """Times and spans of NumPy in seconds, those since 1970; what is missing is no number."""
    numpy = loaded_numpy()
    whole = times.astype(f"{times.dtype.kind}8[ns]").astype("i8")
    return numpy.where(numpy.isnat(times), numpy.nan, whole / 1e9)


def unit_of(times: Any) -> float:
    """A day, as R and Julia count, or a second where days are not whole."""
    seconds = _seconds(times)
    return 1.0 if (seconds[seconds == seconds] % _DAY).any() else _DAY


def _sequence(value: Any, path: str) -> Part | None:
    kinds = {type(item) for item in value}
    if kinds <= {int, float, bool} and len(value) * 8 <= MOST_BYTES:
        shape = (len(value),)
        if kinds == {bool}:
            return Part(path, "b1", shape, bytes(value))
        try:
            if kinds <= {int, bool}:
                return Part(path, "i8", shape, array("q", value).tobytes())
            return Part(path, "f8", shape, array("d", value).tobytes())
        except OverflowError:
            return None
    if kinds == {str}:
        return Part(path, "s", (len(value),), json.dumps(list(value)).encode())
    if len(value) * 8 > MOST_BYTES:
        return None
    parts: list[Part] = []
    for item in value:
        part = _one(item, "")
        if part is None or (parts and (part.shape != parts[0].shape)):
            return None
        parts.append(part)
    types = {part.type for part in parts}
    if "s" in types or len(types) > 1:
        if types <= {"i8", "f8"} and all(part.shape == () for part in parts):
            # Days, spans and fractions among whole numbers have no float of their own.
            codes = (("q" if part.type == "i8" else "d", part.data) for part in parts)
            numbers = array("d", [struct.unpack(f"<{code}", data)[0] for code, data in codes])
            return Part(path, "f8", (len(parts),), numbers.tobytes())
        return None
    return Part(path, parts[0].type, (len(parts), *parts[0].shape), b"".join(part.data for part in parts))


def loaded_numpy() -> Any:
    """NumPy, which a program with arrays has loaded."""
    import numpy

    return numpy
