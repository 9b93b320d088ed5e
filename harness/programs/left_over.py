"""The numbers that each of two programs prints and that have no place in what the other prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from harness.programs.beside import labels_of
from harness.programs.equal_tokens import Place
from harness.programs.match import Matching
from harness.programs.pool import Pool
from harness.programs.shows import Origin, names_of
from harness.programs.tokens import Token
from harness.programs.units import Unit

_NEAR = 4.0
"""How many times the other a number may be that is left over with it."""
_ROW = 3
"""Numbers of a row that say by how large they are that they are the same."""
_COMPUTED = frozenset({"set", "element", "container", "return", "part"})
"""Kinds of units that a program has computed, and not only gone over."""


def left_over(
    tokens: tuple[Sequence[Token], Sequence[Token]],
    places: Sequence[Place],
    origins: tuple[Mapping[int, Origin], Mapping[int, Origin]],
    units: tuple[Sequence[Unit], Sequence[Unit]],
    matching: Matching,
) -> list[Place]:
    """Pair what is left where all others agree: one number or one row of each, which differ.

    Two programs that print the same in another order have such where a result differs from which nothing
    else follows. One number counts where their variables are matched, or both are printed with as many
    decimals; a row where each number is about as large. A whole number may be a row's, which the other
    program does not print.

    Parameters
    ----------
    tokens : tuple of sequence of Token
        Of both printouts.
    places : sequence of Place
        Of those that have one.
    origins : tuple of mapping of int to Origin
        Where the numbers come from.
    units : tuple of sequence of Unit
        Of both programs.
    matching : Matching
        Of these.
    """
    if any(not one.agrees for one in places):
        return []
    left = [
        [
            n
            for n, one in enumerate(side)
            if one.is_telling and one.unit and n not in {place[at] for place in places}
        ]
        for at, side in enumerate(tokens)
    ]
    fractions = [[n for n in own if side[n].unit < 1] for own, side in zip(left, tokens, strict=True)]
    left = fractions if all(fractions) else left
    if not len(left[0]) == len(left[1]) > 0:
        return []
    pairs = list(zip(*left, strict=True))
    near = all(_is_near(tokens[0][i], tokens[1][j]) for i, j in pairs)
    pairs = [(i, j) for i, j in pairs if i in origins[0] and j in origins[1]]
    if len(left[0]) > 1 or not pairs:
        in_one = all(len({side[n].line for n in own}) == 1 for own, side in zip(left, tokens, strict=True))
        return [Place(i, j, False, 1.0) for i, j in pairs] if near and in_one and len(pairs) >= _ROW else []
    ((i, j),) = pairs
    alike = tokens[0][i].unit == tokens[1][j].unit
    matched = _are_matched((origins[0][i], origins[1][j]), units, matching)
    return [Place(i, j, False, 1.0)] if matched or (near and alike) else []


def without_others(
    tokens: tuple[Sequence[Token], Sequence[Token]],
    places: Sequence[Place],
    origins: tuple[Mapping[int, Origin], Mapping[int, Origin]],
    units: tuple[Sequence[Unit], Sequence[Unit]],
    matching: Matching,
    straight: Set[Place],
) -> list[Place]:
    """Places without those of two numbers that both programs have computed, and print as something else.

    Each prints a result that the other does not. Where those stand in the same place, and the words beside
    them are the same or their variables are matched, one may be printed for the other by mistake.

    Parameters
    ----------
    tokens, places, origins, units, matching
        As in `left_over`.
    straight : set of Place
        Of these, those of numbers that stand between the same others.
    """
    if all(one.agrees for one in places):
        return list(places)
    pools = Pool(units[0]), Pool(units[1])
    labels = [labels_of(side, names_of(known)) for side, known in zip(tokens, origins, strict=True)]

    def are_others(one: Place) -> bool:
        if one.agrees or one.a not in origins[0] or one.b not in origins[1]:
            return False
        own = origins[0][one.a], origins[1][one.b]
        if not all(pool.has_element(np.asarray(it.value)) for pool, it in zip(pools[::-1], own, strict=True)):
            return False
        same = labels[0][one.a].near & labels[1][one.b].near or _are_matched(own, units, matching)
        return one not in straight or not same

    return [one for one in places if not are_others(one)]


def _are_matched(
    origins: tuple[Origin, Origin], units: tuple[Sequence[Unit], Sequence[Unit]], matching: Matching
) -> bool:
    """Whether two numbers show variables that are matched."""
    first, second = (
        {own[one.unit].number, *own[one.unit].inputs} for own, one in zip(units, origins, strict=True)
    )
    return any(pair.a in first and pair.b in second for pair in matching.pairs)


def _is_near(one: Token, other: Token) -> bool:
    small, large = sorted((abs(one.value), abs(other.value)))
    return one.unit < 1 and other.unit < 1 and large <= _NEAR * small


def alone(
    tokens: tuple[Sequence[Token], Sequence[Token]],
    places: Sequence[Place],
    units: tuple[Sequence[Unit], Sequence[Unit]],
    shift: int,
) -> tuple[list[Token], list[Token]]:
    """The numbers without a place; not the whole ones that the other program has computed once.

    Those it does not print, which is no difference.

    Parameters
    ----------
    tokens, places, units
        As in `left_over`.
    shift : int
        How much the second may add to a whole number: 1 if only it counts from one.
    """
    taken = {one.a for one in places}, {one.b for one in places}
    known = _computed(units[1]), _computed(units[0])
    first, second = (
        [
            one for n, one in enumerate(side)
            if one.is_telling and n not in taken[at]
            and not (one.unit == 1 and {one.value, one.value + (shift, -shift)[at]} & known[at])
        ]
        for at, side in enumerate(tokens)
    )  # fmt: skip
    return first, second


def _computed(units: Sequence[Unit]) -> set[float]:
    """The whole numbers that are the only value of a unit."""
    return {
        float(unit.values[0].ravel()[0]) for unit in units
        if unit.kind in _COMPUTED and len(unit.values) == 1 and unit.values[0].size == 1
        and unit.values[0].dtype.kind in "iuf"
    }  # fmt: skip
