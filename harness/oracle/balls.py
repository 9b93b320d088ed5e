"""Arrays of balls: a midpoint and a radius that together hold the true value (python-flint's arb)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

Array = npt.NDArray[Any]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with a working precision of so many bits."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def as_balls(value: Any) -> Array:
    """What a function of such arrays returned, as an array of balls."""
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


_INFINITE = (arb("inf"), arb("-inf"))


def settled(ball: arb) -> arb:
    """A ball around infinity, such as 1 / 3 - inf, without its radius; any other ball unchanged."""
    if ball.is_finite():
        return ball
    return next((infinity for infinity in _INFINITE if ball == infinity), ball)


NO_NUMBER = arb(float("nan"))
"""NaN, whatever rounding does; a NaN with a radius says that nothing is known."""


POLE = arb("inf") + arb(0, float("inf"))
"""An infinity of either sign."""


def is_no_number(ball: arb) -> bool:
    """Whether a ball is `NO_NUMBER`, or a sum or difference with it."""
    return bool(ball.is_nan() and ball.rad().is_finite())


def is_pole(ball: arb) -> bool:
    """Whether a ball is `POLE`, or `POLE` plus a number."""
    return math.isinf(float(ball.mid())) and not ball.rad().is_finite()


def split(balls: Array) -> tuple[Array, Array, Array]:
    """Each ball as the sum of two float64, and a bound on the distance of that sum from the true value.

    Parameters
    ----------
    balls : ndarray of arb

    Returns
    -------
    high, low, radius : ndarray of float64
        ``high`` is the rounded midpoint, ``low`` the rounded rest of it. Infinite balls have no low part.
    """
    flat = balls.ravel().tolist()
    # A pole has no true value: the sign of a zero may decide it.
    high = [float(ball) if ball.is_finite() or ball.rad().is_finite() else _open(ball) for ball in flat]
    rest = [ball - there for ball, there in zip(flat, high, strict=True)]
    low = [float(ball) for ball in rest]
    radius = [_upwards((ball - there).abs_upper()) for ball, there in zip(rest, low, strict=True)]
    parts = [np.array(part, dtype=np.float64).reshape(balls.shape) for part in (high, low, radius)]
    infinite = np.isinf(parts[0])
    for part in parts[1:]:
        part[infinite] = 0.0
    return parts[0], parts[1], parts[2]


def _open(ball: arb) -> float:
    return math.nan if is_pole(ball) else float(ball.mid())


def radius_of(balls: Array) -> Array:
    """The radii alone, as float64; 0 for infinite midpoints."""
    flat = balls.ravel().tolist()
    radii = np.array([_upwards(ball.rad()) for ball in flat], dtype=np.float64).reshape(balls.shape)
    return np.where(np.array([np.isinf(float(ball)) for ball in flat]).reshape(balls.shape), 0.0, radii)


def _upwards(size: arb) -> float:
    """The smallest float64 that is not below a size."""
    near = float(size)
    return math.nextafter(near, math.inf) if size > near else near
