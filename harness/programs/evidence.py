"""What the other program says of each value: that it has it too, that it lacks it, or nothing."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from harness.numerics.layouts import same_up_to_layout
from harness.programs.match import Pair
from harness.programs.pool import FEW, MOST, Pool
from harness.programs.units import Unit

_TELLING = 5.0
"""Bits from which on a value that is found anywhere in the other program counts as known there."""
_SURE = 0.65
"""Score of a pair from which on its values are held against each other."""
_PARAMETER = 0.5
_SLIGHT = 0.25
"""Evidence of small numbers, which another form of the same may not have."""
_LACKING = 0.6
"""Evidence of a small number in a loop whose values the other program does not have."""
SETTING = frozenset({"element", "set", "return"})
"""Kinds of which all values of a loop, in order, are looked up."""
WEAK = 0.3
"""Evidence up to which a value may be wrong though it agrees."""


def evidence_of(
    units: Sequence[Unit],
    others: Sequence[Unit],
    pairs: Sequence[Pair],
    side: str,
    wrong: Collection[tuple[int, int]] = (),
    pool: Pool | None = None,
) -> list[list[float]]:
    """For each value of each unit, from -1 (only this program has it) to 1 (the other has it too).

    Parameters
    ----------
    units, others : sequence of Unit
        Of the program that is looked at, and of the other.
    pairs : sequence of Pair
        From `match`.
    side : {"a", "b"}
        Which of the two the first is.
    wrong : collection of (int, int)
        From `wrong_values`.
    pool : Pool, optional
        Of the other program, where it is asked more than once.
    """
    pool = Pool(others) if pool is None else pool
    partner = {getattr(pair, side): pair for pair in pairs}
    made: list[list[float]] = []
    for unit in units:
        pair = partner.get(unit.number)
        other = others[pair.b if side == "a" else pair.a] if pair is not None else None
        _, row = pool.has_row(unit)
        lacking = unit.kind in SETTING and pool.lacks_row(unit)
        made.append(
            [
                -1.0 if (unit.number, k) in wrong else _evidence(unit, k, pair, other, pool, row, lacking)
                for k in range(len(unit.values))
            ]
        )
    return made


def _evidence(
    unit: Unit, k: int, pair: Pair | None, other: Unit | None, pool: Pool, row: bool, lacking: bool
) -> float:
    value = unit.values[k]
    if unit.divided:
        return 0.0
    if pair is not None and pair.agrees:
        return max(_worth(pair.compared.bits), 0.5 if pair.evidence["names"] > 0.5 else 0.0)
    if k >= MOST or not value.size:
        return 0.0
    bits = pool.bits(value)
    if pair is not None and other is not None and _compares(unit, k, pair, other):
        if same_up_to_layout(value, other.values[k]):
            return max(WEAK, _worth(bits))
        return -min(1.0, pair.score + 0.2)
    if value.dtype == object or (
        value.dtype.kind == "b" and value.size > 1 and not pool.has_marks(value.size)
    ):
        # What is picked by marks in one program may be picked in another way.
        return 0.0
    if row:
        # Each time what the other program has in a vector, in order.
        return max(WEAK, _worth(bits))
    if lacking and bits < _TELLING:
        # Any small number is found somewhere; all of a loop together are not.
        return -_LACKING
    few = len(unit.values) <= FEW
    found = pool.has(value) or (
        few and (pool.has_slices(value) or pool.has_slice(value) or pool.has_pieces(value))
    )
    if not found and bits >= _TELLING and (not unit.sources[k] or unit.kind == "mutated"):
        # Data, which the other program may have in another form.
        found = pool.has_elements(value)
    found = found or pool.has_scattered(value)
    if found and pool.only_turned(value):
        return 0.0
    if found:
        return _worth(bits) if bits >= _TELLING else 0.0
    if len(unit.values) > 1 and pool.has_element(value):
        # Where a vector has it in the same place, it is no value of another row.
        return _worth(bits) if pool.has_in_place(value, k, len(unit.values)) else 0.0
    return -1.0 if bits >= _TELLING else -_SLIGHT


def _worth(bits: float) -> float:
    return 1 - math.exp(-bits / 8)


def _compares(unit: Unit, k: int, pair: Pair, other: Unit) -> bool:
    """Whether the occurrences of a pair that differs are to be held against each other."""
    if unit.kind == "param":
        return pair.score >= _PARAMETER and len(unit.values) == len(other.values)
    return pair.score >= _SURE and k < len(other.values)
