"""Values of a Python program as arrays in bytes, part by part, and back."""

from __future__ import annotations

import json
import struct
import sys
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

MOST_BYTES = 16 << 20
_MOST_PARTS = 64
_MOST_DEPTH = 3
_MOST_NAMED = 16
_MOST_COUNTED = 1 << 16
_DAY = 86400.0
"""Seconds."""
_FIRST_DAY = 719163
"""The first of January 1970, counted as `datetime.date` does."""


class Part(NamedTuple):
    """One array of a value: where in the value it is, its type, its shape and its bytes in C order."""

    path: str
    type: str
    shape: tuple[int, ...]
    data: bytes


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
    for part in _parts(value, "", 0, modules):
        if len(part.data) <= MOST_BYTES:
            parts.append(part)
        if len(parts) >= _MOST_PARTS:
            break
    return parts


def _parts(value: Any, path: str, depth: int, modules: frozenset[str]) -> Iterator[Part]:
    one = _one(value, path)
    if one is not None:
        yield one
        return
    if depth >= _MOST_DEPTH or value is None:
        return
    if isinstance(value, list) and (columns := _records(value)) is not None:
        items = columns
    elif isinstance(value, dict):
        if len(value) > 1 and all(_is_number(item) for item in value.values()):
            # Of numbers by name: they are a vector as well.
            whole = _sequence([item if type(item) is int else float(item) for item in value.values()], path)
            if whole is not None:
                yield whole
                if len(value) > _MOST_NAMED:
                    return
        items = [(f"[{key!r}]", item) for key, item in value.items()]
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        items = [(f".{name}", item) for name, item in zip(value._fields, value, strict=False)]
    elif isinstance(value, (list, tuple)):
        items = [(f"[{number}]", item) for number, item in enumerate(value)]
    elif isinstance(value, slice):
        items = [(f".{name}", getattr(value, name)) for name in ("start", "stop", "step")]
    elif (table := _columns(value)) is not None:
        items = table
    elif type(value).__module__ in modules and hasattr(value, "__dict__"):
        items = [(f".{name}", item) for name, item in vars(value).items()]
    else:
        return
    for step, item in items[:_MOST_PARTS]:
        yield from _parts(item, path + step, depth + 1, modules)


def _records(value: list[Any]) -> list[tuple[str, Any]] | None:
    """A list of dictionaries with the same keys is a table."""
    if len(value) < 2 or not all(isinstance(item, dict) for item in value):
        return None
    keys = list(value[0])
    if any(list(item) != keys for item in value[1:]):
        return None
    return [(f"[{key!r}]", [item[key] for item in value]) for key in keys]


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, (int, float))
        or _is_a(value, "numpy", "floating")
        or _is_a(value, "numpy", "integer")
    )


def _is_a(value: Any, module: str, name: str) -> bool:
    """Whether a value is of a class of a library, which need not be loaded."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(value, kind)


def _columns(value: Any) -> list[tuple[str, Any]] | None:
    """What a table has by name: its columns; of a row whose columns are of several types, its cells."""
    if _is_a(value, "numpy", "ndarray") or _is_a(value, "numpy", "void"):
        return [(f"[{name!r}]", value[name]) for name in value.dtype.names or ()]
    if _is_a(value, "pandas", "Series"):
        return [(f"[{name!r}]", item) for name, item in value.head(_MOST_PARTS).items()]
    if not _is_a(value, "pandas", "DataFrame"):
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
        value = list(value)
    if isinstance(value, (list, tuple)) and value and not hasattr(value, "_fields"):
        return _sequence(value, path)
    number = _number_of(value)
    if number is not None:
        return Part(path, "f8", (), struct.pack("<d", number))
    return _array(value, path)


def _number_of(value: Any) -> float | None:
    """Exact numbers as floats, days as those since 1970, times and spans in seconds."""
    if _is_a(value, "decimal", "Decimal") or _is_a(value, "fractions", "Fraction"):
        try:
            return float(value)
        except (OverflowError, ValueError):
            return None
    if _is_a(value, "datetime", "timedelta"):
        return float(value.total_seconds())
    if _is_a(value, "datetime", "date") and value == value:
        days = value.toordinal() - _FIRST_DAY
        if not hasattr(value, "hour"):
            return float(days)
        offset = value.utcoffset()
        seconds = value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
        seconds -= offset.total_seconds() if offset is not None else 0
        return float(days) if not seconds else days * _DAY + seconds
    return None


def _array(value: Any, path: str) -> Part | None:
    numpy = sys.modules.get("numpy")
    if _is_a(value, "torch", "Tensor"):
        with sys.modules["torch"].no_grad():
            dense = value.detach().cpu()
            if not dense.is_sparse:
                value = (
                    (dense.float() if str(dense.dtype) == "torch.bfloat16" else dense).resolve_conj().numpy()
                )
    if _is_a(value, "pandas", "Series") or _is_a(value, "pandas", "Index"):
        value = value.to_numpy()
    if numpy is None or not isinstance(value, (numpy.ndarray, numpy.generic)):
        return None
    if isinstance(value, numpy.ma.MaskedArray):
        value = value.astype(float).filled(numpy.nan)
    value = numpy.asarray(value)
    shape = tuple(int(size) for size in value.shape)
    if value.dtype.kind in "mM":
        return Part(path, "f8", shape, (_seconds(value) / _unit(value)).tobytes())
    if value.dtype.kind in "UO":
        items = value.ravel().tolist()
        if items and all(isinstance(item, str) for item in items):
            return Part(path, "s", shape, json.dumps(items).encode())
        if items and all(isinstance(item, (int, float)) for item in items):
            return Part(path, "f8", shape, array("d", map(float, items)).tobytes())
        exact = [number for item in items if (number := _number_of(item)) is not None]
        if items and len(exact) == len(items):
            return Part(path, "f8", shape, array("d", exact).tobytes())
        return None
    name = {"f": "f8", "c": "c16", "b": "b1", "i": "i8", "u": "i8"}.get(value.dtype.kind)
    if name is None:
        return None
    if name == "f8" and value.dtype.itemsize <= 4:
        name = "f4"
    return Part(path, name, shape, value.astype(name, order="C").tobytes())


def _seconds(times: Any) -> Any:
    """Times and spans of NumPy in seconds, those since 1970; what is missing is no number."""
    numpy = _numpy()
    whole = times.astype(f"{times.dtype.kind}8[ns]").astype("i8")
    return numpy.where(numpy.isnat(times), numpy.nan, whole / 1e9)


def _unit(times: Any) -> float:
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
            return Part(path, "f8", (len(parts),), array("d", map(float, value)).tobytes())
        return None
    return Part(path, parts[0].type, (len(parts), *parts[0].shape), b"".join(part.data for part in parts))


def restored(own: Any, part: Part) -> Any:
    """A value of the same kind as the program's own, filled with what another program had there.

    Parameters
    ----------
    own : object
        The program's own value, which says what kind is due.
    part : Part
        The other's.
    """
    shape = part.shape
    numbers: list[Any]
    if part.type == "s":
        texts = json.loads(part.data)
        if isinstance(own, str):
            return texts[0]
        return texts if isinstance(own, list) else _numpy().array(texts).reshape(shape)
    code = {"f8": "d", "f4": "f", "i8": "q", "b1": "B"}.get(part.type)
    if code is None:
        pairs = array("d", part.data)
        numbers = [complex(pairs[k], pairs[k + 1]) for k in range(0, len(pairs), 2)]
    else:
        numbers = list(array(code, part.data))
    single = len(numbers) == 1
    if isinstance(own, bool) and single:
        return bool(numbers[0])
    if isinstance(own, int) and single:
        return int(numbers[0]) if float(numbers[0]).is_integer() else numbers[0]
    if isinstance(own, (float, complex)) and single:
        return type(own)(numbers[0])
    if _number_of(own) is not None:
        return _like(own, numbers[0]) if single else own
    if isinstance(own, dict) and len(own) == len(numbers):
        return type(own)(zip(own, numbers, strict=True))
    if isinstance(own, (list, tuple)) and (not own or not hasattr(own[0], "shape")):
        nested = _nested(numbers, shape)
        if (
            own
            and isinstance(own[0], int)
            and len(shape) == 1
            and all(float(n).is_integer() for n in numbers)
        ):
            nested = [int(number) for number in numbers]
        return type(own)(nested) if isinstance(nested, list) else nested
    numpy = _numpy()
    made = numpy.array(numbers).reshape(shape)
    if _is_a(own, "torch", "Tensor"):
        torch = sys.modules["torch"]
        return torch.tensor(made, dtype=own.dtype).reshape(shape if own.numel() != made.size else own.shape)
    if isinstance(own, (numpy.ndarray, numpy.generic)):
        whole = numpy.all(made == numpy.floor(made.real)) if made.dtype.kind == "f" else True
        if own.dtype.kind in "mM":
            return _times(own, made)
        dtype = own.dtype if own.dtype.kind != "i" or whole else made.dtype
        made = made.astype(dtype)
        same_size = isinstance(own, numpy.ndarray) and own.size == made.size
        return made.reshape(own.shape) if same_size else (made[()] if made.ndim == 0 else made)
    if isinstance(own, (list, tuple)):
        return type(own)(made[k] for k in range(len(made)))
    if _is_a(own, "pandas", "Series") and own.size == made.size:
        before = own.to_numpy()
        filled = _times(before, made.ravel()) if before.dtype.kind in "mM" else made.ravel()
        return sys.modules["pandas"].Series(filled, index=own.index, name=own.name)
    return made


def _times(own: Any, made: Any) -> Any:
    """Numbers as what the program counts in them; its own where these are not as many."""
    numpy = _numpy()
    if own.size != made.size:
        return own
    nanoseconds = made.reshape(own.shape) * _unit(own) * 1e9
    filled = numpy.round(numpy.nan_to_num(nanoseconds)).astype("i8").astype(f"{own.dtype.kind}8[ns]")
    return numpy.where(numpy.isnan(nanoseconds), numpy.array("NaT", own.dtype), filled.astype(own.dtype))


def _like(own: Any, number: float) -> Any:
    """A number as what the program has it as."""
    import datetime

    if isinstance(own, datetime.timedelta):
        return datetime.timedelta(seconds=number)
    if not isinstance(own, datetime.date):
        return type(own)(number)
    # Of a time, what it is counted in would have to be known.
    return own if hasattr(own, "hour") else datetime.date.fromordinal(int(number) + _FIRST_DAY)


def _numpy() -> Any:
    import numpy

    return numpy


def _nested(numbers: list[Any], shape: tuple[int, ...]) -> Any:
    if not shape:
        return numbers[0]
    if len(shape) == 1:
        return numbers
    size = len(numbers) // max(1, shape[0])
    return [_nested(numbers[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0])]
