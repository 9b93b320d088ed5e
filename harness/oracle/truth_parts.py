"""What is told of one value: its true value, how well that is known, and how far others may be off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.ball_arrays import Balls
from harness.oracle.balls import as_balls, is_no_number, is_pole, radius_of, split
from harness.oracle.conditions import Condition
from harness.oracle.rounding import Rounded
from harness.oracle.unknown import NO_NUMBER, Unknown, may_be_no_number

Array = npt.NDArray[Any]

TRUE_BITS = 256
"""Bits that true values are computed with first."""

SMALLEST = 2.0**-1074
"""The smallest number of float64."""

SMALL = 2.0**-958
"""Below it, no radius that float64 has is below the last place."""

LAST_PLACE = 2.0**-64
"""Well below the last place of a number of float64."""

NO_BOUND = "its error has no bound"
FOLLOWS = "what it is computed from is undecided"


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What is told of one value.

    ``arrays`` are high, low, radius, worst and limit; the limit is NaN where an element is undecided. There,
    the radius is how far from high it may be: infinite if all that is known is that it is a number, NaN if
    not even that, and minus infinity if neither a comparison, a free sign nor a horizon is why.
    ``wide`` marks those of which more bits may tell more; ``short`` those whose true value is known well
    below the limit, but not to its own last place.
    """

    arrays: list[Array]
    wide: Array
    short: Array
    why: str


def parts_of(
    true: Any,
    rounded: Any,
    balls: Any = None,
    *,
    unit: float,
    bits: int,
    met: Sequence[str] = (),
    scale: float = 1.0,
    free: Sequence[Any] = (),
    why_free: str = "",
) -> Parts:
    """All that is told of one value.

    Parameters
    ----------
    true, rounded, balls : array
        The value in balls of many bits, in numbers that carry their rounding, and, where that was
        computed, in balls of the working precision.
    unit : float
        The unit roundoff.
    bits : int
        Those of the true value.
    met : sequence of str
        The undecided comparisons on the way.
    scale : float
        The largest number that the computation started from.
    free : sequence of array
        The same value in balls, with other signs of what a factorisation is free to choose.
    why_free : str
        What to say of elements that depend on them.

    Raises
    ------
    Unknown
        If no element has a true value and a limit, for another reason than a comparison.
    """
    items, doubts = _items(true)
    carried, unsure = _carried(rounded)
    high, low, radius = split(items)
    if high.shape != carried.shape:
        raise Unknown(f"its shape is {high.shape} or {carried.shape}")
    limit = carried.limit()
    signed = _differs(items, free)
    unsure = unsure | doubts | np.isnan(limit) | signed
    worst = np.where(np.isnan(carried.worst), np.inf, carried.worst)
    # A result that was rounded at all is right if it is one unit in the last place away.
    limit = np.where(worst > 0, np.maximum(limit, 2.0 * unit * np.abs(carried.value)), 0.0)
    # The smallest radius that float64 has stands for any that is smaller.
    known = (np.abs(high) > radius) | (radius == SMALLEST) & (high != 0)
    # A ball that holds zero tells no digit of a value that is zero, or too small to matter.
    high, low, radius = (
        np.where(known, high, 0.0),
        np.where(known, low, 0.0),
        radius + np.where(known, 0.0, np.abs(high)),
    )
    no_number = np.isnan(high) | np.isnan(radius)
    enough = np.maximum(np.maximum(limit / 1024.0, 2.0**-100 * np.abs(high)), SMALLEST)
    wide = no_number | (radius > enough)
    wide &= ~np.isnan(limit)
    unbound = ~np.isfinite(limit) & ~unsure
    beyond = ~unsure & ~unbound & _beyond(limit, carried.value, scale)
    undecided = unsure | wide | unbound | beyond
    # What is no number at this precision is none at any.
    wide &= ~_settled(items)
    vague = wide & ~no_number & ~unsure
    reasons = [
        why_free if signed.any() else "",
        *(met if (undecided & (unsure | no_number | wide)).any() else ()),
        _from_row(beyond, "no limit is below the value itself") if beyond.any() else "",
        NO_BOUND if unbound.any() else "",
        NO_NUMBER if (no_number & ~unsure).any() and not met else "",
        _from_row(vague, f"{bits} bits do not tell its true value") if vague.any() and not met else "",
    ]
    reasons = [reason for reason in reasons if reason]
    if undecided.any() and not reasons:
        reasons = [FOLLOWS]
    if not undecided.size and met:
        # Nothing is left of it, and whether that is so depends on a comparison.
        raise Unknown("; ".join(met))
    if undecided.all() and undecided.size and not met and not signed.any() and not beyond.any():
        raise Unknown(reasons[-1] if reasons else NO_BOUND)
    if balls is not None:
        radii = radius_of(_items(balls)[0])
        # Balls of few bits may hold everything, as where they divide by one that holds zero.
        worst = np.where(np.isfinite(radii), np.fmax(worst, radii), worst)
    nearest = np.where(np.isfinite(carried.value), carried.value, 0.0)
    a_number = unsure & ~signed & np.isfinite(carried.value) & (not may_be_no_number(met))
    # Of balls that know nothing the limit may still be known, and say whether others are near the reference.
    near = undecided & ~unsure & ~unbound & ~beyond & (limit <= np.sqrt(unit) * _largest(carried.value))
    no_bound = unsure & ~signed & may_be_no_number(met) | unbound
    # Beyond a horizon the same reasons are met, and rounding alone decides.
    unlimited = near | no_bound & (not beyond.any())
    radius = np.where(undecided, np.where(a_number, np.inf, np.nan), radius)
    return Parts(
        arrays=[
            np.where(undecided, nearest, high),
            np.where(undecided, 0.0, low),
            np.where(unlimited, -np.inf, radius),
            np.where(undecided, 0.0, worst),
            np.where(undecided, np.nan, limit),
        ],
        wide=wide,
        short=~undecided
        & known
        & (worst > 0)
        & (radius > LAST_PLACE * np.abs(high))
        & (np.abs(high) > SMALL),
        why="; ".join(dict.fromkeys(reasons)) if undecided.any() else "",
    )


def _items(value: Any) -> tuple[Array, Array]:
    if isinstance(value, Balls):
        return value.items, np.zeros(value.shape, dtype=bool)
    if isinstance(value, Condition):
        return as_balls(value.value), value.unsure
    return as_balls(value), np.zeros(np.shape(value), dtype=bool)


def _settled(items: Array) -> Array:
    """Which are not a number, or a pole, whatever the precision."""
    flat = [not ball.is_finite() and (is_no_number(ball) or is_pole(ball)) for ball in items.ravel()]
    return np.array(flat, dtype=bool).reshape(items.shape)


def _differs(items: Array, free: Sequence[Any]) -> Array:
    """Where balls of the same value do not overlap."""
    differs = np.zeros(items.shape, dtype=bool)
    for value in free:
        others = _items(value)[0]
        pairs = zip(items.ravel(), others.ravel(), strict=True)
        array = np.array([not a.overlaps(b) for a, b in pairs], dtype=bool)
        differs |= array.reshape(items.shape)
    return differs


def _carried(value: Any) -> tuple[Any, Array]:
    if isinstance(value, Rounded):
        return value, np.zeros(value.shape, dtype=bool)
    if isinstance(value, Condition):
        return Rounded.given(value.value), value.unsure
    return Rounded.given(value), np.zeros(np.shape(value), dtype=bool)


def _beyond(limit: Array, value: Array, scale: float) -> Array:
    """Where a limit is beyond the largest value that there is, and no value of rounding alone."""
    return (limit >= np.maximum(_largest(value), np.abs(value))) & (limit > HORIZON * scale)


def _largest(value: Array) -> float:
    """The largest finite magnitude."""
    return float(np.abs(value[np.isfinite(value)]).max(initial=0.0))


HORIZON = 2.0**-10
"""A limit below this part of the inputs is one of values that vanish up to rounding, and no horizon."""


def _from_row(where: Array, what: str) -> str:
    """What holds of some elements; of all rows from one on, if that is where it holds."""
    if where.ndim:
        rows: Array = np.asarray(where.reshape(len(where), -1).any(axis=1))
        first = int(np.argmax(rows))
        if rows[first:].all() and first:
            return f"from row {first} on {what}"
    return what
