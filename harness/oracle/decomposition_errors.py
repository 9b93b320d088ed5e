"""Rounding errors of matrix decompositions: Cholesky and QR factors, eigenvalues, singular values, vectors.

Each function takes a matrix with its errors and returns factors with theirs. A backward error E has columns
of at most c n u times those of the matrix (Cholesky, Householder QR), or times its norm (eigenvalues and
singular values); its draws are signs times u. The derivative of the factors propagates it. See Higham,
"Accuracy and Stability of Numerical Algorithms", 2nd ed., 2002: theorems 10.3, 19.4; LAPACK Users' Guide, 3rd
ed., 1999, sections 4.3 to 4.9, for eigenvalues and singular values. Where E may make the matrix singular,
there is no bound.
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
    inverse_of,
    lengths,
    limits,
    lost_squares,
    mirrored,
    normalized,
    times_power,
    unbounded,
)
from harness.oracle.draws import LAMBDA
from harness.oracle.unknown import BEYOND, SINGULAR, UNDERFLOWS

Array = npt.NDArray[Any]

TURNED = 5.0
"""Backward error of an element over u times the norm, where orthogonal factors are computed."""

PERTURBED = 48.0
"""Error of eigenvalues by LAPACK's dsyevr over u times their spread, besides that of its other steps.

It computes those of L D L^T = T - s I, s at an end of the spectrum. dlarre has changed elements of D and L
by up to 16 u (PERT = 8 times 2 u), at random: d_i by 16 u, d_i l_i by 32 u, d_i l_i^2 by 48 u.
"""

NEGLECTED = 200.0
"""Elements beside the diagonal over u |A| that LAPACK's dgesdd takes for zero.

Up to 200 in dlasq2, for singular values alone (TOL = 100 times 2 u); with vectors 100 in dbdsqr (TOLMUL), and
64 in dlasd2.
"""


def cholesky(a: Errors, rounding: Rounding) -> Errors:
    """The lower factor; |E| is at most gamma_(n+1) |L| |L^T| (theorem 10.3)."""
    n, u = len(a.value), rounding.unit
    half = (np.frexp(np.abs(a.value).max(initial=0.0))[1] + 1) // 2
    a = times_power(a, -2 * half)
    lost = n * float(rounding.underflow(2 * half))
    try:
        lower = np.linalg.cholesky(a.value)
    except np.linalg.LinAlgError:
        return unbounded(a.value.shape, rounding)
    inverse = np.linalg.inv(lower)
    sizes = np.abs(lower) @ np.abs(lower.T)
    inner, likely = (
        np.abs(inverse) @ (mirrored(error) + (n + 1) * u * sizes + lost) @ np.abs(inverse.T)
        for error in (a.worst, limits(a))
    )
    shift, probable = lengths(inner), lengths(likely)
    if not 2.0 * probable < 1.0:
        return unbounded(a.value.shape, rounding)
    terms = np.sqrt(np.minimum.outer(np.arange(n), np.arange(n)) + 2.0)
    perturbed = mirrored(a.draws) + mirrored(rounding.draw(u * terms * sizes + lost))
    draws = lower @ _half(inverse @ perturbed @ inverse.T)
    roundoff = u * np.abs(lower) + np.tril(np.full((n, n), rounding.underflow(half)))
    if not 2.0 * shift < 1.0:
        draws = draws / (1.0 - 2.0 * probable) + rounding.draw(roundoff)
        return times_power(Errors(lower, np.where(lower != 0, np.inf, 0.0), draws), half)
    worst = np.tril(np.abs(lower) @ _half(inner)) / (1.0 - 2.0 * shift)
    return times_power(Errors(lower, worst + 2.0 * roundoff, draws + rounding.draw(roundoff)), half)


def eigvalsh(a: Errors, rounding: Rounding) -> Errors:
    """Eigenvalues of a symmetric matrix; only its lower triangle is read."""
    a, power = normalized(a)
    return times_power(_eigenvalues(a, power, rounding), power)


def _eigenvalues(a: Errors, power: Array, rounding: Rounding) -> Errors:
    """Eigenvalues in units of 2**power, as the matrix is."""
    values, vectors = np.linalg.eigh(a.value)
    n, u = len(values), rounding.unit
    size = np.abs(values).max(initial=0.0)
    symmetric = mirrored(a.draws)
    draws = np.einsum("ji,...jk,ki->...i", vectors, symmetric, vectors)
    perturbed, lost = PERTURBED * u * _spread(values), MODEST * n**2 * rounding.underflow(power)
    roundoff = u * size * np.sqrt(n) + perturbed / LAMBDA + lost
    worst = lengths(mirrored(a.worst)) + MODEST * n * u * size + perturbed + lost
    return Errors(values, worst * np.ones(n), draws + rounding.draw(roundoff * np.ones(n)))


def _spread(values: Array) -> float:
    """The difference of the largest and the least of values in rising order."""
    return float(values[-1] - values[0]) if values.size else 0.0


def svdvals(a: Errors, rounding: Rounding) -> Errors:
    """Singular values."""
    a, power = normalized(a)
    return times_power(_singular_values(a, power, rounding), power)


def _singular_values(a: Errors, power: Array, rounding: Rounding) -> Errors:
    """Singular values in units of 2**power, as the matrix is."""
    left, values, right = np.linalg.svd(a.value, full_matrices=False)
    n, u, size = max(a.value.shape), rounding.unit, values.max(initial=0.0)
    draws = np.einsum("ji,...jk,ik->...i", left, a.draws, right)
    deflated = NEGLECTED * u * size if len(values) > 1 else 0.0
    lost = MODEST * n**2 * rounding.underflow(power)
    roundoff = u * size * np.sqrt(n) + deflated / LAMBDA + lost
    worst = lengths(a.worst) + MODEST * n * u * size + deflated + lost
    ones = np.ones(len(values))
    return Errors(values, worst * ones, draws + rounding.draw(roundoff * ones))


def qr(a: Errors, rounding: Rounding) -> tuple[Errors, Errors]:
    """The reduced factors, by Householder: columns of E are at most c m n u times those of A."""
    (m, n), u = a.value.shape, rounding.unit
    a, power = normalized(a)
    q, r = np.linalg.qr(a.value)
    k = min(m, n)
    columns = lengths(a.value, axis=0)
    upper = inverse_of(r[:, :k])
    if rounding.overflows(columns**2, 2 * power):
        why = BEYOND.format(rounding.form)
        return unbounded(q.shape, rounding, why), unbounded(r.shape, rounding, why)
    if upper is None:
        return unbounded(q.shape, rounding), unbounded(r.shape, rounding)
    # Each of k reflections adds products that may underflow; those of the first k columns are of squares too.
    steps, squares = 2 * k * (m + 1), np.zeros(n)
    squares[:k] = lost_squares(np.abs(np.diag(r)), m, power, rounding)
    lost = steps * rounding.underflow(power)
    regular = a.worst + STEPS * m * u * columns + lost
    error = regular + squares
    likely, shift = (lengths(lengths(bound[:, :k], axis=0) @ np.abs(upper)) for bound in (regular, error))
    if not shift < 1.0:
        why = UNDERFLOWS if likely < 1.0 else SINGULAR
        return unbounded(q.shape, rounding, why), unbounded(r.shape, rounding, why)
    lost = lost / np.sqrt(steps) + squares
    both = a.draws + rounding.draw(TURNED * u * np.broadcast_to(columns, (m, n)) + lost)
    turned = q.T @ both
    inner = turned[..., :k] @ upper
    skew = np.tril(inner, -1) - np.swapaxes(np.tril(inner, -1), -1, -2)
    of_r = turned - skew @ r
    of_q = q @ skew + (both[..., :k] - q @ turned[..., :k]) @ upper
    sizes = lengths(error, axis=0)
    ratio = sizes[:k] @ np.abs(upper)
    roundoff = u * np.sqrt(m) * np.abs(r) + lost
    worst_r = (sizes + np.abs(r).T @ (2.0 * np.ones(k) * lengths(ratio))) * np.ones((k, 1)) + roundoff
    worst_q = np.full(q.shape, 3.0 * lengths(ratio) + STEPS * m * u)
    of_r = np.triu(of_r) + rounding.draw(np.triu(roundoff))
    return (
        Errors(q, worst_q / (1.0 - shift), of_q + rounding.draw(np.full(q.shape, u))),
        times_power(Errors(r, np.triu(worst_r) / (1.0 - shift), of_r), power),
    )


def eigh(a: Errors, rounding: Rounding) -> tuple[Errors, Errors]:
    """Eigenvalues and eigenvectors; the error of a vector is that of the matrix over the gap."""
    a, power = normalized(a)
    values = _eigenvalues(a, power, rounding)
    vectors = np.linalg.eigh(a.value)[1]
    n, u = len(vectors), rounding.unit
    size = np.abs(values.value).max(initial=0.0)
    perturbed = PERTURBED / LAMBDA * _spread(values.value)
    spread = (TURNED * size + perturbed) * u + MODEST * n * rounding.underflow(power)
    backward = mirrored(a.draws) + mirrored(rounding.draw(np.full((n, n), spread)))
    turned = np.einsum("ji,...jk,kl->...il", vectors, backward, vectors)
    gaps = values.value[None, :] - values.value[:, None]
    apart = np.divide(1.0, gaps, out=np.zeros_like(gaps), where=gaps != 0)
    draws = vectors @ (turned * apart) + rounding.draw(_drift(vectors, u))
    nearest = np.where(np.eye(n, dtype=bool), np.inf, np.abs(gaps)).min(axis=0, initial=np.inf)
    worst = _turned(values, nearest, n, rounding)
    draws = np.where(np.isfinite(worst), draws, np.nan)
    return times_power(values, power), Errors(vectors, np.broadcast_to(worst, (n, n)), draws)


def _drift(vectors: Array, u: float) -> Array:
    """The rounding of elements, and of the lengths of vectors, by as many rotations as they have elements."""
    errors: Array = u * (1.0 + np.sqrt(len(vectors)) * np.abs(vectors))
    return errors


def _turned(values: Errors, nearest: Array, n: int, rounding: Rounding) -> Array:
    """The worst error of vectors: that of the values over the distance to the nearest of the others."""
    error = values.worst.max(initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        turned = np.where(2.0 * error < nearest, 2.0 * error / nearest, np.inf)
    if not np.isfinite(turned).all():
        rounding.note(SINGULAR)
    worst: Array = turned + MODEST * n * rounding.unit
    return worst


def svd(a: Errors, rounding: Rounding) -> tuple[Errors, Errors, Errors]:
    """The reduced factors: singular vectors are eigenvectors of the symmetric matrix of A^T and A."""
    (m, n), k = a.value.shape, min(a.value.shape)
    a, power = normalized(a)
    values = _singular_values(a, power, rounding)
    left, s, right = np.linalg.svd(a.value, full_matrices=False)
    u, size = rounding.unit, s.max(initial=0.0)
    spread = (TURNED + NEGLECTED / 2.0 / LAMBDA) * u * size + MODEST * max(m, n) * rounding.underflow(power)
    both = a.draws + rounding.draw(np.full((m, n), spread))
    inner = left.T @ both @ right.T
    squares = np.square(s)[None, :] - np.square(s)[:, None]
    apart = np.divide(1.0, squares, out=np.zeros_like(squares), where=squares != 0)
    other = np.swapaxes(inner, -1, -2)
    turn_left = (inner * s[None, :] + s[:, None] * other) * apart
    turn_right = (s[:, None] * inner + other * s[None, :]) * apart
    with np.errstate(divide="ignore", invalid="ignore"):
        beyond_left = (both @ right.T - left @ inner) / s
        beyond_right = (np.swapaxes(both, -1, -2) @ left - right.T @ other) / s
    others = np.where(np.eye(k, dtype=bool), np.inf, np.abs(s[None, :] - s[:, None]))
    nearest = others.min(axis=0, initial=np.inf)
    worst = _turned(values, np.minimum(nearest, s) if m != n else nearest, max(m, n), rounding)
    of_left = left @ turn_left + beyond_left + rounding.draw(_drift(left, u))
    of_right = right.T @ turn_right + beyond_right + rounding.draw(_drift(right.T, u))
    finite = np.isfinite(worst)
    return (
        Errors(left, np.broadcast_to(worst, left.shape), np.where(finite, of_left, np.nan)),
        times_power(values, power),
        Errors(
            right,
            np.broadcast_to(worst[:, None], right.shape),
            np.swapaxes(np.where(finite, of_right, np.nan), -1, -2),
        ),
    )


def _half(a: Array) -> Array:
    """The lower triangle, with half of the diagonal."""
    lower: Array = np.tril(a)
    halved: Array = lower - 0.5 * a * np.eye(a.shape[-1])
    return halved
