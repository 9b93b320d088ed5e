"""In which statement a value is made: in its own, or in one whose value it only hands on."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from harness.programs.units import Unit
from harness.programs.wrong import identical


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
            if units[i].kind == "set" and i not in agreeing and _same_values(units[i], units[element]):
                return i
    return number


def _same_values(one: Unit, other: Unit) -> bool:
    return len(one.values) == len(other.values) and all(map(identical, one.values, other.values))
