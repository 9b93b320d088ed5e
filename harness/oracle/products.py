"""Products of arrays by products of matrices, norms, and other short compositions."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from harness.oracle.arguments import as_in
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded
from harness.oracle.summation import prime_term
from harness.oracle.unknown import NotUnderstood, Unknown


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    if np.ndim(axes) == 0:
        left, right = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    else:
        left, right = (tuple(np.atleast_1d(axis).tolist()) for axis in axes)
    left, right = tuple(k % a.ndim for k in left), tuple(k % b.ndim for k in right)
    rows = tuple(k for k in range(a.ndim) if k not in left)
    columns = tuple(k for k in range(b.ndim) if k not in right)
    if [a.shape[k] for k in left] != [b.shape[k] for k in right]:
        raise ValueError(f"arrays of shapes {a.shape} and {b.shape} have no product along {axes}")
    terms = math.prod(a.shape[k] for k in left)
    shape = tuple(a.shape[row] for row in rows) + tuple(b.shape[column] for column in columns)
    matrix = a.transpose(*rows, *left).reshape(math.prod(a.shape[row] for row in rows), terms)
    other = b.transpose(*right, *columns).reshape(terms, math.prod(b.shape[column] for column in columns))
    return (matrix @ other).reshape(shape)


def _inner(a: Any, b: Any) -> Any:
    return a * b if a.ndim == 0 or b.ndim == 0 else _tensordot(a, b, (-1, -1))


def _vdot(a: Any, b: Any) -> Any:
    return a.ravel() @ b.ravel()


def _outer(a: Any, b: Any) -> Any:
    return a.ravel()[:, None] * b.ravel()[None, :]


def _vecdot(x1: Any, x2: Any, *, axis: int = -1) -> Any:
    a, b = (x if axis == -1 else np.moveaxis(x, axis, -1) for x in (x1, x2))
    return (a[..., None, :] @ b[..., :, None])[..., 0, 0]


def _matvec(a: Any, b: Any) -> Any:
    return (a @ b[..., :, None])[..., 0]


def _vecmat(a: Any, b: Any) -> Any:
    return (a[..., None, :] @ b)[..., 0, :]


def _kron(a: Any, b: Any) -> Any:
    ndim = max(a.ndim, b.ndim)
    left, right = ((1,) * (ndim - x.ndim) + x.shape for x in (a, b))
    spread = (
        [length for size in left for length in (size, 1)],
        [length for size in right for length in (1, size)],
    )
    product = a.reshape(*spread[0]) * b.reshape(*spread[1])
    return product.reshape(*(m * n for m, n in zip(left, right, strict=True)))


MOST_PRODUCTS = 1 << 21
"""Largest number of products of a convolution for true values: about 3 s."""

TOGETHER = 1 << 15
"""Number of products of a convolution that are in memory at once."""


def _convolved(a: Any, v: Any, start: int, end: int) -> Any:
    """Elements start to end of a convolution: sums over k of a[i - k] v[k], a being 0 outside its range."""
    places = np.arange(start, end)[:, None] - np.arange(v.shape[0])[None, :]
    inside = (places >= 0) & (places < a.shape[0])
    return np.where(inside, a[np.clip(places, 0, a.shape[0] - 1)], 0.0) @ v


def _convolve(a: Any, v: Any, mode: str = "full") -> Any:
    if v.shape[0] > a.shape[0]:
        a, v = v, a
    n, m = a.shape[0], v.shape[0]
    if (n + m - 1) * m > MOST_PRODUCTS:
        raise Unknown(
            f"its true value needs {(n + m - 1) * m:,} products, and no more than {MOST_PRODUCTS:,} "
            "are computed"
        )
    rows = max(1, TOGETHER // m)
    parts = [_convolved(a, v, start, min(start + rows, n + m - 1)) for start in range(0, n + m - 1, rows)]
    full = np.concatenate(parts) if len(parts) > 1 else parts[0]
    if isinstance(full, Rounded):
        # With transforms, as in R's convolve, errors are in proportion to the norms of both operands.
        size = np.linalg.norm(a.value) * np.linalg.norm(v.value) * np.ones(full.shape)
        stages, more = np.log2(n + m), prime_term(n + m - 1)
        spread = 2.0 * full.unit * (np.sqrt(stages) + more) * size
        # With p terms that have equal roundings, the first element of a transform is off by p/4 units.
        spread = spread + full.unit * more**2 / 4.0 * np.abs(a.value.sum() * v.value.sum()) / (n + m - 1)
        worst = 24.0 * full.unit * (stages + more**2) * size
        full = full._made(full.value, full.worst, full.draws, worst, spread)
    starts = {"full": (0, n + m - 1), "same": ((m - 1) // 2, n), "valid": (m - 1, n - m + 1)}
    start, length = starts[mode]
    return full[start : start + length]


def _correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    if v.shape[0] > a.shape[0] and mode != "full":
        raise NotUnderstood(f"numpy.correlate(mode={mode!r}) with a shorter first operand")
    return _convolve(a, v[::-1], mode)


def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return np.diagonal(a, offset, axis1, axis2).sum(axis=-1)


def _diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = np._NoValue, append: Any = np._NoValue) -> Any:
    ends = [None if end is np._NoValue else _slab(a, end, axis) for end in (prepend, append)]
    parts = [part for part in (ends[0], a, ends[1]) if part is not None]
    a = np.concatenate(parts, axis=axis) if len(parts) > 1 else a
    ahead = (slice(None),) * (axis % a.ndim)
    for _ in range(n):
        a = a[(*ahead, slice(1, None))] - a[(*ahead, slice(None, -1))]
    return a


def _slab(a: Any, end: Any, axis: int) -> Any:
    """What is put before or after an axis: an array, or one number for all."""
    given: Any = type(a).gather(end)
    shape = [1 if k == axis % a.ndim else n for k, n in enumerate(a.shape)]
    return given if given.ndim else np.broadcast_to(given, shape)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is None and (ord is None or x.ndim > 2):
        axis = tuple(range(x.ndim))
    elif axis is None:
        axis = (0, 1) if x.ndim == 2 else 0
    axes = tuple(k % x.ndim for k in np.atleast_1d(axis).tolist())
    if ord is None or ord == "fro" or (ord == 2 and len(axes) == 1):
        return np.sqrt((x * x).sum(axis=axes, keepdims=keepdims))
    if len(axes) == 1:
        return _vector_norm(x, ord, axes[0], keepdims)
    if ord in (1, -1, np.inf, -np.inf):
        summed, kept = axes if abs(ord) == 1 else axes[::-1]
        sums = np.abs(x).sum(axis=summed, keepdims=True)
        norms = sums.max(axis=kept, keepdims=True) if ord > 0 else sums.min(axis=kept, keepdims=True)
        return norms if keepdims else norms.squeeze(axes)
    if ord in (2, -2, "nuc") and not keepdims:
        values = np.linalg.svd(np.moveaxis(x, axes, (-2, -1)), compute_uv=False)
        return values.sum(axis=-1) if ord == "nuc" else values[..., 0 if ord == 2 else -1]
    raise NotUnderstood(f"numpy.linalg.norm(ord={ord!r})")


def _vector_norm(x: Any, ord: Any, axis: int, keepdims: bool) -> Any:
    sizes = np.abs(x)
    if ord == np.inf:
        return sizes.max(axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return sizes.min(axis=axis, keepdims=keepdims)
    if ord == 1:
        return sizes.sum(axis=axis, keepdims=keepdims)
    if not isinstance(ord, (int, float)) or ord <= 0:
        raise NotUnderstood(f"numpy.linalg.norm(ord={ord!r})")
    return (sizes**ord).sum(axis=axis, keepdims=keepdims) ** (1.0 / ord)


def _average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    if returned:
        raise NotUnderstood("numpy.average(returned=True)")
    if weights is None:
        return a.mean(axis=axis, keepdims=keepdims)
    weights = type(a).gather(weights)
    if weights.shape != a.shape:
        if np.ndim(weights) != 1 or np.ndim(axis) != 0 or axis is None:
            raise NotUnderstood("numpy.average, whose weights have another shape,")
        shape = [1] * a.ndim
        shape[axis] = -1
        weights = weights.reshape(*shape) * np.ones(a.shape)
    total = weights.sum(axis=axis, keepdims=keepdims)
    return (a * weights).sum(axis=axis, keepdims=keepdims) / total


def _chained(matrices: list[Any], product: Any) -> Any:
    """A product of several matrices, with the error of any order of multiplication (Higham, 3.5)."""
    if not isinstance(product, Rounded):
        return product
    sizes, terms = np.abs(matrices[0].value), 0
    for matrix in matrices[1:]:
        terms += matrix.shape[max(matrix.ndim - 2, 0)] + 1
        sizes = sizes @ np.abs(matrix.value)
    roundoff = product.unit * terms * sizes
    return product._made(
        product.value, product.worst, product.draws, roundoff, roundoff / np.sqrt(max(terms, 1))
    )


def _matrix_power(a: Any, n: int) -> Any:
    if n <= 0:
        if n == 0:
            return np.broadcast_to(type(a).gather(np.eye(a.shape[-1])), a.shape).copy()
        a, n = np.linalg.inv(a), -n
    power = a
    for _ in range(n - 1):
        power = power @ a
    return _chained([a] * n, power) if n > 1 else power


def _multi_dot(kind: type[OracleArray], arrays: Any) -> Any:
    given: list[Any] = [kind.gather(array) for array in arrays]
    product = functools.reduce(np.matmul, given)
    return _chained(given, product)


def _cond(x: Any, p: Any = None) -> Any:
    if p in (None, 2):
        values = np.linalg.svd(x, compute_uv=False)
        return values[..., 0] / values[..., -1]
    return _norm(x, p, (-2, -1)) * _norm(np.linalg.inv(x), p, (-2, -1))


def _vector_norm_of(x: Any, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    if axis is None and not keepdims:
        x, axis = x.reshape(-1), 0
    return _norm(x, ord, axis, keepdims)


def _trace_of(x: Any, *, offset: int = 0) -> Any:
    return _trace(x, offset, -2, -1)


def _tensordot_of(x1: Any, x2: Any, *, axes: Any = 2) -> Any:
    return _tensordot(x1, x2, axes)


def _outer_of(x1: Any, x2: Any) -> Any:
    return _outer(x1, x2)


def _matmul_of(x1: Any, x2: Any) -> Any:
    return x1 @ x2


def _matrix_norm_of(x: Any, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return _norm(x, ord, (-2, -1), keepdims)


def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    if axes is not None:
        raise NotUnderstood("numpy.linalg.tensorsolve(axes=...)")
    shape = a.shape[b.ndim :]
    return np.linalg.solve(a.reshape(b.size, -1), b.reshape(-1)).reshape(shape)


def _generic(function: Callable[..., Any], arrays: int) -> Callable[..., Any]:
    @as_in(function, "kind")
    def call(kind: type[OracleArray], *args: Any, **kwargs: Any) -> Any:
        return function(*(kind.gather(arg) for arg in args[:arrays]), *args[arrays:], **kwargs)

    return call


GENERIC: Mapping[Any, Callable[..., Any]] = {
    np.tensordot: _generic(_tensordot, 2),
    np.inner: _generic(_inner, 2),
    np.vdot: _generic(_vdot, 2),
    np.outer: _generic(_outer, 2),
    np.kron: _generic(_kron, 2),
    np.convolve: _generic(_convolve, 2),
    np.correlate: _generic(_correlate, 2),
    np.trace: _generic(_trace, 1),
    np.diff: _generic(_diff, 1),
    np.average: _generic(_average, 1),
    np.linalg.norm: _generic(_norm, 1),
    np.linalg.matrix_power: _generic(_matrix_power, 1),
    np.linalg.multi_dot: _multi_dot,
    np.linalg.cond: _generic(_cond, 1),
    np.linalg.tensorsolve: _generic(_tensorsolve, 2),
    **{
        getattr(np.linalg, name): _generic(function, arrays)
        for name, arrays, function in (
            ("outer", 2, _outer_of),
            ("matmul", 2, _matmul_of),
            ("tensordot", 2, _tensordot_of),
            ("trace", 1, _trace_of),
            ("vector_norm", 1, _vector_norm_of),
            ("matrix_norm", 1, _matrix_norm_of),
            ("vecdot", 2, _vecdot),
        )
        if hasattr(np.linalg, name)
    },
    **{
        getattr(np, name): _generic(function, 2)
        for name, function in (("vecdot", _vecdot), ("matvec", _matvec), ("vecmat", _vecmat))
        if hasattr(np, name)
    },
}
