"""Rounding errors of linear systems, determinants and least squares.

Each function takes a matrix with its errors and returns values with theirs. A backward error E has columns
of at most c n u times those of the matrix (LU with partial pivoting), or times its norm (least squares by
singular values); its draws are signs times u. The derivative of the result propagates it. See Higham,
"Accuracy and Stability of Numerical Algorithms", 2nd ed., 2002: theorems 9.4, 20.3, sections 14.3, 14.6.
Where E may make the matrix singular, there is no bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.backward_errors import (
    MODEST,
    STEPS,
    Errors,
    Rounding,
    column_norms,
    inverse_of,
    limits,
    lu_factors,
    unbounded,
)
from harness.oracle.function_errors import limit_of

Array = npt.NDArray[Any]


def solve(a: Errors, b: Errors, rounding: Rounding) -> Errors:
    """The solution of a x = b, for columns b, by a factorisation, or by the inverse."""
    n, u = len(a.value), rounding.unit
    inverse = inverse_of(a.value)
    if inverse is None:
        return unbounded(b.value.shape, rounding)
    x = inverse @ b.value
    sizes = np.abs(inverse)
    columns = column_norms(a.value)
    rows = np.linalg.norm(inverse, axis=1)
    # With the inverse, errors are in proportion to |A^-1| |b|, which is at least |x|.
    most = sizes @ np.abs(b.value)
    shift = STEPS * n * u * np.sqrt(n) * np.linalg.norm(columns[:, None] * inverse)
    probable = shift + np.linalg.norm(sizes @ limits(a))
    if not probable < 1.0:
        return unbounded(x.shape, rounding)
    room = 1.0 - shift - np.linalg.norm(sizes @ a.worst)
    worst = sizes @ (b.worst + a.worst @ np.abs(x)) + STEPS * n * u * np.multiply.outer(rows, columns @ most)
    worst = worst / room if room > 0.0 else np.full(x.shape, np.inf)
    backward = rounding.draw(u * np.broadcast_to(columns, (n, n)))
    draws = inverse @ (b.draws - (a.draws + backward) @ x)
    roundoff = u * np.multiply.outer(rows, np.sqrt(np.square(columns) @ np.square(most)))
    draws = draws + rounding.draw(roundoff)
    return Errors(x, worst, draws if room > 0.0 else draws / (1.0 - probable))


def inv(a: Errors, rounding: Rounding) -> Errors:
    """The inverse: a solution for each column of the identity."""
    n = len(a.value)
    return solve(a, Errors(np.eye(n), np.zeros((n, n)), np.zeros((1, n, n))), rounding)


def det(a: Errors, rounding: Rounding) -> Errors:
    """The determinant; its derivative are the cofactors (Ipsen and Rehman, SIAM J. Matrix Anal. 30, 2008).

    NumPy's (`det` in numpy/linalg/umath_linalg.cpp) and R's (`det`, by `determinant`) are exponentials of the
    sum of the pivots' logarithms: relatively as far off as that sum is.
    """
    n, u = len(a.value), rounding.unit
    left, values, right = np.linalg.svd(a.value)
    sign = np.linalg.det(left) * np.linalg.det(right)
    others = np.array([np.prod(np.delete(values, i)) for i in range(n)])
    cofactors = np.round(sign) * (left * others) @ right
    value = np.asarray(np.round(sign) * values.prod())
    columns = column_norms(a.value)
    growth = np.linalg.norm(columns)
    first = np.sqrt((np.square(cofactors) * np.square(columns)).sum())

    def beyond(size: float) -> float:
        """All orders of an error of this norm, but for the first."""
        return max(float(np.prod(values + size) - values.prod() - size * others.sum()), 0.0)

    pivots = np.abs(np.diag(lu_factors(a.value)[1]))
    logarithms = np.abs(np.log(pivots)).sum() if pivots.all() else 0.0
    # An underflow error in a product of pivots is multiplied by the factors after it.
    lost = n * rounding.tiny * np.maximum(pivots, 1.0).prod() if a.value.any() and n > 1 else 0.0
    exponential = 2.0 * limit_of("exp", u) * u * np.abs(value) + lost
    roundoff = u * np.sqrt(n) * (np.abs(value) + first) + beyond(float(u * np.sqrt(n) * growth))
    roundoff += 2.0 * u * logarithms * np.abs(value) + exponential
    least = float(STEPS * n * u * growth) + float(np.linalg.norm(a.worst))
    worst = (
        (np.abs(cofactors) * a.worst).sum()
        + STEPS * n * u * (np.sqrt(n) * first + np.abs(value))
        + (n + 2) * u * logarithms * np.abs(value)
        + exponential
        + beyond(least)
    )
    draws = (a.draws * cofactors).sum(axis=(-2, -1)) + rounding.draw(np.asarray(roundoff))
    return Errors(value, np.asarray(worst), draws)


def slogdet(a: Errors, rounding: Rounding) -> tuple[Array, Errors]:
    """The sign and the logarithm of the determinant's magnitude, the sum of those of the pivots."""
    n, u = len(a.value), rounding.unit
    sign, value = np.linalg.slogdet(a.value)
    inverse = inverse_of(a.value)
    if inverse is None or not np.isfinite(value):
        return np.asarray(sign), unbounded((), rounding)
    columns = column_norms(a.value)
    roundoff = STEPS * n * u * np.sqrt(n) * np.linalg.norm(columns[:, None] * inverse)
    shift, probable = (roundoff + np.linalg.norm(np.abs(inverse) @ error) for error in (a.worst, limits(a)))
    if not probable < 1.0:
        return np.asarray(sign), unbounded((), rounding)
    logarithms = np.abs(np.log(np.abs(np.diag(lu_factors(a.value)[1])))).sum()
    first = np.sqrt((np.square(inverse.T) * np.square(columns)).sum())
    draws = (a.draws * inverse.T).sum(axis=(-2, -1)) + rounding.draw(
        np.asarray(u * np.sqrt(n) * first + 2.0 * u * logarithms)
    )
    if not shift < 1.0:
        return np.asarray(sign), Errors(np.asarray(value), np.asarray(np.inf), draws / (1.0 - probable))
    worst = -n * np.log1p(-shift) + (n + 2) * u * logarithms
    return np.asarray(sign), Errors(np.asarray(value), np.asarray(worst), draws)


def lstsq(a: Errors, b: Errors, rounding: Rounding) -> Errors:
    """Least squares of full rank, by a backward stable method (theorem 20.3)."""
    (m, n), u = a.value.shape, rounding.unit
    left, values, right = np.linalg.svd(a.value, full_matrices=False)
    size, least = values.max(initial=0.0), values.min(initial=np.inf)
    shape = (n, b.value.shape[1])
    count = float(np.sqrt(m * n))
    probable = MODEST * count * u * size + float(np.linalg.norm(limits(a)))
    if not probable < least:
        return unbounded(shape, rounding)
    inverse = (right.T / values) @ left.T
    x = inverse @ b.value
    rest = b.value - a.value @ x
    # (A^T A)^-1, or, where rows are fewer, what carries A^T's error to x.
    gram = inverse @ inverse.T
    both = a.draws + rounding.draw(np.full((m, n), u * size))
    spread_of_b = rounding.draw(u * np.broadcast_to(np.linalg.norm(b.value, axis=0), b.value.shape))
    draws = inverse @ (b.draws + spread_of_b - both @ x) + gram @ (np.swapaxes(both, -1, -2) @ rest)
    # With singular vectors, the error of x is in proportion to its norm, not to each element.
    roundoff = 2.0 * u * np.sqrt(n) * (size / least) * np.broadcast_to(np.linalg.norm(x, axis=0), shape)
    draws = draws + rounding.draw(roundoff)
    if m < n:
        dual = inverse.T @ x
        within = np.swapaxes(both, -1, -2) @ dual
        draws = draws + within - inverse @ (a.value @ within)
    rows, products = np.linalg.norm(inverse, axis=1), np.linalg.norm(gram, axis=1)
    norm = MODEST * count * u * size + float(np.linalg.norm(a.worst))
    of_b = MODEST * count * u * np.linalg.norm(b.value, axis=0) + np.linalg.norm(b.worst, axis=0)
    worst = np.multiply.outer(rows, norm * np.linalg.norm(x, axis=0) + of_b)
    worst = worst + np.multiply.outer(products, norm * np.linalg.norm(rest, axis=0))
    if m < n:
        worst = worst + norm * np.linalg.norm(inverse.T @ x, axis=0)
    worst = worst + MODEST * count * roundoff
    if not norm < least:
        return Errors(x, np.full(shape, np.inf), draws / (1.0 - probable / least))
    return Errors(x, worst / (1.0 - norm / least), draws)


def pinv(a: Errors, rounding: Rounding) -> Errors:
    """The pseudo-inverse of a matrix of full rank: least squares for each column of the identity."""
    m = len(a.value)
    return lstsq(a, Errors(np.eye(m), np.zeros((m, m)), np.zeros((1, m, m))), rounding)
