"""Arrays in bytes as values of the kind that a Python program has."""

from __future__ import annotations

import json
import sys
from array import array
from typing import Any

from harness.programs.recorders.python_values import (
    FIRST_DAY,
    Part,
    is_a,
    loaded_numpy,
    number_of,
    unit_of,
)


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
        return texts if isinstance(own, list) else loaded_numpy().array(texts).reshape(shape)
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
    if number_of(own) is not None:
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
    numpy = loaded_numpy()
    made = numpy.array(numbers).reshape(shape)
    if is_a(own, "torch", "Tensor"):
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
    if is_a(own, "pandas", "Series") and own.size == made.size:
        before = own.to_numpy()
        filled = _times(before, made.ravel()) if before.dtype.kind in "mM" else made.ravel()
        return sys.modules["pandas"].Series(filled, index=own.index, name=own.name)
    return made


def _times(own: Any, made: Any) -> Any:
    """Numbers as what the program counts in them; its own where these are not as many."""
    numpy = loaded_numpy()
    if own.size != made.size:
        return own
    nanoseconds = made.reshape(own.shape) * unit_of(own) * 1e9
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
    return own if hasattr(own, "hour") else datetime.date.fromordinal(int(number) + FIRST_DAY)


def _nested(numbers: list[Any], shape: tuple[int, ...]) -> Any:
    if not shape:
        return numbers[0]
    if len(shape) == 1:
        return numbers
    size = len(numbers) // max(1, shape[0])
    return [_nested(numbers[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0])]
