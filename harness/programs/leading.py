"""Lines of a program that may be meant as one of the other that is changed so that both print the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from harness.programs.counterparts import COMPUTED, what_comes
from harness.programs.line_table import Line, line_of
from harness.programs.pool import Pool
from harness.programs.trace import Value
from harness.programs.units import Unit

_MOST = 8
"""Lines that lead to a value, of which each may be meant."""
_SURELY = 12.0
"""Bits from which on a value is known in whatever order."""
_BEGINS, _LEADS, _BESIDE = 1.0, 0.75, 0.25
"""How much it says that a line sets the first value that the other program lacks, that it leads from there
to what comes with the change, and that it does where another is likelier meant."""


def meant_as(
    before: Sequence[Unit], after: Sequence[Unit], line: Line, others: Sequence[Unit]
) -> dict[Line, float]:
    """Lines of the other program that may be a changed line's counterpart, and how much speaks for each.

    What comes with a change is not always set where the mistake is: one program may do in several steps
    what the other does in one, and what is between has no counterpart.

    Parameters
    ----------
    before, after : sequence of Unit
        Of a program as it is, and with one line changed.
    line : Line
        The changed one.
    others : sequence of Unit
        Of the other program.
    """
    found = what_comes(before, after, line, others)
    if found is None:
        return {}
    last, is_own = found
    leading = _leading_to(others, last, _known_to(before))
    if is_own or not leading:
        return dict.fromkeys(leading, _BESIDE) | {last: _BEGINS}
    # What comes is what a later line of the changed program sets: its counterpart is none of this line.
    if _sets_marks(after, line) and (marking := [one for one in leading if _sets_marks(others, one)]):
        return dict.fromkeys(leading, _BESIDE) | dict.fromkeys(marking, _BEGINS)
    return leading


def _leading_to(units: Sequence[Unit], line: Line, known: Callable[[Unit], bool]) -> dict[Line, float]:
    """The lines that lead to what a line sets through nothing that the other program has."""
    begin = [unit for unit in units if line_of(unit) == line and not _is_text(unit) and not known(unit)]
    seen = {unit.number for unit in begin}
    left = deque(begin)
    lines: dict[Line, float] = {}
    while left and len(lines) < _MOST:
        unit = left.popleft()
        further = [units[number] for number in sorted(unit.inputs - seen)]
        further = [one for one in further if one.inputs and not _is_text(one) and not known(one)]
        seen.update(one.number for one in further)
        left += further
        if unit.kind in COMPUTED and (here := line_of(unit)) != line:
            lines[here] = max(lines.get(here, 0.0), _LEADS if further else _BEGINS)
    return lines


def _known_to(others: Sequence[Unit]) -> Callable[[Unit], bool]:
    """Whether a program has what a unit of another sets, as more than a part of an expression."""
    pool = Pool(unit for unit in others if unit.kind != "part")

    def known(unit: Unit) -> bool:
        value = unit.values[-1]
        return (
            pool.has(value)
            or pool.has_row(unit)[1]
            or pool.has_slices(value)
            or (pool.bits(value) >= _SURELY and pool.has_in_other_order(value))
        )

    return known


def _sets_marks(units: Sequence[Unit], line: Line) -> bool:
    """Whether a line, or what reads it where it is a number that is written there, sets truth values."""
    own = [unit for unit in units if line_of(unit) == line and unit.kind in COMPUTED]
    if own and not any(unit.inputs for unit in own):
        own = [units[number] for unit in own for number in unit.users]
    return any(_marks(unit.values[-1]) for unit in own if unit.kind != "part")


def _marks(value: Value) -> bool:
    """Whether a value is truth values, of which some may be missing."""
    if value.dtype.kind == "b":
        return True
    several = value.dtype.kind == "f" and value.size > 1
    return several and bool((np.isnan(value) | np.isin(value, (0.0, 1.0))).all())


def _is_text(unit: Unit) -> bool:
    return unit.values[-1].dtype == object
