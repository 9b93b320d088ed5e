"""Basic operations on arrays that carry their rounding errors, and the error that each adds. NumPy alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.arguments import as_in
from harness.oracle.rounding import Rounded
from harness.oracle.summation import product_error
from harness.oracle.unknown import BY_ZERO

Array = npt.NDArray[Any]


def _plus(x: Rounded, y: Rounded, sign: float) -> Rounded:
    value = x.value + sign * y.value
    parts = (np.abs(value), np.abs(x.value), np.abs(y.value))
    # Each operand may have been rounded once more, as the terms of a longer sum.
    roundoff, spread = x.unit * sum(parts), x.unit * np.hypot(np.hypot(*parts[:2]), parts[2])
    if np.isinf(roundoff).any():
        # The sum of the magnitudes may overflow where the errors do not.
        a, b, c = (x.unit * part for part in parts)
        roundoff, spread = a + b + c, np.hypot(np.hypot(a, b), c)
    draws = _sum(x._carried(1.0, value.ndim), y._carried(sign, value.ndim))
    worst = x.worst + y.worst
    if sign < 0 and (same := x.same_elements(y)) is not None:
        # A number minus itself is 0 in every computation.
        same = same & (value == 0) & np.isfinite(worst)
        worst, roundoff, spread = (np.where(same, 0.0, error) for error in (worst, roundoff, spread))
    numbers = finite(x, y) if np.isinf(value).any() else None
    fits = _fits(x, y, sign) if (np.abs(value) > x.form.largest / 2.0).any() else False
    made = x._made(value, worst, draws, roundoff, spread, numbers=numbers, fits=fits)
    return made.as_undecided(lambda: _either_doubtful(x, y))


def _either_doubtful(x: Rounded, y: Rounded) -> Array:
    """Where an operand is undecided, and neither makes the result NaN whatever the other is."""
    array: Array = (x.doubtful() | y.doubtful()) & ~(x.lacking() | y.lacking())
    return array


def _fits(x: Rounded, y: Rounded, sign: float) -> Array:
    """Where a sum of two numbers of the format stays finite: less than half a step beyond the largest number.

    This happens where a mask is the least number of the format, and a small number is added to it.
    """
    largest = x.form.largest
    half = np.ldexp(x.unit, np.frexp(largest)[1] - 1)
    fits: Array = np.asarray(True)
    for side in (1.0, -1.0):
        left = np.minimum(side * x.value + x.limit(), largest)
        right = np.minimum(side * sign * y.value + y.limit(), largest)
        # In this order no partial sum is beyond float64.
        fits = fits & ((np.maximum(left, right) - largest) + np.minimum(left, right) < half)
    return fits


def _times(x: Rounded, y: Rounded) -> Rounded:
    value = x.value * y.value
    worst = np.abs(x.value) * y.worst + np.abs(y.value) * x.worst + x.worst * y.worst
    left, right = x._carried(1.0, value.ndim), y._carried(1.0, value.ndim)
    draws = _bilinear(np.multiply, x.value, left, y.value, right)
    roundoff = x.unit * np.abs(value) + x.tiny * (_may_be_number(x) & _may_be_number(y))
    roundoff = np.where(_shifts(x, y, value) | _shifts(y, x, value), 0.0, roundoff)
    numbers = finite(x, y) if np.isinf(value).any() else None
    made = x._made(value, worst, draws, roundoff, roundoff, numbers=numbers)
    return made.as_undecided(lambda: _either_doubtful(x, y) | _of_infinity_and_zero(x, y))


def _of_infinity_and_zero(x: Rounded, y: Rounded) -> Array:
    """Where an infinity is multiplied by a number that may be zero, and by one that is zero by rounding."""
    array: Array = np.isinf(x.value) & y.near_zero() | np.isinf(y.value) & x.near_zero()
    return array


def _over(x: Rounded, y: Rounded) -> Rounded:
    value = x.value / y.value
    room = np.abs(y.value) - y.worst
    worst = np.where(room > 0, (x.worst + np.abs(value) * y.worst) / room, np.inf)
    draws = _sum(x._carried(1.0 / y.value, value.ndim), y._carried(-value / y.value, value.ndim))
    # Some implementations round a reciprocal and then a product.
    roundoff = 2.0 * x.unit * np.abs(value) + x.tiny * _may_be_number(x)
    roundoff = np.where(_shifts(x, y, value), 0.0, roundoff)
    numbers = finite(x, y) & (y.value != 0) if np.isinf(value).any() else None
    made = x._made(value, worst, draws, roundoff, roundoff / np.sqrt(2.0), numbers=numbers)
    made = made.as_undecided(lambda: _either_doubtful(x, y))
    if np.isinf(worst).any():
        limit = y.limit()
        zero = np.broadcast_to((limit > 0) & (np.abs(y.value) <= limit), made.shape)
        if zero.any():
            x.branches.note(BY_ZERO)
            made = made.spoiled(zero)
    return made


def finite(*operands: Rounded) -> Array:
    """Where all operands are numbers."""
    array: Array = np.logical_and.reduce(
        np.broadcast_arrays(*(np.isfinite(operand.value) for operand in operands))
    )
    return array


def _may_be_number(x: Rounded) -> Array:
    """Where an element may be non-zero: a number that underflowed is a zero with an error."""
    array: Array = (x.value != 0) | (x.worst != 0)
    return array


def _shifts(x: Rounded, y: Rounded, value: Array) -> Any:
    """Whether the other operand is a power of two: it changes the exponent alone and rounds nothing."""
    if y.size != 1 or y.worst.any():
        return False
    return (np.abs(np.frexp(y.value)[0]) == 0.5) & (np.abs(value) >= x.form.least)


def _negative(x: Rounded) -> Rounded:
    return type(x)(-x.value, x.worst, None if x.draws is None else -x.draws)


def _absolute(x: Rounded) -> Rounded:
    return type(x)(np.abs(x.value), x.worst, x._carried(np.where(x.value < 0, -1.0, 1.0), x.ndim))


def _greater(x: Rounded, y: Rounded, sign: float) -> Rounded:
    """The larger of both; where either may be the larger one, with the wider error of the two."""
    first = sign * x.value >= sign * y.value
    draws: Array | None = None
    if x.draws is not None or y.draws is not None:
        near = np.abs(x.value - y.value) <= 2.0 * (x.limit() + y.limit())
        left, right = x.probable(), y.probable()
        wider = np.where(near, left >= right, first) & ~np.isnan(right) | np.isnan(left)
        drawn = [rounded._carried(1.0, wider.ndim) for rounded in (x, y)]
        left_draws, right_draws = (np.zeros(1) if array is None else array for array in drawn)
        draws = np.where(wider, left_draws, right_draws)
    # The error of an operand that is certainly the smaller one does not matter.
    certain = np.abs(x.value - y.value) > x.worst + y.worst
    worst = np.where(certain, np.where(first, x.worst, y.worst), np.maximum(x.worst, y.worst))
    return type(x)(np.where(first, x.value, y.value), worst, draws)


def matmul(x: Rounded, y: Rounded) -> Rounded:
    """A product of matrices, whose sums are added in any order."""
    if x.ndim == 1:
        product = matmul(x[None, :], y)
        if y.ndim == 1:
            number: Rounded = product[0]
            return number
        return product.reshape(*product.shape[:-2], *product.shape[-1:])
    if y.ndim == 1:
        product = matmul(x, y[:, None])
        return product.reshape(product.shape[:-1])
    value = x.value @ y.value
    roundoff, spread = product_error(x.value, y.value, x.unit)
    worst = np.abs(x.value) @ y.worst + x.worst @ np.abs(y.value) + x.worst @ y.worst
    left, right = x._carried(1.0, value.ndim), y._carried(1.0, value.ndim)
    draws = _bilinear(np.matmul, x.value, left, y.value, right)
    lost = x.tiny * (_may_be_number(x).astype(float) @ _may_be_number(y).astype(float))
    roundoff, spread = roundoff + lost, spread + lost
    reach = (np.abs(x.value) @ np.abs(y.value) + np.abs(value)) / 2.0
    numbers = None
    if not np.isfinite(value).all():
        bad = (np.isfinite(rounded.value).astype(float) for rounded in (x, y))
        numbers = np.matmul(*bad) == x.shape[-1]
    made = x._made(value, worst, draws, roundoff, spread, reach=reach, numbers=numbers)
    return made.as_undecided(lambda: _any_doubtful(x, y))


def _any_doubtful(x: Rounded, y: Rounded) -> Array:
    """Where a sum of products has an undecided term, and no other term makes it NaN."""
    infinite = np.isinf(x.value).astype(float) @ y.near_zero().astype(float)
    infinite += x.near_zero().astype(float) @ np.isinf(y.value).astype(float)
    doubtful = x.doubtful().any(axis=-1, keepdims=True) | y.doubtful().any(axis=-2, keepdims=True)
    lacking = x.lacking().any(axis=-1, keepdims=True) | y.lacking().any(axis=-2, keepdims=True)
    zeros = ((rounded.value == 0) & (rounded.worst == 0) for rounded in (x, y))
    left, right = (array.astype(float) for array in zeros)
    # An infinity times zero, both exact, is NaN too.
    lacking = lacking | (np.isinf(x.value).astype(float) @ right + left @ np.isinf(y.value).astype(float) > 0)
    array: Array = (doubtful | (infinite > 0)) & ~lacking
    return array


def _outer(self: Rounded, a: Any, b: Any) -> Any:
    x, y = self._as(a).ravel(), self._as(b).ravel()
    return x[:, None] * y[None, :]


def _bilinear(product: np.ufunc, x: Array, left: Array | None, y: Array, right: Array | None) -> Array | None:
    """The draws of a product: (x + left)(y + right) - x y; the last term counts where x and y are zero."""
    both = None if left is None or right is None else product(left, right)
    return _sum(
        None if left is None else product(left, y), None if right is None else product(x, right), both
    )


def _sum(*draws: Array | None) -> Array | None:
    there = [draw for draw in draws if draw is not None]
    if not there:
        return None
    total: Array = there[0]
    for array in there[1:]:
        total = total + array
    return total


def _method(name: str) -> Callable[..., Any]:
    @as_in(getattr(Rounded, name), "self", "a", but=1)
    def call(self: Rounded, a: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._as(a), name)(*args, **kwargs)

    return call


ROUNDED_UFUNCS: Mapping[np.ufunc, Callable[..., Any]] = {
    np.add: lambda x, y: _plus(x, y, 1.0),
    np.subtract: lambda x, y: _plus(x, y, -1.0),
    np.multiply: _times,
    np.divide: _over,
    np.matmul: matmul,
    np.negative: _negative,
    np.positive: lambda x: x.copy(),
    np.absolute: _absolute,
    np.square: lambda x: _times(x, x),
    np.maximum: lambda x, y: _greater(x, y, 1.0),
    np.minimum: lambda x, y: _greater(x, y, -1.0),
}

ROUNDED_REDUCING: Mapping[np.ufunc, Callable[..., Any]] = {
    np.add: Rounded._sum,
    np.maximum: Rounded._max,
    np.minimum: Rounded._min,
}

ROUNDED_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    np.sum: _method("sum"),
    np.mean: _method("mean"),
    np.max: _method("max"),
    np.amax: _method("max"),
    np.min: _method("min"),
    np.amin: _method("min"),
    np.dot: _method("dot"),
    np.outer: _outer,
}
