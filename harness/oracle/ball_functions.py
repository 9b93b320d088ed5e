"""True values of elementwise functions: python-flint's functions, with the domains of NumPy's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from flint import arb, ctx

from harness.oracle.ball_operations import quotient
from harness.oracle.balls import NO_NUMBER, POLE, is_no_number, settled

Scalar = Callable[..., Any]

INFINITE = {
    "exp": ("inf", "0"),
    "expm1": ("inf", "-1"),
    "exp2": ("inf", "0"),
    "sin": ("nan", "nan"),
    "cos": ("nan", "nan"),
    "sinh": ("inf", "-inf"),
    "cosh": ("inf", "inf"),
    "asinh": ("inf", "-inf"),
    "cbrt": ("inf", "-inf"),
    "erf": ("1", "-1"),
    "erfc": ("0", "2"),
    "gammaln": ("inf", "inf"),
}
"""Values at inf and -inf where python-flint has none, or one that differs from NumPy's."""


def ball(item: Any) -> Any:
    """A number, of Python or NumPy, as a ball; an infinite one has no radius."""
    if isinstance(item, arb):
        return settled(item)
    return arb(item.item() if isinstance(item, np.generic) else item)


def _monotone(function: Scalar, x: Any, low: int, high: int | None = None) -> Any:
    """A monotone function of the part of a ball inside its domain; NaN for a ball that is all outside."""
    if x < low or (high is not None and x > high):
        return NO_NUMBER
    if x.is_exact() or (x > low and (high is None or x < high)):
        return function(x)
    if x.is_nan():
        return x
    ends = [x.lower() if x.lower() > low else arb(low), x.upper()]
    if high is not None and not x.upper() < high:
        ends[1] = arb(high)
    return function(ends[0]).union(function(ends[1]))


def _sqrt(x: Any) -> Any:
    return _monotone(arb.sqrt, x, 0)


def _asin(x: Any) -> Any:
    return x if x.is_nan() else _monotone(arb.asin, x, -1, 1)


def _acos(x: Any) -> Any:
    return x if x.is_nan() else _monotone(arb.acos, x, -1, 1)


def _sinh(x: Any) -> Any:
    return x.sinh() if abs(x) < 2**60 else (x.exp() - (-x).exp()) / 2


def _cosh(x: Any) -> Any:
    return x.cosh() if abs(x) < 2**60 else (x.exp() + (-x).exp()) / 2


def _acosh(x: Any) -> Any:
    return _monotone(arb.acosh, x, 1)


def _log(x: Any) -> Any:
    return arb("-inf") if x.is_zero() else NO_NUMBER if x < 0 else x.log()


def _log1p(x: Any) -> Any:
    return arb("-inf") if x.is_exact() and x == -1 else NO_NUMBER if x < -1 else x.log1p()


def _log2(x: Any) -> Any:
    if x.is_exact() and x > 0 and x.is_finite():
        digits, exponent = x.man_exp()
        if digits == 1:
            return arb(exponent)
    return _log(x) / arb.const_log2()


def _log10(x: Any) -> Any:
    return _log(x) / arb.const_log10()


def _exp2(x: Any) -> Any:
    return power(arb(2), x)


def _cbrt(x: Any) -> Any:
    if x > 0:
        return x.root(3)
    if x < 0:
        return -(-x).root(3)
    if x.is_zero() or x.is_nan():
        return x
    root = abs(x).upper().root(3)
    return (-root).union(root)


def _atanh(x: Any) -> Any:
    if x.is_exact() and abs(x) == 1:
        return x * arb("inf")
    return NO_NUMBER if abs(x) > 1 else x.atanh()


def _hypot(x: Any, y: Any) -> Any:
    return _sqrt(_square(x) + _square(y))


def _square(x: Any) -> Any:
    return abs(x) * abs(x)


def _arctan2(y: Any, x: Any) -> Any:
    return arb("nan") if x.is_nan() or y.is_nan() else arb.atan2(y, x)


def _logaddexp(x: Any, y: Any) -> Any:
    if x.is_exact() and x == y and not x.is_finite():
        return x
    larger, smaller = (x, y) if x.mid() >= y.mid() else (y, x)
    return larger + (smaller - larger).exp().log1p()


def _logaddexp2(x: Any, y: Any) -> Any:
    two = arb.const_log2()
    return _logaddexp(x * two, y * two) / two


def _gammaln(x: Any) -> Any:
    if x > 0:
        return x.lgamma()
    # log|Gamma(x)| by Euler's reflection: python-flint has it for positive numbers alone.
    return arb.pi().log() - abs(x.sin_pi()).log() - (1 - x).lgamma()


def _expit(x: Any) -> Any:
    return 1 / (1 + (-x).exp()) if x >= 0 else x.exp() / (1 + x.exp())


def power(x: Any, y: Any) -> Any:
    """A ball to the power of a ball, for 0 and negative numbers too where NumPy has a value."""
    if y.is_exact() and y.is_integer() and abs(y) < 2**40:
        n = int(y.unique_fmpz())
        if n > 0 and x.contains(0) and x.is_finite() and not x.is_exact():
            # flint takes the logarithm of a ball around 0, and returns NaN.
            most = x.abs_upper() ** n
            return most.union(arb(0) if n % 2 == 0 else -most)
        if not x.is_finite():
            return arb(float(x) ** n) if x.is_exact() else arb("nan")
        if n >= 0 or not x.contains(0):
            return x**n
        return (arb("inf") if n % 2 == 0 else POLE) if x.is_zero() else arb("nan")
    if x.is_exact() and x == 1:
        return x
    if x > 0 and x.is_finite():
        return x**y
    infinite = x > 0 and x.is_exact()
    if (x.is_zero() or infinite) and not y.contains(0):
        return arb("inf") if (y > 0) == infinite else arb(0)
    if y > 0 and x.is_finite() and not x < 0:
        # From 0 to the power of the upper end of x, at either end of y.
        ends = [x.upper() ** end for end in (y.lower(), y.upper())]
        return arb(0).union(ends[0]).union(ends[1])
    return NO_NUMBER if x < 0 and x.is_finite() and y.is_exact() and y.is_finite() else arb("nan")


def _at_infinity(name: str, function: Scalar) -> Scalar:
    """A function of one ball, with its values at infinity; NaN stays NaN."""
    above, below = (arb(float(value)) for value in INFINITE[name])

    def call(x: Any) -> Any:
        if x.is_finite():
            return function(x)
        if x.is_nan() or not x.is_exact():
            return arb("nan")
        return above if x > 0 else below

    return call


def _method(name: str) -> Scalar:
    def call(x: Any) -> Any:
        return getattr(x, name)()

    return call


SCALARS: Mapping[str, Scalar] = {
    **{name: _method(name) for name in ("expm1", "sin", "cos", "tan", "tanh", "exp", "erf", "erfc")},
    "arctan": _method("atan"),
    "arcsinh": _method("asinh"),
    "gamma": _method("gamma"),
    "log": _log,
    "log1p": _log1p,
    "log2": _log2,
    "log10": _log10,
    "exp2": _exp2,
    "cbrt": _cbrt,
    "arcsin": _asin,
    "arccos": _acos,
    "arccosh": _acosh,
    "arctanh": _atanh,
    "sinh": _sinh,
    "cosh": _cosh,
    "sqrt": _sqrt,
    "square": _square,
    "reciprocal": lambda x: quotient(arb(1), x),
    "fabs": abs,
    "hypot": _hypot,
    "arctan2": _arctan2,
    "power": power,
    "float_power": power,
    "logaddexp": _logaddexp,
    "logaddexp2": _logaddexp2,
    "degrees": lambda x: x * 180 / arb.pi(),
    "radians": lambda x: x * arb.pi() / 180,
    "gammaln": _gammaln,
    "expit": _expit,
}
"""Functions of balls by the name that NumPy or SciPy has for them."""


@cache
def scalar(name: str) -> Scalar:
    """A function of one or two balls, or plain numbers, by its name in NumPy or SciPy.

    Parameters
    ----------
    name : str
        A key of `SCALARS`.
    """
    short = {"arcsinh": "asinh"}.get(name, name)
    function = SCALARS[name]
    if short in INFINITE:
        function = _at_infinity(short, function)
    if getattr(np, name, None) not in _OF_NO_NUMBER:
        function = _passing(function)
    return lambda *operands: function(*(ball(operand) for operand in operands))


_OF_NO_NUMBER = frozenset({np.power, np.float_power, np.hypot})
"""Functions that return a number for some operands that are NaN."""


def _passing(function: Scalar) -> Scalar:
    """A function that returns NaN where an operand is NaN."""

    def call(*operands: Any) -> Any:
        lacking = any(x.is_nan() and is_no_number(x) for x in operands)
        return NO_NUMBER if lacking else function(*operands)

    return call


def true_value(name: str, *operands: float, bits: int = 128) -> Any:
    """The value of a function at floating-point numbers, to 80 correct bits.

    Parameters
    ----------
    name : str
        A key of `SCALARS`.
    *operands : float
        Taken as exact.
    bits : int
        Precision that is tried first.

    Returns
    -------
    arb
    """
    before = ctx.prec
    try:
        while True:
            ctx.prec = bits
            value = scalar(name)(*operands)
            if not value.is_finite() or value.rel_accuracy_bits() >= 80 or bits > 10_000:
                return value
            bits *= 2
    finally:
        ctx.prec = before


_ALSO = {"rad2deg": "degrees", "deg2rad": "radians"}

BALL_UFUNCS: Mapping[np.ufunc, Any] = {
    getattr(np, name): np.frompyfunc(scalar(_ALSO.get(name, name)), getattr(np, name).nin, 1)
    for name in (*SCALARS, *_ALSO)
    if isinstance(getattr(np, name, None), np.ufunc)
}
"""The ufuncs for arrays of balls."""
