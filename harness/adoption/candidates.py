"""The matched variables of two programs at which they may be cut, and matches of which none can be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Literal

from harness.adoption.facts import Wanted
from harness.adoption.pieces import Pieces
from harness.model import Frozen
from harness.programs.alignment import Aligned, place_of
from harness.programs.replace import Side
from harness.programs.said import Place
from harness.programs.units import Unit

_KINDS = frozenset({"set", "container", "mutated", "element", "loop"})
_PART = re.compile(r"^[^\W\d][\w.]*(\$[\w.]+|\[\[?[^\[\]]*\]\]?|\.\w+)*$")
_FLOW = 0.4
"""How much of what two variables that differ are computed from, and are used for, goes together."""
_TARGET = re.compile(r"""([^\W\d][\w.]*(?:\$[\w.]+|\[["'][^"'\n]+["']\]))\s*(?:=(?!=)|<-)""")
"""A column that a statement sets."""


class Candidate(Frozen, frozen=True, kw_only=True):
    """A variable of both programs, where each sets it, and how sure the match is."""

    a: Wanted
    b: Wanted
    places: tuple[Place, Place]
    score: float


class Left(Frozen, frozen=True, kw_only=True):
    """What is not adopted, where it is, and why."""

    what: str
    file: str
    line: int
    why: str

    @property
    def text(self) -> str:
        """In one line."""
        return f"{self.file}:{self.line}: {self.what}: {self.why}"


def candidates(found: Aligned, a: Pieces, b: Pieces) -> tuple[list[Candidate], list[Left]]:
    """Variables of both top levels, in the order of the first program; and what is left of the matches."""
    made: dict[tuple[Wanted, Wanted], Candidate] = {}
    left: dict[str, Left] = {}
    parts = False
    for one, other, score, kind in _pairs(found):
        if kind == "unsure" and parts:
            continue
        first, second = _wanted(found.a, one, a), _wanted(found.b, other, b)
        places = place_of(found.a, one), place_of(found.b, other)
        if isinstance(first, str) or isinstance(second, str):
            at = 0 if isinstance(first, str) else 1
            why = first if isinstance(first, str) else str(second)
            where = places[at]
            left.setdefault(
                f"{where.name} {where.line}",
                Left(what=where.name.removesuffix("[]"), file=where.file, line=where.line, why=why),
            )
            continue
        if all(each.a != first and each.b != second for each in made.values()):
            made[first, second] = Candidate(a=first, b=second, places=places, score=score)
            parts = parts or kind != "agrees"
    names = {each.places[0].name for each in made.values()} | {each.places[1].name for each in made.values()}
    order = sorted(made.values(), key=lambda each: (each.a.at, each.b.at))
    return order, [each for each in left.values() if each.what not in names]


def _pairs(found: Aligned) -> Iterator[tuple[Unit, Unit, float, Literal["agrees", "differs", "unsure"]]]:
    """The matched variables: where the programs part first, then the surest.

    Those set after it that differ and are not surely the same come last: without any that differ, a case of
    two programs that part would agree.
    """
    parting = _parting(found)
    for one, other, score in parting[:1]:
        yield one, other, score, "differs"
    unsure = []
    accepted = {(match.a.name, match.b.name) for match in found.said.matches}
    for pair in sorted(found.matching.variables, key=lambda pair: -pair.score):
        one, other = found.a.units[pair.a], found.b.units[pair.b]
        if (one.name.removesuffix("[]"), other.name.removesuffix("[]")) not in accepted:
            continue
        if pair.compared.layout == "permuted":
            # The same cases, read in another order: no stage compares them one by one.
            continue
        if pair.agrees:
            yield one, other, pair.score, "agrees"
        elif pair.evidence.get("flow", 0.0) >= _FLOW:
            yield one, other, pair.score, "differs"
        else:
            unsure.append((one, other, pair.score))
    for one, other, score in parting[1:]:
        yield one, other, score, "differs"
    if not found.said.divergences:
        return
    begins = [_unit_at(found.a, found.said.divergences[0].a), _unit_at(found.b, found.said.divergences[0].b)]
    first, second = (0 if unit is None else unit.number for unit in begins)
    for one, other, score in unsure:
        if one.number >= first and other.number >= second:
            yield one, other, score, "unsure"


def _parting(found: Aligned) -> list[tuple[Unit, Unit, float]]:
    """The variables of the divergences, where they are of one size."""
    made: list[tuple[Unit, Unit, float]] = []
    for divergence in found.said.divergences:
        if divergence.rank > 1 and divergence.kind == "unproved":
            continue
        one, other = _unit_at(found.a, divergence.a), _unit_at(found.b, divergence.b)
        if one is not None and other is not None and one.values[-1].size == other.values[-1].size:
            made.append((one, other, 1.0))
    return made


def _unit_at(side: Side, place: Place) -> Unit | None:
    """The variable of a place; of a part of its expression, the one that its line sets."""
    units = [
        unit for unit in side.units
        if unit.kind in _KINDS
        and ((own := place_of(side, unit)).file, own.line, own.cell) == (place.file, place.line, place.cell)
    ]  # fmt: skip
    if found := next(
        (unit for unit in units if unit.name == place.name), units[0] if len(units) == 1 else None
    ):
        return found
    # It is shown there, and set above.
    above = [
        unit for unit in side.units
        if unit.kind in _KINDS and unit.name == place.name and place_of(side, unit).line <= place.line
    ]  # fmt: skip
    return above[-1] if above and not place.cell else None


def _wanted(side: Side, unit: Unit, program: Pieces) -> Wanted | str:
    """Where the top level has the value; else why it has not."""
    if unit.site.file != side.recorded.program.path.name:
        return "it is set in another file"
    if unit.site.function not in ("", program.inside):
        return f"it is set inside of {unit.site.function}(), and not at the top level"
    piece = program.at_line(unit.site.line)
    name = _root(unit.site.name, side.recorded.program.language)
    written = unit.name.removesuffix("[]")
    if unit.kind == "element" and piece is not None and (target := _TARGET.match(piece.text)):
        written = target[1].strip() if target[1].startswith(name) else written
    if unit.kind not in _KINDS or piece is None or piece.sort != "other":
        return "no statement of the top level sets it"
    if name not in piece.sets:
        return "it is a part of something else"
    if not _PART.match(written) or not _is_written(written, side.recorded.program.language):
        return "its name cannot be written in its language"
    return Wanted(at=piece.at, name=name, written=written)


def _root(name: str, language: str) -> str:
    """The variable of which a site sets a part, such as a column: a dot is a letter in R."""
    found = re.match(r"[^\W\d][\w.]*" if language == "r" else r"[^\W\d]\w*", name)
    return found[0] if found else name


def _is_written(text: str, language: str) -> bool:
    if language != "python":
        return True
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
