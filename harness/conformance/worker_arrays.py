"""Arrays as workers take and return them, where the harness has them otherwise."""

from __future__ import annotations

import numpy as np

from harness.model import ANY_DIMENSIONS, Array, Precision, Value
from harness.numerics.formats import complex_dtype, narrowed, widened
from harness.workers.protocol import BFLOAT16

MOST_WHOLE = 2.0**53
"""Up to here float64 holds every whole number."""


def as_bfloat16(array: Array) -> Array:
    """Return an array for a worker, with bfloat16, which the harness stores as float32, as such."""
    return narrowed(array).view(BFLOAT16) if array.dtype == np.float32 else array


def from_bfloat16(array: Array) -> Array:
    """Return an array of a worker, with bfloat16 as the float32 that the harness stores."""
    return widened(array.view(np.uint16)) if array.dtype == BFLOAT16 else array


def leniently(value: Value, array: Array, precision: Precision) -> Array:
    """Return integers as the floats, or whole numbers as the integers, that a lenient output declares.

    Each of them has to be exactly one; else the array stays as it is.
    """
    if value.lenient and value.dtype == "int":
        return _whole(array)
    if not value.lenient or array.dtype.kind not in "iu":
        return array
    due = np.dtype(precision.numpy_dtype) if value.dtype == "float" else complex_dtype(precision.numpy_dtype)
    floats = array.astype(due)
    exact = floats.real.astype(object) == array.astype(object)
    return floats if np.all(exact) else array


def _whole(array: Array) -> Array:
    if array.dtype.kind != "f" or not np.all(np.abs(array) <= MOST_WHOLE):
        return array
    whole = array.astype(np.int64)
    return whole if np.array_equal(whole, array) else array


def of_vectors(value: Value, array: Array, more: int | None = None) -> Array:
    """An output of a runtime without scalars, in the shape and the type that the case declares.

    ``more`` is how many dimensions ``...`` stands for.
    """
    is_scalar = not value.shape or (value.shape == (ANY_DIMENSIONS,) and more == 0)
    if is_scalar and array.shape == (1,):
        return array.reshape(())
    if not array.size and array.dtype == np.bool_ and value.dtype == "float":
        # R's results of nothing are logical: ifelse(x > 0, x, -x) of an empty x, or c().
        return array.astype(np.float64)
    return array


def of_matrices(value: Value, array: Array, more: int | None = None) -> Array:
    """An output of a runtime whose arrays have two dimensions or more, in the shape that the case declares.

    A column and a row are vectors there, and sizes of 1 at the end are not kept; nor is that an array is
    complex where all its imaginary parts are zero.
    """
    rank = len(value.shape)
    if ANY_DIMENSIONS in value.shape:
        rank = array.ndim if more is None else rank - 1 + more
    if not rank and array.size == 1:
        array = array.reshape(())
    elif rank == 1 and array.ndim == 2 and (1 in array.shape or array.shape == (0, 0)):
        array = array.reshape(array.size)
    elif rank > array.ndim:
        array = array.reshape(*array.shape, *[1] * (rank - array.ndim))
    if value.dtype == "complex" and array.dtype in (np.float32, np.float64):
        array = array.astype(complex_dtype(array.dtype.name))
    return array
