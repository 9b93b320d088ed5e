"""Basic operations on plain ndarrays of balls (dtype object, python-flint's arb)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, arb_mat, ctx

from harness.oracle.balls import NO_NUMBER, POLE, is_no_number

Array = npt.NDArray[Any]

PLAIN = 64
"""Bits up to which a product is summed term by term as in a plain program; flint's own rounds less."""


def _extreme(name: str) -> Any:
    """Like np.maximum, but two balls that overlap give a ball that contains the larger of them."""

    def choose(a: Any, b: Any) -> Any:
        if a is b:
            return a
        above, below = (a, b) if name == "max" else (b, a)
        if above >= below:
            return a
        if below >= above or is_no_number(b):
            return b
        return a if is_no_number(a) else getattr(a, name)(b)

    return np.frompyfunc(choose, 2, 1)


_MAXIMUM, _MINIMUM = _extreme("max"), _extreme("min")


def _reduction(ufunc: Any) -> Callable[..., Any]:
    """A reduction axis by axis: NumPy refuses several axes if it does not know that the order is free."""

    def reduce(array: Array, axis: Any = 0, keepdims: bool = False) -> Any:
        axes = range(array.ndim) if axis is None else (axis,) if np.ndim(axis) == 0 else axis
        gone = tuple(sorted({n % array.ndim for n in axes})) if array.ndim else ()
        for n in gone[::-1]:
            array = np.expand_dims(ufunc.reduce(array, axis=n), n)
        return array if keepdims else array.squeeze(gone)

    return reduce


def _matmul(x: Array, y: Array) -> Any:
    return _product(x, y) if ctx.prec > PLAIN else np.matmul(x, y)


def _product(x: Array, y: Array) -> Array:
    if x.ndim == 1:
        product = _product(x[None, :], y)
        if y.ndim == 1:
            return product[0]  # type: ignore[no-any-return]
        return product.reshape(*product.shape[:-2], *product.shape[-1:])
    if y.ndim == 1:
        product = _product(x, y[:, None])
        return product.reshape(product.shape[:-1])
    if x.shape[-1] != y.shape[-2]:
        raise ValueError(f"matrices of shapes {x.shape} and {y.shape} have no product")
    stack = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    rows, columns = x.shape[-2], y.shape[-1]
    count = math.prod(stack)
    left = np.broadcast_to(x, (*stack, *x.shape[-2:])).reshape(count, *x.shape[-2:])
    right = np.broadcast_to(y, (*stack, *y.shape[-2:])).reshape(count, *y.shape[-2:])
    result = np.empty((len(left), rows * columns), dtype=object)
    for place, (a, b) in enumerate(zip(left, right, strict=True)):
        entries = (_matrix(a) * _matrix(b)).entries()
        if not all(ball.is_finite() for ball in entries):
            terms = BALL_UFUNCS[np.multiply](a[:, None, :], b.T[None, :, :])
            entries = sum_of(terms, -1, False).ravel()
        result[place] = entries
    return result.reshape(*stack, rows, columns)


def _matrix(array: Array) -> arb_mat:
    return arb_mat(*array.shape, array.ravel().tolist())


def quotient(x: Any, y: Any) -> Any:
    """The quotient of two balls, poles included."""
    made = x / y
    if made.is_finite():
        return made
    if y.is_zero():
        return NO_NUMBER if x.is_zero() or is_no_number(x) else POLE if x > 0 or x < 0 else made
    lacking = is_no_number(x) or is_no_number(y)
    return NO_NUMBER if lacking or (abs(x) == _INFINITY and abs(y) == _INFINITY) else made


_INFINITY = arb("inf")
_QUOTIENT = np.frompyfunc(quotient, 2, 1)


def _passing(operate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator of two balls; NaN where an operand is NaN, whatever the other one may be."""

    def call(x: Any, y: Any) -> Any:
        made = operate(x, y)
        if made.is_nan() and (is_no_number(x) or is_no_number(y)):
            return NO_NUMBER
        return made

    return call


added, multiplied = _passing(operator.add), _passing(operator.mul)
_DIFFERENCE = _passing(operator.sub)
_ZERO = arb(0)


def subtracted(x: Any, y: Any) -> Any:
    """The difference of two balls; 0 of a ball and itself, which stand for one number."""
    return _ZERO if x is y and x.is_finite() else _DIFFERENCE(x, y)


def _elementwise(ufunc: np.ufunc, carefully: Callable[[Any, Any], Any]) -> Callable[[Array, Array], Any]:
    """A ufunc of objects; where a result is not finite, by the other function."""
    one_by_one = np.frompyfunc(carefully, 2, 1)

    def call(x: Array, y: Array) -> Any:
        made = ufunc(x, y)
        return made if _all_finite(made) else one_by_one(x, y)

    return call


def _subtract(x: Array, y: Array) -> Any:
    made = np.subtract(x, y)
    if not _all_finite(made):
        return _SUBTRACTED(x, y)
    same = np.asarray(_IS(x, y), dtype=bool)
    return np.where(same, _ZERO, made) if same.any() else made


_FINITE = np.frompyfunc(arb.is_finite, 1, 1)
_IS = np.frompyfunc(operator.is_, 2, 1)
_SUBTRACTED = np.frompyfunc(subtracted, 2, 1)


def _all_finite(made: Any) -> bool:
    return bool(np.all(_FINITE(made)))


def sum_of(array: Array, axis: Any, keepdims: bool) -> Any:
    """The sum over some axes; NaN where a term is NaN, whatever the others may be."""
    total = np.sum(array, axis=axis, keepdims=keepdims)
    if not array.size or _all_finite(total):
        return total
    lacking = np.asarray(np.frompyfunc(is_no_number, 1, 1)(array), dtype=bool)
    return np.where(lacking.any(axis=axis, keepdims=keepdims), NO_NUMBER, total)


BALL_UFUNCS: Mapping[np.ufunc, Callable[..., Any]] = {
    np.add: _elementwise(np.add, added),
    np.subtract: _subtract,
    np.multiply: _elementwise(np.multiply, multiplied),
    np.divide: _QUOTIENT,
    np.maximum: _MAXIMUM,
    np.minimum: _MINIMUM,
    np.matmul: _matmul,
}

BALL_REDUCING: Mapping[np.ufunc, Callable[..., Any]] = {
    np.maximum: _reduction(_MAXIMUM),
    np.minimum: _reduction(_MINIMUM),
}

BALL_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {}
