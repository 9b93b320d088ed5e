"""True value of one output, how accurately it is known, and the limit on the error of a computation."""

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
from harness.oracle.unknown import NO_BOUND, NO_NUMBER, Unknown, may_be_no_number

Array = npt.NDArray[Any]

TRUE_BITS = 256
"""Bits that true values are computed with first."""

SMALLEST = 2.0**-1074
"""The smallest number of float64."""

SMALL = 2.0**-958
"""Magnitude below which float64 has no radius smaller than a unit in the last place."""

LAST_PLACE = 2.0**-64
"""Well below the last place of a number of float64."""

FOLLOWS = "what it is computed from is undecided"


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The true value and the limit of one output.

    ``arrays`` are high, low, radius, worst and limit. The limit is NaN where an element is undecided. The
    radius there is how far from high the value may be: infinite if it is only known to be a number, NaN if
    not even that is known, and minus infinity if the reason is not a comparison, a free sign or a horizon.
    ``wide`` marks elements that more bits may decide. ``short`` marks elements whose true value is known well
    below the limit, but not to its last place. ``gap`` are the ends of the range, inside of what high and
    radius span, that no branch gives; NaN where there is none.
    """

    arrays: list[Array]
    wide: Array
    short: Array
    why: str
    gap: Array | None = None


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
    up_to: str = "",
) -> Parts:
    """Combine the evaluations of one output into its true value and limit.

    Parameters
    ----------
    true, rounded, balls : array
        The value in balls of many bits, in numbers that carry their rounding, and, where that was
        computed, in balls of the working precision.
    unit : float
        The unit roundoff.
    bits : int
        Precision of the true value in bits.
    met : sequence of str
        The undecided comparisons on the way.
    scale : float
        The largest magnitude among the inputs.
    free : sequence of array
        The same value in balls, with other signs of what a factorisation is free to choose.
    why_free : str
        The reason for elements that depend on these signs.
    up_to : str
        Which signs of the value do not matter: ``sign``, that of all of it, or ``sign of columns``.

    Raises
    ------
    Unknown
        If no element has a true value and a limit, for another reason than a comparison, and none is NaN or a
        pole of exact operands.
    """
    items, doubts = _items(true)
    carried, unsure = _carried(rounded)
    high, low, radius = split(items)
    if high.shape != carried.shape:
        raise Unknown(f"its shape is {high.shape} or {carried.shape}")
    limit = carried.limit()
    signed = _differs(items, free, up_to)
    unsure = unsure | doubts | np.isnan(limit) | signed
    worst = np.where(np.isnan(carried.worst), np.inf, carried.worst)
    # The limit of a result that was rounded at all is at least one unit in the last place.
    limit = np.where(worst > 0, np.maximum(limit, 2.0 * unit * np.abs(carried.value)), 0.0)
    # The smallest float64 may be the bound of any smaller radius.
    known = (np.abs(high) > radius) | (radius == SMALLEST) & (high != 0)
    # A ball that contains zero has no known digit; the value is zero or too small to matter.
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
    # A NaN or a pole stays one at any precision.
    settled = _settled(items)
    wide &= ~settled
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
        # The output is empty, and whether it is depends on a comparison.
        raise Unknown("; ".join(met))
    nowhere = not (met or signed.any() or beyond.any() or (settled & ~unsure).any())
    if undecided.all() and undecided.size and nowhere:
        raise Unknown(reasons[-1] if reasons else NO_BOUND)
    if balls is not None:
        radii = radius_of(_items(balls)[0])
        # Balls of few bits may have no bound, as after a division by a ball that contains zero.
        worst = np.where(np.isfinite(radii), np.fmax(worst, radii), worst)
    nearest = np.where(np.isfinite(carried.value), carried.value, 0.0)
    a_number = unsure & ~signed & np.isfinite(carried.value) & (not may_be_no_number(met))
    # Where balls have no bound, a limit may still be small enough for a comparison with the reference.
    near = undecided & ~unsure & ~unbound & ~beyond & (limit <= np.sqrt(unit) * _largest(carried.value))
    no_bound = unsure & ~signed & may_be_no_number(met) | unbound
    # Beyond a horizon the reasons are the same, but rounding alone is the cause.
    unlimited = near | no_bound & (not beyond.any())
    # Where rounding loses the number, the true one may be known: another formula may well give it.
    nearest = np.where(no_bound & ~no_number & (radius <= np.abs(high) * unit), high, nearest)
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
    """Which elements are NaN or a pole at any precision."""
    flat = [not ball.is_finite() and (is_no_number(ball) or is_pole(ball)) for ball in items.ravel()]
    return np.array(flat, dtype=bool).reshape(items.shape)


def _differs(items: Array, free: Sequence[Any], up_to: str = "") -> Array:
    """Where balls of evaluations with other signs do not overlap, whatever the signs that do not matter."""
    differs = np.zeros(items.shape, dtype=bool)
    for value in free:
        others = _items(value)[0]
        apart = _apart(items, others)
        if up_to in ("sign", "sign of columns"):
            turned = _apart(items, -others)
            axis = -2 if up_to == "sign of columns" and items.ndim > 1 else None
            apart = np.where(turned.sum(axis, keepdims=True) < apart.sum(axis, keepdims=True), turned, apart)
        differs |= apart
    return differs


def _apart(items: Array, others: Array) -> Array:
    """Where two balls do not overlap."""
    pairs = zip(items.ravel(), others.ravel(), strict=True)
    return np.array([not a.overlaps(b) for a, b in pairs], dtype=bool).reshape(items.shape)


def _carried(value: Any) -> tuple[Any, Array]:
    if isinstance(value, Rounded):
        return value, np.zeros(value.shape, dtype=bool)
    if isinstance(value, Condition):
        return Rounded.given(value.value), value.unsure
    return Rounded.given(value), np.zeros(np.shape(value), dtype=bool)


def _beyond(limit: Array, value: Array, scale: float) -> Array:
    """Where a limit exceeds the largest value, and the value is not zero up to rounding."""
    return (limit >= np.maximum(_largest(value), np.abs(value))) & (limit > HORIZON * scale)


def _largest(value: Array) -> float:
    """The largest finite magnitude."""
    return float(np.abs(value[np.isfinite(value)]).max(initial=0.0))


HORIZON = 2.0**-10
"""Share of the inputs below which a limit belongs to values that are zero up to rounding."""


def _from_row(where: Array, what: str) -> str:
    """A reason that holds for some elements, with the first row if it holds for all rows from there on."""
    if where.ndim:
        rows: Array = np.asarray(where.reshape(len(where), -1).any(axis=1))
        first = int(np.argmax(rows))
        if rows[first:].all() and first:
            return f"from row {first} on {what}"
    return what
