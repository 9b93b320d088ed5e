"""In which statement a value is made: in its own, in one whose value it hands on, or in one before it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from harness.programs.names import operations
from harness.programs.trace import identical
from harness.programs.units import Unit, through_parts

_LOOKED_AT = 50
_ITEMS = 2
"""Numbers that are put together, at the least."""


def of_one_statement(units: Sequence[Unit], number: int, unknown: Collection[int]) -> bool:
    """Whether all that is unknown of what a value is computed from are parts of its own statement.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    number : int
        The value. A result of a function is made inside of it, and not where it is returned.
    unknown : collection of int
        What it is computed from, and the other program does not have.
    """
    own = units[number]
    return own.kind != "return" and bool(unknown) and all(_line(units[i]) == _line(own) for i in unknown)


def computed_for(units: Sequence[Unit], number: int) -> list[int]:
    """What a value is computed from, of other lines, that is computed itself; the last first.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    number : int
        The value.
    """
    here = _line(units[number])
    read = through_parts([*units], units[number].inputs, lambda one: one.inputs)
    return [
        i for i in sorted(read, key=lambda i: -units[i].first)
        if units[i].kind in ("set", "element") and units[i].inputs and _line(units[i]) != here
        and units[i].site.operators
    ]  # fmt: skip


def may_be_left_to(units: Sequence[Unit], number: int, others: Sequence[Unit], other: int) -> bool:
    """Whether a step of the other program's statement may be missing before this one, and not in it.

    Where one program does in two statements what the other does in one, and the first of the two leaves
    something out, it sets a value that the other program has too. So it is where this statement does
    less than the other, and reads what is computed for it alone: nothing else vouches for that.

    Parameters
    ----------
    units, others : sequence of Unit
        Of the two programs.
    number, other : int
        Two values that differ, though what they are computed from agrees.
    """
    (does, steps), (more, more_steps) = _does(units, number), _does(others, other)
    if not does <= more or steps >= more_steps:
        return False
    here = _line(units[number])
    return any(
        all(_line(units[user]) == here for user in through_parts([*units], units[i].users, _users))
        for i in computed_for(units, number)
    )


def _does(units: Sequence[Unit], number: int) -> tuple[frozenset[str], int]:
    """The operators of a value's whole statement, without its numbers, and how many parts it is made of."""
    own = [unit for unit in units if _line(unit) == _line(units[number]) and unit.kind != "printed"]
    found = frozenset[str]().union(*(operations(unit.site.operators) for unit in own))
    return frozenset(name for name in found if not name.startswith("#")), sum(
        unit.kind == "part" for unit in own
    )


def _line(unit: Unit) -> tuple[str, int]:
    return unit.site.file, unit.site.line


def _users(unit: Unit) -> set[int]:
    return unit.users


def made_in(units: Sequence[Unit], number: int, agreeing: Collection[int]) -> int:
    """The value that one is filled with, where it is only handed on and nothing vouches for it; else itself.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    number : int
        A value.
    agreeing : collection of int
        What the other program has too.
    """
    if units[number].kind not in ("container", "element"):
        return number
    here = units[number].site.line
    filled = [number] if units[number].kind == "element" else [
        i for i in sorted(units[number].inputs) if units[i].kind == "element" and units[i].site.line == here
    ]  # fmt: skip
    for element in filled:
        for i in sorted(units[element].inputs):
            if units[i].kind == "set" and i not in agreeing and _hands_on(units[i], units[element]):
                return i
    return number


def wrong_item(units: Sequence[Unit], number: int, other: Unit) -> int:
    """Of several numbers that a statement only puts together, the one that differs; all where it is not one.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    number : int
        A value, as what a function returns of all that it has computed.
    other : Unit
        What the other program has for it.
    """
    own = units[number]
    shapes = {value.shape for unit in (own, other) for value in unit.values}
    if len(shapes) > 1 or len(own.values) != len(other.values) or own.values[0].ndim != 1:
        return number
    if own.site.operators or own.values[0].dtype == object or other.values[0].dtype == object:
        return number
    pairs = zip(own.values, other.values, strict=True)
    differ = np.any([~np.isclose(mine, theirs, rtol=1e-6, equal_nan=True) for mine, theirs in pairs], axis=0)
    if int(differ.sum()) != 1 or own.values[0].size < _ITEMS:
        return number
    at = int(differ.argmax())
    items = [value[at] for value in own.values]
    made = [
        i for i in sorted(own.inputs)
        if units[i].kind == "set" and units[i].is_scalar and _gives(units[i], own, items)
    ]  # fmt: skip
    return made[0] if len(made) == 1 else number


def _gives(one: Unit, whole: Unit, items: Sequence[object]) -> bool:
    """Whether a number is, each time, an item of what is put together."""
    values = dict(zip(one.places, one.values, strict=True))
    return all(
        any(values[place].item() == item for place in sources if place in values)
        for item, sources in zip(items, whole.sources, strict=True)
    )


def aliases(units: Sequence[Unit], number: int) -> list[int]:
    """Units from which one has its very value: what a function returned, for what it was assigned to.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    number : int
        The value.
    """
    unit = units[number]
    same = []
    for other in sorted(unit.inputs):
        source = units[other]
        if len(source.values) == len(unit.values) and source.path == unit.path:
            pairs = zip(source.values[:_LOOKED_AT], unit.values[:_LOOKED_AT], strict=True)
            if all(x.shape == y.shape and identical(x, y) for x, y in pairs):
                same.append(other)
    return same


def _hands_on(one: Unit, element: Unit) -> bool:
    """Whether an element is, each time that it is set, what another value was then."""
    values = dict(zip(one.places, one.values, strict=True))
    return all(
        any(identical(values[place], value) for place in sources if place in values)
        for value, sources in zip(element.values, element.sources, strict=True)
    )
