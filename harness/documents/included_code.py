"""Code that a site puts into a listing from a file: ``{% include "x.py" %}``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from harness.documents.beside import file_beside, read_beside
from harness.documents.comment_output import read_comments
from harness.documents.model import Chunk, Document, Included, Note, OutputBlock, line_in_document

_LINE = re.compile(
    r"^[ \t]*\{%-?\s*include(?:_\w+)?\s+[\"']?(?P<name>[^\"'\s%]+)[\"']?[^%]*%\}[ \t]*$", re.MULTILINE
)
_SUFFIXES = {"python": (".py",), "r": (".R", ".r"), "julia": (".jl",)}
_FOLDER = "_includes"
"""Where Jekyll looks for what is included."""


def with_included(document: Document) -> Document:
    """Return a document with the files in its code that the code includes.

    Parameters
    ----------
    document : Document
        As it was read. Where a file is not there, the chunk says so, and nothing that fails in it is its own.
    """
    notes: list[Note] = []
    chunks = tuple(_included(chunk, document.path, notes) for chunk in document.chunks)
    if not notes and all(chunk is other for chunk, other in zip(chunks, document.chunks, strict=True)):
        return document
    return msgspec.structs.replace(document, chunks=chunks, notes=(*document.notes, *notes))


def _included(chunk: Chunk, path: Path, notes: list[Note]) -> Chunk:
    if "include" not in chunk.code or not any(
        _names_file(line, chunk.language) for line in chunk.code.split("\n")
    ):
        return chunk
    if chunk.language == "python" and _is_python(chunk.code):
        return chunk  # inside of a text, such as a template
    lines: list[str] = []
    ends = {}
    found: list[Included] = []
    doubtful = chunk.doubtful
    for number, line in enumerate(chunk.code.split("\n"), start=1):
        name = _names_file(line, chunk.language)
        text = _text(path, name) if name else None
        if isinstance(text, str):
            indent = line[: len(line) - len(line.lstrip())]
            given = [f"{indent}{part}" if part else "" for part in text.rstrip("\n").split("\n")]
            found.append(Included(file=name, line=len(lines) + 1, lines=len(given)))
            lines += given
        else:
            lines.append(line)
        if isinstance(text, Note):
            doubtful = doubtful or f"it includes {name}, and {text.text}"
            notes.append(Note(line=chunk.code_line + number - 1, text=text.text))
        ends[number] = len(lines)
    code = "\n".join(lines)
    whole = msgspec.structs.replace(chunk, code=code, included=tuple(found), doubtful=doubtful)
    return msgspec.structs.replace(whole, output=tuple(_outputs(whole, ends)))


def _outputs(chunk: Chunk, ends: Mapping[int, int]) -> Iterator[OutputBlock]:
    """The outputs of a chunk, those in comments too, which can be told where all of its code is there."""
    if not any(block.after for block in chunk.output) and not chunk.doubtful:
        values = read_comments(chunk.code, chunk.language, 0, values=not chunk.executable)
        for block in values.blocks:
            line = chunk.code_line - 1 + line_in_document(chunk, block.line + 1)
            yield msgspec.structs.replace(block, line=line)
    for block in chunk.output:
        yield msgspec.structs.replace(block, after=ends.get(block.after, 0))


def _names_file(line: str, language: str) -> str:
    """The file of the language that a line includes; empty where it includes none."""
    match = _LINE.match(line)
    name = match["name"] if match is not None else ""
    return name if name.endswith(_SUFFIXES.get(language, ("\n",))) else ""


def _text(path: Path, name: str) -> str | Note:
    inside = f"{_FOLDER}/{name}"
    return read_beside(path, name if isinstance(file_beside(path, inside), str) else inside)


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
