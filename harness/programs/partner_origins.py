"""Where a printed number comes from that nothing was recorded to show: what the other's is matched with.

A function that hands on all its arguments to what prints, as ``function(...) cat(...)``, shows no variable.
Numbers of few digits are found anywhere; but where the other program prints another number in the same place,
of a variable, its counterpart is the variable that is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.programs.equal_tokens import Place
from harness.programs.match import Matching
from harness.programs.shows import Origin
from harness.programs.tokens import Token
from harness.programs.units import Unit

_HALF, _ROUNDING = 0.51, 1e-9
_SET = frozenset({"set", "element", "container"})


def lacking_origins(
    tokens: tuple[Sequence[Token], Sequence[Token]],
    places: Sequence[Place],
    origins: tuple[Mapping[int, Origin], Mapping[int, Origin]],
    units: tuple[Sequence[Unit], Sequence[Unit]],
    matching: Matching,
) -> tuple[dict[int, Origin], dict[int, Origin]]:
    """Return the origins of numbers of each program that have none, where those beside them have one.

    Parameters
    ----------
    tokens : tuple of sequence of Token
        Of both printouts.
    places : sequence of Place
        Numbers that stand in the same place and differ.
    origins : tuple of mapping of int to Origin
        Where the numbers come from.
    units : tuple of sequence of Unit
        Of both programs.
    matching : Matching
        Of these.
    """
    found: tuple[dict[int, Origin], dict[int, Origin]] = {}, {}
    for place in places:
        for side, (own, other) in enumerate(((place.a, place.b), (place.b, place.a))):
            if own in origins[side] or other not in origins[1 - side]:
                continue
            events = origins[1 - side][other].sources
            partners = [
                (unit.number, partner)
                for unit in units[1 - side] if not events.isdisjoint(unit.places)
                for partner in _partners(matching, unit.number, 1 - side)
            ]  # fmt: skip
            having = _having(units[side], tokens[side][own])
            chosen = [n for _, n in partners if n in having] or (
                [*having] if len({units[side][n].site.name for n in having}) == 1 else []
            )
            if chosen:
                unit = units[side][chosen[-1]]
                found[side][own] = Origin(
                    unit.number, len(unit.values) - 1, 0, False, 1.0, having[unit.number],
                    frozenset({unit.places[-1]}), unit.site.name,
                )  # fmt: skip
    return found


def _partners(matching: Matching, number: int, side: int) -> list[int]:
    """What a value is matched with, of the other program."""
    return [
        (pair.b, pair.a)[side]
        for pair in (*matching.pairs, *matching.variables)
        if (pair.a, pair.b)[side] == number
    ]


def _having(units: Sequence[Unit], token: Token) -> dict[int, float]:
    """The variables that are a single number, and last had the one that is printed."""
    slack = _HALF * token.unit + _ROUNDING * abs(token.value)
    return {
        unit.number: unit.values[-1].item()
        for unit in units
        if unit.kind in _SET and not unit.path and unit.values[-1].size == 1
        and unit.values[-1].dtype.kind in "fiu" and abs(unit.values[-1].item() - token.value) <= slack
    }  # fmt: skip
