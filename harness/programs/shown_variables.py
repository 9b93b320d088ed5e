"""Variables that two programs print in the same place, where nothing else says that they are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from harness.programs.match import Pair
from harness.programs.trace import Value
from harness.programs.units import Unit

_KINDS = frozenset({"set", "container", "loop", "element", "mutated"})
_SCORE = 0.6


def with_shown(
    a: Sequence[Unit], b: Sequence[Unit], variables: list[Pair], printed: Sequence[Pair]
) -> list[Pair]:
    """The pairs of variables, and of those without a partner the ones that are printed in the same place.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs, with what they print.
    variables : list of Pair
        Of which each variable has at most one partner.
    printed : sequence of Pair
        Of what both print.
    """
    taken = {_named(a[pair.a]) for pair in variables}, {_named(b[pair.b]) for pair in variables}
    votes: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str], Pair] = {}
    for pair in printed:
        first, second = _shown(a, a[pair.a]), _shown(b, b[pair.b])
        if first is None or second is None:
            continue
        names = _named(first), _named(second)
        votes[names] += 1
        evidence = {"values": pair.evidence["values"], "names": 0.0, "flow": 0.0, "operators": 0.0}
        found.setdefault(names, Pair(first.number, second.number, pair.compared, _SCORE, evidence))
    partners = [Counter(names[side] for names in votes) for side in (0, 1)]
    return variables + [
        pair for names, pair in found.items()
        if names[0] not in taken[0] and names[1] not in taken[1]
        and partners[0][names[0]] == partners[1][names[1]] == 1
    ]  # fmt: skip


def _shown(units: Sequence[Unit], shown: Unit) -> Unit | None:
    """The one variable whose value is shown as it is; None where there is none, or several are."""
    value = shown.values[-1]
    found = {
        _named(units[number]): units[number]
        for number in sorted(shown.inputs)
        if units[number].kind in _KINDS and any(_same(one, value) for one in units[number].values)
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _same(one: Value, other: Value) -> bool:
    return one.size == other.size and one.dtype != object and bool(np.array_equal(one.ravel(), other.ravel()))


def _named(unit: Unit) -> str:
    return unit.name.removesuffix("[]")
