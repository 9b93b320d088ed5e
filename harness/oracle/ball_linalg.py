"""True values of linear algebra: solutions and factors of matrices of balls, with verified errors."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, arb_mat, ctx

from harness.oracle.unknown import Unknown

Array = npt.NDArray[Any]

STEPS = 12
"""Steps of Newton's iteration, each of which doubles the digits, and a quarter of Jacobi's sweeps."""


class NotSolvable(Unknown):
    """A matrix is singular, or not known to be regular, at this precision."""


def matrix(array: Array) -> arb_mat:
    """A matrix of balls from a two-dimensional array."""
    return arb_mat(*array.shape, [arb(entry) for entry in array.ravel().tolist()])


def array_of(balls: arb_mat) -> Array:
    """The array of a matrix of balls."""
    result = np.empty((balls.nrows(), balls.ncols()), dtype=object)
    result.reshape(-1)[:] = balls.entries()
    return result


def solve(a: Array, b: Array, name: str = "solve") -> Array:
    """The solution of a x = b."""
    try:
        return array_of(matrix(a).solve(matrix(b)))
    except ZeroDivisionError as error:
        raise NotSolvable(f"the matrix of numpy.linalg.{name} is singular, or nearly so") from error


def inv(a: Array) -> Array:
    """The inverse."""
    return solve(a, _identity(len(a)), "inv")


def det(a: Array) -> Any:
    """The determinant."""
    return matrix(a).det()


def cholesky(a: Array) -> Array:
    """The lower factor of a symmetric matrix; only its lower triangle is read."""
    n = len(a)
    lower = _zeros(n, n)
    for j in range(n):
        pivot = arb(a[j, j]) - sum((entry * entry for entry in lower[j, :j]), start=arb(0))
        if not pivot > 0:
            raise NotSolvable("the matrix of numpy.linalg.cholesky is not positive definite, or nearly so")
        lower[j, j] = pivot.sqrt()
        for i in range(j + 1, n):
            products = (lower[i, k] * lower[j, k] for k in range(j))
            lower[i, j] = (arb(a[i, j]) - sum(products, start=arb(0))) / lower[j, j]
    return lower


def qr(a: Array) -> tuple[Array, Array]:
    """The reduced factors, R with a positive diagonal: that of the Cholesky factor of A^T A."""
    k = min(a.shape)
    first = a[:, :k]
    try:
        upper = cholesky(array_of(matrix(first.T) * matrix(first))).T
    except NotSolvable:
        raise NotSolvable(
            "the columns of the matrix of numpy.linalg.qr are not independent, or nearly so"
        ) from None
    q = solve(upper.T, first.T).T
    rest = array_of(matrix(q.T) * matrix(a[:, k:])) if a.shape[1] > k else _zeros(k, 0)
    return q, np.concatenate([upper, rest], axis=1)


def eigh(a: Array, start: Array | None = None) -> tuple[Array, Array, arb]:
    """Eigenvalues in rising order, approximate eigenvectors, and a bound on the elements off the diagonal.

    Jacobi's rotations refine the eigenvectors of float64. With X^T X = I + F, the eigenvalues of X^T A X are
    those of A times factors between 1 - |F| and 1 + |F| (Ostrowski). They are within |O| of its diagonal, O
    being the matrix of the other elements (Weyl).
    """
    symmetric = np.tril(a) + np.tril(a, -1).T if len(a) > 1 else a
    n, balls = len(a), matrix(symmetric)
    first = np.linalg.eigh(floats(symmetric))[1] if start is None else start
    x = _orthogonal(matrix(first.astype(object)))
    x = _midpoints(x * _rotations(_midpoints(x.transpose() * balls * x)))
    x = _orthogonal(x)
    rotated = x.transpose() * balls * x
    outside = _outside(rotated)
    slack = 1 + arb(0, _norm(_identity_matrix(n) - x.transpose() * x))
    order = sorted(range(n), key=lambda i: _Rising(rotated[i, i].mid()))
    result = np.empty(n, dtype=object)
    result[:] = [(rotated[i, i] + arb(0, outside)) / slack for i in order]
    return result, array_of(x)[:, order], outside


class _Rising:
    """A sort key of an exact number."""

    def __init__(self, number: arb) -> None:
        self.number = number

    def __lt__(self, other: _Rising) -> bool:
        return bool(self.number < other.number)


def _orthogonal(x: arb_mat) -> arb_mat:
    """The nearest orthogonal matrix, by Newton and Schulz (Higham, "Functions of Matrices", 2008)."""
    for _ in range(STEPS):
        defect = _identity_matrix(x.nrows()) - x.transpose() * x
        x = _midpoints(x + x * defect / 2)
        if _norm(defect) < arb(2) ** (-ctx.prec // 2):
            break
    return x


def _rotations(a: arb_mat) -> arb_mat:
    """The product of Jacobi's rotations that make a symmetric matrix diagonal, to all digits."""
    n = a.nrows()
    rows, x = array_of(a), _identity(a.nrows())
    enough = _norm(a) * arb(2) ** (8 - ctx.prec)
    for _ in range(4 * STEPS):
        if n < 2 or _outside(matrix(rows)) <= enough:
            break
        for p, q in combinations(range(n), 2):
            if not abs(rows[p, q]) * n > enough:
                continue
            half = ((rows[q, q] - rows[p, p]) / (2 * rows[p, q])).mid()
            tangent = 1 / (abs(half) + (1 + half * half).sqrt())
            tangent = (-tangent if half < 0 else tangent).mid()
            cosine = (1 / (1 + tangent * tangent).sqrt()).mid()
            sine = (tangent * cosine).mid()
            for turned in (rows.T, rows, x.T):
                turned[p], turned[q] = (
                    cosine * turned[p] - sine * turned[q],
                    sine * turned[p] + cosine * turned[q],
                )
        rows, x = (array_of(_midpoints(matrix(array))) for array in (rows, x))
    return matrix(x)


def eigenvectors(a: Array, start: Array | None = None) -> tuple[Array, Array]:
    """Eigenvalues and eigenvectors; a vector is within residual/gap of the true one (Davis and Kahan)."""
    values, vectors, outside = eigh(a, start)
    n = len(values)
    for i in range(n):
        others = [values[j] for j in (i - 1, i + 1) if 0 <= j < n]
        gaps = [abs(values[i] - other) for other in others]
        if any(not gap > 4 * outside for gap in gaps):
            vectors[:, i] = arb(0, 1)
            continue
        away = max((8 * outside / gap).upper() for gap in gaps) if gaps else arb(0)
        length = sum((entry * entry for entry in vectors[:, i]), start=arb(0)).sqrt()
        vectors[:, i] = [entry / length + arb(0, away) for entry in vectors[:, i]]
    return values, vectors


def svdvals(a: Array) -> Array:
    """Singular values, in falling order."""
    values, _, _ = eigh(_gram(a), _right_vectors(a))
    result = np.empty(len(values), dtype=object)
    result[:] = [_root(value) for value in values[::-1]]
    return result


def svd(a: Array) -> tuple[Array, Array, Array]:
    """The reduced factors U, s and V^T, up to signs."""
    if a.shape[0] < a.shape[1]:
        u, s, vt = svd(a.T)
        return vt.T, s, u.T
    values, vectors = eigenvectors(_gram(a), _right_vectors(a))
    s = np.empty(len(values), dtype=object)
    s[:] = [_root(value) for value in values[::-1]]
    v = vectors[:, ::-1]
    u = array_of(matrix(a) * matrix(v)) / s
    return u, s, v.T


def lstsq(a: Array, b: Array) -> Array:
    """The solution of smallest norm of the least squares problem, for a matrix of full rank."""
    left, right = matrix(a), matrix(b)
    try:
        if a.shape[0] >= a.shape[1]:
            return array_of((left.transpose() * left).solve(left.transpose() * right))
        return array_of(left.transpose() * (left * left.transpose()).solve(right))
    except ZeroDivisionError as error:
        raise NotSolvable("the matrix of numpy.linalg.lstsq has not its full rank, or nearly so") from error


def _outside(a: arb_mat) -> arb:
    n = a.nrows()
    return sum((abs(a[i, j]) for i in range(n) for j in range(n) if i != j), start=arb(0)).upper()


def _norm(a: arb_mat) -> arb:
    """A bound on the Frobenius norm: the sum of all magnitudes."""
    return sum((abs(entry) for entry in a.entries()), start=arb(0)).upper()


def _midpoints(a: arb_mat) -> arb_mat:
    return arb_mat(a.nrows(), a.ncols(), [entry.mid() for entry in a.entries()])


def _gram(a: Array) -> Array:
    balls = matrix(a if a.shape[0] >= a.shape[1] else a.T)
    return array_of(balls.transpose() * balls)


def _right_vectors(a: Array) -> Array:
    """Right singular vectors of float64, in rising order: more accurate than eigenvectors of the product."""
    tall = floats(a if a.shape[0] >= a.shape[1] else a.T)
    vectors: Array = np.linalg.svd(tall, full_matrices=False)[2].T[:, ::-1]
    return vectors


def _root(ball: arb) -> arb:
    """The square root of a number that is not negative, although its ball may contain negative numbers."""
    if ball > 0:
        return ball.sqrt()
    high = ball.upper().sqrt() if ball.upper() > 0 else arb(0)
    return arb(0, high.upper()) if high > 0 else arb(0)


def floats(a: Array) -> Array:
    """The midpoints, as float64."""
    return np.array([float(arb(entry).mid()) for entry in a.ravel().tolist()]).reshape(a.shape)


def _identity(n: int) -> Array:
    identity: Array = np.where(np.eye(n, dtype=bool), arb(1), arb(0)).astype(object)
    return identity


def _identity_matrix(n: int) -> arb_mat:
    return matrix(_identity(n))


def _zeros(m: int, n: int) -> Array:
    result = np.empty((m, n), dtype=object)
    result.reshape(-1)[:] = [arb(0)] * (m * n)
    return result
