"""Which number formats can be compared, and how each is laid out in memory."""

from __future__ import annotations

import functools
from enum import Enum
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from harness.errors import CompareError

BFLOAT16 = "bfloat16"


class Family(Enum):
    """Families of formats, by how a difference and a distance in ULP are computed."""

    REAL = "real"
    COMPLEX = "complex"
    INTEGER = "integer"


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One number format: ``storage`` is how NumPy reads it, ``part`` one real part, ``bits`` its pattern."""

    name: str
    family: Family
    storage: np.dtype[Any]
    part: np.dtype[Any]
    bits: np.dtype[Any]


_PATTERNS: dict[int, np.dtype[Any]] = {2: np.dtype("i2"), 4: np.dtype("i4"), 8: np.dtype("i8")}


@functools.cache
def format_of(dtype: np.dtype[Any], stated: str | None) -> Format:
    """The format of an array of ``dtype``, whose 16-bit patterns are ``stated`` to be bfloat16, or not."""
    native = dtype.newbyteorder("=")
    if stated is not None:
        if stated != BFLOAT16 or native != np.uint16:
            raise CompareError(
                f"dtype={stated!r} cannot be stated of an array of {dtype}",
                advice='only arrays of uint16 can be stated to be something else, namely "bfloat16"',
            )
        return _bfloat16()
    if dtype.name == BFLOAT16 and dtype.itemsize == 2:
        return _bfloat16()
    if dtype.kind == "f" and dtype.itemsize <= 8:
        return Format(
            name=native.name, family=Family.REAL, storage=native, part=native, bits=_PATTERNS[dtype.itemsize]
        )
    if dtype.kind == "c" and dtype.itemsize <= 16:
        part = np.dtype(f"f{dtype.itemsize // 2}")
        return Format(
            name=native.name,
            family=Family.COMPLEX,
            storage=native,
            part=part,
            bits=_PATTERNS[part.itemsize],
        )
    if dtype.kind in "iub":
        storage = np.dtype(np.uint8) if dtype.kind == "b" else native
        return Format(
            name=native.name,
            family=Family.INTEGER,
            storage=storage,
            part=storage,
            bits=np.dtype(f"u{dtype.itemsize}"),
        )
    raise CompareError(
        f"arrays of dtype {dtype} cannot be compared",
        advice="convert both to one of: bool, int8..int64, uint8..uint64, float16, bfloat16, float32, "
        "float64, complex64, complex128 (ragged lists and Python objects are no arrays of numbers)",
    )


def _bfloat16() -> Format:
    return Format(
        name=BFLOAT16,
        family=Family.REAL,
        storage=np.dtype(np.uint16),
        part=np.dtype(np.float32),
        bits=np.dtype(np.int16),
    )


def nearest_bfloat16(values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The nearest bfloat16 of each number, ties to even, stored as float32; NaN stays NaN."""
    with np.errstate(over="ignore"):
        single = np.asarray(values, dtype=np.float32)
    bits = np.ascontiguousarray(single).reshape(single.shape).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    kept = (rounded & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isfinite(single), kept, single)


def narrowed(values: npt.NDArray[Any]) -> npt.NDArray[np.uint16]:
    """The bit patterns of bfloat16 values that are stored as float32; NaN stays NaN."""
    bits = np.ascontiguousarray(values, dtype=np.float32).reshape(values.shape).view(np.uint32)
    patterns = (bits >> np.uint32(16)).astype(np.uint16)
    return np.where(np.isnan(values), patterns | np.uint16(0x40), patterns).astype(np.uint16)


def complex_dtype(precision: str) -> np.dtype[Any]:
    """The complex dtype whose parts have a precision; complex64 for float16, which has no complex dtype."""
    return np.result_type(np.dtype(precision), np.complex64)


def widened(stored: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The float32 values of bfloat16 patterns, without rounding."""
    return (stored.astype(np.uint32) << np.uint32(16)).view(np.float32)


def spacing(sizes: Any) -> Any:
    """The unit in the last place of each magnitude; of the largest finite one too, unlike NumPy."""
    sizes = np.asarray(sizes)
    largest = np.finfo(sizes.dtype).max
    return np.spacing(np.where(sizes == largest, np.nextafter(largest, sizes.dtype.type(0)), sizes))
