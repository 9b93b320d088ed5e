"""What is said of two programs that part: the suspects in order, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.numerics.layouts import information, plain
from harness.programs.inward import computed_for, made_in, may_be_left_to, of_one_statement, wrong_item
from harness.programs.likelihood import Lines, Ranked
from harness.programs.likely_trials import BETTER, LikelyTrials
from harness.programs.line_table import Line, line_of
from harness.programs.match import Pair
from harness.programs.repairs import Repairs
from harness.programs.shared_causes import Suspect
from harness.programs.trials import SURE, Candidate
from harness.programs.units import ancestors
from harness.programs.weights import REPAIRED

_MOST_LIKELY = 8
_MOST_READ = 4
_MOST_PARTNERS = 3
"""Lines that a line of the other program may be meant as, of which it is tried what stands in them."""
_STEPS = 2
"""How often more is tried of what leads to the likeliest pair."""
_AHEAD = 2.0
"""How much likelier than any other a pair is that is said to be ahead."""
_OPEN = 0.5
"""How likely a line is at the most of which it is not shown that all that it reads agrees."""
_CERTAIN = 12.0
"""Bits of a value that the other program does not have by chance."""


class Telling(LikelyTrials):
    """Makes the trials, and says what they show."""

    repairs: Repairs | None = None
    """What small changes of lines come to, where it is known which results are the same."""

    def suspects(self) -> list[Suspect]:
        """The suspects, the likeliest first."""
        tried, _ = self.try_likely()
        best = self._farthest(tried)
        if best is not None:
            best = self._narrowed(best)
        else:
            mended = any(self._repaired(tried))
            best = None if mended or self.tries_likely else self._one_by_one()
            if best is None and not mended and (spread := self._spread()) is not None:
                self.proved = self.complete = True
                return [spread, *self._inherited(best, spread)]
            if best is None:
                return [*self._likeliest(None, None, tried), *self._differing()]
        self.complete = len(self._target) == len(self._off)
        self.proved = self._reaches_more(best)
        best = best._replace(
            a=made_in(self._a.units, best.a, self._agreeing_a),
            b=made_in(self._b.units, best.b, self._agreeing_b),
        )
        best = best._replace(
            a=wrong_item(self._a.units, best.a, self._b.units[best.b]),
            b=wrong_item(self._b.units, best.b, self._a.units[best.a]),
        )
        shown = self._shown(best)
        if shown.kind == "local":
            follows = [*self._read_by_it(best), *self._inherited(best, shown)]
            if self._may_be_before(best):
                shown.kind, shown.why = "unproved", f"{shown.why}; or a step is missing in what it reads"
            return [shown, *follows]
        likely = self._likeliest(best, shown, tried)
        if shown not in likely:
            # What the likelihood knows nothing of is judged by the trial alone.
            likely.insert(len(likely) if self.likelihood.knows(shown.a, shown.b) else 0, shown)
        if likely[0] is shown:
            likely[1:1] = self._steps_before(best)
        return [*likely, *self._inherited(best, likely[0])]

    def _one_by_one(self) -> Candidate | None:
        """A pair with which all results agree, where the likeliest cannot be tried together."""
        candidates = self._candidates()
        best = self._first_complete([one for one in candidates if one.score >= SURE], self._most // 2)
        if best is None and self._partly is not None and 2 * len(self._partly[0]) >= len(self._off):
            # Of the pairs of results one may be none: what most of them say holds.
            self._target, best = self._partly
        best = self._first_complete(self._at_frontier(best), self._most) or best
        if best is None:
            best = self._first_complete([one for one in candidates if one.score < SURE], self._most)
        return best if best is None or self._alone(best) else self._deeper(best)

    def _farthest(self, tried: dict[Lines, str]) -> Candidate | None:
        """Of the pairs with which all results agree, the likeliest; of what leads to it more are tried."""
        best = self._likeliest_complete(tried)
        for _ in range(_STEPS):
            if best is None or self._alone(best) or not self.in_time:
                break
            self._deeper(best)
            before, best = best, self._likeliest_complete(tried)
            if best == before:
                break
        return best

    def _likeliest_complete(self, tried: dict[Lines, str]) -> Candidate | None:
        """Of the pairs with which all results agree, the likeliest."""
        tried.update(self._came_of(self._completing))
        for one in self.likelihood.ranked(tried, self._cones()):
            units = self.likelihood.units(one.lines)
            for candidate in self._completing:
                if candidate.a in units[0] and candidate.b in units[1]:
                    return candidate
        return None

    def _narrowed(self, best: Candidate) -> Candidate:
        """The part of two statements with which all results agree too, where there is one."""
        if self._alone(best):
            return best
        part = self._deeper(best)
        return part if self._lines_of(part) == self._lines_of(best) else best

    def _came_of(self, completing: list[Candidate]) -> dict[Lines, str]:
        """What trials of pairs came to with which all results agree."""
        made: dict[Lines, str] = {}
        for one in completing:
            lines, came = self._lines_of(one), self._completed(one)
            made[lines] = min(made.get(lines, came), came, key=BETTER.index)
        return made

    def _lines_of(self, one: Candidate) -> Lines:
        return line_of(self._a.units[one.a]), line_of(self._b.units[one.b])

    def _certain(self, best: Candidate) -> tuple[bool, bool]:
        """Whether each of two values is one that the other program has for certain."""
        said = [
            information(plain(unit.values[-1])) >= _CERTAIN
            for unit in (self._a.units[best.a], self._b.units[best.b])
        ]
        equal = self._matching.equal
        return said[0] and bool(equal[best.a].any()), said[1] and bool(equal[:, best.b].any())

    def _likeliest(
        self, best: Candidate | None, shown: Suspect | None, tried: Mapping[Lines, str]
    ) -> list[Suspect]:
        """Lines that would explain what differs and what does not, and what trials have shown."""
        cones = self._cones_of([one for one in self._completing or self._nearly if one != best])
        if not self._completing:
            tried = {**tried, **self._came_of(self._nearly)}
        if best is not None:
            cones.append(self._cone(best))
            came = self._completed(best) if len(self._target) == len(self._off) else "partly"
            tried = {**tried, self._lines_of(best): came}
            # A value that both programs have is right: what reads it may not be.
            right_a, right_b = self._certain(best)
            if right_a and not right_b:
                cones[-1][0].update(self._readers(self._a.units, best.a))
            if right_b and not right_a:
                cones[-1][1].update(self._readers(self._b.units, best.b))
        repaired = self._repaired(tried)
        meant = self.repairs.meant if self.repairs is not None else {}
        tried = self._explained(tried, repaired)
        pairs = self.likelihood.ranked(tried, cones, self._changed(repaired), meant)[:_MOST_LIKELY]
        made = []
        for one in pairs:
            units = self.likelihood.units(one.lines)
            if shown is not None and shown.a in units[0] and shown.b in units[1]:
                made.append(shown)
                continue
            known = [] if self.repairs is None else [change.said for change in self.repairs.known]
            why = best_said(one.lines, repaired, known) or _why(one, pairs)
            made.append(Suspect(one.a, one.b, "unproved", self._occurrence(one.a, one.b), why))
        return made

    @property
    def mended(self) -> bool:
        """Whether a small change of a line was found that makes all that is printed agree."""
        return self.repairs is not None and bool(self.repairs.known)

    def _repaired(self, tried: Mapping[Lines, str]) -> tuple[dict[Line, str], dict[Line, str]]:
        """Lines of each program of which a small change makes all that is printed agree, and what is said."""
        found: tuple[dict[Line, str], dict[Line, str]] = {}, {}
        if self.repairs is not None:
            names = [side.recorded.program.path.name for side in (self._a, self._b)]
            of_lines = self.likelihood.of_lines(tried, self._cones())
            likely = [
                {number: share for (file, number), share in one.items() if file == name}
                for one, name in zip(of_lines, names, strict=True)
            ]
            if "complete" not in tried.values():
                # What makes results agree where it goes through only says that it is there or before.
                likely = [{line: min(share, _OPEN) for line, share in one.items()} for one in likely]
            partners = self.likelihood.partners(tried, self._cones(), _MOST_PARTNERS)
            meant = [
                {line: [other for file, other in others if file == there] for (_, line), others in of.items()}
                for of, there in zip(partners, reversed(names), strict=True)
            ]
            for one in self.repairs.found((likely[0], likely[1]), (meant[0], meant[1])):
                found[one.side].setdefault((names[one.side], one.line), one.said)
        return found

    def _explained(
        self, tried: Mapping[Lines, str], repaired: tuple[Mapping[Line, str], Mapping[Line, str]]
    ) -> dict[Lines, str]:
        """What trials came to, without those through what a line is read by that a small change mends."""
        made = dict(tried)
        for lines in [lines for lines, came in tried.items() if came == "through"]:
            for units, numbers, mended, own in zip(
                (self._a.units, self._b.units), self.likelihood.units(lines), repaired, lines, strict=True
            ):
                before = set[int]().union(*(ancestors(units, number) for number in numbers))
                if not {line_of(units[number]) for number in before}.isdisjoint(mended.keys() - {own}):
                    made[lines] = "none"
        return made

    def _changed(
        self, repaired: tuple[Mapping[Line, str], Mapping[Line, str]]
    ) -> tuple[dict[Line, float], dict[Line, float]]:
        """What small changes of lines of each program say for them."""
        made: tuple[dict[Line, float], dict[Line, float]] = {}, {}
        if self.repairs is not None:
            for number, side in enumerate((self._a, self._b)):
                name = side.recorded.program.path.name
                made[number].update(((name, n), said) for n, said in self.repairs.effects.of(number).items())
                for line in repaired[number]:
                    made[number][line] = made[number].get(line, 0.0) + REPAIRED
        return made

    def _read_by_it(self, best: Candidate) -> list[Suspect]:
        """What a statement is computed from: a value that both have may be meant as another of the two.

        Where one program does in two statements what the other does in one, what the first of the two
        leaves out is a value that the other has.
        """
        made = []
        for i in computed_for(self._a.units, best.a):
            pairs = [pair for pair in self._matching.pairs if pair.a == i]
            made.append((i, pairs[0].b if pairs else best.b))
        for j in computed_for(self._b.units, best.b):
            pairs = [pair for pair in self._matching.pairs if pair.b == j]
            made.append((pairs[0].a if pairs else best.a, j))
        why = "the above reads it: it agrees, and may be meant as another value"
        return [Suspect(i, j, "unproved", 0, why) for i, j in dict.fromkeys(made)][:_MOST_READ]

    # ---- what is said --------------------------------------------------------------------------------

    def _shown(self, best: Candidate) -> Suspect:
        """The pair that a trial has shown; or the one cause of it and others, where there is one."""
        unknown_a = (
            [] if best.a in self._frontier_a else self._unknown(self._a.units, self._agreeing_a, best.a)
        )
        unknown_b = (
            [] if best.b in self._frontier_b else self._unknown(self._b.units, self._agreeing_b, best.b)
        )
        cause = self._common_cause(best, set(unknown_a), set(unknown_b))
        if cause is not None:
            return cause
        own_line = {("a", self._a.units[best.a].site.line), ("b", self._b.units[best.b].site.line)}
        open_a = [i for i in unknown_a if ("a", self._a.units[i].site.line) not in own_line]
        open_b = [j for j in unknown_b if ("b", self._b.units[j].site.line) not in own_line]
        alone = not open_a and not open_b and self._made_of_itself(best)
        alone = alone and not any(self._right.each(best.a, best.b))
        every = len(self._target) == len(self._off)
        then = "all results agree" if every else f"{len(self._target)} of {len(self._off)} results agree"
        why = f"with the other program's value here {then}, and all that it reads agrees"
        if not alone:
            why = (
                f"with the other program's value here {then}: so it is here, or in what only this comes from"
            )
        alone = alone and every and (self.proved or self._named(best)) and self._as_often(best)
        kind = "local" if alone else "unproved"
        return Suspect(best.a, best.b, kind, self._occurrence(best.a, best.b), why)

    def _may_be_before(self, best: Candidate) -> bool:
        """Whether what one statement does and the other does not may be missing before that one."""
        return may_be_left_to(self._a.units, best.a, self._b.units, best.b) or may_be_left_to(
            self._b.units, best.b, self._a.units, best.a
        )

    def _steps_before(self, best: Candidate) -> list[Suspect]:
        """What a statement reads, where a step may be missing there with which all results would agree."""
        return self._read_by_it(best) if self.complete and self._may_be_before(best) else []

    def _as_often(self, best: Candidate) -> bool:
        """Whether both are set as often: what a loop arrives at is made in all that decides its course."""
        return len(self._a.units[best.a].values) == len(self._b.units[best.b].values)

    def _made_of_itself(self, best: Candidate) -> bool:
        """Whether both statements read only what the other program has, but for parts of their own."""
        sides = (
            (self._a.units, best.a, self._frontier_a, self._agreeing_a),
            (self._b.units, best.b, self._frontier_b, self._agreeing_b),
        )
        return all(
            self._begins(*side)
            or of_one_statement(side[0], side[1], self._unknown(side[0], side[3], side[1]))
            for side in sides
        )

    def _inherited(self, best: Candidate | None, cause: Suspect) -> list[Suspect]:
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

    def _differing(self) -> list[Suspect]:
        """Without a proof: pairs in the order in which they first differ."""
        pairs = [
            pair for pair in self._matching.pairs
            if not pair.agrees and (pair.a in self._upstream_a or pair.b in self._upstream_b)
        ]  # fmt: skip
        pairs.sort(key=lambda pair: (not self._reads_agree(pair), self._place(pair.a, pair.b)))
        return [
            Suspect(
                pair.a, pair.b, "unproved", pair.compared.occurrence,
                "it differs, and what it reads agrees" if self._reads_agree(pair) else "it differs",
            )
            for pair in pairs
        ]  # fmt: skip

    def _reads_agree(self, pair: Pair) -> bool:
        return not self._unknown(self._a.units, self._agreeing_a, pair.a) and not self._unknown(
            self._b.units, self._agreeing_b, pair.b
        )


def best_said(
    lines: Lines, repaired: tuple[Mapping[Line, str], Mapping[Line, str]], known: Sequence[str]
) -> str:
    """What the change of two lines shows that stands first in ``known``; empty where there is none."""
    said = [of[line] for of, line in zip(repaired, lines, strict=True) if line in of]
    return min(said, key=known.index, default="")


def _why(one: Ranked, pairs: list[Ranked]) -> str:
    """Why a pair stands where it does, and whether it is ahead of all others."""
    others = max((other.probability for other in pairs if other is not one), default=0.0)
    why = "if this is wrong, it explains which values differ and which agree"
    return f"{why}, better than all others" if one.probability >= _AHEAD * others else why
