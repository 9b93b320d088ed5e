"""A document as types: chunks, blocks, options. No input, no output, no arithmetic."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from harness.model import Frozen

DocumentKind = Literal["markdown", "rmarkdown", "quarto", "notebook"]


class Note(Frozen, frozen=True, kw_only=True):
    """Something that was read otherwise than its author may expect."""

    line: int
    text: str


class OutputBlock(Frozen, frozen=True, kw_only=True):
    """Printed output as its author published it; ``line`` is that of its first line of text.

    ``info`` is the fence's info string; ``comment`` for lines behind ``#>`` or ``##``; ``prompt`` inside a
    transcript; in a notebook ``stdout``, ``stderr``, ``result``, ``display`` or ``error``.
    """

    line: int
    text: str
    info: str = ""


class DataBlock(Frozen, frozen=True, kw_only=True):
    """A fenced block of data, byte for byte; ``file`` is the name that the prose before it gives it."""

    line: int
    text: str
    info: str
    file: str = ""


class Chunk(Frozen, frozen=True, kw_only=True):
    """A piece of code that is run as one.

    Attributes
    ----------
    index : int
        Its place among the document's chunks, counted from 0.
    line, end_line : int
        The first and last line of it in the file, fences included; of a notebook, the line of its cell in
        the JSON text.
    code_line : int
        The line of the file that the first line of ``code`` stands on; 0 in a notebook, where lines are
        counted inside cell number ``cell``.
    language : str
        ``r``, ``python``, ``julia``, or as written.
    code : str
        Without fences, option lines and prompts.
    label : str
        Unique in its document, or empty.
    options : dict
        By normalised name (dots, not dashes): literals; R expressions as text, each with a Note.
    executable : bool
        Whether the document's own program would run it: a knitr or Quarto chunk, or a code cell.
    evaluated : bool
        Whether it is run: ``eval``, or the document's default; never set for display-only listings.
    echo, error : bool
        Whether the code is shown; whether its errors are tolerated.
    supported : bool
        Whether any engine speaks the language.
    fragment : bool or None
        Whether it is only a part of a program; not known before an engine has parsed it.
    track : str
        The name of the tab it stands in, or empty.
    prompts : bool
        Whether it is one entry of a transcript; the text after its prompt is its output.
    output : tuple of OutputBlock
        What the document says that it prints, in order.
    """

    index: int
    line: int
    end_line: int
    code_line: int
    language: str
    code: str
    label: str = ""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    executable: bool = False
    evaluated: bool = True
    echo: bool = True
    error: bool = False
    supported: bool = True
    fragment: bool | None = None
    track: str = ""
    prompts: bool = False
    cell: int = 0
    output: tuple[OutputBlock, ...] = ()


class Document(Frozen, frozen=True, kw_only=True):
    """A document as it was read; ``engine`` is what its header asks to be run with, where it says so."""

    path: Path
    kind: DocumentKind
    title: str
    engine: str = ""
    tracks: tuple[str, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    data: tuple[DataBlock, ...] = ()
    notes: tuple[Note, ...] = ()
