"""Values that are wrong for certain, wherever the other program may have them: the results that differ."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from harness.programs.trace import identical
from harness.programs.units import Unit

_HANDED_ON = frozenset({"part", "return", "mutated"})
_RENAMES = frozenset({"param", "loop", "iterates"})
"""What has the caller's or the container's value under a name of its own."""
_NAMES = re.compile(r"[^\[\]$'\"]+")
"""The variable and the columns of it, in ``tab$t[]`` and ``tab['t']``."""


def wrong_values(
    units: Sequence[Unit], off: Iterable[int], times: Mapping[int, Iterable[int]] | None = None
) -> frozenset[tuple[int, int]]:
    """What results that differ show, as units and their occurrences (from 0), up to where it is computed.

    That the other program has such a value somewhere, as a step on the way to its own result, says nothing
    for it.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    off : iterable of int
        Its results that differ.
    times : mapping of int to iterable of int, optional
        Of a result that is shown several times, the occurrences (from 0) that differ.
    """
    found: set[tuple[int, int]] = set()
    of_event: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for unit in units:
        for k, place in enumerate(unit.places):
            of_event[place].append((unit.number, k))
    for number in off:
        result = units[number]
        shown = Counter(
            (one.unit, one.k) for one in result.elements
            if not one.in_text and one.k < len(units[one.unit].values)
        )  # fmt: skip
        through: Counter[tuple[int, int]] = Counter()
        for (one_shown, k), count in shown.items():
            # Of a column, as much as half.
            if 2 * count >= units[one_shown].values[k].size:
                same, held = _shown(units, of_event, one_shown, k)
                found |= same
                through.update(dict.fromkeys(held, count))
        # What a loop shows element by element is shown as a whole.
        found |= {at for at, count in through.items() if 2 * count >= units[at[0]].values[at[1]].size}
        for k in (times or {}).get(number, ()):
            found |= _shown(units, of_event, number, k)[0]
        if len(result.values) != 1 or result.values[0].dtype == object:
            continue
        left = [number]
        seen = {number}
        found.add((number, 0))
        while left:
            for source in units[left.pop()].inputs - seen:
                unit = units[source]
                if unit.kind not in _HANDED_ON and unit.site.name != result.site.name:
                    continue
                same = {
                    (source, k) for k, value in enumerate(unit.values) if identical(value, result.values[0])
                }
                if same:
                    found |= same
                    seen.add(source)
                    left.append(source)
    return frozenset(found)


def _shown(
    units: Sequence[Unit], of_event: Mapping[int, Sequence[tuple[int, int]]], number: int, k: int
) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """A number or a column that is printed and what only hands it on; and what has it among others.

    It is handed on under its name or in a table, to a parameter, and by what a loop goes through.
    """
    value = units[number].values[k]
    if not value.size or value.dtype == object:
        return set(), set()
    found, among = {(number, k)}, set[tuple[int, int]]()
    left = [(number, k, frozenset[str]())]
    seen = {*found}
    while left:
        number, k, labels = left.pop()
        if units[number].kind in _RENAMES:
            labels = frozenset()
        for source in units[number].sources[k]:
            for other, at in of_event.get(source, ()):
                unit = units[other]
                own = frozenset({*_NAMES.findall(unit.site.name), *_NAMES.findall(unit.path)})
                if (other, at) in seen or (labels and not labels & own and unit.kind not in _HANDED_ON):
                    continue
                if identical(unit.values[at], value):
                    found.add((other, at))
                elif value.size > 1 or not (
                    unit.values[at].dtype == value.dtype and np.isin(value, unit.values[at]).all()
                ):
                    continue
                else:
                    # A column that has it among others is gone through.
                    among.add((other, at))
                seen.add((other, at))
                left.append((other, at, own))
    return found, among
