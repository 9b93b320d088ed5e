"""What relation the values of two statements have, over all times that they run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.numerics.relations import relation_of
from harness.programs.operand_relation import relation_to_operands
from harness.programs.pool import stacked
from harness.programs.trace import Value
from harness.programs.units import Unit

_CALLS, _MOST_CALLS = 3, 500
"""How many values at least, and at most, are held against those of another statement one by one."""


def pair_of_values(one: Unit, other: Unit, occurrence: int) -> tuple[Value, Value]:
    """The values of two units at an occurrence, or those that stand for it where they have not as many."""
    if len(one.values) == len(other.values):
        at = min(occurrence, len(one.values) - 1)
        return one.values[at], other.values[at]
    stacks = stacked(one), stacked(other)
    if stacks[0] is not None and len(other.values) == 1 and stacks[0].size == other.values[0].size:
        return stacks[0], other.values[0]
    if stacks[1] is not None and len(one.values) == 1 and stacks[1].size == one.values[0].size:
        return one.values[0], stacks[1]
    return one.values[-1], other.values[-1]


def relation_of_units(
    a: Sequence[Unit], b: Sequence[Unit], one: Unit, other: Unit, sizes: set[int], occurrence: int = 0
) -> str:
    """The relation of two statements, where the values that stand for them have none; empty without one.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    one, other : Unit
        Of the two statements.
    sizes : set of int
        That the programs have.
    occurrence : int
        Which values stand for them.
    """
    return (
        _relation_of_calls(one, other, sizes)
        or relation_to_operands(a, b, one, other, pair_of_values(one, other, occurrence))
        or _relation_of_lines(a, b, one, other, sizes)
    )


def _relation_of_calls(one: Unit, other: Unit, sizes: set[int]) -> str:
    """The relation that all values have, one by one; one program may go on after the other's last."""
    count = min(len(one.values), len(other.values), _MOST_CALLS)
    if count < _CALLS:
        return ""
    first, second = one.values[:count], other.values[:count]
    if len({value.shape for value in first}) > 1 or any(
        x.size != y.size or object in (x.dtype, y.dtype) for x, y in zip(first, second, strict=True)
    ):
        return ""
    return relation_of(np.stack([x.ravel() for x in first]), np.stack([y.ravel() for y in second]), sizes)


def _relation_of_lines(a: Sequence[Unit], b: Sequence[Unit], one: Unit, other: Unit, sizes: set[int]) -> str:
    """The relation of what two lines set, where what they are made of has none."""
    if "part" not in (one.kind, other.kind):
        return ""
    set_a = [unit for unit in a if _same_line(unit, one) and unit.kind not in ("part", "mutated")]
    set_b = [unit for unit in b if _same_line(unit, other) and unit.kind not in ("part", "mutated")]
    for first in set_a:
        for second in set_b:
            values = pair_of_values(first, second, 0)
            if values[0].size != values[1].size:
                continue
            if said := relation_of(*values, sizes) or relation_to_operands(a, b, first, second, values):
                return said
    return ""


def _same_line(one: Unit, other: Unit) -> bool:
    return (one.site.file, one.site.line) == (other.site.file, other.site.line)
