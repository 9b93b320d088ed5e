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
    lengths,
    limits,
    lost_squares,
    lu_factors,
    normalized,
    times_power,
    unbounded,
)
from harness.oracle.function_errors import limit_of
from harness.oracle.unknown import BEYOND, SINGULAR, UNDERFLOWS

Array = npt.NDArray[Any]


def solve(a: Errors, b: Errors, rounding: Rounding) -> Errors:
    """The solution of a x = b, for columns b, by a factorisation, or by the inverse."""
    n, u = len(a.value), rounding.unit
    (a, of_a), (b, of_b) = normalized(a), normalized(b, axis=0)
    inverse = inverse_of(a.value)
    if inverse is None:
        return unbounded(b.value.shape, rounding)
    x = inverse @ b.value
    sizes = np.abs(inverse)
    columns = column_norms(a.value)
    rows = lengths(inverse, axis=1)
    # With the inverse, errors are in proportion to |A^-1| |b|, which is at least |x|.
    most = sizes @ np.abs(b.value)
    sums = columns @ most
    if any(map(rounding.overflows, (columns, sizes, sums), (of_a, -of_a, of_b[0]))):
        return unbounded(x.shape, rounding, BEYOND.format(rounding.form))
    # Each of n products may underflow, and so may the elements of the inverse; zeros do not.
    lost, lost_of_b = n * rounding.underflow(of_a), n * rounding.underflow(of_b) * b.value.any(axis=0)
    lost_of_x = rounding.underflow(of_b - of_a) + rounding.underflow(-of_a) * np.abs(b.value).sum(axis=0)
    underflow = sizes @ np.broadcast_to(lost_of_b + lost * np.abs(x).sum(axis=0), x.shape)
    underflow = underflow + lost_of_x * (most > 0)
    shift = STEPS * n * u * np.sqrt(n) * lengths(columns[:, None] * inverse) + lengths(sizes) * n * lost
    probable = shift + lengths(sizes @ limits(a))
    if not probable < 1.0:
        return unbounded(x.shape, rounding)
    room = 1.0 - shift - lengths(sizes @ a.worst)
    worst = sizes @ (b.worst + a.worst @ np.abs(x)) + STEPS * n * u * np.multiply.outer(rows, sums)
    worst = worst / room if room > 0.0 else np.full(x.shape, np.inf)
    backward = rounding.draw(u * np.broadcast_to(columns, (n, n)))
    draws = inverse @ (b.draws - (a.draws + backward) @ x)
    roundoff = u * np.multiply.outer(rows, lengths(columns[:, None] * most, axis=0))
    draws = draws + rounding.draw(roundoff + underflow)
    errors = Errors(x, worst + underflow, draws if room > 0.0 else draws / (1.0 - probable))
    return times_power(errors, of_b - of_a)


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
    a, power = normalized(a)
    left, values, right = np.linalg.svd(a.value)
    sign = np.linalg.det(left) * np.linalg.det(right)
    others = np.array([np.prod(np.delete(values, i)) for i in range(n)])
    cofactors = np.round(sign) * (left * others) @ right
    value = np.asarray(np.round(sign) * values.prod())
    columns = column_norms(a.value)
    growth = lengths(columns)
    first = lengths(cofactors * columns)

    def beyond(size: float) -> float:
        """All orders of an error of this norm, but for the first."""
        return max(float(np.prod(values + size) - values.prod() - size * others.sum()), 0.0)

    pivots = np.ldexp(np.abs(np.diag(lu_factors(a.value)[1])), power)
    logarithms = np.abs(np.log(pivots)).sum() if pivots.all() else 0.0
    # An underflow error in a product of pivots is multiplied by the factors after it. Some divide by a pivot.
    factors = np.maximum(pivots, 1.0).prod()
    numbers = np.append(1.0 / pivots[pivots > 0], factors)
    if rounding.overflows(columns, power) or rounding.overflows(numbers, 0):
        return unbounded((), rounding, BEYOND.format(rounding.form))
    product = n * rounding.form.tiny * factors * a.value.any()
    lost = n * float(rounding.underflow(power)) * a.value.any()
    exponential = 2.0 * limit_of("exp", u) * u * np.abs(value)
    roundoff = u * np.sqrt(n) * (np.abs(value) + first) + beyond(float(u * np.sqrt(n) * growth + n * lost))
    roundoff += 2.0 * u * logarithms * np.abs(value) + exponential + lost * np.abs(cofactors).sum()
    least = float(STEPS * n * u * growth) + float(lengths(a.worst)) + n * lost
    worst = (
        (np.abs(cofactors) * (a.worst + lost)).sum()
        + STEPS * n * u * (np.sqrt(n) * first + np.abs(value))
        + (n + 2) * u * logarithms * np.abs(value)
        + exponential
        + beyond(least)
    )
    draws = (a.draws * cofactors).sum(axis=(-2, -1))
    value, worst, roundoff, draws = (np.ldexp(part, n * power) for part in (value, worst, roundoff, draws))
    return Errors(value, worst + product, draws + rounding.draw(np.asarray(roundoff + product)))


def slogdet(a: Errors, rounding: Rounding) -> tuple[Array, Errors]:
    """The sign and the logarithm of the determinant's magnitude, the sum of those of the pivots."""
    n, u = len(a.value), rounding.unit
    a, power = normalized(a)
    sign, value = np.linalg.slogdet(a.value)
    inverse = inverse_of(a.value)
    if inverse is None or not np.isfinite(value):
        return np.asarray(sign), unbounded((), rounding)
    value = value + n * power * np.log(2.0)
    columns = column_norms(a.value)
    if rounding.overflows(columns, power) or rounding.overflows(np.abs(inverse), -power):
        return np.asarray(sign), unbounded((), rounding, BEYOND.format(rounding.form))
    lost = n * float(rounding.underflow(power))
    roundoff = STEPS * n * u * np.sqrt(n) * lengths(columns[:, None] * inverse) + n * lost * lengths(inverse)
    shift, probable = (roundoff + lengths(np.abs(inverse) @ error) for error in (a.worst, limits(a)))
    if not probable < 1.0:
        return np.asarray(sign), unbounded((), rounding)
    pivots = np.abs(np.diag(lu_factors(a.value)[1]))
    logarithms = np.abs(np.log(pivots) + power * np.log(2.0)).sum()
    first = lengths(inverse.T * columns)
    draws = (a.draws * inverse.T).sum(axis=(-2, -1)) + rounding.draw(
        np.asarray(u * np.sqrt(n) * first + 2.0 * u * logarithms + lost * np.abs(inverse).sum())
    )
    if not shift < 1.0:
        return np.asarray(sign), Errors(np.asarray(value), np.asarray(np.inf), draws / (1.0 - probable))
    worst = -n * np.log1p(-shift) + (n + 2) * u * logarithms
    return np.asarray(sign), Errors(np.asarray(value), np.asarray(worst), draws)


def lstsq(a: Errors, b: Errors, rounding: Rounding) -> Errors:
    """Least squares of full rank, by a backward stable method (theorem 20.3)."""
    (m, n), u = a.value.shape, rounding.unit
    (a, of_a), (b, of_b) = normalized(a), normalized(b, axis=0)
    left, values, right = np.linalg.svd(a.value, full_matrices=False)
    size, least = values.max(initial=0.0), values.min(initial=np.inf)
    shape = (n, b.value.shape[1])
    count = float(np.sqrt(m * n))
    # The squares of columns, and the products and sums of factors that multiply the right sides.
    products = np.sqrt(m) * lengths(b.value, axis=0)
    if rounding.overflows(size**2, 2 * of_a) or rounding.overflows(products, of_b[0]):
        return unbounded(shape, rounding, BEYOND.format(rounding.form))
    squares = np.sqrt(n) * lost_squares(least, m, of_a, rounding)
    # Each of n reflections adds products that may underflow, independently.
    steps = 2 * min(m, n) * (m + 1)
    lost, lost_of_b = (steps * rounding.underflow(power) for power in (of_a, of_b))
    lost_of_b = lost_of_b * b.value.any(axis=0)
    regular = MODEST * count * u * size + float(lengths(limits(a))) + count * lost
    probable = regular + squares
    if not probable < least:
        return unbounded(shape, rounding, UNDERFLOWS if regular < least else SINGULAR)
    inverse = (right.T / values) @ left.T
    x = inverse @ b.value
    rest = b.value - a.value @ x
    # (A^T A)^-1, or, where rows are fewer, what carries A^T's error to x.
    gram = inverse @ inverse.T
    both = a.draws + rounding.draw(np.full((m, n), u * size + lost / np.sqrt(steps) + squares))
    spread_of_b = rounding.draw(
        u * lengths(b.value, axis=0) + lost_of_b / np.sqrt(steps) + np.zeros(b.value.shape)
    )
    draws = inverse @ (b.draws + spread_of_b - both @ x) + gram @ (np.swapaxes(both, -1, -2) @ rest)
    # With singular vectors, the error of x is in proportion to its norm, not to each element.
    roundoff = 2.0 * u * np.sqrt(n) * (size / least) * np.broadcast_to(lengths(x, axis=0), shape)
    # The elements of the pseudo-inverse may underflow, and so may the solution.
    lost_of_x = rounding.underflow(of_b - of_a) + rounding.underflow(-of_a) * np.abs(b.value).sum(axis=0)
    lost_of_x = lost_of_x * b.value.any(axis=0)
    draws = draws + rounding.draw(roundoff + lost_of_x)
    if m < n:
        dual = inverse.T @ x
        within = np.swapaxes(both, -1, -2) @ dual
        draws = draws + within - inverse @ (a.value @ within)
    rows, products = lengths(inverse, axis=1), lengths(gram, axis=1)
    norm = MODEST * count * u * size + float(lengths(a.worst)) + count * lost + squares
    of_right = MODEST * count * u * lengths(b.value, axis=0) + lengths(b.worst, axis=0)
    of_right = of_right + np.sqrt(m) * lost_of_b[0]
    worst = np.multiply.outer(rows, norm * lengths(x, axis=0) + of_right)
    worst = worst + np.multiply.outer(products, norm * lengths(rest, axis=0))
    if m < n:
        worst = worst + norm * lengths(inverse.T @ x, axis=0)
    worst = worst + MODEST * count * roundoff + lost_of_x
    if not norm < least:
        worst, draws = np.full(shape, np.inf), draws / (1.0 - probable / least)
        return times_power(Errors(x, worst, draws), of_b - of_a)
    return times_power(Errors(x, worst / (1.0 - norm / least), draws), of_b - of_a)


def pinv(a: Errors, rounding: Rounding) -> Errors:
    """The pseudo-inverse of a matrix of full rank: least squares for each column of the identity."""
    m = len(a.value)
    return lstsq(a, Errors(np.eye(m), np.zeros((m, m)), np.zeros((1, m, m))), rounding)
