"""Bounds on the rounding error of a sum whose terms are added in any order. NumPy alone.

docs/tolerance.md has the proofs ("Sums in any order").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

FEW = 22
"""Number of terms up to which 8 times the spread exceeds the worst case, so independence is irrelevant."""

UNIFORM = 1.0 / 3.0
"""Variance of a rounding error that is uniform between -1 and 1 units."""

_MOST = 3 * 10**7
"""Largest number of terms of a matrix product that are added one by one; beyond it the bound is used."""

_BLOCK = 1 << 21
"""Number of terms in memory at once while they are added one by one."""

_DTYPES = {2.0**-53: np.float64, 2.0**-24: np.float32, 2.0**-11: np.float16}

_LONGEST = 1 << 12
"""Largest number of terms that are added one by one in a format that NumPy lacks."""


def sum_error(terms: Array, unit: float) -> tuple[Array, Array]:
    """Rounding error of the sum of the last axis, in any order; each term may be rounded once before.

    Parameters
    ----------
    terms : ndarray, shape (..., n)
        The terms of the sum.
    unit : float
        The unit roundoff.

    Returns
    -------
    worst, spread : ndarray, shape (...)
        A bound (Jeannerod and Rump, "Improved error bounds for inner products in floating-point arithmetic",
        SIAM J. Matrix Anal. Appl. 34, 2013), and the standard deviation that independent roundings have at
        most. Where the terms contradict independence, the spread is the bound.
    """
    if terms.shape[-1] < 2:
        return np.zeros(terms.shape[:-1]), np.zeros(terms.shape[:-1])
    scale = _scale(terms, axis=-1)
    terms = terms / scale
    sizes, squares = np.abs(terms).sum(axis=-1), np.square(terms).sum(axis=-1)
    count = np.count_nonzero(terms, axis=-1)
    worst = unit * (1.0 + unit) * count * sizes
    spread = unit * np.sqrt(squares + UNIFORM * tree_squares(terms.sum(axis=-1), sizes, squares, count))
    if terms.shape[-1] > FEW:
        ordered = np.sort(terms, axis=-1)
        orders = (*map(_in_one, (terms, ordered, ordered[..., ::-1])), *_in_several(terms))
        dependent = _dependent(orders, np.abs(ordered), unit, spread)
        spread = np.where(dependent, worst, spread)
    return scale[..., 0] * worst, scale[..., 0] * np.minimum(spread, worst)


def running_error(terms: Array, unit: float) -> tuple[Array, Array]:
    """Rounding error of the sums of the first 1, 2, ... terms of the last axis, each in any order.

    Parameters
    ----------
    terms : ndarray, shape (..., n)
        The terms of the sums.
    unit : float
        The unit roundoff.

    Returns
    -------
    worst, spread : ndarray, shape (..., n)
        As in `sum_error`.
    """
    if terms.shape[-1] == 0:
        return np.zeros(terms.shape), np.zeros(terms.shape)
    scale = _scale(terms, axis=-1)
    terms = terms / scale
    sizes, squares = np.abs(terms).cumsum(axis=-1), np.square(terms).cumsum(axis=-1)
    count = (terms != 0).cumsum(axis=-1)
    some = np.arange(terms.shape[-1]) > 0
    worst = some * unit * (1.0 + unit) * count * sizes
    partial = tree_squares(terms.cumsum(axis=-1), sizes, squares, count)
    spread = some * unit * np.sqrt(squares + UNIFORM * partial)
    if terms.shape[-1] > FEW:
        lost = np.maximum.accumulate(np.abs(_errors(terms, unit).cumsum(axis=-1)), axis=-1)
        dependent = np.maximum.accumulate(~(lost <= 2.5 * spread[..., 1:]), axis=-1)
        spread[..., 1:] = np.where(dependent, worst[..., 1:], spread[..., 1:])
    return scale * worst, scale * np.minimum(spread, worst)


def product_error(x: Array, y: Array, unit: float) -> tuple[Array, Array]:
    """Rounding error of the elements of a matrix product, whose sums are added in any order.

    Parameters
    ----------
    x, y : ndarray, shapes (..., m, n) and (..., n, p)
        The factors.
    unit : float
        The unit roundoff.

    Returns
    -------
    worst, spread : ndarray, shape (..., m, p)
        As in `sum_error`; each product is rounded, and may be rounded once more.
    """
    rows, columns = _scale(x, axis=-1), _scale(y, axis=-2)
    x, y = x / rows, y / columns
    sizes, squares = np.abs(x) @ np.abs(y), np.square(x) @ np.square(y)
    count = (x != 0).astype(np.float64) @ (y != 0).astype(np.float64)
    worst = unit * (1.0 + unit) ** 2 * (count + 1) * sizes
    spread = unit * np.sqrt(2.0 * squares + UNIFORM * tree_squares(x @ y, sizes, squares, count))
    if x.shape[-1] > FEW:
        if x.size * y.shape[-1] > _MOST:
            spread = worst
        else:
            flat = spread.reshape(-1, spread.shape[-1])
            worst_flat = worst.reshape(flat.shape)
            repeated = bool(_repeats(x, -1).any() and _repeats(y, -2).any())
            for start, terms in _products(x, y, spread.shape[:-2]):
                part = slice(start, start + len(terms))
                orders = (_in_one(terms), *(_in_several(terms) if repeated else ()))
                dependent = _dependent(orders, np.abs(terms), unit, flat[part])
                flat[part] = np.where(dependent, worst_flat[part], flat[part])
            spread = flat.reshape(spread.shape)
    return rows * columns * worst, rows * columns * np.minimum(spread, worst)


def tree_squares(total: Array, sizes: Array, squares: Array, count: Array) -> Array:
    """A bound on the sum of the squares of all partial sums, over all orders and groupings of a sum.

    Parameters
    ----------
    total, sizes, squares : ndarray
        The sum of the terms, of their magnitudes, and of their squares.
    count : ndarray
        How many terms are not zero.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        largest = np.square((sizes + np.abs(total)) / 2.0)
        turn = np.clip(np.floor(largest / squares), 1.0, np.maximum(count - 1.0, 1.0))
        inner = squares * (turn * (turn + 1.0) / 2.0 - 1.0) + (count - 1.0 - turn) * largest
        bound: Array = np.where(count > 1, np.square(total) + np.maximum(inner, 0.0), 0.0)
    return bound


def prime_term(n: int) -> float:
    """The error term of a fast transform of n numbers: the root of n's largest prime factor above 5, or 0."""
    largest, factor = 0, 2
    while n > 1:
        while n % factor == 0:
            n, largest = n // factor, factor
        factor += 1
    return 0.0 if largest <= 5 else float(np.sqrt(largest))


def _dependent(orders: Iterable[Array], sizes: Array, unit: float, spread: Array) -> Array:
    """Where an error of adding the terms in accumulators, on the way or at the end, exceeds independent ones.

    Independent roundings have an error of at most 0.7 of the spread in root mean square. Beyond two and a
    half spreads, roundings have a common sign: terms are equal, or so small that a partial sum loses them.

    Parameters
    ----------
    orders : iterable of ndarray, shape (..., m, k)
        The terms of m accumulators, each of which adds k of them one by one.
    sizes : ndarray, shape (..., n)
        The magnitudes of the terms.
    unit : float
        The unit roundoff.
    spread : ndarray, shape (...)
    """
    array: Array = ~(np.abs(_errors(sizes, unit).sum(axis=-1)) <= 2.5 * spread)
    for terms in orders:
        # The errors so far of all accumulators: later ones may cancel them in this order, and not in another.
        lost = _errors(terms, unit).sum(axis=-2).cumsum(axis=-1)
        array |= ~(np.abs(lost).max(axis=-1, initial=0.0) <= 2.5 * spread)
    return array


def _in_one(terms: Array) -> Array:
    return terms[..., None, :]


def _in_several(terms: Array) -> Iterator[Array]:
    """The terms in 2, 3, 4, 8, ... accumulators, up to the root of their number, in strides and in blocks."""
    n = terms.shape[-1]
    for count in (3, *(1 << k for k in range(1, n.bit_length()))):
        if count * count > n:
            return
        whole = terms[..., : n // count * count]
        yield whole.reshape(*terms.shape[:-1], count, -1)
        yield whole.reshape(*terms.shape[:-1], -1, count).swapaxes(-1, -2)


def _repeats(factor: Array, axis: int) -> Array:
    """Where at least half of the numbers along an axis are there more than once."""
    ordered = np.sort(factor, axis=axis)
    again: Array = np.mean(np.diff(ordered, axis=axis) == 0, axis=axis) >= 0.5
    return again


def _errors(terms: Array, unit: float) -> Array:
    """The rounding error of each addition of the last axis one by one, by the two-sum algorithm (Knuth)."""
    if unit not in _DTYPES:
        return _errors_of_steps(terms, unit)
    terms = terms.astype(_DTYPES[unit], copy=False)
    sums = np.cumsum(terms, axis=-1, dtype=terms.dtype)
    before, after, terms = sums[..., :-1], sums[..., 1:], terms[..., 1:]
    added = after - before
    # (before - (after - added)) + (terms - added), in place: there may be millions.
    lost = after - added
    np.subtract(before, lost, out=lost)
    lost += np.subtract(terms, added, out=added)
    exact: Array = lost.astype(np.float64, copy=False)
    return exact


def _errors_of_steps(terms: Array, unit: float) -> Array:
    """The error of each addition in a format that NumPy lacks; NaN for too many terms."""
    lost = np.full((*terms.shape[:-1], terms.shape[-1] - 1), np.nan)
    if terms.shape[-1] > _LONGEST:
        return lost
    terms = _rounded(terms, unit)
    total = terms[..., 0]
    for k in range(1, terms.shape[-1]):
        exact = total + terms[..., k]
        total = _rounded(exact, unit)
        lost[..., k - 1] = exact - total
    return lost


def _rounded(values: Array, unit: float) -> Array:
    """The nearest numbers of a format with this unit roundoff."""
    mantissas, exponents = np.frexp(values)
    nearest: Array = np.ldexp(np.rint(mantissas / unit) * unit, exponents)
    return nearest


def _products(x: Array, y: Array, stack: tuple[int, ...]) -> Iterator[tuple[int, Array]]:
    """The terms of a product, some rows at a time: the first row's place, and an array (rows, p, n)."""
    m, n, p = *x.shape[-2:], y.shape[-1]
    left = np.broadcast_to(x, (*stack, m, n)).reshape(-1, m, n)
    right = np.broadcast_to(y, (*stack, n, p)).reshape(-1, n, p)
    step = max(1, _BLOCK // max(1, n * p))
    for place, (rows, columns) in enumerate(zip(left, right, strict=True)):
        for start in range(0, m, step):
            yield place * m + start, rows[start : start + step, None, :] * columns.T[None]


def _scale(terms: Array, axis: int) -> Array:
    """The power of two at or below the largest magnitude along an axis, which is kept; 1 where that is 0."""
    sizes = np.abs(terms).max(axis=axis, keepdims=True, initial=0.0)
    usable = (sizes > 0) & np.isfinite(sizes)
    scale: Array = np.where(usable, np.ldexp(1.0, np.frexp(np.where(usable, sizes, 1.0))[1] - 1), 1.0)
    return scale
