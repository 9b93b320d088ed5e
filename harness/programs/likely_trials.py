"""Trials of the likeliest pairs of lines, and what they come to."""

from __future__ import annotations

from harness.programs.likelihood import Likelihood, Lines, Ranked
from harness.programs.replace import REPLACEABLE, Trial
from harness.programs.shared_causes import SharedCauses
from harness.programs.trials import Candidate
from harness.programs.units import ancestors

_PAIRS = 14
"""Pairs of lines that are tried."""
_OF_PAIR = 2
"""Pairs of their units."""
_LEAST, _BATCH = 6, 14
"""Trials that are run at once: most of what one takes is mostly the start, which they share."""
_MADE = frozenset({"set", "element", "return"})
_GIVEN = frozenset({"param", "loop"})
_BETTER = ("complete", "partly", "failed", "broken")


class LikelyTrials(SharedCauses):
    """Tries pairs in the order of their likelihood, which is judged anew with what comes of it."""

    guessed = False
    """Whether it is only guessed that the results are the same: then a likely pair proves nothing."""

    @property
    def likelihood(self) -> Likelihood:
        """How likely each pair of lines is, before any trial."""
        return self._grounds.likelihood

    def try_likely(self) -> tuple[dict[Lines, str], list[tuple[set[int], set[int]]]]:
        """What trials of the likeliest pairs come to, as in `OF_TRIAL`, and what leads to complete ones."""
        self._completing: list[Candidate] = []
        if not self._fast or self.guessed:
            return {}, []
        tries = [
            (one.lines, candidate)
            for one in self.likelihood.ranked()[:_PAIRS]
            for candidate in self._of_lines(one)
        ]
        tried: dict[Lines, str] = {}
        size = max(_LEAST, min(_BATCH, int(10 / self._replacer.seconds)))
        for start in range(0, len(tries), size):
            if not self.in_time:
                break
            batch = tries[start : start + size]
            trials = self._replacer.trials([[(*self._turned(one), 0)] for _, one in batch])
            for (lines, one), trial in zip(batch, trials, strict=True):
                if trial is None:
                    continue
                came = _came(trial)
                tried[lines] = min(tried.get(lines, came), came, key=_BETTER.index)
                if came == "complete":
                    self._completing.append(one)
        return tried, [self._cone(one) for one in self._completing]

    def _of_lines(self, ranked: Ranked) -> list[Candidate]:
        """The pairs of units of two lines that are tried: of one size, what is set before all else."""
        of_a, of_b = self.likelihood.units(ranked.lines)
        found: list[tuple[bool, int, Candidate]] = []
        for i in of_a:
            for j in of_b:
                one, other = self._a.units[i], self._b.units[j]
                into = other if self._into_b else one
                if into.kind not in REPLACEABLE or into.path or _GIVEN & {one.kind, other.kind}:
                    continue
                if self._same_size(i, j):
                    candidate = Candidate(i, j, self._score(i, j), self._place(i, j))
                    made = (one.kind in _MADE) + (other.kind in _MADE)
                    found.append(((i, j) != (ranked.a, ranked.b), -made, candidate))
        found.sort(key=lambda option: option[:2])
        return [candidate for _, _, candidate in found[:_OF_PAIR]]

    def _cone(self, one: Candidate) -> tuple[set[int], set[int]]:
        """What leads to a pair, in each program."""
        return (
            {one.a, *ancestors(self._a.units, one.a)},
            {one.b, *ancestors(self._b.units, one.b)},
        )


def _came(trial: Trial) -> str:
    if trial.broken:
        return "broken"
    if trial.complete:
        return "complete"
    return "partly" if trial.fixed else "failed"
