"""Missing elements: told apart from NaN, as R does."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

NA_BITS = 0x7FF00000000007A2
"""R's missing number, a NaN whose lower half is 1954 (R, src/main/arithmetic.c)."""

NO_INTEGER = -(2**63)
"""A missing integer, date or time: NumPy's NaT."""

NO_TEXT = 0x10FFFF
"""The code point, which is no character, of a missing text."""

_LOWER = 0xFFFFFFFF


def is_missing(array: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which elements are missing.

    Parameters
    ----------
    array : ndarray
        Of float64: NaN that is merely that is not missing. Of integers and text: as this module has them.
        Nothing else has missing elements.
    """
    if array.dtype.kind == "U":
        return np.asarray(array == chr(NO_TEXT))
    if array.dtype == np.int64:
        return np.asarray(array == NO_INTEGER)
    if array.dtype != np.float64:
        return np.zeros(array.shape, dtype=bool)
    bits = np.ascontiguousarray(array).view(np.uint64).reshape(array.shape)
    return np.asarray(np.isnan(array) & ((bits & np.uint64(_LOWER)) == np.uint64(NA_BITS & _LOWER)))


def without_missing(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array with zeros, or empty texts, where an element is missing."""
    gone = is_missing(array)
    return np.where(gone, np.zeros((), dtype=array.dtype), array) if gone.any() else array
