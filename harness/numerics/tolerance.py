"""Absolute limits from tolerances and expected values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, assert_never

import numpy as np

from harness.model import Array, Precision, Tolerance
from harness.numerics.formats import spacing

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
        One limit for all elements, or, for rules that work element by element, one for each, in the shape of
        ``expected``; of complex numbers it is one of the modulus.

    Raises
    ------
    ValueError
        The rule is ``derived``, or ``norm`` of another value: that limit does not follow from the expected
        values.

    Notes
    -----
    ``digits``: a number is correct to p significant digits if it is within half a unit in the p-th
    significant digit of what is expected (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed.,
    section 1.2).
    """
    match tolerance.rule:
        case "derived":
            raise ValueError("a derived limit comes from the truth: compare_to_truth")
        case "exact":
            return 0.0
        case "absolute":
            return tolerance.value
        case "relative":
            return _share(tolerance.value, expected)
        case "allclose":
            return _share(tolerance.rtol, expected, tolerance.atol)
        case "norm":
            if tolerance.of:
                raise ValueError(f"the limit follows from {tolerance.of}")
            return tolerance.value * largest(expected)
        case "digits":
            return half_of_last_digit(expected, tolerance.digits)
        case "ulp":
            short = precision is Precision.BFLOAT16 and expected.dtype.kind == "f"
            return tolerance.value * last_place(expected) * (BFLOAT16_STEP if short else 1.0)
        case _:
            assert_never(tolerance.rule)


def _share(part: float, expected: Array, least: float = 0.0) -> Array:
    """A part of each magnitude, and the least limit; 0 where it is not finite."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(expected), part * np.abs(expected) + least, 0.0).astype(np.float64)


_LEAST, _MOST = -345, 309
"""Exponents of ten: 0 in float64, and beyond its largest number."""

_POWERS = np.array([float(f"1e{exponent}") for exponent in range(_LEAST, _MOST + 1)])


def half_of_last_digit(expected: Array, digits: int) -> Array:
    """Half a unit in the last of so many significant digits of each number; 0 for zero, NaN and infinity."""
    sizes = np.abs(expected)
    usable = np.isfinite(sizes) & (sizes > 0)
    with np.errstate(over="ignore"):
        # 1e-05 in float32 is the power of ten that it is written as.
        powers = _POWERS.astype(sizes.dtype if sizes.dtype.kind == "f" else np.float64)
    place = np.searchsorted(powers, np.where(usable, sizes, 1), side="right") - 1
    unit = _POWERS[np.maximum(place - (digits - 1), 0)]
    return np.asarray(np.where(usable, 0.5 * unit, 0.0))


def last_place(expected: Array) -> float:
    """Return the unit in the last place of the largest finite magnitude; 1 for integers and booleans."""
    if expected.dtype.kind not in "fc":
        return 1.0
    # Without a copy of the array, which may be most of what memory holds.
    parts = (expected.real, expected.imag) if expected.dtype.kind == "c" else (expected,)
    return max(map(_last_place_of, parts))


def _last_place_of(part: Array) -> float:
    finite = np.isfinite(part)
    if not finite.any():
        return 0.0
    zero: Any = part.dtype.type(0)
    most = np.maximum(part.max(initial=zero, where=finite), -part.min(initial=zero, where=finite))
    return float(spacing(np.abs(most)))


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
    return math.sqrt(UNIT_ROUNDOFF[precision]) * largest(expected) if expected.dtype.kind in "fc" else 0.0


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
        of a sum of n inputs, or of n products of two. At most √u M: a larger output is not zero beside them,
        whatever is computed.
    """
    given = [array for array in inputs if array.dtype.kind != "U"]
    most = max((largest(array) for array in given), default=0.0)
    length = max((size for array in given for size in array.shape), default=1)
    unit = UNIT_ROUNDOFF[precision]
    return min(unit * length * max(most, most * most), math.sqrt(unit) * most)


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
    numbers = (array for array in inputs if array.dtype.kind != "U")
    sizes = [np.abs(array[np.isfinite(array) & (array != 0)]) for array in numbers]
    some = [size for size in sizes if size.size]
    smallest = min((float(size.min()) for size in some), default=1.0)
    most = max((float(size.max()) for size in some), default=1.0)
    return smallest / most / math.sqrt(UNIT_ROUNDOFF[precision])


def largest(array: Array) -> float:
    """The largest finite magnitude, of complex numbers the modulus; 0 if there is none."""
    return float(np.abs(array[np.isfinite(array)]).max(initial=0)) if array.size else 0.0
