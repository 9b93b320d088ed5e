"""Which elements of a large array are computed: rows and columns drawn with a fixed seed. NumPy alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

LARGE = 1 << 16
"""Elements of one value (256 rows and columns) up to which all elements of all values are computed."""

MOST = 64
"""Number of rows, and of columns, in a sample."""

NUMBERS = 1 << 18
"""Largest number of elements of one array that is computed: 64 rows of 4096; about 4 s, and 0.5 GB."""

TERMS = 1 << 22
"""Largest number of given numbers of which the rounding of a sum is tried in many orders; 3 s, and 0.4 GB."""

LONGEST = 1 << 27
"""Largest number of given numbers of which a sum or mean is computed in float64, with the worst case of its
rounding: n u is 2^-26 then, half of the digits, to which it would be compared coarsely otherwise."""

SEED = 0

Places = tuple[npt.NDArray[np.intp] | None, ...]
"""For each axis the selected indices, in order; None selects all."""


def sample(shape: Sequence[int]) -> Places:
    """The rows and columns that are computed of an array; the same for axes of equal length."""
    return tuple(
        _drawn(length) if length > MOST and axis >= len(shape) - 2 else None
        for axis, length in enumerate(shape)
    )


def everything(shape: Sequence[int]) -> Places:
    """All elements."""
    return (None,) * len(shape)


def join(first: Places, second: Places) -> Places:
    """The union of both selections, axis by axis."""
    return tuple(
        None if a is None or b is None else np.union1d(a, b) for a, b in zip(first, second, strict=True)
    )


def pick(array: Any, computed: Places, asked: Places) -> Any:
    """The elements at places ``asked``, from an array of the elements at places ``computed``."""
    for axis, (there, wanted) in enumerate(zip(computed, asked, strict=True)):
        if wanted is not None and wanted is not there:
            at = wanted if there is None else np.searchsorted(there, wanted)
            array = array[(slice(None),) * axis + (at,)]
    return array


def count(shape: Sequence[int], places: Places) -> int:
    """The number of elements of an array that a selection has."""
    pairs = zip(shape, places, strict=True)
    return math.prod(length if drawn is None else len(drawn) for length, drawn in pairs)


def too_many(numbers: int) -> str:
    """The reason why a value that needs so many numbers has no true value."""
    return f"its true value needs {numbers:,} numbers of one array, and no more than {NUMBERS:,} are computed"


def counted(shape: Sequence[int]) -> str:
    """The sample of such an array in words."""
    names = ("rows", "columns") if len(shape) > 1 else ("elements",)
    drawn = zip(shape[-2:], sample(shape)[-2:], names, strict=True)
    return " and ".join(
        f"{len(places)} of {length} {name}" for length, places, name in drawn if places is not None
    )


def _drawn(length: int) -> npt.NDArray[np.intp]:
    return np.sort(np.random.default_rng([SEED, length]).choice(length, MOST, replace=False))
