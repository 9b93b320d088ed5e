"""Names that a document sets more than once: which of their values holds where code uses them."""

from __future__ import annotations

import builtins
import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence

from harness.documents.model import Chunk, Document
from harness.findings.causes import named
from harness.findings.cell_order import numbered
from harness.findings.names import names_in, set_by, upstream
from harness.findings.outputs import LIKE
from harness.findings.slices import statements_behind
from harness.model.article import BlockVerdict
from harness.sessions.session import CodeError

_NOT_CALLABLE = re.compile(
    r"object is not callable|attempt to apply non-function|objects of type \S+ are not callable"
)
_LACKS = re.compile(r"'(\w+)' object has no attribute")
_CALLED = re.compile(r"(?<![\w.])([^\W\d]\w*)\(")
_HEADING = re.compile(r"#{1,6} \S")
_COMMENT = re.compile(r"#[^\n]*")
_LOOP = re.compile(r"\s*(?:for|while|repeat)\b")
_BUILTINS = frozenset(dir(builtins))
_MANY = 5
"""Outputs that all have knitr's marks in what it has rendered."""
_SEVERAL = 3
"""Chunks that use a name, and whose outputs are reproduced."""


def called_otherwise(document: Document, chunk: Chunk, error: CodeError) -> str:
    """Say which name is called that the document sets to something else; empty where none is.

    Parameters
    ----------
    document : Document
        As it was read.
    chunk, error : Chunk, CodeError
        A chunk that fails, and how. A text shows what hides a built-in function, and leaves functions to the
        reader to write, and its author begins anew behind that.
    """
    if not _NOT_CALLABLE.search(error.message):
        return ""
    cone = upstream(document.chunks, chunk)
    for name in dict.fromkeys(name for part in reversed(cone) for name in _CALLED.findall(part.code)):
        for other in _setters(document.chunks, name, chunk):
            hides = chunk.language == "python" and name in _BUILTINS
            if hides or name not in names_in(other.code, other.language).defines:
                there = named(document, other)
                return f"{name} is called, and {there} sets it to something else, which may not hold here"
    return ""


def of_another_session(document: Document, chunk: Chunk, error: CodeError) -> str:
    """Say why an object of a document's own class may lack what it has in the author's session; or nothing.

    Parameters
    ----------
    document : Document
        A notebook, whose numbers show that cells are lost, or were run in another order.
    chunk, error : Chunk, CodeError
        A cell that fails, and how: no version of anything can be the reason.
    """
    found = _LACKS.search(error.message)
    own = found is not None and any(
        re.search(rf"(?m)^\s*class {re.escape(found[1])}\b", part.code) for part in document.chunks
    )
    if not own:
        return ""
    said = numbered(document, chunk)
    return said.lost or said.disordered


def set_in_several(
    document: Document, chunk: Chunk, verdicts: Mapping[tuple[int, int], BlockVerdict], shown: str = ""
) -> str:
    """Say which name of some code is set in several places above, the last in another section; or nothing.

    Parameters
    ----------
    document : Document
        As it was read. Nobody runs all listings of a text in one session: each section may begin anew.
    chunk : Chunk
        One of them. What is run as a whole (a notebook, chunks of knitr) has one session.
    verdicts : mapping
        By chunk and place, how each output compares: several that use a name and are reproduced show which
        of its values holds.
    shown : str, optional
        The part of its code that is asked about, with what that is computed from; all of it by default.
    """
    if document.kind != "markdown" or chunk.executable:
        return ""
    code = statements_behind([chunk], shown) if shown else chunk.code
    for name in sorted(names_in(code, chunk.language).uses):
        setters = list(_setters(document.chunks, name, chunk))
        if chunk.language == "r" and _is_set_first(chunk.code, name):
            continue
        if _imported(setters, name):
            continue
        if len(setters) < 2 or _is_borne_out(document, name, setters[-1], verdicts):
            continue
        if _heading_between(document, setters[-1], chunk):
            first, last = (named(document, part) for part in (setters[-2], setters[-1]))
            which = "in other sections: which of them holds here is not known"
            return f"{name} is set at {first} and at {last}, {which}"
    return ""


def _is_borne_out(
    document: Document, name: str, setter: Chunk, verdicts: Mapping[tuple[int, int], BlockVerdict]
) -> bool:
    """Whether several outputs below the code that sets a name last use it, and are reproduced."""
    right = {index for (index, _), verdict in verdicts.items() if verdict.kind in LIKE}
    used = [index for index in right if name in names_in(document.chunks[index].code, setter.language).uses]
    if _is_rendered(document, setter.language):
        # What sets it has run where it shows what it gives itself.
        return setter.index in right or any(index > setter.index for index in used)
    return sum(index > setter.index for index in used) >= _SEVERAL


def _is_rendered(document: Document, language: str) -> bool:
    """Whether all outputs have the marks that knitr gives them, which runs a document as a whole."""
    texts = [block.text for chunk in document.chunks if chunk.language == language for block in chunk.output]
    rows = [row for text in texts for row in text.split("\n") if row.strip()]
    return len(texts) >= _MANY and all(row.lstrip().startswith("##") for row in rows)


def _setters(chunks: Sequence[Chunk], name: str, chunk: Chunk) -> Iterator[Chunk]:
    """The chunks above one that set a name."""
    for index in set_by(chunks, name, chunk.language):
        if index < chunk.index:
            yield chunks[index]


def _is_set_first(code: str, name: str) -> bool:
    """Whether R code sets a name before it reads it, be it in a loop: what it was above holds nowhere."""
    lines = _COMMENT.sub("", code).split("\n")
    word = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.])")
    at = next((number for number, line in enumerate(lines) if word.search(line)), 0)
    sets = re.match(rf"(\s*){re.escape(name)}\s*(?:<-|=(?!=))(.*)", lines[at])
    if sets is None or word.search(sets[2]):
        return False
    indent = len(sets[1])
    for line in reversed(lines[:at]):
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth < indent:
            if not _LOOP.match(line):
                return False
            indent = depth
    return True


def _imported(setters: Sequence[Chunk], name: str) -> bool:
    """Whether a name is that of a module, wherever it is set."""
    line = re.compile(rf"(?m)^\s*(?:import|from)\b[^\n]*\b{re.escape(name)}\b")
    return all(line.search(part.code) for part in setters)


def _heading_between(document: Document, first: Chunk, second: Chunk) -> bool:
    """Whether a heading stands between two chunks of a text."""
    code = {line for part in document.chunks for line in range(part.line, part.end_line + 1)}
    with contextlib.suppress(OSError, UnicodeDecodeError):
        lines = document.path.read_text(encoding="utf-8").split("\n")
        between = range(first.end_line + 1, second.line)
        return any(
            _HEADING.match(lines[line - 1]) for line in between if line not in code and line <= len(lines)
        )
    return False
