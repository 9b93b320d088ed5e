"""How much two lines of two programs are meant as the same, where what they set differs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from harness.programs.line_table import Line
from harness.programs.match import Matching
from harness.programs.nearness import likeness
from harness.programs.suspicion import Suspicion
from harness.programs.units import Unit
from harness.programs.wording import Wording

_MOST = 12
"""Units of a line that are looked at."""
_NOTHING_READ = 0.3
"""How alike two lines are in what they read, where neither reads anything."""
_BY_SCORE, _BY_VALUES = 2.0, 6.0
"""By what the units are chosen that stand for two lines."""


class Pairing:
    """Clues of pairs of lines.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    matching : Matching
        Of their units.
    known : tuple of collection of int
        Units of each of which the other program has all values.
    related : callable
        From `Relatives`.
    wording : Wording, optional
        Of two programs in one language.
    """

    def __init__(
        self,
        a: Sequence[Unit],
        b: Sequence[Unit],
        matching: Matching,
        known: tuple[Collection[int], Collection[int]],
        related: Callable[[int, int], float],
        wording: Wording | None = None,
    ) -> None:
        self._units, self._known = (a, b), known
        self._matching, self._related, self._wording = matching, related, wording
        self.worded = wording.same if wording is not None else (frozenset[Line](), frozenset[Line]())
        self._read: tuple[dict[Line, list[int]], dict[Line, list[int]]] = ({}, {})

    def __call__(
        self, of_a: Suspicion, first: Line, of_b: Suspicion, second: Line
    ) -> tuple[dict[str, float], tuple[int, int]]:
        """The clues of two lines, and the two units that stand for them."""
        related = {
            (i, j): self._related(i, j)
            for i in of_a.units[first][:_MOST] for j in of_b.units[second][:_MOST]
        }  # fmt: skip
        differing = self._matching.differing
        i, j = max(related, key=lambda pair: _BY_SCORE * float(differing[pair]) + _BY_VALUES * related[pair])
        clues = {
            "related": max(related.values()),
            "near": self._wording.near(first, second) if self._wording is not None else 0.0,
            "likeness": likeness(self._units[0][i], self._units[1][j]),
            "inputs": self._inputs(self._reads(0, of_a, first), self._reads(1, of_b, second)),
            "apart": abs(of_a.order.get(first, 0.0) - of_b.order.get(second, 0.0)),
        }
        return clues, (i, j)

    def _inputs(self, ones: list[int], others: list[int]) -> float:
        """The share of what two lines read that they both read."""
        if not ones and not others:
            return _NOTHING_READ
        if not ones or not others:
            return 0.0
        shared = [
            [max(float(self._matching.differing[i, j]), float(self._matching.equal[i, j])) for j in others]
            for i in ones
        ]
        rows = sum(max(row) for row in shared)
        columns = sum(max(column) for column in zip(*shared, strict=True))
        return float(rows + columns) / (len(ones) + len(others))

    def _reads(self, side: int, suspicion: Suspicion, line: Line) -> list[int]:
        """What a line reads, through its own expressions and what only hands on."""
        if line not in self._read[side]:
            units, known = self._units[side], self._known[side]
            left = [*suspicion.units[line]]
            own = {(units[i].site.file, units[i].site.line) for i in left}
            seen, found = {*left}, set[int]()
            while left:
                for number in units[left.pop()].inputs - seen:
                    seen.add(number)
                    unit = units[number]
                    if number in known and unit.kind != "part":
                        found.add(number)
                    elif unit.kind in ("part", "param", "mutated") or (unit.site.file, unit.site.line) in own:
                        left.append(number)
                    else:
                        found.add(number)
            self._read[side][line] = sorted(found)
        return self._read[side][line]
