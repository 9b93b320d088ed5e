"""Comparisons and steps of single balls. Codes: 0 false, 1 true, 2 and 3 undecided, but probably so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flint import arb

from harness.oracle.balls import is_no_number

Code = Callable[[Any, Any], int]


def _less(x: Any, y: Any) -> int:
    if x < y:
        return 1
    return 0 if _is_one(x, y) or x >= y or _lacks(x, y) else 2 + (x.mid() < y.mid())


def _less_equal(x: Any, y: Any) -> int:
    if x <= y or _is_one(x, y):
        return 1
    return 0 if x > y or _lacks(x, y) else 2 + (x.mid() <= y.mid())


def _equal(x: Any, y: Any) -> int:
    if x == y or _is_one(x, y):
        return 1
    return 0 if x != y or _lacks(x, y) else 2 + (x.mid() == y.mid())


def _is_one(x: Any, y: Any) -> bool:
    """Whether two balls stand for one number; a ball of all numbers may stand for many."""
    return x is y and bool(x.is_finite())


def _lacks(x: Any, y: Any) -> bool:
    """Whether either is NaN, which compares with no number."""
    return is_no_number(x) or is_no_number(y)


CODES: Mapping[np.ufunc, Code] = {
    np.less: _less,
    np.less_equal: _less_equal,
    np.greater: lambda x, y: _less(y, x),
    np.greater_equal: lambda x, y: _less_equal(y, x),
    np.equal: _equal,
    np.not_equal: lambda x, y: _equal(x, y) ^ 1,
}

COMPARED: Mapping[np.ufunc, Any] = {ufunc: np.frompyfunc(code, 2, 1) for ufunc, code in CODES.items()}
"""The comparisons for arrays of balls."""


def _trunc(ball: Any) -> Any:
    return ball.floor() if ball >= 0 else ball.ceil() if ball <= 0 else ball.floor().union(ball.ceil())


def _rint(ball: Any) -> Any:
    if ball.is_integer():
        # The sum with a half may be beyond the precision.
        return ball
    up = (ball + arb(0.5)).floor()
    tie = up.is_exact() and ball + arb(0.5) == up
    return up - 1 if tie and not (up / 2).is_integer() else up


STEPS: Mapping[Any, Callable[[Any], Any]] = {
    np.floor: lambda ball: ball.floor() if ball.is_finite() else ball,
    np.ceil: lambda ball: ball.ceil() if ball.is_finite() else ball,
    np.trunc: lambda ball: _trunc(ball) if ball.is_finite() else ball,
    np.rint: lambda ball: _rint(ball) if ball.is_finite() else ball,
    np.sign: lambda ball: ball if is_no_number(ball) else ball.sgn(),
}
