"""How near two values that differ are to each other: a wrong value is mostly a relative of the right one."""

from __future__ import annotations

import numpy as np

from harness.numerics.layouts import plain
from harness.programs.names import operations, overlap
from harness.programs.pool import stacked
from harness.programs.trace import Value
from harness.programs.units import Unit

_MOST = 5_000


def likeness(one: Unit, other: Unit) -> float:
    """From 0 to 1, how much two units that differ are meant as the same, by operators and values."""
    same_operations = overlap(operations(one.site.operators), operations(other.site.operators))
    count = 1.0 if len(one.values) == len(other.values) else 0.5
    values = one.values[-1], other.values[-1]
    if len(one.values) != len(other.values) and values[0].size != values[1].size:
        # What one sets in a loop, and the other at once.
        rows = tuple(stacked(unit) if len(unit.values) > 1 else unit.values[0] for unit in (one, other))
        if rows[0] is not None and rows[1] is not None:
            values = rows[0], rows[1]
    return 0.35 * same_operations + 0.45 * near(*values) + 0.2 * count


def near(one: Value, other: Value) -> float:
    """From 0 to 1: 1 where one value has the elements of the other in another order, or but for a few."""
    if one.dtype == object or other.dtype == object:
        return 1.0 if one.dtype == other.dtype and one.size == other.size else 0.0
    first, second = numbers(one), numbers(other)
    if not 0 < first.size == second.size <= _MOST:
        return 0.0
    largest = max(float(np.abs(first).max()), float(np.abs(second).max()))
    if largest == 0:
        return 1.0
    with np.errstate(all="ignore"):
        # Of numbers near the largest that there are, the sum of squares is infinite.
        first, second = first / largest, second / largest
        size = max(float(np.linalg.norm(first)), float(np.linalg.norm(second)))
        apart = 1 - min(float(np.linalg.norm(first - second)), size) / size
        if first.size < 3:
            return apart
        ordered = float(np.linalg.norm(np.sort(np.abs(first)) - np.sort(np.abs(second)))) / size
        product = float(np.linalg.norm(first)) * float(np.linalg.norm(second))
        along = abs(float(first @ second)) / product if product else 0.0
    best = max(apart, 1 - ordered, 0.9 * along, float(np.mean(first == second)))
    return float(np.clip(best, 0, 1)) if np.isfinite(best) else 0.0


def numbers(value: Value) -> Value:
    """The elements of a value as real numbers in one row, none of them infinite or missing."""
    flat = plain(value).ravel()
    flat = np.abs(flat) if flat.dtype.kind == "c" else flat
    return np.asarray(np.nan_to_num(flat.astype(float), posinf=0.0, neginf=0.0))


def are_as_large(one: Unit, other: Unit) -> bool:
    """Return whether the last values of two units, or all of them, have as many elements of like kinds."""
    if (one.values[-1].dtype == object) != (other.values[-1].dtype == object):
        return False
    if one.values[-1].size == other.values[-1].size:
        return True
    whole = sum(value.size for value in one.values), sum(value.size for value in other.values)
    return whole[0] == whole[1] and (
        1 in (len(one.values), len(other.values)) or one.is_scalar or other.is_scalar
    )
