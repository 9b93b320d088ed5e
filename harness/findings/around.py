"""What stands around code: the statements that it depends on, and the words of a document near it."""

from __future__ import annotations

import re

from harness.documents.model import Chunk
from harness.findings.track import Track
from harness.sessions.statements import Statement, text_of

_BLANKED = {
    "python": re.compile(
        r"\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*"
    ),
    "r": re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|#[^\n]*"),
    # A single quote transposes there.
    "julia": re.compile(r"\"\"\"[\s\S]*?\"\"\"|\"(?:\\.|[^\"\\])*\"|#=[\s\S]*?=#|#[^\n]*"),
}  # fmt: skip


def blanked(code: str, language: str) -> str:
    """Return code with blanks for texts and comments, each as long as what stood there."""
    return _BLANKED[language].sub(lambda match: re.sub(r"[^\n]", " ", match[0]), code)


def statement_at(track: Track, chunk: Chunk, row: int) -> Statement | None:
    """Return the top-level statement that a row of a chunk's code, counted from 1, is a part of."""
    return next((each for each in track.of(chunk) if each.line <= row <= each.end_line), None)


def cone(track: Track, statement: Statement, *, definitions: bool = False) -> str:
    """Return a statement's text with those above it that set what it reads, and so on.

    Parameters
    ----------
    track : Track
        The document's chunks of one language.
    statement : Statement
        One of theirs.
    definitions : bool
        Whether only functions are followed.
    """
    texts = [_text(track, statement)]
    names = set(statement.reads | statement.inner)
    for other in reversed(track.statements[: track.statements.index(statement)]):
        if other.sets & names and (other.kind == "definition" or not definitions):
            texts.append(_text(track, other))
            names |= other.reads | other.inner
    return "\n".join(reversed(texts))


def _text(track: Track, statement: Statement) -> str:
    return blanked(text_of(track.code(track.chunk_of(statement)), statement), track.language)


def words_near(track: Track, chunk: Chunk) -> str:
    """Return a chunk's comments, and the document's text between the chunk before it and the one after it."""
    try:
        lines = track.runs.document.path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        lines = []
    chunks = track.runs.document.chunks
    before = chunks[chunk.index - 1].end_line if chunk.index else 0
    after = chunks[chunk.index + 1].line - 1 if chunk.index + 1 < len(chunks) else len(lines)
    comments = re.findall(r"#.*", chunk.code)
    return "\n".join([*lines[before : chunk.line - 1], *comments, *lines[chunk.end_line : after]])
