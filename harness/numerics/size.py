"""How large a difference between two arrays is, as one number."""

from __future__ import annotations

from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from harness.model import Array, Measure, Truth


def size_of(measure: Measure, actual: Array, expected: Array | Truth) -> float | None:
    """Measure a difference of numbers.

    Parameters
    ----------
    measure : {"absolute", "relative", "norm"}
        The largest ``|a - e|``, the largest ``|a - e| / |e|``, or ``‖a - e‖ / ‖e‖``: the roots of the sums of
        squares over all elements. 0/0 is 0.
    actual : ndarray
        Real numbers, integers or booleans, of any shape.
    expected : ndarray or Truth
        What they are compared with, in the same shape. Undecided elements of a truth are left out.

    Returns
    -------
    float or None
        The size in float64; infinite where ``e`` is zero and ``a`` is not. None if an element is NaN or
        infinite on one side alone, or infinities differ: no number says how large that is. Elements that are
        the same NaN or infinity on both sides are left out.

    Raises
    ------
    ValueError
        The shapes differ.
    """
    high, low, judged = _parts(expected)
    if actual.shape != high.shape:
        raise ValueError(f"shapes {actual.shape} and {high.shape} differ")
    ours, due, rest = (np.asarray(array, dtype=np.float64)[judged] for array in (actual, high, low))
    finite = np.isfinite(ours) & np.isfinite(due)
    if not np.array_equal(ours[~finite], due[~finite], equal_nan=True):
        return None
    with np.errstate(over="ignore"):
        error = np.abs((ours[finite] - due[finite]) - rest[finite])
    size = np.abs(due[finite])
    match measure:
        case "absolute":
            return float(error.max(initial=0.0))
        case "relative":
            return float(_share(error, size).max(initial=0.0))
        case "norm":
            return float(_share(*_norms(error, size)))
        case _:
            assert_never(measure)


def _parts(expected: Array | Truth) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    if not isinstance(expected, Truth):
        return expected, np.zeros(expected.shape), np.ones(expected.shape, dtype=bool)
    undecided = expected.undecided
    judged = np.ones(expected.high.shape, dtype=bool) if undecided is None else ~undecided.astype(bool)
    return expected.high, expected.low, judged


def _share(error: Any, size: Any) -> Array:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        share: Array = np.where(np.greater(error, 0), np.divide(error, size), 0.0)
    return share


def _norms(error: Any, size: Any) -> tuple[float, float]:
    """Both norms, divided by the largest number of either, so that no square overflows or vanishes."""
    largest = max(float(error.max(initial=0.0)), float(size.max(initial=0.0)))
    if largest in (0.0, np.inf):
        return largest, 0.0
    return float(np.linalg.norm(error / largest)), float(np.linalg.norm(size / largest))


def sizes_by_axis(array: Array) -> list[Array]:
    """Return, for each axis, the largest finite magnitude at each place along it.

    Parameters
    ----------
    array : ndarray
        Real or complex numbers, of any shape.

    Returns
    -------
    list of ndarray
        One for each axis, float64, in a shape that broadcasts against that of ``array``.
    """
    size = np.abs(array).astype(np.float64, copy=False)
    size[~np.isfinite(size)] = 0.0
    axes = range(array.ndim)
    return [
        size.max(axis=tuple(other for other in axes if other != axis), keepdims=True, initial=0.0)
        for axis in axes
    ]


def local_size(array: Array) -> Array:
    """Return how large the numbers around each element are: the smallest of its `sizes_by_axis`.

    Parameters
    ----------
    array : ndarray
        Real or complex numbers, of two dimensions or more.

    Returns
    -------
    ndarray
        In the shape of ``array``, float64. Of a matrix it is the largest magnitude of the row or of the
        column, whichever is smaller.
    """
    smallest = np.full(array.shape, np.inf)
    for size in sizes_by_axis(array):
        np.minimum(smallest, size, out=smallest)
    return smallest
