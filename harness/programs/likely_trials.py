"""Trials of the likeliest pairs of lines, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.programs.likelihood import Lines, Ranked
from harness.programs.replace import REPLACEABLE, Trial
from harness.programs.shared_causes import SharedCauses
from harness.programs.trials import Candidate
from harness.programs.units import Unit, ancestors, through_parts

_MOST_PAIRS, _AFTER = 42, 2
"""Pairs that are tried, and batches after the first with which all results agree."""
_OF_LINE = 3
"""Pairs of one line in a batch."""
_FEW = 3
"""How many results have to agree anew for each that does not any more, for it may have by chance."""
_OF_PAIR = 2
"""Pairs of their units."""
_LEAST, _BATCH = 6, 14
"""Trials that are run at once: most of what one takes is mostly the start, which they share."""
_TRUTHS = (0, 1)
_MADE = frozenset({"set", "element", "return"})
_GIVEN = frozenset({"param", "loop"})
BETTER = ("complete", "through", "partly", "failed", "broken", "none")


class LikelyTrials(SharedCauses):
    """Tries pairs in the order of their likelihood, which is judged anew with what comes of it."""

    guessed = False
    """Whether it is only guessed that the results are the same: then a likely pair proves nothing."""

    @property
    def tries_likely(self) -> bool:
        """Whether many pairs are tried: a program of which each trial starts anew has no time for it."""
        return self._fast and not self.guessed

    def try_likely(self) -> tuple[dict[Lines, str], list[tuple[set[int], set[int]]]]:
        """What trials of the likeliest pairs come to, as in `OF_TRIAL`, and what leads to complete ones.

        What one batch comes to says which pairs are the likeliest in the next.
        """
        self._completing: list[Candidate] = []
        self._nearly: list[Candidate] = []
        tried: dict[Lines, str] = {}
        if not self.tries_likely:
            return tried, []
        size = max(_LEAST, min(_BATCH, int(10 / self._replacer.seconds)))
        made, since = 0, 0
        while made < _MOST_PAIRS and since < _AFTER and self.in_time:
            chosen = self._next(tried, size)
            if not chosen:
                break
            trials = self._tried([one for _, one in chosen])
            since += bool(self._completing)
            made += len(chosen)
            for (lines, one), trial in zip(chosen, trials, strict=True):
                came = self._came(one, trial) if trial is not None else "none"
                tried[lines] = min(tried.get(lines, came), came, key=BETTER.index)
                if trial is not None:
                    self._note(one, trial)
        return tried, self._cones()

    def _tried(self, chosen: Sequence[Candidate]) -> list[Trial | None]:
        """What trials of pairs come to, in the order of elements with which more results agree."""
        trials = self._replacer.trials([[(*self._turned(one), 0)] for one in chosen])
        again = [
            (n, option)
            for n, (one, trial) in enumerate(zip(chosen, trials, strict=True))
            if trial is not None and not trial.complete
            and (option := self._replacer.reordered(*self._turned(one))) is not None
        ]  # fmt: skip
        more = self._replacer.trials([[(*self._turned(chosen[n]), option)] for n, option in again])
        for (n, _), trial in zip(again, more, strict=True):
            known = trials[n]
            if trial is not None and known is not None and _worth(trial) > _worth(known):
                trials[n] = trial
        return trials

    def _next(self, tried: dict[Lines, str], size: int) -> list[tuple[Lines, Candidate]]:
        """The next pairs of units that are tried; what cannot be tried is marked so."""
        chosen: list[tuple[Lines, Candidate]] = []
        for one in self.likelihood.untried(tried, self._cones(), _OF_LINE):
            options = self._of_lines(one)
            if not options:
                tried[one.lines] = "none"
            chosen += [(one.lines, option) for option in options]
            if len(chosen) >= size:
                break
        return chosen[:size]

    def _came(self, one: Candidate, trial: Trial) -> str:
        """What a trial of a pair came to, by the names in `OF_TRIAL`."""
        if trial.broken:
            return "broken"
        if trial.complete:
            return self._completed(one)
        return "partly" if trial.fixed else "failed"

    def _completed(self, one: Candidate) -> str:
        """What it says that all results agree: that it is made there, or that it goes through there.

        Where one of the two is right for certain, it is made in what reads that: nothing is said of the line.
        """
        if any(self._right.each(one.a, one.b)):
            return "none"
        return "complete" if self._alone(one) else "through"

    def _note(self, one: Candidate, trial: Trial) -> None:
        """Keep a pair with which all results agree, or all that differed did while few others do not."""
        if trial.complete:
            if one not in self._completing:
                self._completing.append(one)
        elif len(trial.fixed) == trial.due and trial.due >= _FEW * trial.broken:
            self._nearly.append(one)

    def _cones(self) -> list[tuple[set[int], set[int]]]:
        """What leads to values that make results agree: with one fault, it is there."""
        return self._cones_of(self._completing or self._nearly)

    def _cones_of(self, pairs: Sequence[Candidate]) -> list[tuple[set[int], set[int]]]:
        """What leads to pairs; of those of which one value was put in, it is only known that one is meant."""
        found: dict[int, tuple[set[int], set[int]]] = {}
        for one in pairs:
            into = one.b if self._into_b else one.a
            for known, more in zip(found.setdefault(into, (set(), set())), self._cone(one), strict=True):
                known |= more
        return [*found.values()]

    def _of_lines(self, ranked: Ranked) -> list[Candidate]:
        """The pairs of units of two lines that are tried: of one size, what is set before all else."""
        of_a, of_b = self.likelihood.units(ranked.lines)
        given = self._agreeing_a if self._into_b else self._agreeing_b
        found: list[tuple[bool, int, Candidate]] = []
        for i in of_a:
            for j in of_b:
                one, other = self._a.units[i], self._b.units[j]
                into = other if self._into_b else one
                if into.kind not in REPLACEABLE or into.path or _GIVEN & {one.kind, other.kind}:
                    continue
                if self._matching.equal[i, j] or (
                    (i if self._into_b else j) in given and not self._right.are_apart(i, j)
                ):
                    # What both have is nothing that one of them lacks.
                    continue
                if self._same_size(i, j) and not is_no_truth(one, other):
                    candidate = Candidate(i, j, self._score(i, j), self._place(i, j))
                    made = (one.kind in _MADE) + (other.kind in _MADE)
                    found.append(((i, j) != (ranked.a, ranked.b), -made, candidate))
        found.sort(key=lambda option: option[:2])
        return [candidate for _, _, candidate in found[:_OF_PAIR]]

    def _cone(self, one: Candidate) -> tuple[set[int], set[int]]:
        """What leads to a pair, in each program; of a value that agrees with another, what reads it too."""
        cone = (
            {one.a, *ancestors(self._a.units, one.a)},
            {one.b, *ancestors(self._b.units, one.b)},
        )
        held = self._right.each(one.a, one.b)
        if held == (True, False):
            cone[0].update(self._readers(self._a.units, one.a))
        if held == (False, True):
            cone[1].update(self._readers(self._b.units, one.b))
        return cone

    @staticmethod
    def _readers(units: list[Unit], number: int) -> set[int]:
        """The statements that read a value, and what they make of it."""
        found = set(units[number].users)
        return found | through_parts(units, found, lambda unit: unit.users)


def _worth(trial: Trial) -> tuple[int, int]:
    return len(trial.fixed), -trial.broken


def is_no_truth(one: Unit, other: Unit) -> bool:
    """Whether one of two is whether something holds, and the other a number that is not: neither's place."""
    truths = [unit.values[-1].dtype.kind == "b" for unit in (one, other)]
    if truths[0] == truths[1]:
        return False
    number = (one if truths[1] else other).values[-1]
    return number.dtype.kind in "iuf" and not np.isin(number[~np.isnan(number)], _TRUTHS).all()
