"""Small changes of one line of a program with which it prints what the other prints."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import msgspec

from harness.programs.beside import beside
from harness.programs.borrowing import Borrowing
from harness.programs.budget import PATIENCE, Budget
from harness.programs.counterparts import in_common
from harness.programs.effects import Effects
from harness.programs.equal_tokens import same_in_place
from harness.programs.inverse import undoing
from harness.programs.launch import record
from harness.programs.leading import meant_as
from harness.programs.line_table import Line
from harness.programs.places import in_place
from harness.programs.printouts import alone, undefined
from harness.programs.promising import Repair, promising
from harness.programs.replace import BASE, Side
from harness.programs.tokens import Token, as_coarse, bits_of, tokens_of
from harness.programs.units import Unit, units_of
from harness.programs.versions import printouts
from harness.sessions.sandbox import Limits, Sandbox

_LEAST_BITS = 6.0
"""Bits of the numbers that come to agree, below which chance may have made them."""
_BATCH, _SLOW_BATCH, _LEAST_BATCH, _SLOW = 32, 64, 8, 2.0
"""Changes that are run from one process; of a program that needs more seconds of a processor than that."""
_AT_ONCE = max(2, min(os.cpu_count() or 1, 8))
_EACH, _LINES = 2, 30
"""Changes of each likely line that are tried before the others, and lines of each program."""
_AFTER = 128
"""How many more are tried once one is found: the line may be wrong in either program."""
_MOST = 1500
_SURE, _MOST_SURE = 0.6, 96
"""Likelihood of one line of each program from which on fewer changes are tried, besides the first of each
line: it mostly is that."""
_LEAST_SECONDS, _MOST_SECONDS, _SHARE = 60.0, 160.0, 0.65
"""Of processor time, after which no more changes are tried: a share of what is left, between two bounds."""
_COME = 0.8
"""Of the numbers that each prints alone, the share that have to come, where they print other things too."""
_CHANCE = 10
"""How many have to come for each of the other program's that has no equal any more: it had one by chance."""
_OF_LINE, _MOST_RECORDED = 2, 12
"""Changes of one line, and of all, of which it is looked at what else agrees with them."""
_MOST_MEANT = 3
"""Lines with such a change of which it is looked at which line of the other program is meant as them."""
_AS_GOOD = 0.7
"""Share of the values that come to agree with the best change, from which on another is as good."""


class Repairs:
    """Looks for changes of single lines that make two programs print the same.

    Parameters
    ----------
    sides : tuple of Side
        The two programs.
    sandbox, limits
        How they are run.
    budget : Budget
        After which nothing is run any more.
    borrowing : Borrowing, optional
        Writes lines as the other program has them.
    """

    def __init__(
        self,
        sides: tuple[Side, Side],
        sandbox: Sandbox,
        limits: Limits,
        budget: Budget,
        borrowing: Borrowing | None = None,
    ) -> None:
        self._sides, self._sandbox, self._limits, self._budget = sides, sandbox, limits, budget
        self._borrowing = borrowing
        self._tokens = self._read(0, sides[0].recorded.printed), self._read(1, sides[1].recorded.printed)
        self._alone = alone(sides[0].recorded.printed, sides[1].recorded.printed)
        self._shift = BASE[sides[1].language] - BASE[sides[0].language]
        self._places = beside(*self._tokens, in_place(*self._tokens, self._shift))
        self.effects = Effects(self._tokens, self._places, self._alone)
        self._known: dict[tuple[int, str], bool] = {}
        self._found: list[Repair] | None = None
        self._of_line: Counter[tuple[int, int]] = Counter()
        self._recorded: dict[Repair, list[Unit]] = {}
        self.runs = 0
        self._tried_until = budget.seconds
        self._costs = ([0.0], [0.0])
        self.unjudged: set[str] = set()
        """Files of programs of which no change is tried: as they are, they print something else there."""

    @property
    def known(self) -> list[Repair]:
        """What was found, if it was looked for."""
        return self._found or []

    def found(
        self,
        likely: tuple[Mapping[int, float], Mapping[int, float]],
        partners: tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]] = ({}, {}),
    ) -> list[Repair]:
        """The changes that do; once there is one, few more are tried. It is looked for once.

        Parameters
        ----------
        likely : tuple of mapping of int to float
            For each program, how likely each line is wrong.
        partners : tuple of mapping of int to sequence of int
            For each program, the lines of the other that each line may be meant as, the likeliest first.
        """
        if self._found is None:
            self._found = self._search(likely, partners) if self._can_tell() else []
        return self._found

    def _search(
        self,
        likely: tuple[Mapping[int, float], Mapping[int, float]],
        partners: tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]],
    ) -> list[Repair]:
        sure = all(max(one.values(), default=0.0) >= _SURE for one in likely)
        ordered = promising(self._sides, self._lines, likely, partners, self._borrowing)
        first, others = _each_first(ordered)
        left = _MOST_SURE + len(first) if sure else _MOST
        until = self._tried_until = self._budget.spent + time_for(self._budget.left)
        made: list[tuple[int, Repair]] = []
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            while left > 0 and (first or others) and self._budget.spent < until:
                if not first:
                    self._reorder(others)
                sizes = [min(self._size(0), left), min(self._size(1), left)]
                batches = _taken(first or others, left, sizes)
                left -= sum(map(len, batches))
                for batch, printed in zip(batches, pool.map(self._printed, batches), strict=True):
                    if printed is None:
                        self.unjudged.add(self._sides[batch[0].side].recorded.program.path.name)
                        for rest in (first, others):
                            rest[:] = [pair for pair in rest if pair[1].side != batch[0].side]
                        continue
                    better = self._better(self._noted(batch, printed))
                    if better and not made:
                        left = min(left, _AFTER)
                    made += better
        best = max((gain for gain, _ in made), default=0)
        kept = [(gain, one) for gain, one in made if gain >= _AS_GOOD * best]
        return [one for _, one in sorted(kept, key=lambda pair: -pair[0])]

    def _size(self, side: int) -> int:
        """How many changes of a program are run from one process: as many as there is time for."""
        size = _SLOW_BATCH if self._sides[side].recorded.processor_seconds > _SLOW else _BATCH
        each = self._costs[side][-1]
        left = self._tried_until - self._budget.spent
        return size if each * size * _AT_ONCE <= left else max(_LEAST_BATCH, int(left / each / _AT_ONCE))

    def _noted(self, batch: Sequence[Repair], printed: Sequence[str | None]) -> list[Repair]:
        """Keep what is printed with some changes; those with which all agrees."""
        agreeing = []
        for one, text in zip(batch, printed, strict=True):
            if text is not None:
                self.effects.note(one.side, one.line, self._read(one.side, text))
                agreeing += [one] if self._agrees(one.side, text) else []
        self.runs += len(batch)
        return agreeing

    def _reorder(self, others: list[tuple[float, Repair]]) -> None:
        """Sort changes by what they promise, with what others of their lines have changed."""
        said = self.effects.of(0), self.effects.of(1)
        others.sort(key=lambda pair: -pair[0] * math.exp(said[pair[1].side].get(pair[1].line, 0.0)))

    def _better(self, agreeing: Sequence[Repair]) -> list[tuple[int, Repair]]:
        """Of changes, those with which no less of what the programs compute agrees, and how much more."""
        found = []
        for one in agreeing:
            self._of_line[one.side, one.line] += 1
            if self._of_line[one.side, one.line] <= _OF_LINE and len(self._recorded) < _MOST_RECORDED:
                gain = self._gain(one)
                found += [(gain, one)] if gain >= 0 else []
        return found

    @cached_property
    def meant(self) -> dict[tuple[Line, Line], float]:
        """The best lines that were found, each with lines of the other program that may be meant as it.

        Of each pair it is how much speaks for it, up to 1. Where changes of both programs undo each other, it
        is their lines.
        """
        if both := undoing(self.known, lambda one: self._lines[one.side][one.line - 1]):
            first, second = (
                (side.recorded.program.path.name, change.line)
                for side, change in zip(self._sides, both, strict=True)
            )
            return {(first, second): 1.0}
        made: dict[tuple[Line, Line], float] = {}
        best = {(one.side, one.line): one for one in reversed(self.known)}
        for one in [*reversed(best.values())][:_MOST_MEANT]:
            side, other = self._sides[one.side], self._sides[1 - one.side]
            line = side.recorded.program.path.name, one.line
            meant = meant_as(side.units, self._units_with(one), line, other.units)
            made |= {((there, line) if one.side else (line, there)): said for there, said in meant.items()}
        return made

    def _gain(self, one: Repair) -> int:
        """How many values more the two programs have in common with a change."""
        return in_common(self._units_with(one), self._sides[1 - one.side].units) - self._in_common

    @cached_property
    def _in_common(self) -> int:
        """How many values the two programs have in common as they are."""
        a, b = self._sides
        return in_common(a.units, b.units)

    def _units_with(self, one: Repair) -> list[Unit]:
        """What a program computes with a change."""
        if one not in self._recorded:
            program = self._sides[one.side].recorded.program
            lines = [*self._lines[one.side]]
            lines[one.line - 1] = one.edit.text
            places = program.places or tuple(map(program.where, range(1, len(lines) + 1)))
            text = "\n".join(lines) + "\n"
            changed = msgspec.structs.replace(program, code=text, listing=tuple(lines), places=places)
            seconds = min(self._limits.chunk_seconds, PATIENCE * max(1.0, self._budget.left))
            limits = msgspec.structs.replace(self._limits, chunk_seconds=seconds)
            self.runs += 1
            again = record(changed, self._sandbox, limits=limits)
            self._budget.take(again.processor_seconds)
            self._recorded[one] = units_of(again.trace)
        return self._recorded[one]

    @cached_property
    def _lines(self) -> tuple[list[str], list[str]]:
        """The lines of both programs as they are run."""
        one, other = (side.recorded.program for side in self._sides)
        return one.source, other.source

    def _can_tell(self) -> bool:
        """Whether numbers differ that say enough for chance not to make them the same."""
        off = [self._tokens[0][one.a] for one in self._places if not one.agrees]
        if not off and all(self._alone):
            off = self._alone[0]
        return sum(map(bits_of, off)) >= _LEAST_BITS

    def _printed(self, batch: Sequence[Repair]) -> list[str | None] | None:
        side = batch[0].side
        program = self._sides[side].recorded.program
        texts = []
        for one in batch:
            own = [*self._lines[side]]
            own[one.line - 1] = one.edit.text
            texts.append("\n".join(own) + "\n")
        most = min(self._limits.chunk_seconds, PATIENCE * max(1.0, self._tried_until - self._budget.spent))
        limits = msgspec.structs.replace(self._limits, chunk_seconds=most)
        recorded = self._sides[side].recorded
        made = printouts(
            program, self._sandbox, texts, limits=limits, seconds=recorded.processor_seconds,
            as_is=recorded.printed,
        )  # fmt: skip
        self._budget.take(made.seconds)
        self._costs[side].append(made.seconds / len(batch))
        return made.printed

    def _agrees(self, side: int, text: str | None) -> bool:
        if text is None:
            return False
        if (side, text) not in self._known:
            self._known[side, text] = self._in_place(side, self._read(side, text)) or self._nearly_all(
                side, text
            )
        return self._known[side, text]

    def _read(self, side: int, text: str) -> list[Token]:
        return tokens_of(text, self._sides[side].language)

    def _nearly_all(self, side: int, text: str) -> bool:
        """Whether most numbers that only the other prints have come, and no other ones, in whatever order."""
        texts = [one.recorded.printed for one in self._sides]
        if undefined(text) > max(map(undefined, texts)):
            return False
        texts[side] = text
        now = alone(*texts)
        # Those of both: a coarse number is equal to many, and takes none of its own away.
        come = min(len(was) - len(left) for was, left in zip(self._alone, now, strict=True))
        new, lost = (
            (Counter(one.text for one in now[at]) - Counter(one.text for one in self._alone[at])).total()
            for at in (side, 1 - side)
        )
        return come >= _COME * max(1, min(map(len, self._alone))) and not new and _CHANCE * lost <= come

    def _in_place(self, side: int, tokens: list[Token]) -> bool:
        own, other = self._tokens[side], self._tokens[1 - side]
        if not any(not one.agrees for one in self._places) or [one.is_number for one in tokens] != [
            one.is_number for one in own
        ]:
            return False
        for one in self._places:
            here, there = (one.a, one.b) if side == 0 else (one.b, one.a)
            if not same_in_place(tokens[here], other[there], one, side, self._shift):
                return False
            # What is only printed coarser has not come.
            coarse = as_coarse(own[here], tokens[here])
            if not one.agrees and same_in_place(coarse, other[there], one, side, self._shift):
                return False
        return True


def time_for(left: float) -> float:
    """For how many seconds of processor time changes are tried, where so many are left for all."""
    return min(left, max(_LEAST_SECONDS, min(_SHARE * left, _MOST_SECONDS)))


def _each_first(ordered: list[tuple[float, Repair]]) -> tuple[list[tuple[float, Repair]], ...]:
    """A few changes of each likely line, one of each in turn, which tell what depends on it; all others.

    Those of a line are of several sorts: where one fails, others of its sort mostly do.
    """
    sorts: dict[tuple[int, int], list[str]] = {}
    lines: Counter[int] = Counter()
    first: list[list[tuple[float, Repair]]] = [[] for _ in range(_EACH)]
    others: list[tuple[float, Repair]] = []
    for pair in ordered:
        one = pair[1]
        if (one.side, one.line) not in sorts and lines[one.side] < _LINES:
            sorts[one.side, one.line] = []
            lines[one.side] += 1
        known = sorts.get((one.side, one.line))
        if known is None or len(known) == _EACH or one.edit.sort in known:
            others.append(pair)
        else:
            first[len(known)].append(pair)
            known.append(one.edit.sort)
    return [pair for turn in first for pair in turn], others


def _taken(source: list[tuple[float, Repair]], most: int, sizes: Sequence[int]) -> list[list[Repair]]:
    """The first changes, of one program each, which are run at once; they are left no more."""
    batches: list[list[Repair]] = []
    while source and most > 0 and len(batches) < _AT_ONCE:
        side = source[0][1].side
        batch = [pair for pair in source if pair[1].side == side][: min(sizes[side], most)]
        source[:] = [pair for pair in source if pair not in batch]
        most -= len(batch)
        batches.append([one for _, one in batch])
    return batches
