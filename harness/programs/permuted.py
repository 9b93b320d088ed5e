"""Which variables of two programs have the same numbers, in whatever order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.numerics.layouts import information
from harness.programs.scores import Flags
from harness.programs.units import Unit

_LEAST, _LARGEST = 3, 5_000
"""Numbers of a variable, over all times that it is set."""
_ENOUGH = 12.0
"""Bits that the numbers must have for chance not to have made them the same."""


def same_numbers(a: Sequence[Unit], b: Sequence[Unit]) -> Flags:
    """Whether each pair of units takes the same numbers, be it in another order.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    """
    known: dict[bytes, int] = {}
    keys = [np.array([_key(unit, known) for unit in units], dtype=int) for units in (a, b)]
    return np.asarray((keys[0][:, None] == keys[1][None, :]) & (keys[0][:, None] >= 0))


def _key(unit: Unit, known: dict[bytes, int]) -> int:
    """The number of a set of numbers; -1 where it says too little."""
    size = sum(value.size for value in unit.values)
    if not _LEAST <= size <= _LARGEST or any(value.dtype.kind not in "fiu" for value in unit.values):
        return -1
    numbers = np.concatenate([value.ravel().astype(float) for value in unit.values])
    if not np.isfinite(numbers).all() or information(np.unique(numbers)) < _ENOUGH:
        return -1
    rounded = np.sort([float(f"{number:.8g}") for number in numbers.tolist()])
    return known.setdefault(rounded.tobytes(), len(known))
