"""How much one of two values that differ may be the other, made wrong."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from harness.numerics.layouts import information, plain
from harness.programs.nearness import numbers
from harness.programs.pool import stacked
from harness.programs.trace import Value
from harness.programs.units import Unit

_MOST = 5_000
"""Elements of a value that is looked at."""
_SAME = 1e-9
_STEEP = 4
"""Power of how near two values are: what is merely of one size is no relative."""
_ALONE = 0.5
"""Of a single number, which is near many others."""
_MEANT = 0.5
"""From which on two values are taken for each other's, made wrong."""
_SAME_VALUE = -1.0


class Relatives:
    """How much the values of two programs' units are each other's, made wrong; what was looked up is kept.

    Two lines that are meant as the same set values of one size, and a wrong one is mostly a relative of the
    right one: near it, most of it the same, in another order, or a multiple of it.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    """

    def __init__(self, a: Sequence[Unit], b: Sequence[Unit]) -> None:
        self._units = a, b
        self._forms: tuple[dict[int, list[_Form]], dict[int, list[_Form]]] = ({}, {})
        self._known: dict[tuple[int, int], float] = {}

    def __call__(self, i: int, j: int) -> float:
        """From 0 to 1; 0 where they are the same."""
        if (i, j) not in self._known:
            pairs = [_related(x, y) for x in self._of(0, i) for y in self._of(1, j) if x.size == y.size]
            self._known[i, j] = max(pairs, default=0.0) if _SAME_VALUE not in pairs else 0.0
        return self._known[i, j]

    def opposed(
        self, known: tuple[Collection[int], Collection[int]], kind: str
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Units of a kind of each program that may be, made wrong, what the other has and they have not.

        Parameters
        ----------
        known : tuple of collection of int
            Units of each of which the other program has all values.
        kind : str
            Of these units.
        """
        found: tuple[set[int], set[int]] = (set(), set())
        for side in (0, 1):
            others = [unit.number for unit in self._units[1 - side] if unit.number not in known[1 - side]]
            for unit in self._units[side]:
                if unit.kind == kind and any(
                    self(*((unit.number, other) if side == 0 else (other, unit.number))) > _MEANT
                    for other in others
                ):
                    found[side].add(unit.number)
        return frozenset(found[0]), frozenset(found[1])

    def _of(self, side: int, number: int) -> list[_Form]:
        forms = self._forms[side]
        if number not in forms:
            unit = self._units[side][number]
            values = [stacked(unit)] if len(unit.values) > 2 else []
            forms[number] = [
                _Form(value) for value in (*values, unit.values[-1])
                if value is not None and value.dtype != object and 0 < value.size <= _MOST
                and not np.isnan(value).any()
            ]  # fmt: skip
        return forms[number]


class _Form:
    """The numbers of a value, how large they are together, and what they say."""

    def __init__(self, value: Value) -> None:
        self.numbers = numbers(value)
        self.size = int(value.size)
        self.sorted = np.sort(np.abs(self.numbers))
        with np.errstate(all="ignore"):
            self.length = float(np.linalg.norm(self.numbers))
        self.worth = 1 - math.exp(-information(plain(value)) / 8)


def _related(one: _Form, other: _Form) -> float:
    size = max(one.length, other.length)
    if not 0 < size < math.inf or not one.length or not other.length:
        return 0.0
    apart = float(np.linalg.norm(one.numbers - other.numbers)) / size
    if apart < _SAME:
        return _SAME_VALUE
    near = 1 - min(1.0, apart)
    if one.size == 1:
        near *= _ALONE
    else:
        ordered = 1 - float(np.linalg.norm(one.sorted - other.sorted)) / size
        along = abs(float(one.numbers @ other.numbers)) / (one.length * other.length)
        equal = float(np.mean((one.numbers == other.numbers) & (one.numbers != 0)))
        near = max(near, ordered, equal, 1.0 if 1 - along < _SAME else 0.0)
    return float(near**_STEEP * min(one.worth, other.worth))
