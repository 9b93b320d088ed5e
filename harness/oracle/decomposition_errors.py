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
    limits,
    mirrored,
    unbounded,
)

Array = npt.NDArray[Any]

TURNED = 5.0
"""Backward error of an element over u times the norm, where orthogonal factors are computed."""


def cholesky(a: Errors, rounding: Rounding) -> Errors:
    """The lower factor; |E| is at most gamma_(n+1) |L| |L^T| (theorem 10.3)."""
    n, u = len(a.value), rounding.unit
    try:
        lower = np.linalg.cholesky(a.value)
    except np.linalg.LinAlgError:
        return unbounded(a.value.shape, rounding)
    inverse = np.linalg.inv(lower)
    sizes = np.abs(lower) @ np.abs(lower.T)
    inner, likely = (
        np.abs(inverse) @ (mirrored(error) + (n + 1) * u * sizes) @ np.abs(inverse.T)
        for error in (a.worst, limits(a))
    )
    shift, probable = np.linalg.norm(inner), np.linalg.norm(likely)
    if not 2.0 * probable < 1.0:
        return unbounded(a.value.shape, rounding)
    terms = np.sqrt(np.minimum.outer(np.arange(n), np.arange(n)) + 2.0)
    perturbed = mirrored(a.draws) + mirrored(rounding.draw(u * terms * sizes))
    draws = lower @ _half(inverse @ perturbed @ inverse.T)
    if not 2.0 * shift < 1.0:
        draws = draws / (1.0 - 2.0 * probable) + rounding.draw(u * np.abs(lower))
        return Errors(lower, np.where(lower != 0, np.inf, 0.0), draws)
    worst = np.tril(np.abs(lower) @ _half(inner)) / (1.0 - 2.0 * shift)
    return Errors(lower, worst + 2.0 * u * np.abs(lower), draws + rounding.draw(u * np.abs(lower)))


def eigvalsh(a: Errors, rounding: Rounding) -> Errors:
    """Eigenvalues of a symmetric matrix; only its lower triangle is read."""
    values, vectors = np.linalg.eigh(a.value)
    size, n = np.abs(values).max(initial=0.0), len(values)
    symmetric = mirrored(a.draws)
    draws = np.einsum("ji,...jk,ki->...i", vectors, symmetric, vectors)
    roundoff = rounding.unit * size * np.sqrt(n) * np.ones(n)
    worst = float(np.linalg.norm(mirrored(a.worst))) + MODEST * n * rounding.unit * size
    return Errors(values, worst * np.ones(n), draws + rounding.draw(roundoff))


def svdvals(a: Errors, rounding: Rounding) -> Errors:
    """Singular values."""
    left, values, right = np.linalg.svd(a.value, full_matrices=False)
    n = max(a.value.shape)
    draws = np.einsum("ji,...jk,ik->...i", left, a.draws, right)
    roundoff = rounding.unit * values.max(initial=0.0) * np.sqrt(n) * np.ones(len(values))
    worst = float(np.linalg.norm(a.worst)) + MODEST * n * rounding.unit * values.max(initial=0.0)
    return Errors(values, worst * np.ones(len(values)), draws + rounding.draw(roundoff))


def qr(a: Errors, rounding: Rounding) -> tuple[Errors, Errors]:
    """The reduced factors, by Householder: columns of E are at most c m n u times those of A."""
    (m, n), u = a.value.shape, rounding.unit
    q, r = np.linalg.qr(a.value)
    k = min(m, n)
    columns = np.linalg.norm(a.value, axis=0)
    upper = inverse_of(r[:, :k])
    if upper is None:
        return unbounded(q.shape, rounding), unbounded(r.shape, rounding)
    error = a.worst + STEPS * m * u * columns
    shift = np.linalg.norm(np.linalg.norm(error[:, :k], axis=0) @ np.abs(upper))
    if not shift < 1.0:
        return unbounded(q.shape, rounding), unbounded(r.shape, rounding)
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
    """Eigenvalues and eigenvectors; the error of a vector is that of the matrix over the gap."""
    values = eigvalsh(a, rounding)
    vectors = np.linalg.eigh(a.value)[1]
    n, u = len(vectors), rounding.unit
    size = np.abs(values.value).max(initial=0.0)
    backward = mirrored(a.draws) + mirrored(rounding.draw(np.full((n, n), TURNED * u * size)))
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


def _half(a: Array) -> Array:
    """The lower triangle, with half of the diagonal."""
    lower: Array = np.tril(a)
    halved: Array = lower - 0.5 * a * np.eye(a.shape[-1])
    return halved
