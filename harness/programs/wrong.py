"""Values that are wrong for certain, wherever the other program may have them: the results that differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.programs.trace import Value
from harness.programs.units import Unit

_HANDED_ON = frozenset({"part", "return", "mutated"})


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
    for number in off:
        result = units[number]
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


def identical(one: Value, other: Value) -> bool:
    """Whether two values are the same bytes of one type, in whatever shape."""
    return one.size == other.size and one.dtype == other.dtype and one.tobytes() == other.tobytes()
