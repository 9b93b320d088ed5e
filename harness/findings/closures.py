"""The statements that an output needs, of a whole document: what is left when all else is taken away."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from harness.documents.evaluate import statement_at
from harness.documents.model import Chunk
from harness.documents.results import ChunkRun, Execution
from harness.findings.beyond_names import beyond_names
from harness.findings.carried import without_magics
from harness.findings.failure_lines import left_out, line_in
from harness.findings.flow import Part
from harness.findings.names import names_in, parts_set_in
from harness.findings.outputs import LIKE, kind_of, piece, shows_error, verdicts
from harness.findings.parts import parts_of, text_of
from harness.findings.random_numbers import (
    draw_in,
    drawing_definitions,
    seeds,
    without_comments,
    without_own_streams,
)
from harness.sessions.statements import python_statements

_DATA = re.compile(r"data\([\w.\"', ]*\)\s*(?:#.*)?$")
"""What brings the data that it names, and nothing else."""
_WORD = re.compile(r"[^\W\d][\w.!]*")
_MAKES_A_GENERATOR = re.compile(
    r"\s*(?P<name>[^\W\d]\w*)\s*=\s*(?:[\w.]*\.)?"
    r"(?:default_rng|RandomState|Generator|(?<=random\.)Random|check_random_state)\("
)
_CALLED_UNSAID = frozenset(
    ["show", "print", "convert", "promote_rule", "iterate", "length", "size", "getindex", "isless"]
).union(["setindex!"])
"""Functions that Julia calls where no text has their names: to show values, and to convert them."""
_SETS_IN_R = re.compile(r"<-|->|=|\(")
_STATEMENTS = frozenset({*keyword.kwlist, "print", "exec"})
"""Words of Python, also of Python 2, that no code sets."""


class Located(msgspec.Struct, frozen=True):
    """A statement of a document: its chunk's index, what it sets and reads, and its text."""

    index: int
    part: Part
    text: str
    undone: bool

    @property
    def needs(self) -> frozenset[str]:
        """All names that it needs, be it when a function of it is called."""
        return self.part.reads | self.part.inner


class Closure(msgspec.Struct, frozen=True):
    """What an output needs.

    Attributes
    ----------
    lines : dict of int to frozenset of int
        For each chunk, the lines that are needed, counted from 1.
    text : str
        The statements, in their order.
    masked : bool
        Whether something above did not run that may bring names, options or methods which no text shows.
    """

    lines: dict[int, frozenset[int]]
    text: str
    masked: bool


def closure_of(
    execution: Execution, chunk: Chunk, place: int, untouched: frozenset[str] = frozenset()
) -> Closure | None:
    """Return the statements that an output needs; None where one of them, or what may change it, did not run.

    Parameters
    ----------
    execution : Execution
        The document's run.
    chunk, place : Chunk, int
        The output.
    untouched : frozenset of str, optional
        Names of which it is known otherwise that what did not run changes nothing of them.
    """
    begin, end = _lines_of(chunk, place)
    found: list[Located] = []
    for part in execution.document.chunks[: chunk.index + 1]:
        if part.language == chunk.language and part.evaluated:
            located = located_in(part, execution.of(part))
            if located is None and part.index == chunk.index:
                return None
            found += [_unread(part)] if located is None else located
    if chunk.language == "julia":
        found = list(map(_with_methods, found))
    mine = [one for one in found if one.index == chunk.index and begin <= one.part.line <= end]
    above = [one for one in found if one.index < chunk.index or one.part.end_line < begin]
    if not mine or any(one.undone for one in mine):
        return None
    kept = _with_draws(above, mine, untouched)
    if kept is None or any(one.undone for one in kept):
        return None
    if chunk.language != "r" and _is_changed_elsewhere(above, kept):
        return None
    lines: dict[int, set[int]] = {}
    for one in kept:
        lines.setdefault(one.index, set()).update(range(one.part.line, one.part.end_line + 1))
    ordered = [one for one in found if one in kept]
    masked = any(one.undone and (one.part.anything or _is_beyond(one, chunk.language)) for one in above)
    return Closure(
        {index: frozenset(numbers) for index, numbers in lines.items()},
        "\n".join(one.text for one in ordered),
        masked,
    )


def _is_changed_elsewhere(above: Sequence[Located], kept: Sequence[Located]) -> bool:
    """Whether what did not run changes a part of something that may be a view of what is needed.

    R's values are copies of what they are made of.
    """
    needed = {name for one in kept for name in one.part.sets}
    views: set[str] = set()
    for one in above:
        if one.undone and not one.part.sets & views <= one.part.whole:
            return True
        if one.needs & (needed | views):
            views |= one.part.whole - needed
    return False


def _needed(
    above: Sequence[Located],
    mine: Sequence[Located],
    untouched: frozenset[str],
    draws: Sequence[Located] = (),
) -> list[Located] | None:
    """Statements, and draws, with all that they need; None where one that did not run may set any of it."""
    kept = [*mine, *draws]
    late = {name for one in kept for name in one.part.inner}
    while True:
        wanted: set[str] = set()
        for one in reversed(mine):
            wanted = (wanted - (one.part.whole - one.needs)) | one.needs
        again = False
        chosen = {id(one) for one in kept}
        for one in reversed(above):
            changed = one.part.sets | one.part.defines
            touched = changed & (wanted | late)
            if one.undone:
                if touched - untouched:
                    return None
                continue
            if id(one) not in chosen:
                if not touched and not one.part.anything:
                    continue
                kept.append(one)
                # What a function reads may be set below it, and before it is called.
                again = again or not one.part.inner <= late
                late |= one.part.inner
            wanted -= one.part.whole - one.needs
            wanted |= one.needs
        if not again:
            return kept


def _with_draws(
    above: Sequence[Located], mine: Sequence[Located], untouched: frozenset[str]
) -> list[Located] | None:
    """Statements with all that they need, and all that moved the random stream where they draw from it.

    What those draw from, and how much they draw, other statements say.
    """
    kept = _needed(above, mine, untouched)
    generators = _generators(one.text for one in (*above, *mine))
    if kept is None or not any(_moves(one, generators) for one in kept):
        return kept
    return _needed(above, mine, untouched, [one for one in above if _moves(one, generators)])


def _generators(texts: Iterable[str]) -> frozenset[str]:
    """The names of objects that draw random numbers, and move on as they do."""
    made = (_MAKES_A_GENERATOR.match(text) for text in texts)
    return frozenset(found["name"] for found in made if found is not None)


def _moves(one: Located, generators: frozenset[str]) -> bool:
    text = without_own_streams(one.text)
    if generators & (one.needs | one.part.sets) and _made_of(generators).search(text) is not None:
        return True
    return any(
        draw_in(text, language) is not None or seeds(text, language) or drawing_definitions(text, language)
        for language in ("python", "r", "julia")
    )


@lru_cache(maxsize=64)
def _made_of(generators: frozenset[str]) -> re.Pattern[str]:
    """What asks an object for draws, or gives it to what may."""
    return re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(generators))})(?![\w=])")


def _is_beyond(one: Located, language: str) -> bool:
    return "session" in beyond_names(one.text, language)


def located_in(chunk: Chunk, run: ChunkRun) -> list[Located] | None:
    """Return the statements of a chunk; None where it cannot be read."""
    parts = _parts(chunk)
    if parts is None:
        return None
    undone = undone_lines(chunk, run)
    found = []
    for part in parts:
        text = text_of(chunk.code, part)
        files = {name for name in names_in(text, chunk.language).sets if name.startswith("file:")}
        read = {name for name in names_in(text, chunk.language).uses if name.startswith("file:")}
        part = msgspec.structs.replace(
            part,
            sets=part.sets | files,
            reads=part.reads | (read - files),
            anything=part.anything
            or (not _DATA.match(text) and "session" in beyond_names(text, chunk.language)),
        )
        found.append(
            Located(chunk.index, part, text, not undone.isdisjoint(range(part.line, part.end_line + 1)))
        )
    return found


def _with_methods(one: Located) -> Located:
    """A statement of Julia; one that says how values are shown or converted changes all below it."""
    if one.part.defines.isdisjoint(_CALLED_UNSAID):
        return one
    return msgspec.structs.replace(one, part=msgspec.structs.replace(one.part, anything=True))


def undone_lines(chunk: Chunk, run: ChunkRun) -> frozenset[int]:
    """Return the lines of a chunk that did not run, or not as the author's did.

    Parameters
    ----------
    chunk, run : Chunk, ChunkRun
        A chunk, and its result. Where the document shows that it fails, what it leaves undone was left
        undone there too.
    """
    count = chunk.code.count("\n") + 1
    every = frozenset(range(1, count + 1))
    if run.left is None or run.incomplete:
        return every
    lines = chunk.code.split("\n")
    lost: set[int] = set()
    for error in run.lacking:
        line = line_in(chunk, error)
        if not line:
            return every
        text = statement_at(lines, line - 1)
        if left_out("\n".join(text), error):
            lost |= set(range(line, line + len(text)))
    errors = [part.error for part in run.parts if part is not None and part.error is not None]
    for failed in [*errors, run.error]:
        if failed is None or failed in run.lacking:
            continue
        if (shows_error(chunk) and chunk.prompts) or _fails_as_shown(chunk, run):
            continue
        line = line_in(chunk, failed)
        lost |= set(range(line or 1, count + 1))
    return frozenset(lost)


def _fails_as_shown(chunk: Chunk, run: ChunkRun) -> bool:
    """Whether the error that a document shows below a chunk is the one that it ends with."""
    found = zip(chunk.output, verdicts(chunk, run), strict=True)
    return any(kind_of(block) == "error" and verdict.kind in LIKE for block, verdict in found)


def _lines_of(chunk: Chunk, place: int) -> tuple[int, int]:
    """The first and the last line of the code that an output is of."""
    count = chunk.code.count("\n") + 1
    if chunk.output[place].info == "result" and not chunk.output[place].after:
        parts = _parts(chunk)
        if parts:
            return parts[-1].line, count
    end = chunk.output[place].after or count
    text = piece(chunk, place)
    return end - text.count("\n") if any(block.after for block in chunk.output) else 1, end


def _unread(chunk: Chunk) -> Located:
    """Code that no grammar reads, as one statement that did not run: whatever it names it may have set.

    What neither assigns nor calls anything sets nothing in R: it is a message that stands between its lines.
    """
    message = chunk.language == "r" and _SETS_IN_R.search(chunk.code) is None
    nothing: frozenset[str] = frozenset()
    names = nothing if message else frozenset(_WORD.findall(chunk.code)) - _STATEMENTS
    part = Part(1, chunk.code.count("\n") + 1, names, nothing, nothing, nothing, anything=not message)
    return Located(chunk.index, part, chunk.code, True)


def _parts(chunk: Chunk) -> tuple[Part, ...] | None:
    if chunk.language != "python":
        return parts_of(chunk.code, chunk.language)
    code = without_magics(chunk.code)
    found = _python_parts(code)
    return found if found or not without_comments(code).strip() else None


@lru_cache(maxsize=1024)
def _python_parts(code: str) -> tuple[Part, ...]:
    return tuple(_each_python_part(code))


def _each_python_part(code: str) -> Iterator[Part]:
    lines = code.split("\n")
    for one in python_statements(0, code):
        text = "\n".join(lines[one.line - 1 : one.end_line])
        sets = one.sets | names_in(text, "python").sets | parts_set_in(text, "python")
        whole = one.sets - one.reads if one.kind != "other" or _assigns(text) else frozenset[str]()
        yield Part(
            line=one.line,
            end_line=one.end_line,
            sets=sets,
            whole=whole - parts_set_in(text, "python"),
            reads=one.reads,
            inner=one.inner,
            defines=one.sets if one.kind == "definition" else frozenset[str](),
            anything="*" in text and one.kind == "import",
        )


def _assigns(text: str) -> bool:
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    return isinstance(node, ast.Assign | ast.AnnAssign)
