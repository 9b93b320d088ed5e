"""Which recorded values nothing of the other program vouches for, though it does for all that they read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from harness.numerics.layouts import same_up_to_layout
from harness.programs.evidence import SETTING
from harness.programs.match import Pair
from harness.programs.pool import FEW, MOST, Pool, selected
from harness.programs.trace import Value, identical
from harness.programs.units import Unit

_TELLING = 5.0
"""Bits from which on a value that is found anywhere in the other program counts as known there."""
_SURE = 0.65
"""Score of a pair from which on its values are held against each other, and not looked for elsewhere."""
_PARAMETER = 0.5
"""The same for parameters, which say at which call a function is given something else."""


class Frontier(NamedTuple):
    """Units where a difference can begin, by their first occurrence (from 0); known units; known events."""

    firsts: dict[int, int]
    known: frozenset[int]
    events: dict[int, bool]


def frontier(
    units: list[Unit],
    others: list[Unit],
    pairs: Iterable[Pair],
    side: str,
    passed: Collection[int] = (),
    wrong: Collection[tuple[int, int]] = (),
    pool: Pool | None = None,
) -> Frontier:
    """Units with an occurrence that the other program does not have, though it has all that was read for it.

    Parameters
    ----------
    units, others : list of Unit
        Of the program that is looked at, and of the other.
    pairs : iterable of Pair
        From `match`.
    side : {"a", "b"}
        Which of the two the first is.
    passed : collection of int
        Units of a form that the other program does not have: they are as known as what they read.
    wrong : collection of (int, int)
        From `wrong_values`.
    pool : Pool, optional
        Of the other program, where it is asked more than once.

    Returns
    -------
    Frontier
        These units, and those of which the other program has all values.
    """
    pool = Pool(others) if pool is None else pool
    partner = {getattr(pair, side): pair for pair in pairs}
    found: dict[int, int] = {}
    known: dict[int, bool] = {}
    whole: dict[int, bool] = {}
    blamed: set[int] = set()
    occurrences = [
        (unit.places[k], unit.number, k) for unit in units for k in range(min(MOST, len(unit.places)))
    ]
    of_event: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, number, k in occurrences:
        of_event[place].append((number, k))
    for place, number, k in sorted(occurrences):
        unit, pair = units[number], partner.get(number)
        value = unit.values[k]
        sources_known = all(known.get(source, True) for source in unit.sources[k])
        if (number, k) in wrong:
            is_known = False
        elif pair is not None and pair.agrees:
            is_known = True
        elif value.dtype == object or number in passed or unit.divided:
            is_known = sources_known
        elif pair is not None and _compares(pair, unit, _partner(others, pair, side), k):
            is_known = bool(same_up_to_layout(value, _partner(others, pair, side).values[k]))
        elif unit.kind == "container" and unit.sources[k] and sources_known:
            # It was filled with what is known.
            is_known = True
        elif pool.bits(value) < _TELLING and (unit.sources[k] or unit.path):
            # Small numbers are found anywhere; all that a loop sets are not.
            is_known = sources_known and not (unit.kind in SETTING and pool.lacks_row(unit))
        elif pool.has_row(unit)[1] or (len(unit.values) > 1 and sources_known and pool.has_element(value)):
            # What the other program has in a vector.
            is_known = True
        else:
            is_known = pool.has(value) or (
                len(unit.values) <= FEW and (pool.has_slices(value) or pool.has_slice(value))
            )
            if is_known and pool.only_turned(value):
                is_known = sources_known
            telling = pool.bits(value) >= _TELLING
            if not is_known and telling and (not unit.sources[k] or unit.kind == "mutated"):
                # Data, which the other program may have in another form.
                is_known = pool.has_elements(value)
            is_known = is_known or (
                pool.has_scattered(value) and not selected(value, _values(units, of_event, unit.sources[k]))
            )
        if unit.kind == "param" and not is_known and sources_known and _passed_on(units, of_event, unit, k):
            # What it is given, the caller has from what is known.
            is_known = True
        # Of a value with several parts, all are to be known.
        known[place] = known.get(place, True) and is_known
        if unit.kind == "param" and not is_known and sources_known:
            # What a function is given is computed where it is called.
            blamed.add(unit.calls[k])
            known[place], whole[number] = False, False
            continue
        if place in blamed:
            is_known, sources_known = False, True
            known[place] = False
        whole[number] = whole.get(number, True) and is_known
        if not is_known and sources_known:
            found.setdefault(number, k)
    return Frontier(found, frozenset(number for number, is_known in whole.items() if is_known), known)


def _passed_on(units: list[Unit], of_event: dict[int, list[tuple[int, int]]], unit: Unit, k: int) -> bool:
    """Whether a parameter is just what the caller has, which is not computed by the calling statement."""
    value = unit.values[k]
    return any(
        units[number].kind != "part" and identical(units[number].values[at], value)
        for source in unit.sources[k]
        for number, at in of_event.get(source, ())
    )


def _values(
    units: list[Unit], of_event: dict[int, list[tuple[int, int]]], places: Iterable[int]
) -> Iterator[Value]:
    for place in places:
        for number, k in of_event.get(place, ()):
            yield units[number].values[k]


def _compares(pair: Pair, unit: Unit, other: Unit, k: int) -> bool:
    """Whether the occurrences of a pair that differs are to be held against each other."""
    if unit.kind == "param":
        return pair.score >= _PARAMETER and len(unit.values) == len(other.values)
    return pair.score >= _SURE and k < len(other.values)


def _partner(others: list[Unit], pair: Pair, side: str) -> Unit:
    return others[pair.b if side == "a" else pair.a]
