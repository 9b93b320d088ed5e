"""Rounding errors in linear algebra: backward errors, propagated by the derivatives of the results.

Each function takes a matrix with its errors and gives values with theirs. A backward error E has columns
of at most c n u times those of the matrix (LU with partial pivoting, Cholesky, Householder QR), or times its
norm (eigenvalues, singular values, least squares by them); its draws are signs times u. See Higham, "Accuracy
and Stability of Numerical Algorithms", 2nd ed., 2002: theorems 9.4, 10.3, 19.4, 20.3, sections 14.3, 14.6;
LAPACK Users' Guide, 3rd ed., 1999, sections 4.3 to 4.9, for eigenvalues and singular values. Where E may make
the matrix singular, there is no bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.oracle.draws import limit_of as limit_of_errors
from harness.oracle.draws import probable_of
from harness.oracle.function_errors import limit_of

Array = npt.NDArray[Any]
Draw = Callable[[Array], Array]

STEPS = 3.0
"""Backward error of a factorisation and a solution over n u: gamma_3n (theorem 9.4)."""

MODEST = 10.0
"""Backward error of an iterative method over n u |A|: LAPACK's p(n), "modestly growing"."""

TURNED = 5.0
"""Backward error of an element over u times the norm, where orthogonal factors are computed."""


class Errors(NamedTuple):
    """An array, a bound on its errors, and draws of them along a first axis."""

    value: Array
    worst: Array
    draws: Array


class Rounding(NamedTuple):
    """The unit roundoff, what underflow loses at most, and how a spread is drawn."""

    unit: float
    tiny: float
    draw: Draw


def solve(a: Errors, b: Errors, rounding: Rounding) -> Errors:
    """The solution of a x = b, for columns b, by a factorisation, or by the inverse."""
    n, u = len(a.value), rounding.unit
    inverse = _inverse(a.value)
    if inverse is None:
        return _unbounded(b.value.shape, rounding)
    x = inverse @ b.value
    sizes = np.abs(inverse)
    columns = _columns(a.value)
    rows = np.linalg.norm(inverse, axis=1)
    # By the inverse, errors are those of |A^-1| |b|, which is at least |x|.
    most = sizes @ np.abs(b.value)
    shift = STEPS * n * u * np.sqrt(n) * np.linalg.norm(columns[:, None] * inverse)
    probable = shift + np.linalg.norm(sizes @ _limits(a))
    if not probable < 1.0:
        return _unbounded(x.shape, rounding)
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
    columns = _columns(a.value)
    growth = np.linalg.norm(columns)
    first = np.sqrt((np.square(cofactors) * np.square(columns)).sum())

    def beyond(size: float) -> float:
        """All orders of an error of this norm, but for the first."""
        return max(float(np.prod(values + size) - values.prod() - size * others.sum()), 0.0)

    pivots = np.abs(np.diag(_factors(a.value)[1]))
    logarithms = np.abs(np.log(pivots)).sum() if pivots.all() else 0.0
    # What a product of pivots loses below the smallest number grows by the factors after it.
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
    inverse = _inverse(a.value)
    if inverse is None or not np.isfinite(value):
        return np.asarray(sign), _unbounded((), rounding)
    columns = _columns(a.value)
    roundoff = STEPS * n * u * np.sqrt(n) * np.linalg.norm(columns[:, None] * inverse)
    shift, probable = (roundoff + np.linalg.norm(np.abs(inverse) @ error) for error in (a.worst, _limits(a)))
    if not probable < 1.0:
        return np.asarray(sign), _unbounded((), rounding)
    logarithms = np.abs(np.log(np.abs(np.diag(_factors(a.value)[1])))).sum()
    first = np.sqrt((np.square(inverse.T) * np.square(columns)).sum())
    draws = (a.draws * inverse.T).sum(axis=(-2, -1)) + rounding.draw(
        np.asarray(u * np.sqrt(n) * first + 2.0 * u * logarithms)
    )
    if not shift < 1.0:
        return np.asarray(sign), Errors(np.asarray(value), np.asarray(np.inf), draws / (1.0 - probable))
    worst = -n * np.log1p(-shift) + (n + 2) * u * logarithms
    return np.asarray(sign), Errors(np.asarray(value), np.asarray(worst), draws)


def cholesky(a: Errors, rounding: Rounding) -> Errors:
    """The lower factor; |E| is at most gamma_(n+1) |L| |L^T| (theorem 10.3)."""
    n, u = len(a.value), rounding.unit
    try:
        lower = np.linalg.cholesky(a.value)
    except np.linalg.LinAlgError:
        return _unbounded(a.value.shape, rounding)
    inverse = np.linalg.inv(lower)
    sizes = np.abs(lower) @ np.abs(lower.T)
    inner, likely = (
        np.abs(inverse) @ (_mirrored(error) + (n + 1) * u * sizes) @ np.abs(inverse.T)
        for error in (a.worst, _limits(a))
    )
    shift, probable = np.linalg.norm(inner), np.linalg.norm(likely)
    if not 2.0 * probable < 1.0:
        return _unbounded(a.value.shape, rounding)
    terms = np.sqrt(np.minimum.outer(np.arange(n), np.arange(n)) + 2.0)
    perturbed = _mirrored(a.draws) + _mirrored(rounding.draw(u * terms * sizes))
    draws = lower @ _half(inverse @ perturbed @ inverse.T)
    if not 2.0 * shift < 1.0:
        draws = draws / (1.0 - 2.0 * probable) + rounding.draw(u * np.abs(lower))
        return Errors(lower, np.where(lower != 0, np.inf, 0.0), draws)
    worst = np.tril(np.abs(lower) @ _half(inner)) / (1.0 - 2.0 * shift)
    return Errors(lower, worst + 2.0 * u * np.abs(lower), draws + rounding.draw(u * np.abs(lower)))


def eigvalsh(a: Errors, rounding: Rounding) -> Errors:
    """Eigenvalues of a symmetric matrix, whose lower triangle is all that is read."""
    values, vectors = np.linalg.eigh(a.value)
    size, n = np.abs(values).max(initial=0.0), len(values)
    symmetric = _mirrored(a.draws)
    draws = np.einsum("ji,...jk,ki->...i", vectors, symmetric, vectors)
    roundoff = rounding.unit * size * np.sqrt(n) * np.ones(n)
    worst = float(np.linalg.norm(_mirrored(a.worst))) + MODEST * n * rounding.unit * size
    return Errors(values, worst * np.ones(n), draws + rounding.draw(roundoff))


def svdvals(a: Errors, rounding: Rounding) -> Errors:
    """Singular values."""
    left, values, right = np.linalg.svd(a.value, full_matrices=False)
    n = max(a.value.shape)
    draws = np.einsum("ji,...jk,ik->...i", left, a.draws, right)
    roundoff = rounding.unit * values.max(initial=0.0) * np.sqrt(n) * np.ones(len(values))
    worst = float(np.linalg.norm(a.worst)) + MODEST * n * rounding.unit * values.max(initial=0.0)
    return Errors(values, worst * np.ones(len(values)), draws + rounding.draw(roundoff))


def lstsq(a: Errors, b: Errors, rounding: Rounding) -> Errors:
    """Least squares of full rank, by a backward stable method (theorem 20.3)."""
    (m, n), u = a.value.shape, rounding.unit
    left, values, right = np.linalg.svd(a.value, full_matrices=False)
    size, least = values.max(initial=0.0), values.min(initial=np.inf)
    shape = (n, b.value.shape[1])
    count = float(np.sqrt(m * n))
    probable = MODEST * count * u * size + float(np.linalg.norm(_limits(a)))
    if not probable < least:
        return _unbounded(shape, rounding)
    inverse = (right.T / values) @ left.T
    x = inverse @ b.value
    rest = b.value - a.value @ x
    # (A^T A)^-1, or, where rows are fewer, what carries A^T's error to x.
    gram = inverse @ inverse.T
    both = a.draws + rounding.draw(np.full((m, n), u * size))
    spread_of_b = rounding.draw(u * np.broadcast_to(np.linalg.norm(b.value, axis=0), b.value.shape))
    draws = inverse @ (b.draws + spread_of_b - both @ x) + gram @ (np.swapaxes(both, -1, -2) @ rest)
    # By singular vectors x is as exact as its norm, not as each of its elements.
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


def qr(a: Errors, rounding: Rounding) -> tuple[Errors, Errors]:
    """The reduced factors, by Householder: columns of E are at most c m n u times those of A."""
    (m, n), u = a.value.shape, rounding.unit
    q, r = np.linalg.qr(a.value)
    k = min(m, n)
    columns = np.linalg.norm(a.value, axis=0)
    upper = _inverse(r[:, :k])
    if upper is None:
        return _unbounded(q.shape, rounding), _unbounded(r.shape, rounding)
    error = a.worst + STEPS * m * u * columns
    shift = np.linalg.norm(np.linalg.norm(error[:, :k], axis=0) @ np.abs(upper))
    if not shift < 1.0:
        return _unbounded(q.shape, rounding), _unbounded(r.shape, rounding)
    both = a.draws + rounding.draw(TURNED * u * np.broadcast_to(columns, (m, n)))
    turned = q.T @ both
    inner = turned[..., :k] @ upper
    skew = np.tril(inner, -1) - np.swapaxes(np.tril(inner, -1), -1, -2)
    of_r = turned - skew @ r
    of_q = q @ skew + (both[..., :k] - q @ turned[..., :k]) @ upper
    lengths = np.linalg.norm(error, axis=0)
    ratio = lengths[:k] @ np.abs(upper)
    roundoff = u * np.sqrt(m) * np.abs(r)
    worst_r = (lengths + np.abs(r).T @ (2.0 * np.ones(k) * np.linalg.norm(ratio))) * np.ones(
        (k, 1)
    ) + roundoff
    worst_q = np.full(q.shape, 3.0 * np.linalg.norm(ratio) + STEPS * m * u)
    return (
        Errors(q, worst_q / (1.0 - shift), of_q + rounding.draw(np.full(q.shape, u))),
        Errors(r, np.triu(worst_r) / (1.0 - shift), np.triu(of_r) + rounding.draw(np.triu(roundoff))),
    )


def eigh(a: Errors, rounding: Rounding) -> tuple[Errors, Errors]:
    """Eigenvalues and eigenvectors; a vector turns by the error over its gap."""
    values = eigvalsh(a, rounding)
    vectors = np.linalg.eigh(a.value)[1]
    n, u = len(vectors), rounding.unit
    size = np.abs(values.value).max(initial=0.0)
    backward = _mirrored(a.draws) + _mirrored(rounding.draw(np.full((n, n), TURNED * u * size)))
    turned = np.einsum("ji,...jk,kl->...il", vectors, backward, vectors)
    gaps = values.value[None, :] - values.value[:, None]
    apart = np.divide(1.0, gaps, out=np.zeros_like(gaps), where=gaps != 0)
    draws = vectors @ (turned * apart) + rounding.draw(np.full((n, n), u))
    nearest = np.where(np.eye(n, dtype=bool), np.inf, np.abs(gaps)).min(axis=0, initial=np.inf)
    error = values.worst.max(initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        worst = np.where(2.0 * error < nearest, 2.0 * error / nearest, np.inf) + MODEST * n * u
    draws = np.where(np.isfinite(worst), draws, np.nan)
    return values, Errors(vectors, np.broadcast_to(worst, (n, n)), draws)


def svd(a: Errors, rounding: Rounding) -> tuple[Errors, Errors, Errors]:
    """The reduced factors: singular vectors are eigenvectors of the symmetric matrix of A^T and A."""
    (m, n), k = a.value.shape, min(a.value.shape)
    values = svdvals(a, rounding)
    left, s, right = np.linalg.svd(a.value, full_matrices=False)
    u, size = rounding.unit, s.max(initial=0.0)
    both = a.draws + rounding.draw(np.full((m, n), TURNED * u * size))
    inner = left.T @ both @ right.T
    squares = np.square(s)[None, :] - np.square(s)[:, None]
    apart = np.divide(1.0, squares, out=np.zeros_like(squares), where=squares != 0)
    other = np.swapaxes(inner, -1, -2)
    turn_left = (inner * s[None, :] + s[:, None] * other) * apart
    turn_right = (s[:, None] * inner + other * s[None, :]) * apart
    with np.errstate(divide="ignore", invalid="ignore"):
        beyond_left = (both @ right.T - left @ inner) / s
        beyond_right = (np.swapaxes(both, -1, -2) @ left - right.T @ other) / s
        nearest = np.where(np.eye(k, dtype=bool), np.inf, np.abs(s[None, :] - s[:, None])).min(
            axis=0, initial=np.inf
        )
        nearest = np.minimum(nearest, s) if m != n else nearest
        error = values.worst.max(initial=0.0)
        worst = np.where(2.0 * error < nearest, 2.0 * error / nearest, np.inf) + MODEST * max(m, n) * u
    of_left = left @ turn_left + beyond_left + rounding.draw(np.full(left.shape, u))
    of_right = right.T @ turn_right + beyond_right + rounding.draw(np.full((n, k), u))
    finite = np.isfinite(worst)
    return (
        Errors(left, np.broadcast_to(worst, left.shape), np.where(finite, of_left, np.nan)),
        values,
        Errors(
            right,
            np.broadcast_to(worst[:, None], right.shape),
            np.swapaxes(np.where(finite, of_right, np.nan), -1, -2),
        ),
    )


def _limits(a: Errors) -> Array:
    """How far elements may be off; the worst case alone forgets what errors have in common, and grows."""
    return limit_of_errors(a.worst, probable_of(a.draws, a.value.shape))


def _unbounded(shape: tuple[int, ...], rounding: Rounding) -> Errors:
    """No bound; draws that are no numbers say that nothing is probable."""
    draws = rounding.draw(np.full(shape, np.nan))
    return Errors(np.zeros(shape), np.full(shape, np.inf), draws)


def _inverse(a: Array) -> Array | None:
    try:
        inverse: Array = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return None
    return inverse if np.isfinite(inverse).all() else None


def _columns(a: Array) -> Array:
    """The lengths of the columns of A, or of |L| |U|, whichever are larger."""
    lower, upper = _factors(a)
    grown = np.abs(lower) @ np.abs(upper)
    columns: Array = np.maximum(np.linalg.norm(a, axis=0), np.linalg.norm(grown, axis=0))
    return columns


def _factors(a: Array) -> tuple[Array, Array]:
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


def _mirrored(a: Array) -> Array:
    """A symmetric matrix from its lower triangle."""
    lower: Array = np.tril(a)
    mirrored: Array = lower + np.swapaxes(np.tril(a, -1), -1, -2)
    return mirrored


def _half(a: Array) -> Array:
    """The lower triangle, with half of the diagonal."""
    lower: Array = np.tril(a)
    halved: Array = lower - 0.5 * a * np.eye(a.shape[-1])
    return halved
