"""Powers of arrays that carry their rounding errors, for any base, 0 included, and any exponent."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from harness.oracle.function_errors import LARGEST, limit_of
from harness.oracle.propagate import propagated
from harness.oracle.rounding import Rounded

Array = npt.NDArray[Any]

MOST_FACTORS = 1024
"""Largest integer exponent whose power may be computed as a product."""


def power(x: Rounded, y: Rounded) -> Rounded:
    """``x ** y``, by the function or, where y is an integer, by multiplication in any order.

    Parameters
    ----------
    x, y : Rounded

    Returns
    -------
    Rounded
    """
    if y.ndim == 0 and y.value == 2.0 and y.worst == 0:
        square: Any = np.square(cast(Any, x))
        return cast(Rounded, square)
    value = np.asarray(x.value**y.value)
    logarithm = np.where(x.value > 0, np.log(np.abs(x.value)), 0.0)
    slopes = (y.value * x.value ** (y.value - 1.0), value * logarithm)

    def bound(off: Array, off_y: Array) -> Array:
        return _bound(np.abs(x.value), y.value, np.abs(value), off, off_y)

    away = np.abs(x.value) > x.worst
    return propagated(
        value, (x, y), slopes, bound, _library_error(x, y, value), overflows=np.isinf(value) & away
    )


def _bound(x: Array, y: Array, value: Array, off: Array, off_y: Array) -> Array:
    """A bound on the error of a power of magnitudes: the smallest of several bounds."""
    # Away from 0: the relative error, by the error of the logarithm.
    log_off = np.where(off < x, -np.log1p(-off / x), np.inf)
    grown = _times(np.abs(y), log_off) + _times(off_y, np.abs(np.log(x)) + log_off)
    bounds = [np.where(x > 0, value * np.expm1(grown), np.inf)]
    top = x + off
    steady = (off_y == 0) & (y > 0)
    # By the mean value; below 1, since the power of a sum is at most the sum of the powers.
    bounds.append(np.where(steady & (y >= 1), y * off * top ** np.maximum(y - 1.0, 0.0), np.inf))
    bounds.append(np.where(steady & (y < 1), off ** np.clip(y, 0.0, 1.0), np.inf))
    # The power is between 0 and the largest power; no better bound holds if both numbers are small.
    largest = np.maximum(top ** (y - off_y), top ** (y + off_y))
    bounds.append(np.where(y - off_y > 0, largest, np.inf))
    bounds.append(np.where((y == 0) & (off_y == 0), 0.0, np.inf))
    smallest: Array = np.fmin.reduce(np.broadcast_arrays(*bounds))
    return smallest


def _times(a: Array, b: Array) -> Array:
    """A product in which 0 times infinity is 0."""
    return np.where((a == 0) | (b == 0), 0.0, a * b)


def _library_error(x: Rounded, y: Rounded, value: Array) -> Array:
    whole = (y.value == np.round(y.value)) & (y.worst == 0) & (np.abs(y.value) <= MOST_FACTORS)
    n = np.where(whole, np.abs(y.value), 0.0)
    # n - 1 products, of half a unit each, and a reciprocal.
    units = np.maximum(limit_of("power", x.unit), (n - 1.0 + (y.value < 0)) / 2.0)
    # The reciprocal of a subnormal power has up to two bits less.
    units = units + 2.5 * ((n > 0) & (y.value < 0) & (np.abs(value) > LARGEST[x.unit] / 16.0))
    if y.plain is not None and x.plain is not None and not x.ndim and x.value > 0 and not whole.all():
        # Of constants: exp(y log x), whose exponent has a logarithm, a quotient and a product.
        units = units + np.abs(y.value * np.log(x.value)) * (limit_of("log", x.unit) + 1.5) + 0.5
    error = units * (2.0 * x.unit * np.abs(value) + x.tiny)
    # The reciprocal of a power that overflows is 0.
    lost = np.where((n > 0) & (y.value < 0) & (np.abs(value) < x.tiny / x.unit), np.abs(value), 0.0)
    # Zero to a positive power is 0 (C99, F.9.4.4).
    zero = (x.value == 0) & (x.worst == 0) & (y.value > 0) & (y.worst == 0)
    return np.where(np.isfinite(value) & ~zero, error + lost, 0.0)
