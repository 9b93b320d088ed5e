"""Arrays of balls: a midpoint and a radius that together hold the true value (python-flint's arb)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, arb_mat, ctx

Array = npt.NDArray[Any]


class Balls(np.ndarray):
    """An ndarray of balls, whose products of matrices are quick where many bits are asked for."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [one.view(np.ndarray) if isinstance(one, Balls) else one for one in inputs]
        if ufunc in EXTREMES and method == "reduce":
            return _reduced(EXTREMES[ufunc], plain[0], kwargs.get("axis", 0), kwargs.get("keepdims", False))
        if ufunc in EXTREMES:
            ufunc = EXTREMES[ufunc]
        if ufunc is np.matmul and method == "__call__" and ctx.prec > PLAIN:
            return _product(*plain).view(Balls)
        if kwargs.get("out") is not None:
            kwargs["out"] = tuple(one.view(np.ndarray) for one in kwargs["out"])
        result = getattr(ufunc, method)(*plain, **kwargs)
        return result.view(Balls) if isinstance(result, np.ndarray) and result.dtype == object else result


PLAIN = 64
"""Up to so many bits a product is summed term by term, as a plain program would; flint's own rounds less."""

EXTREMES: dict[np.ufunc, Any] = {}


def _extreme(name: str) -> Any:
    """Like np.maximum, but two balls that overlap give one that holds the larger of them."""

    def choose(a: Any, b: Any) -> Any:
        return getattr(arb(a), name)(arb(b))

    return np.frompyfunc(choose, 2, 1)


EXTREMES[np.maximum] = _extreme("max")
EXTREMES[np.minimum] = _extreme("min")


def _reduced(ufunc: Any, array: Array, axis: Any, keepdims: bool) -> Any:
    """Axis after axis, since NumPy does not know that the order is free."""
    axes = range(array.ndim) if axis is None else (axis,) if np.ndim(axis) == 0 else axis
    for one in sorted({one % array.ndim for one in axes}, reverse=True):
        array = np.expand_dims(ufunc.reduce(array, axis=one), one)
    gone = tuple(one % array.ndim for one in axes) if array.ndim else ()
    result = array if keepdims else array.squeeze(gone)
    return result.view(Balls) if result.ndim else result[()]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with so many bits."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def exact(array: Array) -> Balls:
    """Floating-point numbers as balls of radius 0."""
    balls = np.empty(array.shape, dtype=object)
    balls.reshape(-1)[:] = [arb(number) for number in array.ravel().tolist()]
    return balls.view(Balls)


def as_balls(value: Any) -> Array:
    """Whatever a function of such arrays may return, as an array of balls."""
    array = np.asarray(value, dtype=object)
    balls = np.empty(array.shape, dtype=object)
    balls.reshape(-1)[:] = [item if isinstance(item, arb) else arb(_number(item)) for item in array.ravel()]
    return balls


def _number(item: Any) -> Any:
    if isinstance(item, (bool, int, float)):
        return item
    if isinstance(item, np.generic) and item.dtype.kind in "biuf":
        return item.item()
    raise TypeError(f"{type(item).__name__} is no number that a ball can hold")


def split(balls: Array) -> tuple[Array, Array, Array]:
    """Balls as the sum of two float64 each, and a bound on what that sum is away from the true value.

    Parameters
    ----------
    balls : ndarray of arb

    Returns
    -------
    high, low, radius : ndarray of float64
        ``high`` is the midpoint, rounded; ``low`` what that leaves, rounded. Infinite ones have no low part.
    """
    flat = balls.ravel().tolist()
    high = [float(ball) for ball in flat]
    rest = [ball - there for ball, there in zip(flat, high, strict=True)]
    low = [float(ball) for ball in rest]
    radius = [float((ball - there).abs_upper()) for ball, there in zip(rest, low, strict=True)]
    parts = [np.array(part, dtype=np.float64).reshape(balls.shape) for part in (high, low, radius)]
    infinite = np.isinf(parts[0])
    for part in parts[1:]:
        part[infinite] = 0.0
    return parts[0], parts[1], parts[2]


def radius_of(balls: Array) -> Array:
    """The radii alone, as float64; 0 for infinite midpoints."""
    flat = balls.ravel().tolist()
    radii = np.array([float(ball.rad()) for ball in flat], dtype=np.float64).reshape(balls.shape)
    return np.where(np.array([np.isinf(float(ball)) for ball in flat]).reshape(balls.shape), 0.0, radii)


def _product(x: Array, y: Array) -> Array:
    if x.ndim == 1:
        product = _product(x[None, :], y)
        return product.reshape(*product.shape[:-2], *product.shape[-1:])
    if y.ndim == 1:
        product = _product(x, y[:, None])
        return product.reshape(product.shape[:-1])
    if x.shape[-1] != y.shape[-2]:
        raise ValueError(f"matrices of shapes {x.shape} and {y.shape} have no product")
    stack = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    rows, columns = x.shape[-2], y.shape[-1]
    left = np.broadcast_to(x, (*stack, *x.shape[-2:])).reshape(-1, *x.shape[-2:])
    right = np.broadcast_to(y, (*stack, *y.shape[-2:])).reshape(-1, *y.shape[-2:])
    result = np.empty((len(left), rows * columns), dtype=object)
    for place, (one, other) in enumerate(zip(left, right, strict=True)):
        result[place] = (_matrix(one) * _matrix(other)).entries()
    return result.reshape(*stack, rows, columns)


def _matrix(array: Array) -> arb_mat:
    return arb_mat(*array.shape, array.ravel().tolist())
