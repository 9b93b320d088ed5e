"""The values at which both programs are cut: what each is to either, and what it is called in the case."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from harness.adoption.candidates import Candidate, Left
from harness.adoption.carried import given_of
from harness.adoption.facts import Fact, Wanted
from harness.adoption.frames import column_of
from harness.adoption.pieces import Pieces
from harness.adoption.relations import Relation, alike, relation_of
from harness.authoring.steps import free_name
from harness.model import Array, Given
from harness.model.outcome import Outcome
from harness.programs.names import alike as alike_names
from harness.programs.said import Place
from harness.store.cases import RESERVED
from harness.store.samples_of_files import plain_name

_NAMED = 0.5
"""Likeness of names from which on values of different sizes may be one."""


class CutSide(NamedTuple):
    """A value in one program."""

    wanted: Wanted
    fact: Fact
    place: Place


class Cut(NamedTuple):
    """A value of both programs; ``reference`` says which of the two is the one that the other is held to."""

    name: str
    sides: tuple[CutSide, CutSide]
    reference: int
    relation: Relation
    agrees: bool
    score: float
    given: Given = ""

    @property
    def array(self) -> Array:
        """The reference's value."""
        value = self.sides[self.reference].fact.array
        assert value is not None
        return value

    @property
    def is_crossing(self) -> bool:
        """Whether one program can be given the other's: they are of one size."""
        return self.relation.own == self.array.shape or self.relation.kind != "same"

    def relation_in(self, side: int) -> Relation:
        """How a side's value lies to the reference's."""
        if side == self.reference:
            return Relation(kind="same", own=self.array.shape, shape=self.array.shape)
        return self.relation

    def expected_in(self, side: int) -> Array:
        """A side's own value, as its function is to return it."""
        value = self.sides[side].fact.array
        assert value is not None
        return self.relation_in(side).applied(value)


def runtime_of(program: Pieces) -> str:
    """The runtime of a program's functions."""
    language = program.program.language
    if language != "python":
        return language
    text = "\n".join(each.text for each in program.pieces)
    return "torch" if re.search(r"^\s*(import|from)\s+torch\b", text, re.MULTILINE) else "numpy"


def reference_of(programs: Sequence[Pieces]) -> int:
    """Which program is the reference: the first in NumPy, whose true values can be known; else the first."""
    runtimes = [runtime_of(each) for each in programs]
    return runtimes.index("numpy") if "numpy" in runtimes else 0


def wanted_of(found: Sequence[Candidate], side: int) -> list[Wanted]:
    """The values that are described: those of the candidates, and the tables that some are columns of."""
    wanted: dict[Wanted, None] = {}
    for each in found:
        own = (each.a, each.b)[side]
        wanted[own] = None
        if (column := column_of(own.written)) is not None:
            wanted[Wanted(at=own.at, name=own.name, written=column[0])] = None
    return list(wanted)


def cuts_of(
    found: Sequence[Candidate],
    facts: Sequence[Mapping[Wanted, Fact]],
    programs: Sequence[Pieces],
    outcome: Outcome,
) -> tuple[list[Cut], list[Left]]:
    """The cuts, and the matches of which none can be made."""
    reference = reference_of(programs)
    taken = {*programs[0].names, *programs[1].names, *RESERVED}
    cuts: list[Cut] = []
    left: list[Left] = []
    for each in found:
        sides = tuple(
            CutSide(wanted, facts[at].get(wanted, Fact(kind="other", array=None, more=("nothing",))), place)
            for at, (wanted, place) in enumerate(zip((each.a, each.b), each.places, strict=True))
        )
        why = _refusal(sides, outcome)
        if why is not None:
            left.append(why)
            continue
        values = [side.fact.array for side in sides]
        ours, theirs = values[reference], values[1 - reference]
        assert ours is not None
        assert theirs is not None
        relation = relation_of(ours, theirs)
        named = sides[0].wanted
        column = column_of(named.written)
        name = free_name(_name(column[1] if column else named.written), taken)
        taken.add(name)
        cuts.append(
            Cut(
                name=name, sides=(sides[0], sides[1]), reference=reference, relation=relation,
                agrees=alike(ours, relation.applied(theirs)), score=each.score,
                given=_given(sides, programs, reference),
            )
        )  # fmt: skip
    return cuts, left


def _name(written: str) -> str:
    name = re.sub(r"_+", "_", plain_name(written)).strip("_")
    return plain_name(name or "value")


def _given(sides: Sequence[CutSide], programs: Sequence[Pieces], reference: int) -> Given:
    """As what Python's functions get it: as the reference has it, or else the other."""
    for at in (reference, 1 - reference):
        if programs[at].program.language == "python":
            return given_of(sides[at].fact)
    return ""


def _refusal(sides: Sequence[CutSide], outcome: Outcome) -> Left | None:
    """Why a pair is no cut; None where it is one."""

    def left(side: CutSide, why: str) -> Left:
        return Left(what=side.wanted.written, file=side.place.file, line=side.place.line, why=why)

    for side in sides:
        if side.fact.kind == "large":
            return left(side, f"it has {side.fact.more[0]} elements, which is too many for a fixture")
        if side.fact.array is None:
            what = side.fact.more[0] if side.fact.more else "value"
            return left(side, f"it is {what}, which does not cross to another language")
        if not side.fact.array.size:
            return left(side, "it has no elements")
    one, other = (side.fact.array for side in sides)
    assert one is not None
    assert other is not None
    if (one.dtype.kind == "U") != (other.dtype.kind == "U"):
        return left(sides[0], f"it is text, and {sides[1].wanted.written} is not, or the other way round")
    if alike(one, relation_of(one, other).applied(other)):
        return None
    if one.dtype.kind == "U":
        return left(sides[0], f"its text is another than that of {sides[1].wanted.written}")
    if outcome is Outcome.AGREEMENT:
        return left(sides[0], f"it is not the same as {sides[1].wanted.written}, and nothing comes of that")
    named = alike_names(*(side.wanted.written for side in sides))
    if one.size != other.size and (one.ndim != other.ndim or 1 in (one.size, other.size) or named < _NAMED):
        return left(sides[0], f"it has {one.size} elements, and {sides[1].wanted.written} {other.size}")
    return None


def columns_at(cuts: Collection[Cut], side: int) -> dict[tuple[int, str], dict[str, Cut]]:
    """Tables by where they are set and their name, with the cuts that are their columns."""
    found: dict[tuple[int, str], dict[str, Cut]] = {}
    for cut in cuts:
        own = cut.sides[side]
        if (column := column_of(own.wanted.written)) is not None:
            found.setdefault((own.wanted.at, column[0]), {})[column[1]] = cut
    return found
