"""How one real number is read, for Numba: its value and its bit pattern, in every float format."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import overload

from harness.numerics.formats import BFLOAT16, Format

F = TypeVar("F", bound=Callable[..., Any])

FLOAT16 = "float16"

INFINITY = np.int64(0x7FF0000000000000)
"""The bit pattern of an infinite float64; patterns above it are NaN."""


def compiled(function: F) -> F:
    """Compiled where it is called from compiled code; infinities and NaN are numbers, not exceptions."""
    made: F = numba.njit(nogil=True, error_model="numpy")(function)
    return made


@functools.cache
def carrier(form: Format) -> np.dtype[Any]:
    """How Numba sees an array of a format: what it has no type for is a record of one pattern, by name."""
    if form.name in (FLOAT16, BFLOAT16):
        return np.dtype([(form.name, np.uint16)])
    return form.storage


@compiled
def bits_of(number):
    """The bit pattern of a float64."""
    return np.float64(number).view(np.int64)


@compiled
def number_of(bits):
    """The float64 of a bit pattern."""
    return np.int64(bits).view(np.float64)


def pattern(number):
    """The bit pattern as an integer with the number's sign; below, for each format."""
    raise NotImplementedError


def magnitude(number):
    """The bit pattern without its sign; below, for each format."""
    raise NotImplementedError


def value(number):
    """The number in float64; below, for each format."""
    raise NotImplementedError


def _pattern_of(number):
    if isinstance(number, types.Record):
        stored = _stored(number)
        return lambda number: np.int64(np.int16(stored(number)))
    if number == types.float64:
        return lambda number: np.float64(number).view(np.int64)
    return lambda number: np.int64(np.float32(number).view(np.int32))


def _magnitude_of(number):
    if isinstance(number, types.Record):
        stored = _stored(number)
        return lambda number: np.int64(stored(number) & np.uint16(0x7FFF))
    return lambda number: pattern(abs(number))


def _value_of(number):
    if not isinstance(number, types.Record):
        return lambda number: np.float64(number)
    return _float16_value if FLOAT16 in number.fields else _bfloat16_value


def _stored(number):
    return _float16_stored if FLOAT16 in number.fields else _bfloat16_stored


@compiled
def _float16_stored(number):
    return number[FLOAT16]


@compiled
def _bfloat16_stored(number):
    return number[BFLOAT16]


def _float16_value(number):
    size = magnitude(number)
    # The fraction's 10 bits come to stand first of 52, and the exponent's bias of 15 becomes 1023.
    wide = (size << 42) + (1008 << 52)
    # The largest exponent stands for NaN and infinity, the smallest for multiples of 2**-24.
    wide = wide if size < 0x7C00 else (size << 42) | INFINITY
    real = number_of(wide) if size >= 0x400 else size * 2.0**-24
    return real if pattern(number) >= 0 else -real


def _bfloat16_value(number):
    return np.float64(np.uint32(_bfloat16_stored(number) << 16).view(np.float32))


overload(pattern)(_pattern_of)
overload(magnitude)(_magnitude_of)
overload(value)(_value_of)
