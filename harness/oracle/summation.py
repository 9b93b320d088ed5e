"""How far the roundings of a sum probably spread, in units of one rounding. NumPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_MOST = 10**8
"""Terms of a matrix product that are looked at one by one; of a larger one, their absolute sum alone is."""


def sum_spread(terms: Array) -> Array:
    """Spread of the sum of the last axis, in any usual order.

    Parameters
    ----------
    terms : ndarray, shape (..., n)
        What is summed.

    Returns
    -------
    ndarray, shape (...)
        Root of the sum of the squares of all that is rounded: of every term, once, and of the partial sums.
        Of these the most that there are from the first term to the last, from the last to the first, or in
        the mean over all orders.
    """
    n = terms.shape[-1]
    if n < 2:
        return np.zeros(terms.shape[:-1])
    scale = _largest(terms, axis=-1)
    terms = terms / scale
    partial = np.cumsum(terms, axis=-1)
    total = partial[..., -1]
    forward = np.square(partial[..., 1:]).sum(axis=-1)
    backward = np.square(total[..., None] - partial[..., :-2]).sum(axis=-1) + np.square(total)
    squares = np.square(terms).sum(axis=-1)
    sums = np.maximum(np.maximum(forward, backward), _mean_over_orders(total, squares, n))
    spread: Array = scale[..., 0] * np.sqrt(squares + sums)
    return spread


def product_spread(x: Array, y: Array) -> Array:
    """Spread of the elements of a matrix product: that of their sums, whose terms are products.

    Parameters
    ----------
    x, y : ndarray, shapes (..., m, n) and (..., n, p)
        The factors.

    Returns
    -------
    ndarray, shape (..., m, p)
    """
    n = x.shape[-1]
    if x.size * y.shape[-1] > _MOST or n == 0:
        spread: Array = np.sqrt(n + 2) * (np.abs(x) @ np.abs(y))
        return spread
    rows, columns = _largest(x, axis=-1), _largest(y, axis=-2)
    x, y = x / rows, y / columns
    squares, total = np.square(x) @ np.square(y), x @ y
    partial = np.zeros_like(total)
    forward, backward = np.zeros_like(total), np.square(total)
    for k in range(n):
        partial = partial + x[..., :, k, None] * y[..., None, k, :]
        if k > 0:
            forward += np.square(partial)
        if k < n - 2:
            backward += np.square(total - partial)
    sums = np.maximum(np.maximum(forward, backward), _mean_over_orders(total, squares, n)) if n > 1 else 0.0
    spreads: Array = rows * columns * np.sqrt(2.0 * squares + sums)
    return spreads


def _largest(terms: Array, axis: int) -> Array:
    """Largest magnitude along an axis, which stays; 1 where that is 0: all can be divided by it."""
    sizes = np.abs(terms).max(axis=axis, keepdims=True)
    return np.where((sizes > 0) & np.isfinite(sizes), sizes, 1.0)


def _mean_over_orders(total: Array, squares: Array, n: int) -> Array:
    """Mean, over all orders of n terms, of the sum of the squares of the sums of the first 2, 3, ... n.

    A sum of k terms drawn without replacement has the mean k/n of the total, and the variance
    k (n - k) / (n (n - 1)) of the squares' sum less the total's square over n.
    """
    k = np.arange(2, n + 1, dtype=np.float64)
    scatter = np.maximum(squares - np.square(total) / n, 0.0)
    mean: Array = np.square(total) * ((k / n) ** 2).sum() + scatter * (k * (n - k)).sum() / (n * (n - 1))
    return mean
