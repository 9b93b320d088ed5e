"""Whether a match that a pair's list does not have is another name of one that it has."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from harness.programs.handed_on import dotted
from harness.programs.replace import Side
from harness.programs.said import Match
from harness.programs.sequences import Sequence as Values
from harness.programs.sequences import compare
from harness.programs.units import Unit, ancestors

_TELLING = 6.0
"""Bits from which on two values are not the same by chance."""


def is_true(match: Match, truth: Collection[Sequence[str]], sides: tuple[Side, Side]) -> bool:
    """Whether both names of a match are those of a listed one, or of what it has under another name.

    Another name of a quantity has its values, all of them or one in each turn of a loop, and one of the two
    is computed from the other: what a function returns, a column, a loop's item.
    """
    return any(
        _is_same(sides[0].units, match.a.name, match.a.line, first)
        and _is_same(sides[1].units, match.b.name, match.b.line, second)
        for first, second in truth
    )


def names_of(units: list[Unit], name: str, line: int) -> set[str]:
    """The names that a list may have for a variable: its own, and with the function that sets it there."""
    functions = {
        unit.site.function for unit in units
        if unit.site.line == line and unit.name.removesuffix("[]") == name and unit.site.function
    }  # fmt: skip
    return {name.replace('"', "'") for name in (name, *(f"{function}.{name}" for function in functions))}


def _is_same(units: list[Unit], name: str, line: int, listed: str) -> bool:
    # An attribute has another name in the methods of its class.
    if (
        dotted(listed) in map(dotted, names_of(units, name, line))
        or name == f"self.{listed.partition('.')[2]}"
    ):
        return True
    own = [unit for unit in _called(units, name) if unit.site.line == line]
    return any(_one_is_the_other(units, one, other) for one in own for other in _called(units, listed))


def _called(units: Sequence[Unit], name: str) -> list[Unit]:
    return [
        unit for unit in units
        if unit.kind not in ("part", "shown", "printed")
        and dotted(name) in (dotted(unit.name), dotted(f"{unit.site.function}.{unit.name}"))
    ]  # fmt: skip


def _one_is_the_other(units: list[Unit], one: Unit, other: Unit) -> bool:
    if other.number not in ancestors(units, one.number) and one.number not in ancestors(units, other.number):
        return False
    compared = compare(Values(one), Values(other))
    return compared.agrees and compared.form != "last" and compared.bits >= _TELLING
