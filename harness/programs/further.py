"""Matches of what has no partner: with a part of another variable, or with one that has a partner."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from harness.numerics.layouts import information, plain, same_up_to_layout
from harness.programs.match import Pair
from harness.programs.names import all_alike
from harness.programs.replace import Side
from harness.programs.scores import Scores
from harness.programs.signatures import can_be_same, signatures_of
from harness.programs.views import INDEX, View, held, views_of

_TELLING = 8.0
"""Bits from which on two values are not the same by chance."""
_OF_PART, _OF_ALIAS, _OF_LEVEL = 0.1, 0.2, 0.1
"""What it counts against a pair that one is a part of a variable, that one has a partner already, and that
one is a function's and the other the program's."""
_MOST = 4000
"""Values of a program that are compared."""


class Further(NamedTuple):
    """Two views, of which one may be a whole unit, and what speaks for it that they are the same."""

    a: View
    b: View
    layout: str
    score: float
    evidence: dict[str, float]


class _Item(NamedTuple):
    view: View
    function: str
    is_free: bool
    bits: float


def further(a: Side, b: Side, kept: Sequence[Pair], left_out: Collection[str] = ()) -> list[Further]:
    """Matches besides those of units, one for each variable that has none.

    Parameters
    ----------
    a, b : Side
        The two programs.
    kept : sequence of Pair
        The matches that are reported as they are.
    left_out : collection of str
        Variables of which nothing is matched besides.
    """
    sure = [pair for pair in kept if not is_doubtful(a, b, pair)]
    taken = [{_name(side.units[number].name) for number in numbers} for side, numbers in (
        (a, [pair.a for pair in sure]), (b, [pair.b for pair in sure]),
    )]  # fmt: skip
    items = [
        [item for item in _items(side, names) if not left_out or _root(item.view.name) not in left_out][
            :_MOST
        ]
        for side, names in zip((a, b), taken, strict=True)
    ]
    if not all(items):
        return []
    first, second = items
    signatures = [signatures_of([one.view.value for one in each]) for each in items]
    parts = [np.array([one.view.is_part for one in each]) for each in items]
    free = [np.array([one.is_free for one in each]) for each in items]
    allowed = ~np.logical_and.outer(*parts) & np.logical_or.outer(*free)
    # A part is matched with what has no other partner.
    allowed &= ~np.logical_and.outer(parts[0], ~free[1]) & ~np.logical_and.outer(~free[0], parts[1])
    # A number is no other name of one that has a partner, and what a function has is none of the program's.
    levels = [np.array([bool(one.function) for one in each]) for each in items]
    single = [np.array([one.view.value.size == 1 for one in each]) for each in items]
    aliases = ~np.logical_xor.outer(*levels) & ~np.logical_or.outer(*single)
    allowed &= np.logical_and.outer(*free) | aliases
    allowed &= can_be_same(signatures[0][:, None], signatures[1][None, :])
    options = []
    names = _names(first, second)
    for i, j in np.argwhere(allowed).tolist():
        one, other = first[i], second[j]
        layout = same_up_to_layout(one.view.value, other.view.value)
        if layout:
            worth = 1 - math.exp(-min(one.bits, other.bits) / 8)
            score = 0.5 * worth + 0.4 * float(names[i, j])
            score += 0.1 - _OF_PART * (one.view.is_part or other.view.is_part)
            score -= _OF_ALIAS * (not (one.is_free and other.is_free))
            score -= _OF_LEVEL * (bool(one.function) != bool(other.function))
            evidence = {"values": round(worth, 2), "names": round(float(names[i, j]), 2)}
            options.append(Further(one.view, other.view, layout, max(0.0, score), evidence))
    pairs = {(_name(a.units[pair.a].name), _name(b.units[pair.b].name)) for pair in kept if pair.agrees}
    return _chosen(options, taken, pairs)


def is_doubtful(a: Side, b: Side, pair: Pair) -> bool:
    """Whether a pair differs, and is of values that are not of as many elements."""
    return not pair.agrees and a.units[pair.a].values[-1].size != b.units[pair.b].values[-1].size


def _chosen(
    options: list[Further], taken: Sequence[Collection[str]], pairs: set[tuple[str, str]]
) -> list[Further]:
    """The best for each variable that has no partner, but for parts of what is paired as a whole.

    Several variables may have the same part of another.
    """
    made: list[Further] = []
    used: list[set[str]] = [set(), set()]
    for option in sorted(options, key=lambda option: (option.a.is_part or option.b.is_part, -option.score)):
        names = (option.a.name, option.b.name)
        inside = (_root(names[0]), _root(names[1])) in pairs - {names}
        if not inside and not any(name in each for name, each in zip(names, used, strict=True)):
            made.append(option)
            pairs = pairs | {names}
            for view, each, known in zip((option.a, option.b), used, taken, strict=True):
                if not view.is_part and view.name not in known:
                    each.add(view.name)
    return made


def _name(name: str) -> str:
    return name.removesuffix("[]")


def _root(name: str) -> str:
    """The variable that something is of."""
    return re.split(r"[\[$]|\.index$", name, maxsplit=1)[0]


def _items(side: Side, taken: Collection[str]) -> Iterator[_Item]:
    seen: set[tuple[str, bytes]] = set()
    for unit in held(side):
        item = _item(View(unit.number, unit.name, unit.path, unit.values[-1]), side, taken)
        if item is not None and (key := (unit.name, unit.values[-1].tobytes())) not in seen:
            seen.add(key)
            yield item
    for view in views_of(side):
        item = _item(view, side, taken)
        if item is not None and (key := (view.name, view.value.tobytes())) not in seen:
            seen.add(key)
            yield item


def _item(view: View, side: Side, taken: Collection[str]) -> _Item | None:
    bits = information(plain(view.value))
    if bits < _TELLING:
        return None
    return _Item(view, side.units[view.unit].site.function, view.name not in taken, bits)


def _names(first: Sequence[_Item], second: Sequence[_Item]) -> Scores:
    """How alike the names are: those of parts as much as those of what they are of."""
    # The labels of rows are those of many tables.
    whole = [["" if one.view.label == INDEX else one.view.name for one in each] for each in (first, second)]
    last = [[one.view.label or one.view.name for one in each] for each in (first, second)]
    return np.maximum(all_alike(*whole), 0.9 * all_alike(*last))
