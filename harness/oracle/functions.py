"""Elementwise functions of arrays that carry their rounding: slope, worst case, and the libraries' errors.

For each function of one array there is a bound on ``|f(x + d) - f(x)|`` over all ``|d| <= w``, written
without cancellation: by f's addition theorem where it has one, else by the largest slope on the way.
docs/functions.md has the list, and what libraries add.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.oracle.function_errors import LARGEST, limit_of, overflows_early
from harness.oracle.powers import power
from harness.oracle.propagate import propagated
from harness.oracle.rounding import Rounded

Array = npt.NDArray[Any]

_LEAST = 2.0**-1074
"""The smallest float64, used as a bound of any smaller number."""

_SLACK = 2.0**-40
"""Relative error of an exponential in float64 whose argument, at most 745, is rounded."""


class Function(NamedTuple):
    """A function of one array.

    Attributes
    ----------
    value : callable
        The function.
    slope : callable
        Its derivative, of x and the value.
    worst : callable
        Bound on the change of the value, from x, the value and the worst error of x; inf without a bound.
    """

    value: Callable[[Array], Array]
    slope: Callable[[Array, Array], Array]
    worst: Callable[[Array, Array, Array], Array]


def apply(name: str, function: Function, x: Rounded) -> Rounded:
    """A function's value with the error that it inherits and the largest of any library.

    Parameters
    ----------
    name : str
        Name in the table of errors.
    function : Function
        The function.
    x : Rounded
        The operand.

    Returns
    -------
    Rounded
    """
    value = function.value(x.value)
    slope, roundoff = function.slope(x.value, value), library_error(name, x, value)
    bound = lambda w: function.worst(x.value, value, w)  # noqa: E731
    overflows = np.isinf(value) & (name in GROWING)
    return propagated(value, (x,), (slope,), bound, roundoff, overflows)


def library_error(name: str, x: Rounded, value: Array) -> Array:
    """The error of a library's function at exact numbers: a number of units in the last place.

    Parameters
    ----------
    name : str
        Name in the table of errors.
    x : Rounded
        The operand, whose class has the precision.
    value : ndarray
        The function's values.

    Returns
    -------
    ndarray
    """
    error = limit_of(name, x.unit) * (2.0 * x.unit * np.abs(value) + x.tiny)
    if overflows_early(name, x.unit):
        error = np.where(np.abs(value) > LARGEST[x.unit] / 2.1, np.inf, error)
    if name == "sqrt":
        # IEEE 754 rounds a root correctly: that of 0 is 0.
        error = np.where((x.value == 0) & (x.worst == 0), 0.0, error)
    # exp(-inf) is 0 in all libraries.
    return np.where(np.isfinite(value) & ~(np.isinf(x.value) & (value == 0)), error, 0.0)


def _near_zero(x: Array, w: Array) -> Array:
    """The smallest magnitude within the error of x."""
    array: Array = np.maximum(np.abs(x) - w, 0.0)
    return array


def _log_worst(unit: float, below: Array, w: Array) -> Array:
    return np.where(w < below, -np.log1p(-w / below), np.inf) * unit


def _exp_worst(unit: float, x: Array, grown: Array, w: Array) -> Array:
    """The bound f(x) (f(w) - 1); where that is NaN, f(x + w), which also bounds results rounded to 0."""
    more = grown * np.expm1(w * unit)
    at_end = (1.0 + _SLACK) * np.exp((x + w) * unit) + _LEAST
    array: Array = np.where(np.isfinite(more), more, at_end)
    return array


def _sqrt_worst(x: Array, _: Array, w: Array) -> Array:
    root, below = np.sqrt(x), np.sqrt(np.maximum(x - w, 0.0))
    # A number beyond the domain's edge has no root, and no bound.
    above = np.where(w > x, np.sqrt(x + w) - root, 0.0)
    return np.maximum(np.where(x > 0, np.minimum(w, x) / (root + below), 0.0), above)


def _cbrt_worst(x: Array, y: Array, w: Array) -> Array:
    x, y = np.abs(x), np.abs(y)
    below = np.cbrt(x - w)
    whole = y * y + y * below + below * below
    return np.where(whole > 0, np.minimum(w / whole, 2.0 * np.cbrt(w)), 0.0)


def _sin_worst(x: Array, _: Array, w: Array) -> Array:
    return np.minimum(np.abs(np.cos(x)) * w + np.abs(np.sin(x)) * w * w / 2.0, 2.0)


def _cos_worst(x: Array, _: Array, w: Array) -> Array:
    return np.minimum(np.abs(np.sin(x)) * w + np.abs(np.cos(x)) * w * w / 2.0, 2.0)


def _tan_worst(_: Array, y: Array, w: Array) -> Array:
    step = np.tan(np.minimum(w, 1.5))
    room = np.where(w < 1.5, 1.0 - np.abs(y) * step, 0.0)
    return np.where(room > 0, (1.0 + y * y) * step / room, np.inf)


def _arcsin_worst(x: Array, _: Array, w: Array) -> Array:
    x = np.abs(x)
    return np.maximum(_arc(x, np.minimum(x + w, 1.0)), _arc(x, np.maximum(x - w, -1.0)))


def _arc(a: Array, b: Array) -> Array:
    """The arc between two angles, by their sines: twice the arcsine of half the chord."""
    cosines = np.sqrt((1.0 - a) * (1.0 + a)) + np.sqrt((1.0 - b) * (1.0 + b))
    other = np.where(cosines > 0, (b - a) * (a + b) / np.where(cosines > 0, cosines, 1.0), 0.0)
    array: Array = 2.0 * np.arcsin(np.minimum(np.hypot(b - a, other) / 2.0, 1.0))
    return array


def _arctan_worst(x: Array, _: Array, w: Array) -> Array:
    x = np.abs(x)
    array: Array = np.arctan2(w, 1.0 + x * (x - w))
    return array


def _sinh_worst(x: Array, y: Array, w: Array) -> Array:
    array: Array = np.cosh(x) * np.sinh(w) + 2.0 * np.abs(y) * np.sinh(w / 2.0) ** 2
    return array


def _cosh_worst(x: Array, y: Array, w: Array) -> Array:
    array: Array = np.abs(np.sinh(x)) * np.sinh(w) + 2.0 * y * np.sinh(w / 2.0) ** 2
    return array


def _tanh_worst(x: Array, _: Array, w: Array) -> Array:
    array: Array = np.minimum(w / np.cosh(_near_zero(x, w)) ** 2, 2.0)
    return array


def _arcsinh_worst(x: Array, _: Array, w: Array) -> Array:
    return w / np.hypot(1.0, _near_zero(x, w))


def _arccosh_worst(x: Array, _: Array, w: Array) -> Array:
    # arccosh x = 2 arcsinh of the root of (x - 1) / 2.
    half = (x - 1.0) / 2.0
    return 2.0 * _arcsinh_worst(np.sqrt(half), half, _sqrt_worst(half, half, w / 2.0))


def _arctanh_worst(x: Array, _: Array, w: Array) -> Array:
    x = np.abs(x)
    return np.where(x + w < 1.0, np.arctanh(w / (1.0 - x * (x + w))), np.inf)


def _reciprocal_worst(x: Array, y: Array, w: Array) -> Array:
    room = np.abs(x) - w
    return np.where(room > 0, np.abs(y) * w / room, np.inf)


_TWO, _TEN = np.log(2.0), np.log(10.0)

ONE: Mapping[str, Function] = {
    "exp": Function(np.exp, lambda x, y: y, lambda x, y, w: _exp_worst(1.0, x, y, w)),
    "exp2": Function(np.exp2, lambda x, y: y * _TWO, lambda x, y, w: _exp_worst(_TWO, x, y, w)),
    "expm1": Function(np.expm1, lambda x, y: np.exp(x), lambda x, y, w: _exp_worst(1.0, x, np.exp(x), w)),
    "log": Function(np.log, lambda x, y: 1.0 / x, lambda x, y, w: _log_worst(1.0, x, w)),
    "log2": Function(np.log2, lambda x, y: 1.0 / x / _TWO, lambda x, y, w: _log_worst(1.0 / _TWO, x, w)),
    "log10": Function(np.log10, lambda x, y: 1.0 / x / _TEN, lambda x, y, w: _log_worst(1.0 / _TEN, x, w)),
    "log1p": Function(
        np.log1p, lambda x, y: 1.0 / (1.0 + x), lambda x, y, w: _log_worst(1.0, np.add(1.0, x), w)
    ),
    "sqrt": Function(np.sqrt, lambda x, y: 0.5 / y, _sqrt_worst),
    "cbrt": Function(np.cbrt, lambda x, y: 1.0 / (3.0 * y * y), _cbrt_worst),
    "sin": Function(np.sin, lambda x, y: np.cos(x), _sin_worst),
    "cos": Function(np.cos, lambda x, y: -np.sin(x), _cos_worst),
    "tan": Function(np.tan, lambda x, y: 1.0 + y * y, _tan_worst),
    "arcsin": Function(np.arcsin, lambda x, y: 1.0 / np.sqrt((1.0 - x) * (1.0 + x)), _arcsin_worst),
    "arccos": Function(np.arccos, lambda x, y: -1.0 / np.sqrt((1.0 - x) * (1.0 + x)), _arcsin_worst),
    "arctan": Function(np.arctan, lambda x, y: 1.0 / (1.0 + x * x), _arctan_worst),
    "sinh": Function(np.sinh, lambda x, y: np.cosh(x), _sinh_worst),
    "cosh": Function(np.cosh, lambda x, y: np.sinh(x), _cosh_worst),
    "tanh": Function(np.tanh, lambda x, y: 1.0 / np.cosh(x) ** 2, _tanh_worst),
    "arcsinh": Function(np.arcsinh, lambda x, y: 1.0 / np.hypot(1.0, x), _arcsinh_worst),
    "arccosh": Function(np.arccosh, lambda x, y: 1.0 / np.sqrt((x - 1.0) * (x + 1.0)), _arccosh_worst),
    "arctanh": Function(np.arctanh, lambda x, y: 1.0 / ((1.0 - x) * (1.0 + x)), _arctanh_worst),
    "reciprocal": Function(np.reciprocal, lambda x, y: -y * y, _reciprocal_worst),
    "degrees": Function(
        np.degrees, lambda x, y: np.full(x.shape, 180.0 / np.pi), lambda x, y, w: w * 180.0 / np.pi
    ),
    "radians": Function(
        np.radians, lambda x, y: np.full(x.shape, np.pi / 180.0), lambda x, y, w: w * np.pi / 180.0
    ),
}
"""Functions of one array by NumPy's name."""


GROWING = frozenset({"exp", "exp2", "expm1", "sinh", "cosh"})
"""Functions whose infinite values are overflows; infinite values of the others are poles."""


def _hypot(x: Rounded, y: Rounded) -> Rounded:
    value = np.asarray(np.hypot(x.value, y.value))
    slopes = (x.value / value, y.value / value)
    # The length of no sides is 0 in all libraries.
    none = (value == 0) & (x.worst == 0) & (y.worst == 0)
    error = np.where(none, 0.0, library_error("hypot", x, value))
    return propagated(value, (x, y), slopes, np.hypot, error, np.isinf(value))


def _arctan2(y: Rounded, x: Rounded) -> Rounded:
    value = np.asarray(np.arctan2(y.value, x.value))
    size = np.hypot(x.value, y.value)
    slopes = (x.value / size / size, -y.value / size / size)

    def bound(off_y: Array, off_x: Array) -> Array:
        off = np.hypot(off_x, off_y)
        # Around 0, and over the cut left of it, any angle is possible.
        cut = (x.value < off_x) & (np.abs(y.value) <= off_y) & (off_y > 0)
        return np.where(cut | (off >= size), np.inf, np.arcsin(np.minimum(off / size, 1.0)))

    return propagated(value, (y, x), slopes, bound, library_error("arctan2", x, value))


def _logaddexp(base: float, function: np.ufunc) -> Callable[[Rounded, Rounded], Rounded]:
    """log(exp x + exp y); its derivatives are the terms' shares of the sum."""

    def call(x: Rounded, y: Rounded) -> Rounded:
        value = np.asarray(function(x.value, y.value))
        apart = np.where(x.value == y.value, 0.0, x.value - y.value) * base
        larger, rest = np.maximum(x.value, y.value), np.log1p(np.exp(-np.abs(apart))) / base
        share = 1.0 / (1.0 + np.exp(-apart))
        # The larger operand is added as it is; the rest takes an exponential and a logarithm.
        steps = 1.0 + limit_of("exp", x.unit) + limit_of("log1p", x.unit) + np.minimum(np.abs(apart), 1e3)
        parts = (np.abs(value), np.where(np.isfinite(larger), np.abs(larger), 0.0), 2.0 * steps * rest)
        # The sum of the parts may overflow where the errors do not.
        roundoff = np.where(np.isfinite(value), sum(x.unit * part for part in parts) + x.tiny, 0.0)
        return propagated(value, (x, y), (share, 1.0 - share), np.maximum, roundoff)

    return call


def _of_one(name: str) -> Callable[[Rounded], Rounded]:
    return lambda x: apply(name, ONE[name], x)


ROUNDED_UFUNCS: Mapping[np.ufunc, Callable[..., Rounded]] = {
    **{getattr(np, name): _of_one(name) for name in ONE},
    np.rad2deg: _of_one("degrees"),
    np.deg2rad: _of_one("radians"),
    np.hypot: _hypot,
    np.arctan2: _arctan2,
    np.fabs: np.absolute,
    np.power: power,
    np.float_power: power,
    np.logaddexp: _logaddexp(1.0, np.logaddexp),
    np.logaddexp2: _logaddexp(_TWO, np.logaddexp2),
}
