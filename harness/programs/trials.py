"""Trials of where two programs part: which values of one are put into the other, and what becomes of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from harness.numerics.layouts import information, same_up_to_layout
from harness.programs.grounds import Grounds
from harness.programs.inward import aliases
from harness.programs.match import Matching, Pair
from harness.programs.nearness import are_as_large, likeness
from harness.programs.replace import REPLACEABLE, Replacer, Side, Trial
from harness.programs.results import counts
from harness.programs.right_values import RightValues
from harness.programs.units import Unit, ancestors

SURE = 0.45
"""A differing pair of this score is tried first."""
WORTH = 0.27
_ENOUGH = 5.0
"""Bits of a value that can be looked up in the other program."""
_BATCH = 16
_MOST_DEEPER = 32
_MOST_SECONDS = 40.0
"""Of processor time, after which no more trials are begun."""


class Candidate(NamedTuple):
    """Two units of which one's values are put into the other; how alike they are; when they first differ."""

    a: int
    b: int
    score: float
    place: float


class Trials:
    """Pairs that may be where two programs part, and their trials.

    Parameters
    ----------
    a, b : Side
        The two programs.
    matching : Matching
        Of their units.
    grounds : Grounds
        What is known of them before any trial.
    replacer : Replacer
        Puts values of one into the other.
    into_b : bool
        Whether the second is what values are put into.
    off : list of Pair
        Results that differ.
    most : int
        How many trials are made.

    Attributes
    ----------
    likelihood : Likelihood
        How likely each pair of lines is, before any trial.
    """

    def __init__(
        self,
        a: Side,
        b: Side,
        matching: Matching,
        grounds: Grounds,
        replacer: Replacer,
        into_b: bool,
        off: list[Pair],
        most: int,
    ) -> None:
        self._a, self._b, self._matching, self._replacer = a, b, matching, replacer
        self._into_b, self._off = into_b, off
        self._fast = (b if into_b else a).language != "julia"
        self._most = {"python": 160, "r": 96}.get((b if into_b else a).language, 8)
        self._most = min(self._most, most)
        self._partly: tuple[frozenset[int], Candidate] | None = None
        self._target = frozenset(range(len(off)))
        self.proved = False
        self.complete = False
        self._agreeing_a = {int(i) for i in np.flatnonzero(matching.equal.any(axis=1))}
        self._agreeing_b = {int(j) for j in np.flatnonzero(matching.equal.any(axis=0))}
        self._grounds = grounds
        (self._frontier_a, known_a, *_), (self._frontier_b, known_b, *_) = grounds.frontiers
        self._agreeing_a |= {number for number in known_a if not counts(a.units[number])}
        self._agreeing_b |= {number for number in known_b if not counts(b.units[number])}
        self._agreeing_a -= {number for number, _ in grounds.wrong[0]}
        self._agreeing_b -= {number for number, _ in grounds.wrong[1]}
        self._right = RightValues(matching, grounds)
        self._upstream_a = {number for pair in off for number in (pair.a, *ancestors(a.units, pair.a))}
        self._upstream_b = {number for pair in off for number in (pair.b, *ancestors(b.units, pair.b))}
        self.likelihood = grounds.likelihood
        # What was looked up until here takes nothing of the trials' time.
        self._until = min(replacer.budget.spent + _MOST_SECONDS, replacer.budget.seconds)

    @property
    def in_time(self) -> bool:
        """Whether more trials may be begun."""
        return self._replacer.budget.spent < self._until

    @property
    def runs(self) -> int:
        """How often a program was run."""
        return self._replacer.runs

    def _alone(self, one: Candidate) -> bool:
        """Whether all that both statements read is known to the other program, and what they set is not.

        A value that is matched with another that agrees is right, whatever reads it.
        """
        if self._right.are_apart(one.a, one.b):
            # What is matched and differs is meant as the same, though either may be found elsewhere.
            if self._right.read_known(one.a, one.b):
                return True
        elif any(self._right.each(one.a, one.b)):
            return False
        return self._begins(self._a.units, one.a, self._frontier_a, self._agreeing_a) and self._begins(
            self._b.units, one.b, self._frontier_b, self._agreeing_b
        )

    def _reaches_more(self, one: Candidate) -> bool:
        """Whether a result becomes alike that is not just the value that was put in."""
        own = (self._b.units[one.b] if self._into_b else self._a.units[one.a]).values[-1]
        for number in self._target:
            pair = self._off[number]
            result = (self._b.units[pair.b] if self._into_b else self._a.units[pair.a]).values[-1]
            if not (result.size == own.size and same_up_to_layout(result, own)):
                return True
        return False

    def _named(self, one: Candidate) -> bool:
        """Whether the names of two results say that they are the same, where nothing else proves it."""
        pairs = (pair for pair in self._matching.pairs if (pair.a, pair.b) == (one.a, one.b))
        return any(pair.evidence["names"] >= SURE for pair in pairs)

    def _begins(self, units: list[Unit], number: int, firsts: dict[int, int], agreeing: set[int]) -> bool:
        """Whether a difference can begin in a unit; for small numbers, what they come from decides."""
        if number in firsts:
            return True
        small = max(map(information, units[number].values[:3])) < _ENOUGH
        return small and not self._unknown(units, agreeing, number)

    def _at_frontier(self, best: Candidate | None) -> list[Candidate]:
        """Pairs of which both read what is known and set what is not; then those of which one does."""
        limit = best.place if best is not None else float("inf")
        sides: list[list[Candidate]] = [[], []]
        firsts_a = [i for i in self._frontier_a if i in self._upstream_a]
        firsts_b = [j for j in self._frontier_b if j in self._upstream_b]
        tails_a = sorted(self._upstream_a - self._agreeing_a)
        tails_b = sorted(self._upstream_b - self._agreeing_b)
        if best is not None:
            tails_a = [*self._unknown(self._a.units, self._agreeing_a, best.a), best.a]
            tails_b = [*self._unknown(self._b.units, self._agreeing_b, best.b), best.b]
        for number, (of_a, of_b) in enumerate(
            ((firsts_a, firsts_b), (firsts_a, tails_b), (tails_a, firsts_b))
        ):
            for i in of_a:
                for j in of_b:
                    if not self._usable(i, j) or not self._fits(i, j):
                        continue
                    place = self._b.units[j].first if self._into_b else self._a.units[i].first
                    if place <= limit:
                        one = Candidate(i, j, self._score(i, j), place)
                        sides[min(number, 1)].append(one)
        # What agrees with another is that other's, though it may be equal to more.
        taken_a = {pair.a for pair in self._matching.pairs if pair.agrees}
        taken_b = {pair.b for pair in self._matching.pairs if pair.agrees}
        free = [[one for one in group if one.a not in taken_a and one.b not in taken_b] for group in sides]
        # What is wrong may have a value that is right elsewhere.
        last = [one for group in sides for one in group if (one.a in taken_a) != (one.b in taken_b)]
        for group in (*free, last):
            group.sort(key=lambda one: -one.score)
        return list(dict.fromkeys([*free[0][:32], *free[1][:48], *last[:32]]))

    def _fits(self, i: int, j: int) -> bool:
        one, other = self._a.units[i].values[0], self._b.units[j].values[0]
        if (one.dtype == object) != (other.dtype == object):
            return False
        return self._same_size(i, j) or float(self._matching.differing[i, j]) > WORTH

    # ---- candidates ----------------------------------------------------------------------------------

    def _candidates(self) -> list[Candidate]:
        """Pairs that differ and lead to the results that differ, in the order in which they first do."""
        scores = self._matching.differing
        found: dict[tuple[int, int], float] = {}
        matched = {(pair.a, pair.b) for pair in self._matching.pairs if not pair.agrees}
        for i, j in zip(*(scores > WORTH).nonzero(), strict=True):
            i, j = int(i), int(j)
            if i not in self._upstream_a and j not in self._upstream_b:
                continue
            row, column = scores[i], scores[:, j]
            rank = min(int((row > scores[i, j]).sum()), int((column > scores[i, j]).sum()))
            if rank < 3 or (i, j) in matched:
                found[i, j] = float(scores[i, j]) + (0.1 if (i, j) in matched else 0)
        for (i, j), score in list(found.items()):
            if score < 0.4:
                continue
            for first in (i, *aliases(self._a.units, i)):
                for second in (j, *aliases(self._b.units, j)):
                    found.setdefault((first, second), score - 0.02)
        # A pair that was matched is tried before those that merely could be.
        for pair in matched:
            if pair in found:
                found[pair] = max(found[pair], SURE)
        for pair in found:
            if pair not in matched and not any(pair[0] == i or pair[1] == j for i, j in matched):
                found[pair] = min(found[pair], SURE - 0.01)
        made = [
            Candidate(i, j, score, self._place(i, j)) for (i, j), score in found.items() if self._usable(i, j)
        ]
        return sorted(made, key=lambda one: (one.place, -one.score))

    def _place(self, i: int, j: int) -> float:
        """When a pair first differs, as a share of the receiver's run."""
        compared = self._matching.compared.get((i, j))
        number, side = (j, self._b) if self._into_b else (i, self._a)
        unit = side.units[number]
        skipped = compared.occurrence if compared is not None else 0
        step = (unit.last - unit.first) / max(1, len(unit.values) - 1)
        return unit.first + step * min(skipped, len(unit.values) - 1)

    def _usable(self, i: int, j: int) -> bool:
        into = self._b.units[j] if self._into_b else self._a.units[i]
        return into.kind in REPLACEABLE and not into.path and not self._matching.equal[i, j]

    # ---- trials --------------------------------------------------------------------------------------

    def _first_complete(self, candidates: list[Candidate], most: int) -> Candidate | None:
        """The first candidate with which all results agree; a batch of trials is run at once."""
        tries = [
            (one, option)
            for one in candidates
            for option in range(self._replacer.options(*self._turned(one)))
        ]
        # What takes long is tried in small batches, so that the time is kept to.
        size = max(2, min(_BATCH, int(10 / self._replacer.seconds))) if self._fast else 1
        for start in range(0, len(tries), size):
            if self._replacer.runs >= most or not self.in_time:
                break
            batch = tries[start : start + size]
            trials = self._replacer.trials([[(*self._turned(one), option)] for one, option in batch])
            for (one, _), trial in zip(batch, trials, strict=True):
                if trial is None:
                    continue
                self._note(one, trial)
                if trial.broken:
                    continue
                if trial.fixed >= self._target:
                    return one
                own = {number for number, pair in enumerate(self._off) if (pair.a, pair.b) == (one.a, one.b)}
                if len(trial.fixed - own) > len(self._partly[0]) if self._partly else trial.fixed - own:
                    self._partly = trial.fixed, one
        return None

    def _deeper(self, best: Candidate) -> Candidate:
        """Of what a pair is computed from, the pair farthest up with which the results agree too.

        What a successful trial leaves is all that leads to it. The fewer values are left that nothing of the
        other program vouches for, the nearer it is to where the difference is made.
        """
        if not self._fast or not self.in_time:
            return best
        left_a = [*self._unknown(self._a.units, self._agreeing_a, best.a), best.a]
        left_b = [*self._unknown(self._b.units, self._agreeing_b, best.b), best.b]
        # What is wrong may have a value that is right elsewhere: that comes last.
        also_a = [*left_a, *self._read_by(self._a.units, left_a)]
        also_b = [*left_b, *self._read_by(self._b.units, left_b)]
        options = [
            Candidate(i, j, self._score(i, j), self._place(i, j))
            for i in also_a for j in also_b
            if (i, j) != (best.a, best.b) and self._usable(i, j) and self._same_size(i, j)
            and (i in left_a or j in left_b)
        ]  # fmt: skip
        options.sort(key=lambda one: (one.a not in left_a or one.b not in left_b, -one.score))
        options = options[: max(4, min(_MOST_DEEPER, int(30 / self._replacer.seconds)))]
        trials = self._replacer.trials([[(*self._turned(one), 0)] for one in options])
        found = [
            one for one, trial in zip(options, trials, strict=True)
            if trial is not None and not trial.broken and trial.fixed >= self._target
        ]  # fmt: skip
        for one, trial in zip(options, trials, strict=True):
            if trial is not None:
                self._note(one, trial)

        def left(one: Candidate) -> int:
            return len(self._unknown(self._a.units, self._agreeing_a, one.a)) + len(
                self._unknown(self._b.units, self._agreeing_b, one.b)
            )

        return min([best, *found], key=lambda one: (not self._alone(one), left(one), -one.score))

    def _note(self, one: Candidate, trial: Trial) -> None:
        """Keep what a trial says of more than its own pair."""

    @staticmethod
    def _read_by(units: list[Unit], numbers: list[int]) -> list[int]:
        """What some units are computed from, one step back and no data."""
        found = {source for number in numbers for source in units[number].inputs if units[source].inputs}
        return sorted(found - {*numbers})

    def _score(self, i: int, j: int) -> float:
        """How much two units are meant as the same, where they differ; what is in no match by its values."""
        score = float(self._matching.differing[i, j])
        one, other = self._a.units[i], self._b.units[j]
        if {"part", "test"} & {one.kind, other.kind} or len(one.values) != len(other.values):
            return max(score, 0.6 * likeness(one, other))
        return score

    def _same_size(self, i: int, j: int) -> bool:
        return are_as_large(self._a.units[i], self._b.units[j])

    def _turned(self, one: Candidate | Pair) -> tuple[int, int]:
        return (one.b, one.a) if self._into_b else (one.a, one.b)

    def _unknown(self, units: list[Unit], agreeing: set[int], start: int) -> list[int]:
        """What a unit is computed from, through units whose values the other program does not have."""
        found: list[int] = []
        left = [start]
        seen = {start}
        while left:
            for number in sorted(units[left.pop()].inputs):
                unit = units[number]
                if number in seen or number in agreeing or unit.first > units[start].last:
                    continue
                seen.add(number)
                if unit.kind == "part" and not unit.inputs:
                    # A number that stands in the statement is its own.
                    continue
                if unit.kind in ("param", "mutated") and unit.inputs:
                    left.append(number)
                    continue
                found.append(number)
                left.append(number)
        return sorted(found, key=lambda number: units[number].first)

    def _occurrence(self, i: int, j: int) -> int:
        compared = self._matching.compared.get((i, j))
        return compared.occurrence if compared is not None else 0
