"""The functions of `numpy.linalg` on balls, and on arrays that carry their rounding errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from harness.oracle import ball_linalg, decomposition_errors, system_errors
from harness.oracle.backward_errors import Errors, Rounding, lengths
from harness.oracle.ball_linalg import NotSolvable
from harness.oracle.draws import DRAWS
from harness.oracle.linalg_arguments import SURE, keeps_all, one_triangle, symmetric
from harness.oracle.rounding import Rounded
from harness.oracle.unknown import MORE_BITS, NotUnderstood, Unknown

Array = npt.NDArray[Any]

Kind = Any
"""`Rounded`, or a class of `Balls` with its `FreeSigns`."""

SLOGDET: Any = type(np.linalg.slogdet(np.eye(1)))
QR: Any = type(np.linalg.qr(np.eye(1)))
EIGH: Any = type(np.linalg.eigh(np.eye(1)))
SVD: Any = type(np.linalg.svd(np.eye(1)))


def _errors(x: Rounded) -> Errors:
    """A stack of matrices with their errors; the draws are along the first axis."""
    draws = np.zeros((DRAWS, *x.shape)) if x.draws is None else x.draws
    return Errors(x.value, x.worst, draws)


def _at(x: Errors, place: tuple[int, ...]) -> Errors:
    return Errors(x.value[place], x.worst[place], np.moveaxis(x.draws, 0, -3)[place])


def _made(self: Rounded, stack: tuple[int, ...], results: list[Errors]) -> Rounded:
    """The results of all matrices of a stack as one array."""
    shape = (*stack, *results[0].value.shape) if results else stack
    value, worst = (np.stack([np.asarray(result[k]) for result in results]).reshape(shape) for k in (0, 1))
    worst = np.where(np.isnan(worst), np.inf, worst)
    draws = np.stack([result.draws for result in results], axis=1).reshape(DRAWS, *shape)
    # A result beyond the largest number of the format is undecided.
    return self._made(value, worst, draws, 0.0, 0.0, numbers=~np.isnan(value))


def _over_stack(self: Rounded, function: Callable[..., Any], *arrays: Any) -> list[Rounded]:
    """Apply a function to all matrices of a stack; one array for each of its results."""
    operands = [_errors(self._as(array)) for array in arrays]
    stack = np.broadcast_shapes(*(operand.value.shape[:-2] for operand in operands))
    wide = [
        Errors(
            np.broadcast_to(operand.value, (*stack, *operand.value.shape[-2:])),
            np.broadcast_to(operand.worst, (*stack, *operand.worst.shape[-2:])),
            np.broadcast_to(
                operand.draws.reshape(
                    DRAWS, *(1,) * (len(stack) + 2 - operand.value.ndim), *operand.value.shape
                ),
                (DRAWS, *stack, *operand.value.shape[-2:]),
            ),
        )
        for operand in operands
    ]
    doubtful = any(np.isnan(operand.draws).any() for operand in wide)
    rounding = Rounding(self.unit, self.form, self._draw, str if doubtful else self.branches.note)
    results = []
    for place in np.ndindex(stack):
        result = function(*(_at(operand, place) for operand in wide), rounding)
        results.append((result,) if isinstance(result, Errors) else tuple(result))
    return [_made(self, stack, list(parts)) for parts in zip(*results, strict=True)]


def _solve(self: Rounded, a: Any, b: Any) -> Rounded:
    a, b = self._as(a), self._as(b)
    if b.ndim == 1:
        (solved,) = _over_stack(self, system_errors.solve, a, b[:, None])
        vector: Rounded = solved[..., 0]
        return vector
    return _over_stack(self, system_errors.solve, a, b)[0]


def _lstsq(self: Rounded, a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = self._as(a), self._as(b)
    keeps_all(a.value, rcond, "lstsq(rcond")
    columns = b[:, None] if b.ndim == 1 else b
    rounded = _over_stack(self, system_errors.lstsq, a, columns)[0]
    (m, n), away = a.shape, columns - a @ rounded
    squares = type(self).given(np.zeros(0))
    if m > n:
        squares = (away * away).sum(axis=0)
        # From the rest of Q^T b, whose elements have errors in proportion to the length of b.
        sizes = lengths(columns.value, axis=0)
        roundoff = 2.0 * self.unit * np.sqrt(m) * sizes * (np.sqrt(squares.value) + self.unit * sizes)
        squares = squares.widened(m * roundoff, roundoff)
    values = _over_stack(self, decomposition_errors.svdvals, a)[0]
    return rounded[:, 0] if b.ndim == 1 else rounded, squares, min(m, n), values


def _pinv(self: Rounded, a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Rounded:
    keeps_all(self._as(a).value, rcond, "pinv(rcond")
    keeps_all(self._as(a).value, rtol, "pinv(rtol")
    symmetric(self._as(a).value, hermitian, "pinv(hermitian=True)")
    return _over_stack(self, system_errors.pinv, a)[0]


def _slogdet(self: Rounded, a: Any) -> Any:
    x = self._as(a)
    if x.ndim != 2:
        raise NotUnderstood("numpy.linalg.slogdet of several matrices")
    signs: list[Array] = []

    def logarithm(matrix: Errors, rounding: Rounding) -> Errors:
        sign, errors = system_errors.slogdet(matrix, rounding)
        signs.append(sign)
        return errors

    rounded = _over_stack(self, logarithm, x)[0]
    return SLOGDET(type(self).given(signs[0]), rounded)


def _qr(self: Rounded, a: Any, mode: str = "reduced") -> Any:
    _check_qr(np.shape(self._as(a).value), mode)
    q, r = _over_stack(self, decomposition_errors.qr, a)
    return r if mode == "r" else QR(q, r)


def _svd(
    self: Rounded, a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    x = self._as(a)
    symmetric(x.value, hermitian, "svd(hermitian=True)")
    if not compute_uv:
        return _over_stack(self, decomposition_errors.svdvals, x)[0]
    _check_svd(x.shape, full_matrices)
    return SVD(*_over_stack(self, decomposition_errors.svd, x))


def _check_qr(shape: tuple[int, ...], mode: str) -> None:
    if mode not in ("reduced", "r") and not (mode == "complete" and shape[-2] <= shape[-1]):
        raise NotUnderstood(f"numpy.linalg.qr(mode={mode!r})")


def _check_svd(shape: tuple[int, ...], full_matrices: bool) -> None:
    if full_matrices and shape[-2] != shape[-1]:
        raise Unknown("the last columns of numpy.linalg.svd(full_matrices=True) are not determined")


def _cholesky(self: Rounded, a: Any, *, upper: bool = False) -> Rounded:
    factor = _over_stack(self, decomposition_errors.cholesky, a)[0]
    return factor.swapaxes(-1, -2) if upper else factor


def _eigvalsh(self: Rounded, a: Any, UPLO: str = "L") -> Rounded:
    one_triangle(self._as(a).value, UPLO)
    return _over_stack(self, decomposition_errors.eigvalsh, a)[0]


def _eigh(self: Rounded, a: Any, UPLO: str = "L") -> Any:
    one_triangle(self._as(a).value, UPLO)
    return EIGH(*_over_stack(self, decomposition_errors.eigh, a))


def _rank(values: Array, shape: tuple[int, ...], unit: float, tol: Any = None, rtol: Any = None) -> int:
    """The number of singular values above the threshold, if none is near it."""
    threshold = values.max() * max(shape) * 2.0 * unit if rtol is None else values.max() * float(rtol)
    threshold = threshold if tol is None else float(tol)
    if ((values < SURE * threshold) & (values * SURE > threshold)).any():
        raise NotSolvable("the rank is undecidable: a singular value is near the threshold")
    return int((values > threshold).sum())


def _matrix_rank(self: Rounded, A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> int:
    x = self._as(A)
    symmetric(x.value, hermitian, "matrix_rank(hermitian=True)")
    return _rank(np.linalg.svd(x.value, compute_uv=False), x.shape, self.unit, tol, rtol)


def _ball_over_stack(function: Callable[..., Any], *arrays: Any) -> list[Array]:
    operands = [np.asarray(array, dtype=object) for array in arrays]
    stack = np.broadcast_shapes(*(operand.shape[:-2] for operand in operands))
    wide = [np.broadcast_to(operand, (*stack, *operand.shape[-2:])) for operand in operands]
    results = []
    for place in np.ndindex(stack):
        try:
            result = function(*(array[place] for array in wide))
        except NotSolvable as error:
            if all(arb(ball).is_exact() for array in wide for ball in array[place].flat):
                raise
            raise NotSolvable(MORE_BITS.format(ctx.prec, error)) from error
        results.append(result if isinstance(result, tuple) else (result,))
    made = []
    for parts in zip(*results, strict=True):
        shape = (*stack, *np.shape(parts[0]))
        whole = np.empty(shape, dtype=object)
        for place, part in zip(np.ndindex(stack), parts, strict=True):
            whole[place] = part
        made.append(whole)
    return made


def _ball_solve(a: Any, b: Any) -> Any:
    b = np.asarray(b, dtype=object)
    if b.ndim == 1:
        return _ball_over_stack(ball_linalg.solve, a, b[:, None])[0][..., 0]
    return _ball_over_stack(ball_linalg.solve, a, b)[0]


def _ball_lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = (np.asarray(x, dtype=object) for x in (a, b))
    keeps_all(ball_linalg.floats(a), rcond, "lstsq(rcond")
    columns = b[:, None] if b.ndim == 1 else b
    array = ball_linalg.lstsq(a, columns)
    away = columns - ball_linalg.array_of(ball_linalg.matrix(a) * ball_linalg.matrix(array))
    (m, n), squares = a.shape, (away * away).sum(axis=0)
    solution = array[:, 0] if b.ndim == 1 else array
    return solution, squares if m > n else np.zeros(0), min(m, n), ball_linalg.svdvals(a)


def _ball_pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    values = ball_linalg.floats(np.asarray(a, dtype=object))
    keeps_all(values, rcond, "pinv(rcond")
    keeps_all(values, rtol, "pinv(rtol")
    symmetric(values, hermitian, "pinv(hermitian=True)")
    identity = np.eye(np.shape(a)[-2]).astype(object)
    return _ball_over_stack(lambda matrix: ball_linalg.lstsq(matrix, identity), a)[0]


def _ball_slogdet(a: Any) -> Any:
    determinant = ball_linalg.det(np.asarray(a, dtype=object))
    if not (determinant > 0 or determinant < 0):
        raise NotSolvable("the sign of a determinant is not decided")
    return SLOGDET(arb(1 if determinant > 0 else -1), abs(determinant).log())


def _ball_cholesky(a: Any, *, upper: bool = False) -> Any:
    factor = _ball_over_stack(ball_linalg.cholesky, a)[0]
    return np.swapaxes(factor, -1, -2) if upper else factor


def _ball_eigvalsh(a: Any, UPLO: str = "L") -> Any:
    one_triangle(ball_linalg.floats(np.asarray(a, dtype=object)), UPLO)
    return _ball_over_stack(lambda matrix: ball_linalg.eigh(matrix)[0], a)[0]


def _free_qr(kind: Kind, a: Any, mode: str = "reduced") -> Any:
    """QR factors with the signs of NumPy's factors, or with other signs."""
    if issubclass(kind, Rounded):
        return _qr(kind.given(0.0), a, mode)
    a = kind.gather(a).items
    _check_qr(a.shape, mode)

    def signed(array: Array) -> tuple[Array, Array]:
        q, r = ball_linalg.qr(array)
        signs = np.where(np.diag(np.linalg.qr(ball_linalg.floats(array))[1])[: len(r)] < 0, -1, 1)
        signs = (signs * kind.signs.take(len(r), "numpy.linalg.qr")).astype(object)
        return q * signs, r * signs[:, None]

    q, r = (kind(array) for array in _ball_over_stack(signed, a))
    return r if mode == "r" else QR(q, r)


def _free_eigh(kind: Kind, a: Any, UPLO: str = "L") -> Any:
    if issubclass(kind, Rounded):
        return _eigh(kind.given(0.0), a, UPLO)
    one_triangle(kind.gather(a).nearest(), UPLO)

    def signed(array: Array) -> tuple[Array, Array]:
        values, vectors = ball_linalg.eigenvectors(array)
        like = np.linalg.eigh(ball_linalg.floats(array))[1]
        return values, vectors * _like(vectors, like) * kind.signs.take(len(like), "numpy.linalg.eigh")

    return EIGH(*(kind(array) for array in _ball_over_stack(signed, kind.gather(a).items)))


def _free_svd(
    kind: Kind, a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    if issubclass(kind, Rounded):
        return _svd(kind.given(0.0), a, full_matrices, compute_uv, hermitian)
    symmetric(kind.gather(a).nearest(), hermitian, "svd(hermitian=True)")
    a = kind.gather(a).items
    if not compute_uv:
        return kind(_ball_over_stack(ball_linalg.svdvals, a)[0])
    _check_svd(a.shape, full_matrices)

    def signed(array: Array) -> tuple[Array, Array, Array]:
        u, s, vt = ball_linalg.svd(array)
        signs = _like(u, np.linalg.svd(ball_linalg.floats(array), full_matrices=False)[0])
        signs = signs * kind.signs.take(len(s), "numpy.linalg.svd")
        return u * signs, s, vt * signs[:, None]

    return SVD(*(kind(array) for array in _ball_over_stack(signed, a)))


def _like(vectors: Array, others: Array) -> Array:
    """Signs that turn columns to those of another matrix."""
    signs = np.sign((ball_linalg.floats(vectors) * others).sum(axis=0))
    return np.where(signs < 0, -1, 1).astype(object)


def _ball_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> int:
    array = np.asarray(A, dtype=object)
    symmetric(ball_linalg.floats(array), hermitian, "matrix_rank(hermitian=True)")
    return _rank(ball_linalg.floats(ball_linalg.svdvals(array)), array.shape, 2.0**-53, tol, rtol)


ROUNDED_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.linalg.solve: _solve,
    np.linalg.inv: lambda self, a: _over_stack(self, system_errors.inv, a)[0],
    np.linalg.det: lambda self, a: _over_stack(self, system_errors.det, a)[0],
    np.linalg.slogdet: _slogdet,
    np.linalg.cholesky: _cholesky,
    np.linalg.lstsq: _lstsq,
    np.linalg.pinv: _pinv,
    np.linalg.matrix_rank: _matrix_rank,
    np.linalg.eigvalsh: _eigvalsh,
    np.linalg.svdvals: lambda self, x: _over_stack(self, decomposition_errors.svdvals, x)[0],
}

BALL_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.linalg.solve: _ball_solve,
    np.linalg.inv: lambda a: _ball_over_stack(ball_linalg.inv, a)[0],
    np.linalg.det: lambda a: _ball_over_stack(ball_linalg.det, a)[0],
    np.linalg.slogdet: _ball_slogdet,
    np.linalg.cholesky: _ball_cholesky,
    np.linalg.lstsq: _ball_lstsq,
    np.linalg.pinv: _ball_pinv,
    np.linalg.matrix_rank: _ball_rank,
    np.linalg.eigvalsh: _ball_eigvalsh,
    np.linalg.svdvals: lambda x: _ball_over_stack(ball_linalg.svdvals, x)[0],
}

GENERIC: Mapping[Any, Callable[..., Any]] = {
    np.linalg.qr: _free_qr,
    np.linalg.eigh: _free_eigh,
    np.linalg.svd: _free_svd,
}
