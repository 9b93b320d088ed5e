"""Matrices with errors, and the norms and factors that bounds of backward errors need. NumPy alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.oracle.draws import limit_of, probable_of

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
    """The unit roundoff, the largest error of underflow, and the function that draws errors of a spread."""

    unit: float
    tiny: float
    draw: Draw


def limits(a: Errors) -> Array:
    """Limits on the errors of elements, by the draws too: worst cases ignore that errors are correlated."""
    return limit_of(a.worst, probable_of(a.draws, a.value.shape))


def unbounded(shape: tuple[int, ...], rounding: Rounding) -> Errors:
    """A result without a bound; its draws are NaN, so that it is undecided."""
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
    columns: Array = np.maximum(np.linalg.norm(a, axis=0), np.linalg.norm(grown, axis=0))
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
