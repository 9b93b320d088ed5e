"""Fast operators of single numbers, for the loops of a reference's file.

They return what the operations of arrays return. Where a number is infinite, undecided, or near the end of
its format, they return None, and the operation of arrays is used.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from harness.oracle.ball_comparisons import CODES
from harness.oracle.ball_functions import power
from harness.oracle.ball_operations import added, multiplied, quotient, subtracted
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rounding import Rounded

Quick = Callable[[Any, Any], Any]
"""An operator of a number and another operand; it returns None where it does not apply."""

NUMBERS = (float, int, np.float64)

LARGE = 1e300
"""Beyond this, a product of errors may overflow."""


def _sum(sign: float) -> Callable[[Rounded, Rounded], Any]:
    def call(x: Rounded, y: Rounded) -> Any:
        if x is y and sign < 0 and float(x._worst) < LARGE:
            # A number minus itself is 0 in every computation.
            return x._scalar(float(x._value) - float(y._value), 0.0, None)
        a, b = float(x._value), sign * float(y._value)
        value = a + b
        size = abs(value) + abs(a) + abs(b)
        worst = float(x._worst) + float(y._worst) + x.unit * size
        if not size + worst < LARGE:
            return None
        left, right = x._draws, y._draws
        if left is None or right is None:
            draws = left if right is None else sign * right
        else:
            draws = left + right if sign > 0 else left - right
        return x._scalar(value, worst, draws, x.unit * math.hypot(value, a, b))

    return call


def _product(x: Rounded, y: Rounded) -> Any:
    a, b = float(x._value), float(y._value)
    off_a, off_b = float(x._worst), float(y._worst)
    value = a * b
    roundoff = x.unit * abs(value) + x.tiny * (bool(a or off_a) and bool(b or off_b))
    if abs(value) >= x.form.least and (
        (off_a == 0 and abs(math.frexp(a)[0]) == 0.5) or (off_b == 0 and abs(math.frexp(b)[0]) == 0.5)
    ):
        roundoff = 0.0
    worst = abs(a) * off_b + abs(b) * off_a + off_a * off_b + roundoff
    if not abs(value) + worst < LARGE:
        return None
    left, right = x._draws, y._draws
    if left is None:
        draws = None if right is None else a * right
    elif right is None:
        draws = left * b
    else:
        draws = left * b + (a + left) * right
    return x._scalar(value, worst, draws, roundoff)


def _quotient(x: Rounded, y: Rounded) -> Any:
    a, b = float(x._value), float(y._value)
    room = abs(b) - float(y._worst)
    if not room > 0:
        return None
    value = a / b
    roundoff = 2.0 * x.unit * abs(value) + x.tiny * bool(a or x._worst)
    if not y._worst and abs(math.frexp(b)[0]) == 0.5 and abs(value) >= x.form.least:
        roundoff = 0.0
    worst = (float(x._worst) + abs(value) * float(y._worst)) / room + roundoff
    slope = value / b
    if not abs(value) + abs(slope) + worst < LARGE:
        return None
    left, right = x._draws, y._draws
    draws = None if left is None else left / b
    if right is not None:
        carried = right * -slope
        draws = carried if draws is None else draws + carried
    return x._scalar(value, worst, draws, roundoff / math.sqrt(2.0))


def _squared(x: Rounded, y: Rounded) -> Any:
    return _product(x, x) if float(y._value) == 2.0 and not y._worst else None


def _comparison(compare: Callable[[float, float], bool]) -> Callable[[Rounded, Rounded], Any]:
    def call(x: Rounded, y: Rounded) -> Any:
        a, b = float(x._value), float(y._value)
        worst = float(x._worst) + float(y._worst)
        return np.bool_(compare(a, b)) if worst == 0 or abs(a - b) > worst else None

    return call


def _negative(x: Rounded) -> Any:
    return x._scalar(-float(x._value), float(x._worst), None if x._draws is None else -x._draws)


def _magnitude(x: Rounded) -> Any:
    return _negative(x) if x._value < 0 else x.copy()


def _partner(x: Any, other: Any) -> Any:
    """The other operand as a number of the same arithmetic; None if it is an array or no number."""
    if type(other) in NUMBERS:
        # A NumPy float64 has the longer format.
        return None if x.widest is not None and type(other) is np.float64 else x.gather(other)
    return other if type(other) is type(x) and other._is_number() else None


def _of_rounded(function: Callable[[Rounded, Rounded], Any], reflected: bool) -> Quick:
    def call(x: Any, other: Any) -> Any:
        partner = _partner(x, other) if x._is_number() else None
        if partner is None:
            return None
        return function(partner, x) if reflected else function(x, partner)

    return call


def _of_balls(function: Callable[[Any, Any], Any], reflected: bool) -> Quick:
    def call(x: Any, other: Any) -> Any:
        partner = _partner(x, other) if x._is_number() else None
        if partner is None:
            return None
        a, b = x.items[()], partner.items[()]
        return x._scalar(function(b, a) if reflected else function(a, b))

    return call


def _ball_comparison(ufunc: np.ufunc) -> Quick:
    code = CODES[ufunc]

    def call(x: Any, other: Any) -> Any:
        partner = _partner(x, other) if x._is_number() else None
        if partner is None or x.is_written or partner.is_written:
            return None
        result = code(x.items[()], partner.items[()])
        return np.bool_(result) if result < 2 else None

    return call


def _member(name: str, quick: Quick) -> Callable[..., Any]:
    slow = getattr(NDArrayOperatorsMixin, name)
    plainly = _of_plain(name.strip("_"))

    def call(self: Any, other: Any) -> Any:
        plain = None if self._known is None else plainly(self.plain, other)
        if isinstance(plain, np.bool_):
            return plain
        result = quick(self, other)
        if result is None:
            result = slow(self, other)
        elif plain is not None:
            result.knowing(plain)
        if self.weak and (type(other) in (float, int) or getattr(other, "weak", False)):
            return result.weakly() if isinstance(result, OracleArray) else result
        return result

    call.__name__ = name
    return call


def _of_plain(name: str) -> Callable[[Any, Any], Any]:
    """The operator on the reference's plain numbers; it returns None for arrays and other operands."""
    reflected = not hasattr(operator, name)
    operate = getattr(operator, name.removeprefix("r") if reflected else name)

    def call(plain: Any, other: Any) -> Any:
        partner = other if type(other) in NUMBERS else getattr(other, "plain", None)
        if not isinstance(plain, np.float64) or type(partner) not in NUMBERS:
            return None
        return operate(partner, plain) if reflected else operate(plain, partner)

    return call


def _unary(name: str, quick: Callable[[Any], Any]) -> Callable[..., Any]:
    slow = getattr(NDArrayOperatorsMixin, name)

    def call(self: Any) -> Any:
        result = quick(self) if self._known is None and self._is_number() else None
        if result is None:
            return slow(self)
        return result.weakly() if self.weak else result

    call.__name__ = name
    return call


_COMPARISONS = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}

_ROUNDED = {"add": _sum(1.0), "sub": _sum(-1.0), "mul": _product, "truediv": _quotient}

_BALLS = {"add": added, "sub": subtracted, "mul": multiplied, "truediv": quotient}

ROUNDED_OPERATORS = {
    **{
        f"__{name}__": _member(f"__{name}__", _of_rounded(function, False))
        for name, function in _ROUNDED.items()
    },
    **{
        f"__r{name}__": _member(f"__r{name}__", _of_rounded(function, True))
        for name, function in _ROUNDED.items()
    },
    **{
        f"__{name}__": _member(f"__{name}__", _of_rounded(_comparison(getattr(operator, name)), False))
        for name in _COMPARISONS
    },
    "__pow__": _member("__pow__", _of_rounded(_squared, False)),
    "__neg__": _unary("__neg__", _negative),
    "__abs__": _unary("__abs__", _magnitude),
    # A class that defines __eq__ has no hash otherwise.
    "__hash__": OracleArray.__hash__,
}

BALL_OPERATORS = {
    **{
        f"__{name}__": _member(f"__{name}__", _of_balls(function, False)) for name, function in _BALLS.items()
    },
    **{
        f"__r{name}__": _member(f"__r{name}__", _of_balls(function, True))
        for name, function in _BALLS.items()
    },
    **{
        f"__{name}__": _member(f"__{name}__", _ball_comparison(ufunc)) for name, ufunc in _COMPARISONS.items()
    },
    "__pow__": _member("__pow__", _of_balls(power, False)),
    "__neg__": _unary("__neg__", lambda x: x._scalar(-x.items[()])),
    "__abs__": _unary("__abs__", lambda x: x._scalar(abs(x.items[()]))),
    "__hash__": OracleArray.__hash__,
}
