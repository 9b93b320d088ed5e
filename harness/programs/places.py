"""Which number of one printout stands where which of the other does."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy.typing as npt

from harness.programs.equal_tokens import COARSE, OTHER_NUMBER, Place, aligned, worth_of
from harness.programs.runs import Run, runs_of
from harness.programs.tokens import Token

_MOST = 1500
"""Tokens of a printout that are aligned."""
_TURNS = 3
"""How often two printouts are aligned, each time without what is no count from elsewhere."""


def in_place(a: Sequence[Token], b: Sequence[Token], shift: int = 0) -> list[Place]:
    """Pair the numbers of two printouts that stand in the same place, whether they are equal or not.

    Parameters
    ----------
    a, b : sequence of Token
        From `tokens_of`; what is behind the first thousand or so is not looked at.
    shift : int
        How much the second may add to a whole number: 1 if only it counts from one.

    Returns
    -------
    list of Place
        In order. Two that differ are paired only where both printouts have as many numbers between the
        same neighbours that agree. None, where the two print the same numbers in another order.
    """
    a, b = a[:_MOST], b[:_MOST]
    if not a or not b:
        return []
    worth, scales = worth_of(a, b, shift)
    runs = runs_of(a), runs_of(b)
    made: list[Place] = []
    for _ in range(_TURNS):
        made = _straight(a, b, _between(a, b, worth, scales), worth, scales)
        unfounded = _unfounded(a, b, made, runs) if shift else []
        for one in unfounded:
            worth[one.a, one.b] = OTHER_NUMBER
        if not unfounded:
            break
    made = _turned(a, b, made, runs)
    return _reordered(a, b, made, worth, scales, runs)


def _between(
    a: Sequence[Token], b: Sequence[Token], worth: npt.NDArray[Any], scales: npt.NDArray[Any]
) -> list[Place]:
    """Numbers that agree, in order, and those between them where both have as many."""
    pairs = aligned(worth)
    anchors = [(-1, -1), *((i, j) for i, j in pairs if worth[i, j] > 0), (len(a), len(b))]
    made: list[Place] = []
    for (low_a, low_b), (high_a, high_b) in pairwise(anchors):
        first = [i for i in range(low_a + 1, high_a) if a[i].is_number]
        second = [j for j in range(low_b + 1, high_b) if b[j].is_number]
        if len(first) == len(second):
            made += [Place(i, j, False, 1.0) for i, j in zip(first, second, strict=True)]
        if high_a < len(a) and a[high_a].is_number:
            made.append(Place(high_a, high_b, True, float(scales[high_a, high_b])))
    return made


def _straight(
    a: Sequence[Token],
    b: Sequence[Token],
    made: list[Place],
    worth: npt.NDArray[Any],
    scales: npt.NDArray[Any],
) -> list[Place]:
    """The same, or each number with the one that is as far from the start, where most of those agree.

    Of as many numbers some are another's: each belongs to the one in its place.
    """
    first, second = [[n for n, one in enumerate(side) if one.is_number] for side in (a, b)]
    if len(first) != len(second) or len(first) <= len(made):
        return made
    straight = [
        Place(i, j, bool(worth[i, j] > 0), float(scales[i, j])) for i, j in zip(first, second, strict=True)
    ]
    return straight if sum(one.agrees for one in straight) >= len(straight) / 2 else made


def _unfounded(
    a: Sequence[Token], b: Sequence[Token], made: Sequence[Place], runs: tuple[Sequence[Run], Sequence[Run]]
) -> list[Place]:
    """Whole numbers that would agree as one is counted from one, where others beside them are not.

    What is counted from elsewhere is so in all of a row, or in all of a column of rows that are alike; at
    the head of a line it may be the line's own number.
    """
    rows: dict[tuple[int, int], list[Place]] = defaultdict(list)
    columns: dict[tuple[int, ...], list[Place]] = defaultdict(list)
    for one in made:
        if a[one.a].unit == b[one.b].unit == 1:
            first, second = runs[0][one.a], runs[1][one.b]
            rows[first.number, second.number].append(one)
            columns[(first.at, first.size, second.at, second.size)].append(one)

    def is_counted(one: Place) -> bool:
        return one.agrees and a[one.a].unit == b[one.b].unit == 1 and a[one.a].value != b[one.b].value

    found: list[Place] = []
    for one in filter(is_counted, made):
        first, second = runs[0][one.a], runs[1][one.b]
        row = rows[first.number, second.number]
        column = columns[(first.at, first.size, second.at, second.size)]
        alike = (first.at, first.size) == (second.at, second.size)
        in_row = all(map(is_counted, row)) and (alike or len(row) > 1)
        heads = first.heads and second.heads
        if not in_row and not (alike and all(map(is_counted, column)) and (heads or len(column) > 1)):
            found.append(one)
    return found


def _turned(
    a: Sequence[Token], b: Sequence[Token], made: list[Place], runs: tuple[Sequence[Run], Sequence[Run]]
) -> list[Place]:
    """The same, but for small numbers in rows of another shape: of those both have the same in any order.

    A table may be printed below its heads, or each head before what belongs to it.
    """
    firm = [
        one for one in made if one.agrees and a[one.a].is_telling and b[one.b].is_telling
    ]  # fmt: skip
    kept: list[Place] = []
    for low, high in pairwise([Place(-1, -1, True, 1.0), *firm, Place(len(a), len(b), True, 1.0)]):
        own = [one for one in made if low.a < one.a < high.a]
        off = [one for one in own if not one.agrees]
        if off and all(
            not (a[one.a].is_telling or b[one.b].is_telling) and runs[0][one.a].shape != runs[1][one.b].shape
            for one in off
        ):
            first = [n for n in range(low.a + 1, high.a) if a[n].unit == 1]
            second = [n for n in range(low.b + 1, high.b) if b[n].unit == 1]
            counts = [Counter(side[n].value for n in own) for side, own in ((a, first), (b, second))]
            if counts[0] <= counts[1] or counts[1] <= counts[0]:
                own = _by_value(a, b, first, second)
        kept += own
        kept += [high] if high.a < len(a) else []
    return kept


def _by_value(a: Sequence[Token], b: Sequence[Token], first: list[int], second: list[int]) -> list[Place]:
    left = list(second)
    made: list[Place] = []
    for i in first:
        if (j := next((j for j in left if a[i].value == b[j].value), None)) is not None:
            left.remove(j)
            made.append(Place(i, j, True, 1.0))
    return made


def _reordered(
    a: Sequence[Token],
    b: Sequence[Token],
    made: Sequence[Place],
    worth: npt.NDArray[Any],
    scales: npt.NDArray[Any],
    runs: tuple[Sequence[Run], Sequence[Run]],
) -> list[Place]:
    """The same pairs, but for numbers that both print in another order: those agree.

    Where nothing is left that differs, and rows are alike in which numbers have changed their places, the
    order itself may be wrong; there is no telling.
    """
    agreeing = [one for one in made if one.agrees]
    firm = [one for one in agreeing if worth[one.a, one.b] != COARSE]
    taken_a, taken_b = {one.a for one in firm}, {one.b for one in firm}
    free_b = [j for j, one in enumerate(b) if one.is_telling and j not in taken_b]
    moved: list[Place] = []
    for i, one in enumerate(a):
        if i in taken_a or not one.is_telling:
            continue
        found = [j for j in free_b if worth[i, j] > COARSE]
        if found:
            free_b.remove(found[0])
            moved.append(Place(i, found[0], True, float(scales[i, found[0]])))
    if not moved:
        return list(made)
    gone_a, gone_b = {one.a for one in moved}, {one.b for one in moved}
    kept = [one for one in made if one.a not in gone_a and one.b not in gone_b]
    if all(one.agrees for one in kept):
        off = {one.b: one for one in made if not one.agrees}
        if any(one.b in off and runs[0][off[one.b].a].shape == runs[1][one.b].shape for one in moved):
            return []
    return sorted([*kept, *moved])
