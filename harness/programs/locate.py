"""The first statement that differs although what it reads agrees, proved by putting the other's values in."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from harness.numerics.layouts import information, same_up_to_layout
from harness.programs.frontier import frontier
from harness.programs.match import Matching, Pair
from harness.programs.replace import REPLACEABLE, Replacer, Side
from harness.programs.results import (
    comparable,
    counts,
    in_place,
    in_same_place,
    left_over,
    meant_as_result,
    meant_as_same,
    results_of,
    unknown,
)
from harness.programs.roots import beginnings, in_order
from harness.programs.suspicion import ranked
from harness.programs.units import Unit, ancestors
from harness.sessions.sandbox import Limits, Sandbox

_SURE = 0.45
"""A differing pair of this score is tried first."""
_WORTH = 0.27
_ENOUGH = 5.0
"""Bits of a value that can be looked up in the other program."""
_BATCH = 16
_MOST_BEGINNINGS = 6
_MOST_LIKELY = 6
_SPEED = {"python": 0, "r": 1, "julia": 2}


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


class Located(NamedTuple):
    """The suspects, the likeliest first; the pairs of results that differ; how often a program was run.

    ``unpaired`` counts results of one program that have no counterpart although the other has such too.
    """

    suspects: list[Suspect]
    results: list[Pair]
    runs: int
    unpaired: int = 0


class _Candidate(NamedTuple):
    a: int
    b: int
    score: float
    place: float


def locate(a: Side, b: Side, matching: Matching, sandbox: Sandbox, limits: Limits) -> Located:
    """Find where two programs part.

    Parameters
    ----------
    a, b : Side
        The two programs.
    matching : Matching
        Of their units.
    sandbox, limits
        How a program is run again.
    """
    ends_a, ends_b = results_of(a.units), results_of(b.units)
    at_end = [pair for pair in matching.pairs if pair.a in ends_a and pair.b in ends_b]
    off = [
        pair for pair in at_end
        if not pair.agrees and comparable(a, b, pair) and meant_as_result(a, b, pair)
    ]  # fmt: skip
    weak = [] if off else left_over(a, b, ends_a, ends_b, matching)
    if sure := [
        pair for pair in weak
        if meant_as_same(a, b, pair, matching) or in_same_place(a, b, pair, matching)
    ]:  # fmt: skip
        off, weak = sure, []
    alone = min(len(unknown(a, b, "a", ends_a, matching)), len(unknown(a, b, "b", ends_b, matching)))
    if not off and not weak:
        return Located([], [], 0, alone)
    kept = [pair for pair in at_end if pair.agrees]
    into_b = _SPEED[b.language] <= _SPEED[a.language]
    receiver, giver = (b, a) if into_b else (a, b)

    def turned(pair: Pair) -> tuple[int, int]:
        return (pair.b, pair.a) if into_b else (pair.a, pair.b)

    due = off or weak
    replacer = Replacer(receiver, giver, [turned(p) for p in due], [turned(p) for p in kept], sandbox, limits)
    search = _Search(a, b, in_place(a, b, matching), replacer, into_b, due, 60 if off else 16)
    suspects = search.suspects()
    if weak and not search.proved:
        # That these are the same results is not known: nothing is said of them but that.
        return Located([], [], replacer.runs, max(alone, len(weak)))
    return Located(suspects, due, replacer.runs)


class _Search:
    def __init__(
        self,
        a: Side,
        b: Side,
        matching: Matching,
        replacer: Replacer,
        into_b: bool,
        off: list[Pair],
        most: int,
    ) -> None:
        self._a, self._b, self._matching, self._replacer = a, b, matching, replacer
        self._into_b, self._off = into_b, off
        self._fast = (b if into_b else a).language != "julia"
        self._most = {"python": 96, "r": 64}.get((b if into_b else a).language, 8)
        self._most = min(self._most, most)
        self._partly: tuple[frozenset[int], _Candidate] | None = None
        self._target = frozenset(range(len(off)))
        self.proved = False
        self._agreeing_a = {int(i) for i in np.flatnonzero(matching.equal.any(axis=1))}
        self._agreeing_b = {int(j) for j in np.flatnonzero(matching.equal.any(axis=0))}
        self._frontier_a, known_a, *_ = frontier(a.units, b.units, matching.pairs, "a")
        self._frontier_b, known_b, *_ = frontier(b.units, a.units, matching.pairs, "b")
        self._begins_in, _ = beginnings(a.units, b.units, matching.pairs, off)
        self._agreeing_a |= {number for number in known_a if not counts(a.units[number])}
        self._agreeing_b |= {number for number in known_b if not counts(b.units[number])}
        self._upstream_a = self._upstream(a.units, [pair.a for pair in off])
        self._upstream_b = self._upstream(b.units, [pair.b for pair in off])

    @staticmethod
    def _upstream(units: list[Unit], starts: list[int]) -> set[int]:
        found = set(starts)
        for start in starts:
            found |= ancestors(units, start)
        return found

    def suspects(self) -> list[Suspect]:
        """The suspects, the likeliest first."""
        candidates = self._candidates()
        best = self._first_complete([one for one in candidates if one.score >= _SURE], self._most // 2)
        if best is None and self._partly is not None and 2 * len(self._partly[0]) >= len(self._off):
            # Of the pairs of results one may be none: what most of them say holds.
            self._target, best = self._partly
        if best is None or not self._alone(best):
            spread = self._spread()
            if spread is not None:
                self.proved = True
                return [spread, *self._inherited(best, spread)]
            best = self._first_complete(self._at_frontier(best), self._most) or best
        if best is None:
            best = self._first_complete([one for one in candidates if one.score < _SURE], self._most)
        if best is None:
            return [*self._likeliest(None), *self._unproved()]
        self.proved = self._reaches_more(best)
        suspects = self._around(best)
        if suspects[0].kind == "local":
            return suspects
        # What a trial showed comes before what is only likely.
        return [suspects[0], *self._likeliest(best), *suspects[1:]]

    def _likeliest(self, best: _Candidate | None) -> list[Suspect]:
        """Lines that would explain what differs and what does not; after a trial, of those that it left."""
        within = None
        if best is not None:
            within = (
                {best.a, *ancestors(self._a.units, best.a)},
                {best.b, *ancestors(self._b.units, best.b)},
            )
        pairs = ranked(self._a.units, self._b.units, self._matching, self._off, within)
        why = "if this is wrong, it explains which values differ and which agree"
        return [Suspect(i, j, "unproved", self._occurrence(i, j), why) for i, j in pairs[:_MOST_LIKELY]]

    def _alone(self, one: _Candidate) -> bool:
        """Whether all that both statements read is known to the other program."""
        return self._begins(self._a.units, one.a, self._frontier_a, self._agreeing_a) and self._begins(
            self._b.units, one.b, self._frontier_b, self._agreeing_b
        )

    def _reaches_more(self, one: _Candidate) -> bool:
        """Whether a result becomes alike that is not just the value that was put in."""
        own = (self._b.units[one.b] if self._into_b else self._a.units[one.a]).values[-1]
        for number in self._target:
            pair = self._off[number]
            result = (self._b.units[pair.b] if self._into_b else self._a.units[pair.a]).values[-1]
            if not (result.size == own.size and same_up_to_layout(result, own)):
                return True
        return False

    def _named(self, one: _Candidate) -> bool:
        """Whether the names of two results say that they are the same, where nothing else proves it."""
        pairs = (pair for pair in self._matching.pairs if (pair.a, pair.b) == (one.a, one.b))
        return any(pair.evidence["names"] >= _SURE for pair in pairs)

    def _begins(self, units: list[Unit], number: int, firsts: dict[int, int], agreeing: set[int]) -> bool:
        """Whether a difference can begin in a unit; for small numbers, what they come from decides."""
        if number in firsts:
            return True
        small = max(map(information, units[number].values[:3])) < _ENOUGH
        return small and not self._unknown(units, agreeing, number)

    def _at_frontier(self, best: _Candidate | None) -> list[_Candidate]:
        """Pairs of which both read what is known and set what is not; then those of which one does."""
        limit = best.place if best is not None else float("inf")
        sides: list[list[_Candidate]] = [[], []]
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
                        one = _Candidate(i, j, float(self._matching.differing[i, j]), place)
                        sides[min(number, 1)].append(one)
        # What agrees with another is that other's, though it may be equal to more.
        taken_a = {pair.a for pair in self._matching.pairs if pair.agrees}
        taken_b = {pair.b for pair in self._matching.pairs if pair.agrees}
        sides = [[one for one in group if one.a not in taken_a and one.b not in taken_b] for group in sides]
        for group in sides:
            group.sort(key=lambda one: -one.score)
        return list(dict.fromkeys([*sides[0][:32], *sides[1][:48]]))

    def _fits(self, i: int, j: int) -> bool:
        one, other = self._a.units[i].values[0], self._b.units[j].values[0]
        if (one.dtype == object) != (other.dtype == object):
            return False
        return one.size == other.size or float(self._matching.differing[i, j]) > _WORTH

    # ---- candidates ----------------------------------------------------------------------------------

    def _candidates(self) -> list[_Candidate]:
        """Pairs that differ and lead to the results that differ, in the order in which they first do."""
        scores = self._matching.differing
        found: dict[tuple[int, int], float] = {}
        matched = {(pair.a, pair.b) for pair in self._matching.pairs if not pair.agrees}
        for i, j in zip(*(scores > _WORTH).nonzero(), strict=True):
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
            for first in (i, *self._aliases(self._a.units, i)):
                for second in (j, *self._aliases(self._b.units, j)):
                    found.setdefault((first, second), score - 0.02)
        # A pair that was matched is tried before those that merely could be.
        for pair in matched:
            if pair in found:
                found[pair] = max(found[pair], _SURE)
        for pair in found:
            if pair not in matched and not any(pair[0] == i or pair[1] == j for i, j in matched):
                found[pair] = min(found[pair], _SURE - 0.01)
        made = [
            _Candidate(i, j, score, self._place(i, j))
            for (i, j), score in found.items()
            if self._usable(i, j)
        ]
        return sorted(made, key=lambda one: (one.place, -one.score))

    def _aliases(self, units: list[Unit], number: int) -> list[int]:
        """Units from which one has its very value: what a function returned, for what it was assigned to."""
        unit = units[number]
        same = []
        for other in sorted(unit.inputs):
            source = units[other]
            if len(source.values) == len(unit.values) and source.path == unit.path:
                pairs = zip(source.values[:50], unit.values[:50], strict=True)
                if all(
                    x.shape == y.shape and x.dtype == y.dtype and x.tobytes() == y.tobytes() for x, y in pairs
                ):
                    same.append(other)
        return same

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

    def _first_complete(self, candidates: list[_Candidate], most: int) -> _Candidate | None:
        """The first candidate with which all results agree; a batch of trials is run at once."""
        tries = [
            (one, option)
            for one in candidates
            for option in range(self._replacer.options(*self._turned(one)))
        ]
        size = _BATCH if self._fast else 1
        for start in range(0, len(tries), size):
            if self._replacer.runs >= most:
                break
            batch = tries[start : start + size]
            trials = self._replacer.trials([[(*self._turned(one), option)] for one, option in batch])
            for (one, _), trial in zip(batch, trials, strict=True):
                if trial is None or trial.broken:
                    continue
                if trial.fixed >= self._target:
                    return one
                own = {number for number, pair in enumerate(self._off) if (pair.a, pair.b) == (one.a, one.b)}
                if len(trial.fixed - own) > len(self._partly[0]) if self._partly else trial.fixed - own:
                    self._partly = trial.fixed, one
        return None

    def _turned(self, one: _Candidate | Pair) -> tuple[int, int]:
        return (one.b, one.a) if self._into_b else (one.a, one.b)

    # ---- what is said --------------------------------------------------------------------------------

    def _around(self, best: _Candidate) -> list[Suspect]:
        """The pair that was proved, and what it is computed from that nothing vouches for."""
        unknown_a = (
            [] if best.a in self._frontier_a else self._unknown(self._a.units, self._agreeing_a, best.a)
        )
        unknown_b = (
            [] if best.b in self._frontier_b else self._unknown(self._b.units, self._agreeing_b, best.b)
        )
        cause = self._common_cause(best, set(unknown_a), set(unknown_b))
        if cause is not None:
            return [cause, *self._inherited(best, cause)]
        own_line = {("a", self._a.units[best.a].site.line), ("b", self._b.units[best.b].site.line)}
        open_a = [i for i in unknown_a if ("a", self._a.units[i].site.line) not in own_line]
        open_b = [j for j in unknown_b if ("b", self._b.units[j].site.line) not in own_line]
        alone = not open_a and not open_b and self._alone(best)
        every = len(self._target) == len(self._off)
        occurrence = self._occurrence(best.a, best.b)
        then = "all results agree" if every else f"{len(self._target)} of {len(self._off)} results agree"
        why = f"with the other program's value here {then}, and all that it reads agrees"
        if not alone:
            why = (
                f"with the other program's value here {then}: so it is here, or in what only this comes from"
            )
        alone = alone and every and (self.proved or self._named(best))
        suspects = [Suspect(best.a, best.b, "local" if alone else "unproved", occurrence, why)]
        if not alone:
            # What only makes itself alike says nothing, unless what it reads is known to the other program.
            places = self._where_it_begins(best)
            direct = self.proved or any(one.a == best.a or one.b == best.b for one in places)
            suspects[1 if direct else 0 : 0] = places
        # Those that read only what is known come first: there a difference can begin.
        open_a.sort(key=lambda i: i in self._frontier_a)
        open_b.sort(key=lambda j: j in self._frontier_b)
        for j in reversed(open_b):
            i = self._nearest(j, open_a, "b", best.a)
            suspects.append(Suspect(i, j, "unproved", 0, "nothing of the other program has this value"))
        for i in reversed(open_a):
            if all(i != one.a for one in suspects):
                suspects.append(
                    Suspect(i, best.b, "unproved", 0, "nothing of the other program has this value")
                )
        return [*suspects, *self._inherited(best, suspects[0])]

    def _where_it_begins(self, best: _Candidate | None) -> list[Suspect]:
        """Statements that set what the other program does not have, of what it has; not proved."""
        first_a, first_b = self._begins_in
        if best is not None:
            within_a = {best.a, *self._upstream(self._a.units, [best.a])}
            within_b = {best.b, *self._upstream(self._b.units, [best.b])}
            first_a = {i: count for i, count in first_a.items() if i in within_a}
            first_b = {j: count for j, count in first_b.items() if j in within_b}
        if first_a and not first_b:
            first_b = {best.b: 1} if best is not None else {pair.b: 1 for pair in self._off}
        elif first_b and not first_a:
            first_a = {best.a: 1} if best is not None else {pair.a: 1 for pair in self._off}
        why = "nothing of the other program has this value, though it has all that it is computed from"
        pairs = in_order(self._a.units, self._b.units, self._matching.differing, first_a, first_b)
        return [Suspect(i, j, "unproved", self._occurrence(i, j), why) for i, j in pairs[:_MOST_BEGINNINGS]]

    def _inherited(self, best: _Candidate | None, cause: Suspect) -> list[Suspect]:
        """Pairs that differ after the first, and lead to the results."""
        pairs = [
            pair for pair in self._matching.pairs
            if not pair.agrees and pair.score >= 0.5 and (pair.a, pair.b) != (cause.a, cause.b)
            and (best is None or cause.kind == "local" or self._place(pair.a, pair.b) >= best.place)
            and (pair.a in self._upstream_a or pair.b in self._upstream_b)
        ]  # fmt: skip
        pairs.sort(key=lambda pair: self._place(pair.a, pair.b))
        why = "it follows from the above"
        return [Suspect(pair.a, pair.b, "inherited", pair.compared.occurrence, why) for pair in pairs]

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

    def _common_cause(self, best: _Candidate, unknown_a: set[int], unknown_b: set[int]) -> Suspect | None:
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
            return Suspect(shared_a[0], pair.b, "local" if len(shared_a) == 1 else "unproved", 0, why)
        return Suspect(pair.a, shared_b[0], "local" if len(shared_b) == 1 else "unproved", 0, why)

    def _shared(self, units: list[Unit], agreeing: set[int], numbers: list[int]) -> list[int]:
        """What all of some units are computed from, of what nothing vouches for; one for each line."""
        sets = [set(self._unknown(units, agreeing, number)) for number in numbers]
        common = sorted(set.intersection(*sets), key=lambda number: units[number].first)
        lines: dict[int, int] = {}
        for number in common:
            lines.setdefault(units[number].site.line, number)
        return list(lines.values())

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
                if unit.kind in ("param", "mutated") and unit.inputs:
                    left.append(number)
                    continue
                found.append(number)
                left.append(number)
        return sorted(found, key=lambda number: units[number].first)

    def _nearest(self, number: int, others: list[int], side: str, default: int) -> int:
        scores = self._matching.differing[:, number] if side == "b" else self._matching.differing[number]
        best = max(others, key=lambda other: scores[other], default=default)
        return best if others and scores[best] > _WORTH else default

    def _occurrence(self, i: int, j: int) -> int:
        compared = self._matching.compared.get((i, j))
        return compared.occurrence if compared is not None else 0

    def _unproved(self) -> list[Suspect]:
        """Without a proof: pairs in the order in which they first differ, the surest matches first."""
        pairs = [
            pair for pair in self._matching.pairs
            if not pair.agrees and (pair.a in self._upstream_a or pair.b in self._upstream_b)
        ]  # fmt: skip
        pairs.sort(key=lambda pair: self._place(pair.a, pair.b))
        clean = [pair for pair in pairs if self._reads_agree(pair)]
        ordered = [*clean, *(pair for pair in pairs if pair not in clean)]
        why = "it differs, and what it reads agrees" if clean else "it differs"
        rest = [
            Suspect(
                pair.a, pair.b, "unproved", pair.compared.occurrence, why if pair in clean else "it differs"
            )
            for pair in ordered
        ]
        return [*self._where_it_begins(None), *rest]

    def _reads_agree(self, pair: Pair) -> bool:
        return not self._unknown(self._a.units, self._agreeing_a, pair.a) and not self._unknown(
            self._b.units, self._agreeing_b, pair.b
        )
