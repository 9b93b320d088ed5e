"""Which cuts are inputs and which are stages, and what each stage takes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from harness.adoption.carried import is_carried
from harness.adoption.cuts import Cut, columns_at, runtime_of
from harness.adoption.facts import Fact, Wanted
from harness.adoption.frames import is_whole
from harness.adoption.pieces import Pieces
from harness.adoption.slices import Set, Slice, Slicer

_MAKES = frozenset(
    [
        "array",
        "asarray",
        "tensor",
        "c",
        "matrix",
        "list",
        "rbind",
        "cbind",
        "range",
        "len",
        "zip",
        "dict",
        "tuple",
        "float",
        "int",
        "enumerate",
        "as.numeric",
        "as.integer",
        "data.frame",
        "read.csv",
        "read.table",
        "read_csv",
        "loadtxt",
        "genfromtxt",
        "readdlm",
        "readlines",
        "parse",
        "open",
        "close",
        "reader",
        "DictReader",
        "collect",
        "vec",
        "Matrix",
        "Float64",
        "Int",
        "join",
        "dirname",
        "abspath",
        "file.path",
        "joinpath",
        "split",
        "strip",
        "next",
        "factor",
        "unname",
        "sub",
        "commandArgs",
        "grep",
        "if",
        "length",
        "column_stack",
        "hcat",
        "vcat",
        "transpose",
        "permutedims",
        "reshape",
        "t",
        "as.matrix",
        "nrow",
        "ncol",
        "shape",
        "size",
        "strsplit",
        "scan",
    ]
)
"""What writes values out, reads them, or lays them otherwise."""
_COMPUTES = re.compile(r"[\w)\]]\s*(\*|/|\+|%|\^|@|-)=?\s*[\w(\[.]")
_TEXT = re.compile(r"""("[^"\n]*"|'[^'\n]*'|#.*|\d[eE][+-]\d+)""")


class Table(NamedTuple):
    """A table that is made again of its columns."""

    name: str
    fact: Fact
    columns: Mapping[str, Cut]


Ends = Mapping[Set, Cut | Table]
"""For values that are given, what they are made of."""


class Stage(NamedTuple):
    """A cut that both programs compute, the cuts that its functions take, and how either computes it."""

    cut: Cut
    inputs: tuple[Cut, ...]
    slices: tuple[Slice, Slice]
    ends: tuple[Ends, Ends]


class Plan(NamedTuple):
    """Inputs, and stages in an order in which they can run."""

    inputs: tuple[Cut, ...]
    stages: tuple[Stage, ...]


def plan_of(
    cuts: Sequence[Cut],
    programs: Sequence[Pieces],
    facts: Sequence[Mapping[Wanted, Fact]],
    not_carried: Collection[tuple[int, str]],
) -> Plan:
    """Plan the case; cuts that would make a circle are left out, the least sure first.

    Parameters
    ----------
    cuts : sequence of Cut
        All that are wanted.
    programs, facts : sequence
        Of both sides.
    not_carried : collection of (int, str)
        Sides, and names of cuts that these compute anew wherever they need them.
    """
    kept = list(cuts)
    slicers = [Slicer(program) for program in programs]
    while True:
        ends = tuple(_ends(kept, programs[at], facts[at], at, not_carried) for at in (0, 1))
        slices = {
            cut.name: tuple(
                slicers[at].slice(cut.sides[at].wanted.variable, ends[at].keys()) for at in (0, 1)
            )
            for cut in kept
        }
        given = {
            cut.name: tuple(_read_of(ends[at], programs[at], slices[cut.name][at]) for at in (0, 1))
            for cut in kept
        }
        needs = {cut.name: _needed(given[cut.name], cut) for cut in kept}
        order = _ordered(kept, needs)
        if len(order) == len(kept):
            break
        stuck = [cut for cut in kept if cut not in order]
        kept.remove(min(stuck, key=lambda cut: (cut.score, cut.name)))
    first = [cut for cut in order if not needs[cut.name] and cut.agrees]
    data = [cut for cut in first if all(_is_data(programs[at], slices[cut.name][at]) for at in (0, 1))]
    inputs = data or first
    stages = tuple(
        Stage(
            cut,
            tuple(each for each in order if each.name in needs[cut.name]),
            (slices[cut.name][0], slices[cut.name][1]),
            (given[cut.name][0], given[cut.name][1]),
        )
        for cut in order
        if cut not in inputs
    )
    used = {each.name for stage in stages for each in stage.inputs}
    return Plan(tuple(cut for cut in inputs if cut.name in used), stages)


def _ends(
    cuts: Sequence[Cut],
    program: Pieces,
    facts: Mapping[Wanted, Fact],
    side: int,
    not_carried: Collection[tuple[int, str]],
) -> dict[Set, Cut | Table]:
    runtime = runtime_of(program)
    carried = [
        cut for cut in cuts
        if (side, cut.name) not in not_carried
        and cut.is_crossing
        and is_carried(runtime, cut.sides[side].fact)
    ]  # fmt: skip
    ends: dict[Set, Cut | Table] = {}
    for (at, name), columns in columns_at(carried, side).items():
        fact = facts.get(Wanted(at=at, name=name, written=name))
        if fact is not None and is_whole(fact, list(columns)):
            ends[Set(at=at, name=name)] = Table(name, fact, columns)
    for cut in carried:
        wanted = cut.sides[side].wanted
        if wanted.written == wanted.name:
            ends[wanted.variable] = cut
    return ends


def _needed(ends: Sequence[Ends], own: Cut) -> set[str]:
    found: set[str] = set()
    for known in ends:
        for end in known.values():
            found |= {end.name} if isinstance(end, Cut) else {cut.name for cut in end.columns.values()}
    return found - {own.name}


def _read_of(ends: dict[Set, Cut | Table], program: Pieces, found: Slice) -> dict[Set, Cut | Table]:
    """Where a slice ends, of tables with only the columns that it names, where it names columns alone."""
    text = "\n".join(program.pieces[at].text for at in found.pieces)
    made: dict[Set, Cut | Table] = {}
    for given in found.given:
        end = ends[given]
        if isinstance(end, Table):
            named, whole = _columns_in(text, end, program.program.language)
            if named and not whole:
                end = end._replace(columns={each: cut for each, cut in end.columns.items() if each in named})
        made[given] = end
    return made


def _ordered(cuts: Sequence[Cut], needs: Mapping[str, set[str]]) -> list[Cut]:
    """Cuts in an order in which they can run, without those in a circle and what needs them."""
    order: list[Cut] = []
    known: set[str] = set()
    waiting = list(cuts)
    while ready := next((cut for cut in waiting if needs[cut.name] <= known), None):
        waiting.remove(ready)
        order.append(ready)
        known.add(ready.name)
    return order


def _is_data(program: Pieces, found: Slice) -> bool:
    """Whether statements write a value out, or read it from a file, and do not compute."""
    for at in found.pieces:
        text = _TEXT.sub("", program.pieces[at].text)
        calls = {name.rpartition(".")[2] if name not in _MAKES else name for name in program.pieces[at].calls}
        own = calls & set(program.definitions)
        is_read = all(re.search(r"open\(|read", program.definitions[name].text) for name in own)
        if not (calls - own) <= _MAKES or not is_read or _COMPUTES.search(text):
            return False
    return True


def _columns_in(text: str, table: Table, language: str) -> tuple[set[str], bool]:
    """The columns of a table that code names, and whether it uses the table in any other way too."""
    own = r"(?<![\w.$])" + re.escape(table.name) + (r"(?![\w.])" if language == "r" else r"(?!\w)")
    uses = len(re.findall(own, text))
    named: set[str] = set()
    for column in table.columns:
        name = re.escape(column)
        field = rf"\${name}(?![\w.])" if language == "r" else rf"\.{name}(?![\w(])"
        found = len(re.findall(rf"""{own}(?:{field}|\[{{1,2}}["']{name}["']\])""", text))
        if found:
            named.add(column)
            uses -= found
    return named, uses > 0
