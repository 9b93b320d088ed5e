"""Matrices with errors, and the norms and factors that bounds of backward errors need. NumPy alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.oracle.draws import limit_of, probable_of
from harness.oracle.formats import Format
from harness.oracle.unknown import SINGULAR

Array = npt.NDArray[Any]
Draw = Callable[[Array], Array]

STEPS = 3.0
"""Backward error of a factorisation and a solution over n u: gamma_3n (Higham, theorem 9.4)."""

MODEST = 10.0
"""Backward error of an iterative method over n u |A|: LAPACK's p(n), "modestly growing"."""


class Errors(NamedTuple):
    """An array, a bound on its errors, and draws of them along a first axis."""

    value: Array
    worst: Array
    draws: Array


class Rounding(NamedTuple):
    """The unit roundoff and its format, and functions that draw errors of a spread and record a reason."""

    unit: float
    form: Format
    draw: Draw
    note: Callable[[str], object]

    def underflow(self, power: Array | int) -> Array:
        """The largest error of a result that underflows, in units of 2**power."""
        return np.asarray(np.ldexp(self.form.tiny, -np.asarray(power)))

    def overflows(self, size: Array | float, power: Array | int) -> bool:
        """Whether a number, in units of 2**power, is beyond the largest of the format."""
        return bool((np.ldexp(size, np.asarray(power)) > self.form.largest).any())


def limits(a: Errors) -> Array:
    """Limits on the errors of elements, by the draws too: worst cases ignore that errors are correlated."""
    return limit_of(a.worst, probable_of(a.draws, a.value.shape))


def normalized(a: Errors, axis: int | None = None) -> tuple[Errors, Array]:
    """Elements of at most 1 in magnitude, and the powers of two that were taken out of them.

    Squares of the elements then neither overflow nor underflow, unless one of them is negligible.
    """
    powers = np.frexp(np.abs(a.value).max(axis=axis, keepdims=True, initial=0.0))[1]
    powers = powers if axis is not None else powers.reshape(())
    return times_power(a, -powers), powers


def times_power(a: Errors, power: Array | int) -> Errors:
    """The numbers and their errors times 2**power."""
    value, worst, draws = (np.ldexp(part, power) for part in a)
    return Errors(value, worst, draws)


def lengths(a: Array, axis: int | None = None) -> Array:
    """Euclidean norms, with squares that neither overflow nor underflow."""
    largest = np.abs(a).max(axis=axis, keepdims=True, initial=0.0)
    unit = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
    norms: Array = np.linalg.norm(a / unit, axis=axis) * np.squeeze(unit, axis=axis)
    return norms


def lost_squares(length: Array | float, count: int, power: Array | int, rounding: Rounding) -> Array:
    """The error of a length of so many elements whose squares may underflow; all in units of 2**power.

    Libraries scale what they square; a reflector that is written down as a formula does not. With a sum of
    squares that is off by d, a length is off by d/length, and by no more than the root of d.
    """
    squares = count * rounding.underflow(2 * np.asarray(power))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return np.asarray(np.fmin(np.sqrt(squares), squares / length))


def unbounded(shape: tuple[int, ...], rounding: Rounding, why: str = SINGULAR) -> Errors:
    """A result without a bound; its draws are NaN, so that it is undecided for this reason."""
    rounding.note(why)
    draws = rounding.draw(np.full(shape, np.nan))
    return Errors(np.zeros(shape), np.full(shape, np.inf), draws)


def inverse_of(a: Array) -> Array | None:
    """The inverse; None for a matrix that is singular in float64."""
    try:
        inverse: Array = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return None
    return inverse if np.isfinite(inverse).all() else None


def column_norms(a: Array) -> Array:
    """The lengths of the columns of A, or of |L| |U|, whichever are larger."""
    lower, upper = lu_factors(a)
    grown = np.abs(lower) @ np.abs(upper)
    columns: Array = np.maximum(lengths(a, axis=0), lengths(grown, axis=0))
    return columns


def lu_factors(a: Array) -> tuple[Array, Array]:
    """L and U of Gaussian elimination with partial pivoting."""
    upper = np.array(a, dtype=np.float64)
    n = len(upper)
    lower = np.zeros((n, n))
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(upper[k:, k])))
        upper[[k, pivot]], lower[[k, pivot]] = upper[[pivot, k]], lower[[pivot, k]]
        lower[k, k] = 1.0
        if upper[k, k] != 0:
            lower[k + 1 :, k] = upper[k + 1 :, k] / upper[k, k]
            upper[k + 1 :] -= np.outer(lower[k + 1 :, k], upper[k])
        upper[k + 1 :, k] = 0.0
    return lower, upper


def mirrored(a: Array) -> Array:
    """A symmetric matrix from its lower triangle."""
    lower: Array = np.tril(a)
    symmetric: Array = lower + np.swapaxes(np.tril(a, -1), -1, -2)
    return symmetric
