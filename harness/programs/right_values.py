"""Which of two values that differ is right for certain, so that what reads it is where the programs part."""

from __future__ import annotations

from harness.programs.grounds import Grounds
from harness.programs.match import Matching
from harness.programs.pool import stacked

_ROW = 4
"""Elements from which on two values are not the same by chance."""


class RightValues:
    """What the matching and all values of the other program say of two values that differ.

    Parameters
    ----------
    matching : Matching
        Of the units of two programs.
    grounds : Grounds
        What is known of them before any trial.
    """

    def __init__(self, matching: Matching, grounds: Grounds) -> None:
        self._grounds = grounds
        self._units = grounds.a, grounds.b
        self._apart = {(pair.a, pair.b) for pair in matching.pairs if not pair.agrees}
        agreeing = [pair for pair in matching.pairs if pair.agrees]
        self._agreeing = {pair.a for pair in agreeing}, {pair.b for pair in agreeing}
        self._wrong = tuple({number for number, _ in wrong} for wrong in grounds.wrong)

    def are_apart(self, i: int, j: int) -> bool:
        """Whether two units are matched, and differ."""
        return (i, j) in self._apart

    def each(self, i: int, j: int) -> tuple[bool, bool]:
        """Whether each of two units is one that the other program has as a whole.

        Of two that are matched and differ neither is: the other may have its value of another step.
        """
        if self.are_apart(i, j):
            return False, False
        return self._is_right(0, i), self._is_right(1, j)

    def read_known(self, i: int, j: int) -> bool:
        """Whether all that two units are computed from, each time, is known to the other program."""
        return all(
            self._grounds.frontiers[side].events.get(source, True)
            for side, number in enumerate((i, j))
            for sources in self._units[side][number].sources
            for source in sources
        )

    def _is_right(self, side: int, number: int) -> bool:
        if number in self._wrong[side]:
            return False
        if number in self._agreeing[side]:
            return True
        unit, pool = self._units[side][number], self._grounds.pools[side]
        row = stacked(unit) if unit.is_scalar else None
        value = unit.values[-1] if row is None else row
        return value.size >= _ROW and pool.has(value) and not pool.only_turned(value)
