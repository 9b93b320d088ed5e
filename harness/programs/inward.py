"""From where a wrong value is handed on to where it was made: in a function, or in a container's filling."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from harness.numerics.layouts import information, plain
from harness.programs.trace import Value
from harness.programs.units import Unit, ancestors
from harness.programs.wrong import identical

_FILLED = frozenset({"container", "element"})
_NOT_MADE = frozenset({"param", "loop", "iterates"})
_TELLING = 5.0
"""Bits of a value from which on it is no mere counter."""


def made_in(units: Sequence[Unit], number: int, known: Collection[int]) -> int:
    """The unit whose statement made a value that others only hand on.

    What a call gives back was made where the function returns it, and a container where it was filled: at
    the first of these statements whose value the other program does not have.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    number : int
        The unit that is asked for.
    known : collection of int
        Units that the other program has too.
    """
    seen = {number}
    while True:
        unit = units[number]
        step = _filled(units, unit, known) if unit.kind in _FILLED else None
        if step is None:
            step = _returned(units, unit, known)
        if step is None or step in seen:
            return number
        seen.add(step)
        number = step


def inside(units: Sequence[Unit], outer: int, inner: int, known: Collection[int]) -> bool:
    """Whether a unit belongs to a call that gives another its value, which is computed from it.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    outer, inner : int
        The unit that has what a function gives back, and that which may be of this function.
    known : collection of int
        Units that the other program has too.
    """
    function = _function(units, units[outer])
    origin, site = units[made_in(units, outer, known)].site, units[inner].site
    if function is None and origin.function != units[outer].site.function:
        function = origin.file, origin.function
    if function is None or (site.file, site.function) != function or inner in known:
        return False
    telling = max(information(plain(value)) for value in _some(units[inner])) >= _TELLING
    return telling and units[inner].kind not in _NOT_MADE and inner in ancestors([*units], outer)


def _some(unit: Unit) -> list[Value]:
    return [*unit.values[:2], *unit.values[-2:]]


def _function(units: Sequence[Unit], unit: Unit) -> tuple[str, str] | None:
    """The function that gives a unit its value: its own where it returns or fills it, else one it calls."""
    if unit.kind == "return" or (unit.kind in _FILLED and unit.site.function):
        return unit.site.file, unit.site.function
    found = {
        (units[i].site.file, units[i].site.function)
        for i in unit.inputs
        if units[i].kind == "return" and _hands_on(units[i], unit)
    }
    return found.pop() if len(found) == 1 else None


def _returned(units: Sequence[Unit], unit: Unit, known: Collection[int]) -> int | None:
    """What a call gave back, and in the function what that is the value of."""
    for number in sorted(unit.inputs - {*known}, reverse=True):
        source = units[number]
        if (source.kind == "return" or unit.kind == "return") and _hands_on(source, unit):
            return number
    return None


def _hands_on(source: Unit, unit: Unit) -> bool:
    """Whether a unit has just the values of another, or gathers them."""
    if len(source.values) == len(unit.values):
        return all(
            identical(one, other) for one, other in zip(source.values[:50], unit.values[:50], strict=True)
        )
    return any(identical(value, unit.values[-1]) for value in source.values[:50])


def _filled(units: Sequence[Unit], unit: Unit, known: Collection[int]) -> int | None:
    """The first statement that fills a container with what the other program does not have."""
    base = unit.site.name.removesuffix("[]")
    before = [
        number for number in ancestors([*units], unit.number) - {*known}
        if units[number].kind in _FILLED and units[number].site.name.removesuffix("[]") == base
        and units[number].site.function == unit.site.function and units[number].first < unit.first
    ]  # fmt: skip
    return min(before, key=lambda number: units[number].first, default=None)


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
    here = (own.site.file, own.site.line)
    return (
        own.kind != "return"
        and bool(unknown)
        and all((units[i].site.file, units[i].site.line) == here for i in unknown)
    )
