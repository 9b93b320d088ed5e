"""Whether what is unknown of a value is only what its own statement is made of."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from harness.programs.units import Unit


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
