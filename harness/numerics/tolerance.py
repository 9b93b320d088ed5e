"""Absolute limits from tolerances and expected values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, assert_never

import numpy as np

from harness.model import Array, Precision, Tolerance

UNIT_ROUNDOFF = {
    Precision.FLOAT64: 2.0**-53,
    Precision.FLOAT32: 2.0**-24,
    Precision.FLOAT16: 2.0**-11,
    Precision.BFLOAT16: 2.0**-8,
}

BFLOAT16_STEP = 2.0**16
"""One step of bfloat16 in steps of float32: bfloat16 lacks its last 16 bits."""


def limit(tolerance: Tolerance, expected: Array, precision: Precision) -> float | Array:
    """Return the largest error that the rule allows.

    Parameters
    ----------
    tolerance : Tolerance
        The rule.
    expected : ndarray
        The values that others are compared with, of any real, complex, integer or boolean dtype.
    precision : Precision
        The precision of the run; an array of float32 may store bfloat16 numbers, which have fewer digits.

    Returns
    -------
    float or ndarray of float64
        One limit for all elements, or, for the ``relative`` rule, one for each, in the shape of ``expected``.

    Raises
    ------
    ValueError
        The rule is ``derived``: that limit does not follow from the expected values.
    """
    match tolerance.rule:
        case "derived":
            raise ValueError("a derived limit comes from the truth: compare_to_truth")
        case "exact":
            return 0.0
        case "absolute":
            return tolerance.value
        case "relative":
            with np.errstate(invalid="ignore"):
                return np.where(np.isfinite(expected), tolerance.value * np.abs(expected), 0.0).astype(
                    np.float64
                )
        case "ulp":
            short = precision is Precision.BFLOAT16 and expected.dtype.kind == "f"
            return tolerance.value * last_place(expected) * (BFLOAT16_STEP if short else 1.0)
        case _:
            assert_never(tolerance.rule)


def last_place(expected: Array) -> float:
    """Return the unit in the last place of the largest finite magnitude; 1 for integers and booleans."""
    if expected.dtype.kind not in "fc":
        return 1.0
    parts = expected.view(expected.real.dtype) if expected.dtype.kind == "c" else expected
    finite = np.isfinite(parts)
    if not finite.any():
        return 0.0
    # Without a copy of the array, which may be most of what memory holds.
    zero: Any = parts.dtype.type(0)
    largest = np.maximum(parts.max(initial=zero, where=finite), -parts.min(initial=zero, where=finite))
    return float(np.spacing(np.abs(largest)))


def coarse_limit(expected: Array, precision: Precision) -> float:
    """Return the coarse limit: half of the precision's digits, relative to the largest magnitude.

    Parameters
    ----------
    expected : ndarray
        The values of the reference.
    precision : Precision
        The precision of the run, with unit roundoff u.

    Returns
    -------
    float
        √u times the largest finite magnitude, of complex numbers the modulus; 0 for integers and booleans.
        A backward stable algorithm is within it up to a condition number of about 1/√u: 10^8, 4000, or 45.
    """
    return math.sqrt(UNIT_ROUNDOFF[precision]) * _largest(expected) if expected.dtype.kind in "fc" else 0.0


def rounding_floor(inputs: Iterable[Array], precision: Precision) -> float:
    """Return a bound on an output that is zero up to rounding, such as a residual.

    Parameters
    ----------
    inputs : iterable of ndarray
        The arrays that the output is computed from.
    precision : Precision
        The precision of the run, with unit roundoff u.

    Returns
    -------
    float
        u n max(M, M²), M the largest finite magnitude of the inputs and n their longest dimension: the error
        of a sum of n inputs, or of n products of two.
    """
    given = list(inputs)
    largest = max((_largest(array) for array in given), default=0.0)
    length = max((size for array in given for size in array.shape), default=1)
    return UNIT_ROUNDOFF[precision] * length * max(largest, largest * largest)


def least_quotient(inputs: Iterable[Array], precision: Precision) -> float:
    """Return how large a quotient is at least if rounding alone keeps its divisor from zero.

    Parameters
    ----------
    inputs : iterable of ndarray
        The arrays that the output is computed from.
    precision : Precision
        The precision of the run, with unit roundoff u.

    Returns
    -------
    float
        m / (M √u), m and M the smallest and largest non-zero magnitude of the inputs. Such a divisor is some
        u M, and the dividend mostly no smaller than m: half of the digits are left for what else they are.
    """
    sizes = [np.abs(array[np.isfinite(array) & (array != 0)]) for array in inputs]
    some = [size for size in sizes if size.size]
    smallest = min((float(size.min()) for size in some), default=1.0)
    largest = max((float(size.max()) for size in some), default=1.0)
    return smallest / largest / math.sqrt(UNIT_ROUNDOFF[precision])


def _largest(array: Array) -> float:
    return float(np.abs(array[np.isfinite(array)]).max(initial=0)) if array.size else 0.0
