"""What is told of one value: its true value, how well that is known, and how far others may be off."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.balls import as_balls, radius_of, split
from harness.oracle.rounding import Rounded

Array = npt.NDArray[Any]

TRUE_BITS = 256
"""Bits that true values are computed with."""

LAMBDA = 8.0
"""Limit over probable error: 2 exp(-LAMBDA**2 / 2) = 2.5e-14 is the chance that an element is beyond it."""


class Unknown(Exception):
    """Why a stage has no true value."""


def parts_of(true: Any, rounded: Any, balls: Any = None, *, unit: float) -> list[Array]:
    """High, low, radius, worst and limit of one value."""
    if not isinstance(rounded, Rounded):
        true, rounded = as_balls(true), Rounded.given(rounded)
    high, low, radius = split(true)
    if high.shape != rounded.shape:
        raise Unknown(f"its shape is {high.shape} or {rounded.shape}")
    if np.isnan(high).any():
        raise Unknown("it is not a number")
    # A ball that holds zero tells no digit of a value that is zero, or too small to matter.
    zero = np.abs(high) <= radius
    high, low, radius = (
        np.where(zero, 0.0, high),
        np.where(zero, 0.0, low),
        radius + np.where(zero, np.abs(high), 0.0),
    )
    probable = rounded.probable()
    worst = np.where(np.isnan(rounded.worst), np.inf, rounded.worst)
    # Draws that are all zero, of an error that there may be, follow it to too low an order to tell anything.
    limit = np.where(probable > 0, np.fmin(worst, LAMBDA * probable), worst)
    # A result that was rounded at all is right if it is one unit in the last place away.
    limit = np.where(worst > 0, np.maximum(limit, 2.0 * unit * np.abs(rounded.value)), 0.0)
    if not np.isfinite(limit).all():
        raise Unknown("its error has no bound")
    if (radius > np.maximum(limit / 1024.0, 2.0**-100 * np.abs(high))).any():
        raise Unknown(f"{TRUE_BITS} bits do not tell its true value")
    if balls is not None:
        worst = np.fmax(worst, radius_of(balls))
    return [high, low, radius, worst, limit]
