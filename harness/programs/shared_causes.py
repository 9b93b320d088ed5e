"""Suspects, and the one statement from which several values come that are right only together."""

from __future__ import annotations

import msgspec

from harness.programs.match import Pair
from harness.programs.replace import REPLACEABLE
from harness.programs.trials import Candidate, Trials
from harness.programs.units import Unit, ancestors


class Suspect(msgspec.Struct):
    """Two statements of which one may be wrong.

    ``kind`` is ``local`` where putting in the other's value makes all results agree and all that it reads
    agrees; ``inherited`` where it follows from another; else ``unproved``.
    """

    a: int
    b: int
    kind: str
    occurrence: int
    why: str


class SharedCauses(Trials):
    """Trials of several values together, where no single one makes all results agree."""

    def _spread(self) -> Suspect | None:
        """A statement of one program that runs several times, for as many statements of the other.

        A helper function that one program calls twice, and the other writes out: only together do the
        values make all results agree.
        """
        why = "with the other program's values, each time that it runs, all results agree"
        for many, single, of_b in (
            (self._frontier_b, self._frontier_a, True), (self._frontier_a, self._frontier_b, False),
        ):  # fmt: skip
            own, other = (self._b, self._a) if of_b else (self._a, self._b)
            upstream = self._upstream_b if of_b else self._upstream_a
            for number in sorted(many):
                unit = own.units[number]
                count = len(unit.values)
                if not 2 <= count <= 6 or number not in upstream or unit.kind not in REPLACEABLE or unit.path:
                    continue
                partners = self._row_of(other.units, single, [value.size for value in unit.values])
                if partners is None:
                    continue
                into_many = of_b == self._into_b
                into, given = ([number], partners) if into_many else (partners, [number])
                if self._replacer.spread(into, given):
                    pair = (partners[0], number) if of_b else (number, partners[0])
                    return Suspect(*pair, "local", 0, why)
        return None

    def _row_of(self, units: list[Unit], single: dict[int, int], sizes: list[int]) -> list[int] | None:
        """As many units that are set once, in order, with values of these sizes."""
        options = [
            number for number in sorted(single, key=lambda number: units[number].first)
            if len(units[number].values) == 1 and units[number].kind in REPLACEABLE and not units[number].path
        ]  # fmt: skip
        for start in range(len(options) - len(sizes) + 1):
            row = options[start : start + len(sizes)]
            if [units[number].values[0].size for number in row] == sizes:
                return row
        return None

    def _common_cause(self, best: Candidate, unknown_a: set[int], unknown_b: set[int]) -> Suspect | None:
        """One statement from which several pairs differ that are right only together, where there is one.

        A helper function that is called twice is such a statement: no single value of its callers makes all
        results agree, all of them do, and one fault is in what they share.
        """
        pairs = [
            pair for pair in self._matching.pairs
            if not pair.agrees and self._usable(pair.a, pair.b) and pair.score >= 0.4
            and (pair.a in unknown_a or pair.b in unknown_b)
        ]  # fmt: skip
        pairs.sort(key=lambda pair: self._place(pair.a, pair.b))
        if len(pairs) < 2:
            return None
        # Of those that follow from one another, the first.
        first: list[Pair] = []
        for pair in pairs:
            if not any(
                one.a in ancestors(self._a.units, pair.a) or one.b in ancestors(self._b.units, pair.b)
                for one in first
            ):
                first.append(pair)
        if len(first) < 2:
            return None
        chosen = [(*self._turned(pair), 0) for pair in first]
        trial = self._replacer.trials([chosen])[0]
        if trial is None or not trial.complete:
            return None
        shared_a = self._shared(self._a.units, self._agreeing_a, [pair.a for pair in first])
        shared_b = self._shared(self._b.units, self._agreeing_b, [pair.b for pair in first])
        if bool(shared_a) == bool(shared_b):
            return None
        pair = first[0]
        why = "the other program's values where it is used make all results agree, all together"
        if shared_a:
            return Suspect(shared_a[0], pair.b, "unproved", 0, why)
        return Suspect(pair.a, shared_b[0], "unproved", 0, why)

    def _shared(self, units: list[Unit], agreeing: set[int], numbers: list[int]) -> list[int]:
        """What all of some units are computed from, of what nothing vouches for; one for each line."""
        sets = [set(self._unknown(units, agreeing, number)) for number in numbers]
        common = sorted(set.intersection(*sets), key=lambda number: units[number].first)
        lines: dict[int, int] = {}
        for number in common:
            lines.setdefault(units[number].site.line, number)
        return list(lines.values())
