"""What is looked up of two programs before any trial, once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from harness.numerics.layouts import same_up_to_layout
from harness.programs.evidence import evidence_of
from harness.programs.frontier import Frontier, frontier
from harness.programs.likelihood import Likelihood
from harness.programs.match import Matching, Pair
from harness.programs.pairing import Pairing
from harness.programs.pool import Pool
from harness.programs.relatives import Relatives
from harness.programs.results import counts
from harness.programs.suspicion import Suspicion, suspicion
from harness.programs.units import Unit
from harness.programs.wording import Wording
from harness.programs.wrong import wrong_values


class Grounds:
    """On what two programs are held against each other.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    matching : Matching
        Of their units.
    off : sequence of Pair
        Results that differ.
    wording : Wording, optional
        Of two programs in one language.
    """

    def __init__(
        self,
        a: Sequence[Unit],
        b: Sequence[Unit],
        matching: Matching,
        off: Sequence[Pair],
        wording: Wording | None = None,
    ) -> None:
        self.wording = wording
        self.a, self.b, self.off = list(a), list(b), off
        self.pairs, self._matching = matching.pairs, matching
        self._ends = [pair.a for pair in off], [pair.b for pair in off]
        times = [_times(self.a[pair.a], self.b[pair.b]) for pair in off]
        self.wrong = (
            wrong_values(self.a, self._ends[0], dict(zip(self._ends[0], times, strict=True))),
            wrong_values(self.b, self._ends[1], dict(zip(self._ends[1], times, strict=True))),
        )

    @cached_property
    def pools(self) -> tuple[Pool, Pool]:
        """The other program's values, for the first and for the second."""
        return Pool(self.b), Pool(self.a)

    @cached_property
    def frontiers(self) -> tuple[Frontier, Frontier]:
        """What each program has that the other does not, though it has what was read for it."""
        return (
            frontier(self.a, self.b, self.pairs, "a", (), self.wrong[0], self.pools[0]),
            frontier(self.b, self.a, self.pairs, "b", (), self.wrong[1], self.pools[1]),
        )

    @cached_property
    def related(self) -> Relatives:
        """How much values of the two that differ may be each other's, made wrong."""
        return Relatives(self.a, self.b)

    @cached_property
    def pairing(self) -> Pairing:
        """How much two lines are meant as the same."""
        known = [
            {number for number in of_side.known if not counts(units[number])}
            - {number for number, _ in wrong}
            for of_side, units, wrong in zip(self.frontiers, (self.a, self.b), self.wrong, strict=True)
        ]
        for side, of_side in enumerate(known):
            of_side |= {int(n) for n in np.flatnonzero(self._matching.equal.any(axis=1 - side))}
            of_side -= {number for number, _ in self.wrong[side]}
        return Pairing(self.a, self.b, self._matching, (known[0], known[1]), self.related, self.wording)

    @cached_property
    def likelihood(self) -> Likelihood:
        """How likely each line of one program and its counterpart are wrong, before any trial."""
        return Likelihood(*self.suspicions, self.pairing)

    @cached_property
    def suspicions(self) -> tuple[Suspicion, Suspicion]:
        """How well each line of each program would explain what differs."""
        evidence_a = evidence_of(self.a, self.b, self.pairs, "a", self.wrong[0], self.pools[0])
        known = self.frontiers[0].known, self.frontiers[1].known
        opposed = self.related.opposed(known, "container")
        evidence_b = evidence_of(self.b, self.a, self.pairs, "b", self.wrong[1], self.pools[1])
        return (
            suspicion(self.a, evidence_a, self._ends[0], self.wrong[0], opposed[0]),
            suspicion(self.b, evidence_b, self._ends[1], self.wrong[1], opposed[1]),
        )


def _times(one: Unit, other: Unit) -> list[int]:
    """Of two results that are shown as often, several times, the occurrences (from 0) that differ."""
    if one.kind != "shown" or other.kind != "shown" or not 1 < len(one.values) == len(other.values):
        return []
    pairs = enumerate(zip(one.values, other.values, strict=True))
    return [k for k, (value, theirs) in pairs if not same_up_to_layout(value, theirs)]
