"""The top-level statements of a program: what each sets, changes and reads, and which are definitions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from harness.adoption.changes import changed_in
from harness.adoption.unfolded import unfolded
from harness.authoring.read_others import read_statements
from harness.errors import UsageError
from harness.model import Frozen
from harness.programs.program import Program
from harness.sessions.statements import Statement, python_statements

RANDOM = ".random"
"""The state of a language's own random numbers, as if it were a variable."""
_DRAWS: Mapping[str, str] = {
    "python": r"\b(np|numpy)\.random\.|\brandom\.\w+\(|\btorch\.(rand|randn|randint|randperm|manual_seed)\b",
    "r": r"\b(set\.seed|sample|sample\.int|runif|rnorm|rbinom|rpois|rexp|rgamma|rbeta|rt|rchisq|rmultinom)\(",
    "julia": r"\b(rand|randn|randperm|randexp|shuffle!?|sample|seed!)\(",
}
SEEDS = re.compile(r"seed!?\(|(default_rng|RandomState|Random|MersenneTwister|Xoshiro)\(\s*[\w-]")
_CALLED = re.compile(r"(?<![\w.@])([^\W\d][\w.]*!?)\s*\(")
_STATEFUL = re.compile(
    r"^\s*([^\W\d]\w*)\s*=\s*[\w.]*\b(default_rng|RandomState|Random|MersenneTwister|Xoshiro|iter|reader|open)\("
)
_COMPOUND = re.compile(r"\s*(for|while|if|repeat|try|begin|let)\b")
_SETTING = re.compile(
    r"set_default_dtype|setrecursionlimit|sys\.path|seterr\(|\boptions\(|use_deterministic|RNGkind"
)
Sort = Literal["definition", "import", "setting", "other"]


class Piece(Frozen, frozen=True, kw_only=True):
    """One top-level statement, or several that share a line.

    Attributes
    ----------
    at : int
        Its place among the pieces.
    line, end_line : int
        In the program.
    text : str
        Its lines.
    sort : str
        A ``definition``, an ``import``, a ``setting`` that holds from there on, or anything else.
    sets, reads, inner : frozenset of str
        As of `Statement`; what it changes in place is among those that it sets.
    whole : frozenset of str
        Of those that it sets: what it sets whatever they were before.
    calls : frozenset of str
        Names that it calls.
    """

    at: int
    line: int
    end_line: int
    text: str
    sort: Sort
    sets: frozenset[str]
    reads: frozenset[str]
    inner: frozenset[str]
    whole: frozenset[str]
    calls: frozenset[str]


class Pieces(Frozen, frozen=True, kw_only=True):
    """The pieces of a program; ``inside`` is the function whose body they are of, of a ``main()``."""

    program: Program
    pieces: tuple[Piece, ...]
    inside: str = ""

    def at_line(self, line: int) -> Piece | None:
        """The piece that a line is of."""
        return next((each for each in self.pieces if each.line <= line <= each.end_line), None)

    @property
    def definitions(self) -> Mapping[str, Piece]:
        """Functions and classes by name, the last of each name."""
        return {name: each for each in self.pieces if each.sort == "definition" for name in each.sets}

    @property
    def names(self) -> frozenset[str]:
        """Names that mean no variable: what is called, defined, imported, or the language's own."""
        variables = {name for each in self.pieces if each.sort == "other" for name in each.sets}
        other = {
            name for each in self.pieces for name in each.calls | ((each.reads | each.inner) - variables)
        }
        return frozenset(other | {name for each in self.pieces if each.sort != "other" for name in each.sets})


def pieces_of(program: Program) -> Pieces:
    """Read the statements of a program; of one that is all in ``main()``, those of its body.

    Raises
    ------
    UsageError
        It cannot be read, or its language is not here.
    """
    text = "\n".join(program.code.split("\n") if program.places else program.lines)
    statements = _statements(program, text)
    flat, inside = unfolded(text, statements, program.language)
    if inside:
        text, statements = flat, _statements(program, flat)
    lines = text.split("\n")
    pieces: list[Piece] = []
    for group in _grouped(statements):
        first, last = group[0].line, max(each.end_line for each in group)
        code = "\n".join(lines[first - 1 : last])
        pieces.append(_piece(len(pieces), first, last, code, group, program.language))
    return Pieces(program=program, pieces=tuple(_with_state(pieces, program.language)), inside=inside)


def _statements(program: Program, text: str) -> list[Statement]:
    if program.language == "python":
        found = list(python_statements(0, text))
    else:
        found = read_statements(program.path, text, "r" if program.language == "r" else "julia")
    unread = next((each for each in found if each.unread), None)
    if unread is not None or (not found and text.strip()):
        where = unread.line if unread is not None else None
        raise UsageError("its statements cannot be read", path=program.path, line=where)
    return found


def _grouped(statements: Sequence[Statement]) -> list[list[Statement]]:
    """Statements, those that share a line together."""
    groups: list[list[Statement]] = []
    for each in statements:
        if groups and each.line <= groups[-1][-1].end_line:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _piece(at: int, first: int, last: int, code: str, group: Sequence[Statement], language: str) -> Piece:
    def joined(*sets: frozenset[str]) -> frozenset[str]:
        return frozenset(name for each in sets for name in each)

    kinds = {each.kind for each in group}
    sort: Sort = "other"
    if kinds <= {"definition"}:
        sort = "definition"
    elif kinds <= {"import"}:
        sort = "import"
    elif _SETTING.search(code):
        sort = "setting"
    reads = joined(*(each.reads for each in group))
    own = joined(*(each.sets for each in group))
    sets = own | (changed_in(code, language, reads) if sort == "other" else frozenset())
    whole = frozenset() if _COMPOUND.match(code) else own - reads
    calls = frozenset(_CALLED.findall(code))
    return Piece(
        at=at, line=first, end_line=last, text=code, sort=sort, sets=sets, reads=reads,
        inner=joined(*(each.inner for each in group)), whole=whole, calls=calls,
    )  # fmt: skip


def _with_state(pieces: Sequence[Piece], language: str) -> list[Piece]:
    """Pieces that draw random numbers change their state; those that use what has a state change that."""
    draws = re.compile(_DRAWS[language])
    drawing = {
        name for each in pieces if each.sort == "definition" and draws.search(each.text) for name in each.sets
    }
    others = [each for each in pieces if each.sort == "other"]
    functions = {name for each in pieces if each.sort == "definition" for name in each.sets}
    variables = {name for each in others for name in each.sets}
    # A function that another one made, and what hands out one thing after the other.
    stateful = {name for each in others for name in each.calls & variables if name not in functions}
    stateful |= {found[1] for each in others if (found := _STATEFUL.match(each.text))}
    outer = {
        name: _outer(each.text, language) & variables
        for each in pieces
        if each.sort == "definition"
        for name in each.sets
    }
    # A module is not changed by the calls of its functions.
    imports = {name for each in pieces if each.sort == "import" for name in each.sets}
    made: list[Piece] = []
    for each in pieces:
        if each.sort != "other":
            made.append(each)
            continue
        sets, reads, whole = set(each.sets) - (imports - each.whole), set(each.reads), set(each.whole)
        if draws.search(each.text) or each.reads & drawing or each.calls & drawing:
            sets.add(RANDOM)
            if SEEDS.search(each.text):
                whole.add(RANDOM)
            else:
                reads.add(RANDOM)
        sets |= (each.reads | each.inner) & stateful
        for name in (each.reads | each.calls) & set(outer):
            sets |= outer[name]
        made.append(_changed(each, frozenset(sets), frozenset(reads), frozenset(whole)))
    return made


def _changed(each: Piece, sets: frozenset[str], reads: frozenset[str], whole: frozenset[str]) -> Piece:
    return msgspec.structs.replace(each, sets=sets, reads=reads, whole=whole)


def _outer(text: str, language: str) -> set[str]:
    """Variables outside of it that a function sets."""
    if language == "r":
        return set(re.findall(r"([\w.]+)(?:[\[$][^\n]*?)?\s*<<-", text))
    return {
        name for names in re.findall(r"\bglobal\s+([\w, ]+)", text) for name in re.split(r"[,\s]+", names)
    }
