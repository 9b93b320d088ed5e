"""Pairs of lines of two programs, by how likely one of them is what makes the results differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np

from harness.programs.line_table import Line, Shares
from harness.programs.pairing import Pairing
from harness.programs.suspicion import Suspicion
from harness.programs.weights import OF_LINE, OF_PAIR, OF_TRIAL, OUTSIDE, REPAIRED

_LINES = 30
"""Lines of each program that are paired."""
_TOGETHER = 0.5
"""What the likelihood of a pair counts beside those of its lines, once a pair stands before it."""

Lines = tuple[Line, Line]


class Ranked(NamedTuple):
    """Two units that stand for their lines, and the share of the likelihood of all pairs that they have."""

    a: int
    b: int
    probability: float
    lines: Lines


class Likelihood:
    """How likely a line of one program and its counterpart are what makes results differ, for all pairs.

    Parameters
    ----------
    of_a, of_b : Suspicion
        Of the two programs.
    pairing : Pairing
        How much two lines are meant as the same.

    Attributes
    ----------
    shape : tuple of int
        How many lines of each are looked at.
    """

    def __init__(self, of_a: Suspicion, of_b: Suspicion, pairing: Pairing) -> None:
        self._of = of_a, of_b
        self._worded = pairing.worded
        scores = [
            {line: score + OF_LINE["worded"] * (line in same) for line, score in one.scores.items()}
            for one, same in zip(self._of, pairing.worded, strict=True)
        ]
        self._lines = [sorted(one, key=lambda line: -one[line])[:_LINES] for one in scores]
        self.shape = len(self._lines[0]), len(self._lines[1])
        self._worth = np.zeros(self.shape)
        self._units: dict[Lines, tuple[int, int]] = {}
        self._of_pair: dict[Lines, dict[str, float]] = {}
        for x, first in enumerate(self._lines[0]):
            for y, second in enumerate(self._lines[1]):
                clues, self._units[first, second] = pairing(of_a, first, of_b, second)
                self._of_pair[first, second] = clues
                self._worth[x, y] = scores[0][first] + scores[1][second]
                self._worth[x, y] += sum(OF_PAIR[name] * value for name, value in clues.items())

    def lines(self, x: int, y: int) -> Lines:
        """The lines of a pair by its place."""
        return self._lines[0][x], self._lines[1][y]

    def clues(self, x: int, y: int) -> dict[str, float]:
        """What the worth of a pair was summed from, before it was weighed; those of lines are both lines'."""
        lines = self.lines(x, y)
        made = dict.fromkeys(OF_LINE, 0.0)
        for one, line, worded in zip(self._of, lines, self._worded, strict=True):
            for name, value in (one.clues[line] | {"worded": float(line in worded)}).items():
                made[name] += value
        return made | self._of_pair[lines]

    def ranked(
        self,
        tried: Mapping[Lines, str] | None = None,
        cones: Sequence[tuple[Set[int], Set[int]]] = (),
        changed: tuple[Mapping[Line, float], Mapping[Line, float]] = ({}, {}),
        meant: Mapping[Lines, float] = {},
    ) -> list[Ranked]:
        """Pairs of units, the likeliest first; each line is in one of them.

        Parameters
        ----------
        tried : mapping of (Line, Line) to str
            What trials of pairs of lines came to, by the names in `OF_TRIAL`.
        cones : sequence of tuple of set of int
            For each pair with which all results agree, the units of each program that lead to it.
        changed : tuple of mapping of Line to float
            What small changes of lines of each program say for them.
        meant : mapping of (Line, Line) to float
            Such a line and its counterpart, by what it sets then, and how much speaks for it, up to 1.
        """
        if not self._worth.size:
            return []
        share = self._shares(tried or {}, cones, changed, meant)
        return [self._ranked(share, x, y) for x, y in covering(share)]

    def untried(
        self, tried: Mapping[Lines, str], cones: Sequence[tuple[Set[int], Set[int]]], most: int
    ) -> list[Ranked]:
        """The likeliest pairs that were not tried, of which several may be of one line.

        Parameters
        ----------
        tried, cones
            As for `ranked`.
        most : int
            How many pairs of one line.
        """
        if not self._worth.size:
            return []
        share = self._shares(tried, cones)
        counts: tuple[Counter[int], Counter[int]] = Counter(), Counter()
        found = []
        for at in np.argsort(-share, axis=None, kind="stable").tolist():
            x, y = divmod(at, share.shape[1])
            if counts[0][x] < most and counts[1][y] < most and self.lines(x, y) not in tried:
                counts[0][x] += 1
                counts[1][y] += 1
                found.append(self._ranked(share, x, y))
        return found

    def of_lines(
        self, tried: Mapping[Lines, str], cones: Sequence[tuple[Set[int], Set[int]]]
    ) -> tuple[dict[Line, float], dict[Line, float]]:
        """How likely each line of each program is, whatever its counterpart; parameters as for `ranked`."""
        if not self._worth.size:
            return {}, {}
        share = self._shares(tried, cones)
        first, second = (share.sum(axis=1 - side).tolist() for side in (0, 1))
        return dict(zip(self._lines[0], first, strict=True)), dict(zip(self._lines[1], second, strict=True))

    def partners(
        self, tried: Mapping[Lines, str], cones: Sequence[tuple[Set[int], Set[int]]], most: int
    ) -> tuple[dict[Line, list[Line]], dict[Line, list[Line]]]:
        """For each line of each program those of the other that it is the likeliest meant as.

        Parameters
        ----------
        tried, cones
            As for `ranked`.
        most : int
            How many of each.
        """
        if not self._worth.size:
            return {}, {}
        share = self._shares(tried, cones)
        first, second = (
            {
                line: [others[at] for at in np.argsort(-row, kind="stable")[:most].tolist()]
                for line, row in zip(lines, rows, strict=True)
            }
            for lines, others, rows in (
                (self._lines[0], self._lines[1], share), (self._lines[1], self._lines[0], share.T),
            )
        )  # fmt: skip
        return first, second

    def _shares(
        self,
        tried: Mapping[Lines, str],
        cones: Sequence[tuple[Set[int], Set[int]]],
        changed: tuple[Mapping[Line, float], Mapping[Line, float]] = ({}, {}),
        meant: Mapping[Lines, float] = {},
    ) -> Shares:
        first, second = (
            np.array([of_side.get(line, 0.0) for line in lines])
            for of_side, lines in zip(changed, self._lines, strict=True)
        )
        worth = self._worth + first[:, None] + second[None, :]
        for x, y in np.ndindex(self.shape):
            worth[x, y] += OF_TRIAL[tried.get(self.lines(x, y), "none")]
            worth[x, y] += REPAIRED * meant.get(self.lines(x, y), 0.0)
        for cone in cones:
            worth += OUTSIDE * self.outside(cone)
        share = np.exp(worth - worth.max())
        return np.asarray(share / share.sum())

    def _ranked(self, share: Shares, x: int, y: int) -> Ranked:
        lines = self.lines(x, y)
        return Ranked(*self._units[lines], float(share[x, y]), lines)

    def outside(self, cone: tuple[Set[int], Set[int]]) -> Shares:
        """How many of the two lines of each pair do not lead to some units."""
        first, second = (
            np.array([of_side.isdisjoint(one.units[line]) for line in lines], dtype=float)
            for one, of_side, lines in zip(self._of, cone, self._lines, strict=True)
        )
        return np.asarray(first[:, None] + second[None, :])

    def knows(self, i: int, j: int) -> bool:
        """Whether two units are of lines that are looked at."""
        return all(
            any(number in one.units[line] for line in lines)
            for one, lines, number in zip(self._of, self._lines, (i, j), strict=True)
        )

    def units(self, lines: Lines) -> tuple[Collection[int], Collection[int]]:
        """The units of two lines."""
        return self._of[0].units.get(lines[0], ()), self._of[1].units.get(lines[1], ())


def covering(share: Shares) -> list[tuple[int, int]]:
    """The likeliest pair, and then those that cover most of the likelihood that no line before has."""
    made: list[tuple[int, int]] = []
    left = share.sum(axis=1), share.sum(axis=0)
    worth = share
    while len(made) < min(share.shape):
        x, y = divmod(int(worth.argmax()), share.shape[1])
        made.append((x, y))
        left[0][x] = left[1][y] = -np.inf
        worth = left[0][:, None] + left[1][None, :] + _TOGETHER * share
    return made
