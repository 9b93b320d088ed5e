"""The source file of one program: a function for each stage, with all that it needs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from harness.adoption.carried import coming, leaving
from harness.adoption.cuts import Cut, runtime_of
from harness.adoption.data_files import HEADS, with_paths
from harness.adoption.facts import without_global
from harness.adoption.frames import table_again
from harness.adoption.pieces import Piece, Pieces
from harness.adoption.plan import Plan, Stage, Table
from harness.adoption.slices import Set

_INDENT = {"python": "    ", "r": "  ", "julia": "    "}
_SIGN = {"python": " = ", "r": " <- ", "julia": " = "}
_UNUSED = {"python": "_", "r": ".", "julia": "_"}
_WORD = re.compile(r"[^\W\d][\w.]*")
_IMPORTS = {"_numpy": "numpy", "_torch": "torch", "_pandas": "pandas"}


class Bound(NamedTuple):
    """Lines that make the program's own value of a parameter, and the piece that they stand behind."""

    after: int
    lines: tuple[str, ...]


class SourceText(NamedTuple):
    """The text of a file, the data files that it reads, and the lines of each stage's function."""

    text: str
    data: tuple[str, ...]
    lines: Mapping[str, tuple[int, int]]


def source_text(program: Pieces, plan: Plan, side: int) -> SourceText:
    """Write the file of one side of a plan."""
    language = program.program.language
    functions = [(stage.cut.name, _function(program, stage, side)) for stage in plan.stages]
    outside = sorted({at for stage in plan.stages for at in stage.slices[side].outside})
    pieces = [program.pieces[at] for at in outside]
    imports = [each.text for each in pieces if each.sort == "import"]
    others = [each for each in pieces if each.sort != "import"]
    body = "\n".join(text for _, text in functions)
    if language == "python":
        imports += [f"import {module} as {name}" for name, module in _IMPORTS.items() if f"{name}." in body]
    given = [("", f"{_comment(program, each)}\n{each.text}") for each in others]
    parts: list[tuple[str, str]] = [("", "\n".join(imports))] if imports else []
    parts += [*given, *functions]
    rewritten = [(name, *with_paths(text, program.program)) for name, text in parts]
    data = sorted({file for _, _, files in rewritten for file in files})
    blank = "\n\n\n" if language == "python" else "\n\n"
    file = program.program.path.name
    head = f"# Made by `harness adopt` of {file}: its statements, as the stages of case.toml."
    pieces_of_text = [head, *(text for name, text, _ in rewritten if not name)]
    if data:
        pieces_of_text.insert(2 if imports else 1, HEADS[language])
    text = blank.join(pieces_of_text)
    lines: dict[str, tuple[int, int]] = {}
    for name, part, _ in rewritten:
        if name:
            first = text.count("\n") + blank.count("\n") + 1
            text += blank + part
            lines[name] = (first, text.count("\n") + 1)
    return SourceText(text + "\n", tuple(data), lines)


def _comment(program: Pieces, piece: Piece) -> str:
    where = program.program.where(piece.line)
    last = "" if piece.end_line == piece.line else f"-{piece.end_line}"
    return f"# {where}{last}"


def _function(program: Pieces, stage: Stage, side: int) -> str:
    language, runtime = program.program.language, runtime_of(program)
    indent, found = _INDENT[language], stage.slices[side]
    parameters, bound = _parameters(program, stage, side)
    lines = [line for each in bound if each.after < 0 for line in each.lines]
    for piece in _in_order(program, found.pieces):
        lines.append(_comment(program, piece))
        lines += without_global(piece.text, language).split("\n")
        lines += [line for each in bound if each.after == piece.at for line in each.lines]
    own = stage.cut.sides[side]
    result = leaving(runtime, own.fact, stage.cut.relation_in(side), own.wanted.written)
    name, given = stage.cut.name, ", ".join(parameters)
    match language:
        case "r":
            return _block(f"{name} <- function({given}) {{", [*lines, result], indent, "}")
        case "julia":
            return _block(f"function {name}({given})", [*lines, f"return {result}"], indent, "end")
        case _:
            return _block(f"def {name}({given}):", [*lines, f"return {result}"], indent, "")


def _block(head: str, lines: Sequence[str], indent: str, end: str) -> str:
    body = textwrap.indent("\n".join(lines), indent)
    return "\n".join([head, body, *([end] if end else [])])


def _in_order(program: Pieces, places: Sequence[int]) -> list[Piece]:
    """Pieces in their order; definitions before what uses them first."""
    pieces = [program.pieces[at] for at in places]

    def place(piece: Piece) -> float:
        if piece.sort != "definition":
            return piece.at
        users = [
            each.at for each in pieces
            if each is not piece and piece.sets & (each.reads | each.inner | each.calls)
        ]  # fmt: skip
        return piece.at if not users or piece.at < min(users) else min(users) - 0.5

    return sorted(pieces, key=place)


def _parameters(program: Pieces, stage: Stage, side: int) -> tuple[list[str], list[Bound]]:
    """The names of a function's arguments, and the lines that make of them what the program has."""
    language, runtime = program.program.language, runtime_of(program)
    found = stage.slices[side]
    pieces = [program.pieces[at] for at in found.pieces]
    words = {word for piece in pieces for word in _WORD.findall(piece.text)}
    words |= {given.name for given in found.given}
    names: dict[str, str] = {}
    bound: list[Bound] = []
    for given in found.given:
        end = stage.ends[side][given]
        after = _binding(pieces, given)
        if isinstance(end, Table):
            columns: dict[str, str] = {}
            lines: list[str] = []
            for column, cut in end.columns.items():
                if column not in end.fact.more[1:]:
                    continue
                names.setdefault(cut.name, _free(cut.name, words))
                columns[column] = names[cut.name]
                lines += _coming(runtime, cut, side, names[cut.name], names[cut.name], language)
            lines.append(table_again(runtime, end.fact, end.name, columns))
        else:
            is_free = after < 0 and given.name not in names.values()
            names.setdefault(end.name, given.name if is_free else _free(f"{given.name}_given", words))
            lines = _coming(runtime, end, side, names[end.name], given.name, language)
        bound.append(Bound(after, tuple(lines)))
    unused = _UNUSED[language]
    return [names.get(cut.name, f"{unused}{cut.name}") for cut in stage.inputs], bound


def _free(name: str, words: set[str]) -> str:
    while name in words:
        name += "_"
    words.add(name)
    return name


def _coming(runtime: str, cut: Cut, side: int, parameter: str, name: str, language: str) -> list[str]:
    lines = coming(
        runtime, cut.sides[side].fact, cut.relation_in(side), name, cut.array.dtype.kind, cut.given
    )
    return lines if parameter == name else [f"{name}{_SIGN[language]}{parameter}", *lines]


def _binding(pieces: Sequence[Piece], given: Set) -> int:
    """The piece behind which a variable gets its value: -1 where nothing before reads or sets it."""
    before = [
        each.at for each in pieces
        if each.at <= given.at and given.name in (each.sets | each.reads | each.inner)
    ]  # fmt: skip
    return max(before, default=-1)
