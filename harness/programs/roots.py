"""Where a difference can begin: what the other program does not have, though it has all that this reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from harness.numerics.layouts import information, plain
from harness.programs.frontier import Frontier, frontier
from harness.programs.match import Pair
from harness.programs.pool import Pool
from harness.programs.scores import Scores
from harness.programs.trace import Value
from harness.programs.units import Unit
from harness.programs.wrong import wrong_values

_TELLING = 5.0
"""Bits of a known value from which on it speaks for what it was computed from."""
_MOST = 5
"""Occurrences of a unit that are looked at."""
_MEANT = 0.65
"""Score of a pair that differs from which on neither is without a counterpart."""


class Beginnings(NamedTuple):
    """Units of each program at which a difference can begin, with how many wrong results each leads to."""

    a: dict[int, int]
    b: dict[int, int]


def beginnings(
    a: Sequence[Unit],
    b: Sequence[Unit],
    pairs: Sequence[Pair],
    off: Sequence[Pair],
    pools: tuple[Pool, Pool] | None = None,
    first: tuple[Frontier, Frontier] | None = None,
) -> tuple[Beginnings, tuple[Frontier, Frontier]]:
    """Where a difference can begin in each of two programs.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    pairs : sequence of Pair
        From `match`.
    off : sequence of Pair
        Results that differ.
    pools : tuple of Pool, optional
        Of the second and of the first, where they are asked more than once.
    first : tuple of Frontier, optional
        Of the two programs, where they are known.

    Returns
    -------
    tuple
        The units, and the frontiers that they were found with.
    """
    a, b = list(a), list(b)
    off_a, off_b = [pair.a for pair in off], [pair.b for pair in off]
    wrong_a, wrong_b = wrong_values(a, off_a), wrong_values(b, off_b)
    of_b, of_a = (Pool(b), Pool(a)) if pools is None else pools
    if first is None:
        first = (
            frontier(a, b, pairs, "a", (), wrong_a, of_b),
            frontier(b, a, pairs, "b", (), wrong_b, of_a),
        )
    meant = [pair for pair in pairs if not pair.agrees and pair.score >= _MEANT]
    passed_a = _acquitted(a, first[0]) | _alone(a, first[0], b, first[1], {pair.a for pair in meant})
    passed_b = _acquitted(b, first[1]) | _alone(b, first[1], a, first[0], {pair.b for pair in meant})
    then = (
        frontier(a, b, pairs, "a", passed_a, wrong_a, of_b),
        frontier(b, a, pairs, "b", passed_b, wrong_b, of_a),
    )
    made = Beginnings(_roots(a, then[0], off_a), _roots(b, then[1], off_b))
    return made, then


def _acquitted(units: Sequence[Unit], known: Frontier) -> set[int]:
    """Units that are not known, from which something was computed that is: they are of another form."""
    values: dict[int, list[tuple[int, Value]]] = defaultdict(list)
    for unit in units:
        for place, value in zip(unit.places, unit.values, strict=True):
            values[place].append((unit.number, value))
    found: set[int] = set()
    for unit in units:
        if unit.kind in ("param", "container", "loop"):
            continue
        for k, value in enumerate(unit.values[:_MOST]):
            if not known.events.get(unit.places[k], False) or value.dtype == object:
                continue
            if information(plain(value)) < _TELLING:
                continue
            for source in unit.sources[k]:
                if known.events.get(source, True):
                    continue
                own = values.get(source, [])
                if not any(_is_part(value, whole) for _, whole in own):
                    found |= {number for number, _ in own}
    return found


def _is_part(value: Value, whole: Value) -> bool:
    """Whether a value is only taken out of another, whose other elements it says nothing of."""
    if whole.dtype == object:
        return True
    return bool(np.isin(value, whole).all())


def _alone(
    units: Sequence[Unit], known: Frontier, others: Sequence[Unit], of_others: Frontier, meant: set[int]
) -> set[int]:
    """Units that are not known, of a size that nothing has which is not known in the other program."""
    sizes: set[int] = set()
    for unit in others:
        if unit.number not in of_others.known:
            sizes |= {value.size for value in unit.values}
            sizes.add(sum(value.size for value in unit.values))
    return {
        unit.number for unit in units
        if unit.number not in known.known and unit.number not in meant
        and unit.kind not in ("shown", "printed")
        and not {value.size for value in unit.values} & sizes
        and sum(value.size for value in unit.values) not in sizes
    }  # fmt: skip


def _roots(units: Sequence[Unit], known: Frontier, ends: Iterable[int]) -> dict[int, int]:
    of_event: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for unit in units:
        for k, place in enumerate(unit.places):
            of_event[place].append((unit.number, k))
    found: dict[int, int] = defaultdict(int)
    for end in ends:
        for number in _roots_of(units, known, of_event, units[end]):
            found[number] += 1
    return dict(found)


def _roots_of(
    units: Sequence[Unit], known: Frontier, of_event: dict[int, list[tuple[int, int]]], end: Unit
) -> set[int]:
    """From a result back through what is not known, to what reads only what is."""
    left = [place for place in end.places if not known.events.get(place, True)] or [end.last]
    seen, found = set(left), set[int]()
    while left:
        own = of_event.get(left.pop(), [])
        sources = {source for number, k in own for source in units[number].sources[k]}
        unknown = {source for source in sources if not known.events.get(source, True)}
        if not unknown:
            # What a function is given is computed where it is called.
            calls = {units[number].calls[k] for number, k in own if units[number].kind == "param"}
            unknown = {call for call in calls if call >= 0}
            if not unknown:
                found |= {number for number, _ in own}
        left.extend(unknown - seen)
        seen |= unknown
    return found


def in_order(
    a: Sequence[Unit],
    b: Sequence[Unit],
    differing: Scores,
    first_a: Mapping[int, int],
    first_b: Mapping[int, int],
) -> list[tuple[int, int]]:
    """Pairs of beginnings, the likeliest first: each with its best partner, and then all others.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    differing : ndarray
        How alike two units are, but for their values.
    first_a, first_b : mapping of int to int
        Of `Beginnings`, or some of them.
    """
    most = max([*first_a.values(), *first_b.values(), 1])
    scores = {
        (i, j): float(differing[i, j])
        + (0.2 if a[i].values[-1].size == b[j].values[-1].size else 0.0)
        + 0.1 * (first_a[i] + first_b[j]) / most
        for i in first_a for j in first_b
    }  # fmt: skip
    ordered = sorted(scores, key=lambda pair: -scores[pair])
    best: list[tuple[int, int]] = []
    for i, j in ordered:
        if all(
            a[i].site.line != a[one].site.line and b[j].site.line != b[other].site.line for one, other in best
        ):
            best.append((i, j))
    return [*best, *(pair for pair in ordered if pair not in best)]
