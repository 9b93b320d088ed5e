"""Values that are wrong for certain, wherever the other program may have them: the results that differ."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from harness.programs.trace import identical
from harness.programs.units import Unit

_HANDED_ON = frozenset({"part", "return", "mutated"})
_NAMES = re.compile(r"[^\[\]$'\"]+")
"""The variable and the columns of it, in ``tab$t[]`` and ``tab['t']``."""


def wrong_values(units: Sequence[Unit], off: Iterable[int]) -> frozenset[tuple[int, int]]:
    """What results that differ show, as units and their occurrences (from 0), up to where it is computed.

    That the other program has such a value somewhere, as a step on the way to its own result, says nothing
    for it.

    Parameters
    ----------
    units : sequence of Unit
        Of one program.
    off : iterable of int
        Its results that differ.
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
        for (one_shown, k), count in shown.items():
            # Of a column, as much as half.
            if 2 * count >= units[one_shown].values[k].size:
                found |= _shown(units, of_event, one_shown, k)
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
) -> set[tuple[int, int]]:
    """A number or a column that is printed, and what only hands it on: under its name, or in a table."""
    value = units[number].values[k]
    if not value.size or value.dtype == object:
        return set()
    found = {(number, k)}
    left = [(number, k, frozenset[str]())]
    seen = {*found}
    while left:
        number, k, labels = left.pop()
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
                # A column that has it among others is gone through.
                seen.add((other, at))
                left.append((other, at, own))
    return found
