"""Which line of the other program sets what a line sets once it is changed so that both print the same."""

from __future__ import annotations

from collections.abc import Sequence as Sequence_

from harness.programs.line_table import Line, content, line_of
from harness.programs.pool import Pool
from harness.programs.sequences import Sequence, compare
from harness.programs.units import Unit

_TELLING = 6.0
"""Bits from which on two values are not the same by chance."""
_HERE = 3.0
"""The same of what the changed line itself sets."""
COMPUTED = frozenset({"set", "element", "return", "container", "part"})
_STEPS = 3
"""From a line to what is computed from it: farther on, all that follows from a mistake comes too."""
_MOST = 40
"""Values behind the line that are looked up, in the order in which they are set."""


def what_comes(
    before: Sequence_[Unit], after: Sequence_[Unit], line: Line, others: Sequence_[Unit]
) -> tuple[Line, bool] | None:
    """The line of the other program that sets first what has only come with a change; none where none does.

    Parameters
    ----------
    before, after : sequence of Unit
        Of a program as it is, and with one line changed.
    line : Line
        The changed one.
    others : sequence of Unit
        Of the other program.

    Returns
    -------
    (Line, bool) or None
        The line, and whether what it sets is what the changed line itself sets.
    """
    known = {_place(unit): unit for unit in before}
    fresh = [
        unit for unit in after
        if unit.values and not _is_text(unit) and unit.kind not in ("shown", "printed", "mutated")
        and ((old := known.get(_place(unit))) is None or not _agree(unit, old))
    ]  # fmt: skip
    near = _read_soon(after, line)
    fresh = [unit for unit in fresh if unit.number in near]
    fresh.sort(key=lambda unit: (line_of(unit) != line, unit.first))
    own = [Sequence(unit) for unit in before if unit.values and not _is_text(unit)]
    alone = [
        (unit, Sequence(unit)) for unit in others
        if unit.values and not _is_text(unit) and unit.kind not in ("shown", "printed", "mutated", "param")
    ]  # fmt: skip
    # What the line reads then is the counterpart of what is read.
    handed = [Sequence(unit) for unit in _read_by(after, line) if not _is_text(unit)]
    known_too: list[Unit] = []
    for unit in fresh[:_MOST]:
        one, here = Sequence(unit), line_of(unit) == line
        if not here and known_too:
            break
        for other, of_other in alone:
            found = compare(one, of_other)
            if not found.agrees or found.bits < (_HERE if here else _TELLING):
                continue
            if unit.kind == "part" and (
                # A step that is counted from another number may be another value.
                found.layout == "shifted" or any(compare(of_other, each).agrees for each in handed)
            ):
                continue
            if not any(compare(of_other, each).agrees for each in own):
                return line_of(_set_by(others, other)), here
            if here and unit.kind != "part" and found.bits >= _TELLING:
                # The program has it besides, as what it computes elsewhere.
                known_too.append(other)
    return (line_of(_set_by(others, _handed_on(known_too))), True) if known_too else None


def _handed_on(same: Sequence_[Unit]) -> Unit:
    """Of what sets the same value, the last that only hands on the first: it is meant to do more."""
    last = same[0]
    for unit in same[1:]:
        if unit.kind == "set" and last.number in unit.inputs:
            last = unit
    return last


def _set_by(units: Sequence_[Unit], unit: Unit) -> Unit:
    """What sets a value that is only handed on; of several statements that may, the last."""
    if unit.kind in ("set", "element"):
        return unit
    own = {content(value) for value in unit.values}
    made = [
        units[number] for number in unit.inputs
        if units[number].kind == "set" and all(content(value) in own for value in units[number].values)
    ]  # fmt: skip
    return max(made, key=lambda one: one.site.line, default=unit)


def _read_by(units: Sequence_[Unit], line: Line) -> list[Unit]:
    """What a line reads of other lines."""
    read = set[int]().union(*(unit.inputs for unit in units if line_of(unit) == line))
    return [units[number] for number in sorted(read) if line_of(units[number]) != line]


def _read_soon(units: Sequence_[Unit], line: Line) -> set[int]:
    """What a line sets, and what is computed from that within a few steps."""
    found = {unit.number for unit in units if line_of(unit) == line}
    for _ in range(_STEPS):
        found |= {unit.number for unit in units if not found.isdisjoint(unit.inputs)}
    return found


def in_common(one: Sequence_[Unit], other: Sequence_[Unit]) -> int:
    """How many values of two programs both have, less those that one has alone; small ones do not count."""
    return sum(
        1 if pool.has(unit.values[-1]) or pool.has_row(unit)[1] else -1
        for units, pool in ((one, Pool(other)), (other, Pool(one)))
        for unit in units
        if unit.kind in COMPUTED and not _is_text(unit) and pool.bits(unit.values[-1]) >= _TELLING
    )


def _place(unit: Unit) -> tuple[str, int, str, str, str]:
    return unit.site.file, unit.site.line, unit.kind, unit.site.name, unit.path


def _is_text(unit: Unit) -> bool:
    return unit.values[-1].dtype == object


def _agree(one: Unit, other: Unit) -> bool:
    return len(one.values) == len(other.values) and compare(Sequence(one), Sequence(other)).agrees
