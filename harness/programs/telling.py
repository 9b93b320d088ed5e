"""What is said of two programs that part: the suspects in order, and what follows from them."""

from __future__ import annotations

import msgspec

from harness.numerics.layouts import information, plain
from harness.programs.inward import inside, made_in, of_one_statement
from harness.programs.match import Pair
from harness.programs.roots import in_order
from harness.programs.shared_causes import SharedCauses, Suspect
from harness.programs.suspicion import ranked
from harness.programs.trials import SURE, WORTH, Candidate
from harness.programs.units import Unit, ancestors, through_parts

_MOST_BEGINNINGS = 6
_MOST_LIKELY = 6
_CERTAIN = 12.0
"""Bits of a value that the other program does not have by chance."""
_MOST_INSIDE = 5
"""Suspects among which one inside of a call is looked for."""


class Telling(SharedCauses):
    """Makes the trials, and says what they show."""

    def suspects(self) -> list[Suspect]:
        """The suspects, the likeliest first."""
        candidates = self._candidates()
        best = self._first_complete([one for one in candidates if one.score >= SURE], self._most // 2)
        if best is None and self._partly is not None and 2 * len(self._partly[0]) >= len(self._off):
            # Of the pairs of results one may be none: what most of them say holds.
            self._target, best = self._partly
        if best is None or not self._alone(best):
            spread = self._spread()
            if spread is not None:
                self.proved = self.complete = True
                return [spread, *self._inherited(best, spread)]
            best = self._first_complete(self._at_frontier(best), self._most) or best
        if best is None:
            best = self._first_complete([one for one in candidates if one.score < SURE], self._most)
        if best is None:
            return self._made_first([*self._likeliest(None), *self._unproved()])
        self.complete = len(self._target) == len(self._off)
        if not self._alone(best):
            best = self._deeper(best)
        self.proved = self._reaches_more(best)
        suspects = self._around(best)
        if suspects[0].kind == "local":
            return suspects
        # What a trial showed comes before what is only likely, unless it can only follow from that.
        likely = self._likeliest(best)
        earlier = (self._earlier(best, likely[0]) or self._where_read(best, likely[0])) if likely else []
        return self._made_first([*earlier, suspects[0], *likely, *suspects[1:]])

    def _made_first(self, suspects: list[Suspect]) -> list[Suspect]:
        """What is first, where it was made: not where a function or a container only hands it on."""
        first = suspects[0]
        i = made_in(self._a.units, first.a, self._agreeing_a)
        j = made_in(self._b.units, first.b, self._agreeing_b)
        if self._line(i, j) != self._line(first.a, first.b):
            suspects = [msgspec.structs.replace(first, a=i, b=j), *suspects]
        for one in suspects[1:_MOST_INSIDE]:
            if self._is_inside(first, one):
                return [one, *(other for other in suspects if other is not one)]
        return suspects

    def _is_inside(self, outer: Suspect, one: Suspect) -> bool:
        """Whether a suspect is inside of a call that another is the result of, and above it in both."""
        if one.kind == "inherited":
            return False
        in_a = inside(self._a.units, outer.a, one.a, self._agreeing_a)
        in_b = inside(self._b.units, outer.b, one.b, self._agreeing_b)
        above_a = one.a == outer.a or one.a in ancestors(self._a.units, outer.a)
        above_b = one.b == outer.b or one.b in ancestors(self._b.units, outer.b)
        return (in_a and above_b) or (in_b and above_a)

    def _line(self, i: int, j: int) -> tuple[int, int]:
        return self._a.units[i].site.line, self._b.units[j].site.line

    def _earlier(self, best: Candidate, likely: Suspect) -> list[Suspect]:
        """Where a difference begins that a trial has shown farther down, be it of one of the programs."""
        firsts_a = {*self._frontier_a, *self._begins_in.a}
        firsts_b = {*self._frontier_b, *self._begins_in.b}
        begins_a = self._begins_earlier(self._a.units, firsts_a, best.a, likely.a)
        begins_b = self._begins_earlier(self._b.units, firsts_b, best.b, likely.b)
        if not (begins_a or begins_b):
            return []
        pair = (likely.a if begins_a else best.a, likely.b if begins_b else best.b)
        pair = self._grounds.related.rather(pair, (likely.a, likely.b))
        one, other = self._a.units[pair[0]], self._b.units[pair[1]]
        if len(one.values) == len(other.values) == 1 and one.is_scalar != other.is_scalar:
            # A mean is no counterpart of what it is taken of: what a trial showed stands before that.
            return []
        return [Suspect(*pair, "unproved", self._occurrence(*pair), likely.why)]

    def _where_read(self, best: Candidate, likely: Suspect) -> list[Suspect]:
        """The statement that reads a value which both programs have, where putting in another mends all."""
        right_a, right_b = self._right(best)
        read_a = right_a and best.a != likely.a and best.a in ancestors(self._a.units, likely.a)
        read_b = right_b and best.b != likely.b and best.b in ancestors(self._b.units, likely.b)
        if read_a == read_b:
            return []
        pair = (likely.a, best.b) if read_a else (best.a, likely.b)
        return [Suspect(*pair, "unproved", self._occurrence(*pair), likely.why)]

    def _right(self, best: Candidate) -> tuple[bool, bool]:
        """Whether each of two values is one that the other program has for certain."""
        said = [
            information(plain(unit.values[-1])) >= _CERTAIN
            for unit in (self._a.units[best.a], self._b.units[best.b])
        ]
        equal = self._matching.equal
        return said[0] and bool(equal[best.a].any()), said[1] and bool(equal[:, best.b].any())

    @staticmethod
    def _readers(units: list[Unit], number: int) -> set[int]:
        """The statements that read a value, and what they make of it."""
        found = set(units[number].users)
        return found | through_parts(units, found, lambda unit: unit.users)

    @staticmethod
    def _begins_earlier(units: list[Unit], firsts: set[int], best: int, likely: int) -> bool:
        def begins(number: int) -> bool:
            site = units[number].site
            return any((units[i].site.file, units[i].site.line) == (site.file, site.line) for i in firsts)

        return not begins(best) and begins(likely)

    def _likeliest(self, best: Candidate | None) -> list[Suspect]:
        """Lines that would explain what differs and what does not; after a trial, of those that it left."""
        within = None
        if best is not None:
            within = (
                {best.a, *ancestors(self._a.units, best.a)},
                {best.b, *ancestors(self._b.units, best.b)},
            )
            # A value that both programs have is right: what reads it may not be.
            right_a, right_b = self._right(best)
            if right_a and not right_b:
                within[0].update(self._readers(self._a.units, best.a))
            if right_b and not right_a:
                within[1].update(self._readers(self._b.units, best.b))
        pairs = ranked(
            *self._grounds.suspicions, self._matching, self._grounds.related, within, self._grounds.wording
        )
        why = "if this is wrong, it explains which values differ and which agree"
        return [Suspect(i, j, "unproved", self._occurrence(i, j), why) for i, j in pairs[:_MOST_LIKELY]]

    # ---- what is said --------------------------------------------------------------------------------

    def _around(self, best: Candidate) -> list[Suspect]:
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
        alone = not open_a and not open_b and self._made_of_itself(best)
        every = len(self._target) == len(self._off)
        occurrence = self._occurrence(best.a, best.b)
        then = "all results agree" if every else f"{len(self._target)} of {len(self._off)} results agree"
        why = f"with the other program's value here {then}, and all that it reads agrees"
        if not alone:
            why = (
                f"with the other program's value here {then}: so it is here, or in what only this comes from"
            )
        alone = alone and every and (self.proved or self._named(best)) and self._as_often(best)
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

    def _where_it_begins(self, best: Candidate | None) -> list[Suspect]:
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

    def _nearest(self, number: int, others: list[int], side: str, default: int) -> int:
        scores = self._matching.differing[:, number] if side == "b" else self._matching.differing[number]
        best = max(others, key=lambda other: scores[other], default=default)
        return best if others and scores[best] > WORTH else default

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
