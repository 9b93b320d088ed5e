"""Variances, products, cumulative sums and products: true values and rounding errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.arguments import as_in
from harness.oracle.masked import reduced
from harness.oracle.rounding import Rounded
from harness.oracle.summation import running_error
from harness.oracle.unknown import NotUnderstood, Unknown

Array = npt.NDArray[Any]


def _var(
    self: Rounded,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    correction: Any = np._NoValue,
) -> Any:
    """The variance by the two-pass formula, with the error of Welford's formula.

    With S = sum (x - mean)^2 and Q = sum x^2, the relative error of two passes is of the order n u +
    n^2 u^2 Q / S, that of updating n u sqrt(Q / S) (Chan, Golub and LeVeque, "Algorithms for computing the
    sample variance", The American Statistician 37, 1983, table 1).
    """
    ddof = _corrected(ddof, correction)
    _refuse(self, "var", dtype)
    moved, shape = self._as(a)._reduced(axis, keepdims)
    n, u = moved.shape[-1], self.unit
    away = moved - moved.mean(axis=-1, keepdims=True)
    squares = (away * away).sum(axis=-1)
    sizes = np.square(moved.value).sum(axis=-1)
    mixed = np.sqrt(sizes * squares.value)
    worst = 2.0 * n * u * mixed + n**2 * u**2 * sizes
    spread = u * mixed + n * u**2 * sizes
    squares = squares.widened(worst, np.minimum(worst, spread))
    return (squares / _freedom(n, ddof)).reshape(shape)


@as_in(_var)
def _std(self: Rounded, a: Any, *args: Any, **kwargs: Any) -> Any:
    return _root(_var(self, a, *args, **kwargs))


def _root(x: Rounded) -> Rounded:
    """A square root with exact differences as draws, because the derivative is infinite at 0."""
    value = np.sqrt(x.value)
    moved = np.sqrt(np.maximum(x.value + x._drawn(), 0.0))
    total = moved + value
    draws = np.where(moved == 0, -value, x._drawn() / np.where(total > 0, total, 1.0))
    worst = np.where(value > 0, x.worst / np.where(value > 0, value, 1.0), np.sqrt(x.worst))
    roundoff = 2.0 * x.unit * value
    return x._made(value, worst, draws, roundoff, roundoff)


def _prod(
    self: Rounded,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = np._NoValue,
    where: Any = True,
) -> Any:
    _refuse(self, "prod", dtype)
    return reduced(np.multiply, _product, self._as(a), axis, keepdims, initial, where)


def _product(x: Rounded, axis: Any, keepdims: bool) -> Any:
    moved, shape = x._reduced(axis, keepdims)
    if moved.shape[-1] == 0:
        return type(x).given(np.ones(shape))
    return _running_product(x, moved)[..., -1].reshape(shape)


def _cumsum(self: Rounded, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    _refuse(self, "cumsum", dtype)
    moved, back = _last(self._as(a), axis)
    worst, spread = running_error(moved.value, self.unit)
    draws = None if moved.draws is None else moved.draws.cumsum(axis=-1)
    total, sizes = moved.value.cumsum(axis=-1), np.abs(moved.value).cumsum(axis=-1)
    reach, numbers = (sizes + np.abs(total)) / 2.0, np.isfinite(moved.value).cumprod(axis=-1) > 0
    inherited = moved.worst.cumsum(axis=-1)
    made = moved._made(total, inherited, draws, worst, spread, reach=reach, numbers=numbers)
    return back(made.as_undecided(lambda: np.logical_or.accumulate(moved.doubtful(), axis=-1)))


def _cumprod(self: Rounded, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    _refuse(self, "cumprod", dtype)
    moved, back = _last(self._as(a), axis)
    return back(_running_product(self, moved))


def _running_product(self: Rounded, x: Rounded) -> Rounded:
    """Products of the first 1, 2, ... elements of the last axis, each multiplied in any order."""
    value = x.value.cumprod(axis=-1)
    sizes = np.abs(x.value)
    relative = np.divide(x.worst, sizes, out=np.full(x.shape, np.inf), where=sizes > 0)
    # Without zeros the relative errors multiply; with one, the bound is that of the magnitudes.
    worst = np.where(
        value != 0,
        np.abs(value) * np.expm1(np.log1p(relative).cumsum(axis=-1)),
        np.where(x.worst.any(axis=-1, keepdims=True), (sizes + x.worst).cumprod(axis=-1), 0.0),
    )
    draws = None
    if x.draws is not None:
        draws = np.zeros((len(x.draws), *x.shape))
        carried, before = np.zeros(draws.shape[:-1]), np.ones(x.shape[:-1])
        for k in range(x.shape[-1]):
            # The product rule, one factor after another; errors of two zeros multiply.
            carried = carried * (x.value[..., k] + x.draws[..., k]) + before * x.draws[..., k]
            before = before * x.value[..., k]
            draws[..., k] = carried
    count = np.arange(x.shape[-1])
    steps = np.where(count > 0, count + 1.0, 0.0)
    # In any order, an underflow error is multiplied by the factors that come after it.
    reach = np.maximum(sizes, 1.0).cumprod(axis=-1)
    lost = np.where(
        (steps > 0) & (((sizes != 0) | (x.worst != 0)).cumprod(axis=-1) > 0),
        self.tiny * np.minimum(reach, self.form.largest),
        0.0,
    )
    roundoff = steps * self.unit * np.abs(value) + lost
    spread = np.sqrt(steps) * self.unit * np.abs(value) + lost
    numbers = np.isfinite(x.value).cumprod(axis=-1) > 0
    made = x._made(value, worst, draws, roundoff, np.minimum(roundoff, spread), reach=reach, numbers=numbers)
    return made.as_undecided(lambda: np.logical_or.accumulate(x.doubtful(), axis=-1))


def _last(x: Rounded, axis: Any) -> tuple[Rounded, Callable[[Rounded], Rounded]]:
    """The array with an axis moved to the end, or flat without an axis, and a function that moves it back."""
    if axis is None:
        return x.reshape(-1), lambda rounded: rounded
    order = [k for k in range(x.ndim) if k != axis % x.ndim] + [axis % x.ndim]
    return x.transpose(*order), lambda rounded: rounded.transpose(*np.argsort(order).tolist())


def _freedom(n: int, ddof: float) -> float:
    if n <= ddof:
        raise Unknown(f"a variance of {n} elements with ddof={ddof:g} is not defined")
    return n - ddof


def _corrected(ddof: float, correction: Any) -> float:
    """The value of ddof, which NumPy also accepts as ``correction``."""
    return ddof if correction is np._NoValue else float(correction)


def _refuse(self: Rounded | None, name: str, dtype: Any) -> None:
    """Refuse another dtype than the array's; ``self`` is None for balls, which have a value in any."""
    if dtype is not None and self is not None and np.dtype(dtype) != self.dtype:
        raise NotUnderstood(f"numpy.{name}(dtype=...)")


def _ball_var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    correction: Any = np._NoValue,
) -> Any:
    ddof = _corrected(ddof, correction)
    _refuse(None, "var", dtype)
    x = np.asarray(a, dtype=object)
    total = np.asarray(x.sum(axis=axis, keepdims=True), dtype=object)
    n = x.size // max(1, total.size)
    freedom = _freedom(n, ddof)
    return np.square(x - total / n).sum(axis=axis, keepdims=keepdims) / freedom


@as_in(_ball_var)
def _ball_std(a: Any, *args: Any, **kwargs: Any) -> Any:
    return np.sqrt(_ball_var(a, *args, **kwargs))


def _ball_product(x: Array, axis: Any = None, keepdims: bool = False) -> Any:
    how: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    return np.multiply.reduce(x, **how)


def _accumulated(ufunc: np.ufunc, name: str) -> Callable[..., Any]:
    """The accumulation of a ufunc on an array of balls."""

    def call(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        _refuse(None, name, dtype)
        array = np.asarray(a, dtype=object)
        return ufunc.accumulate(array.ravel() if axis is None else array, axis=0 if axis is None else axis)

    return call


ROUNDED_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.var: _var,
    np.std: _std,
    np.prod: _prod,
    np.cumsum: _cumsum,
    np.cumprod: _cumprod,
}

ROUNDED_REDUCING: Mapping[np.ufunc, Callable[..., Any]] = {
    np.multiply: _product,
}

BALL_REDUCING: Mapping[np.ufunc, Callable[..., Any]] = {
    np.multiply: _ball_product,
}

BALL_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.var: _ball_var,
    np.std: _ball_std,
    np.cumsum: _accumulated(np.add, "cumsum"),
    np.cumprod: _accumulated(np.multiply, "cumprod"),
}
