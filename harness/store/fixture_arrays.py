"""What an array of a fixture can be: its shape, its dtype, and whether numbers fit into it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from harness.model import Array
from harness.store.arrays import MOST_DIMENSIONS
from harness.store.fixture_data import ArrayEntry
from harness.store.toml import Key, Toml

LARGEST = 1 << 27
"""Elements that an array of a fixture may have."""

_DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)


def checked_shape(toml: Toml, shape: tuple[int, ...], *place: Key) -> tuple[int, ...]:
    """A shape that a fixture's array can have."""
    if len(shape) > MOST_DIMENSIONS or any(size < 0 for size in shape):
        raise toml.refuse(f"no array has the shape {list(shape)}"[:200], *place)
    if math.prod(max(size, 1) for size in shape) > LARGEST:
        raise toml.refuse(
            f"an array of the shape {list(shape)} has too many elements"[:200],
            *place,
            advice=f"a fixture's arrays have {LARGEST:,} at most",
        )
    return shape


def fitted(toml: Toml, name: str, array: Any, declared: ArrayEntry) -> Array:
    """The array in the declared dtype, without loss, if it has the declared shape."""
    place = ("arrays", name)
    array = np.asarray(array)
    if array.size == 0 and array.shape != declared.shape and math.prod(declared.shape) == 0:
        array = array.reshape(declared.shape)  # An empty list says nothing of the other dimensions.
    if array.shape != declared.shape:
        shapes = f"{list(array.shape)}, but {list(declared.shape)} is stated"
        raise toml.refuse(f"array {name!r} comes out with the shape {shapes}", *place, "shape")
    if declared.dtype not in _DTYPES:
        known = f"there are: {', '.join(_DTYPES)}"
        raise toml.refuse(f"there is no dtype {declared.dtype!r}", *place, "dtype", advice=known)
    with np.errstate(all="ignore"):  # What is not finite, or too large, does not come back.
        cast: Array = array.astype(declared.dtype)
        restored = cast.astype(array.dtype)
    if not np.array_equal(restored, array, equal_nan=array.dtype.kind == "f"):
        raise toml.refuse(
            f"array {name!r} comes out as {array.dtype}, and {declared.dtype} cannot hold it", *place, "dtype"
        )
    return cast
