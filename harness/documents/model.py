"""A document as types: chunks, blocks, options. No input, no output, no arithmetic."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from harness.documents.prose_model import InlineCode, Paragraph, ProseNumber
from harness.model import Frozen

DocumentKind = Literal["markdown", "rmarkdown", "quarto", "notebook"]
OutputKind = Literal["printed", "message", "error", "table"]


class Note(Frozen, frozen=True, kw_only=True):
    """Something that was read otherwise than its author may expect."""

    line: int
    text: str


class OutputBlock(Frozen, frozen=True, kw_only=True):
    """Printed output as its author published it; ``line`` is that of its first line of text.

    Attributes
    ----------
    line : int
        The line of the file; of a notebook, the one that the cell's source begins on in the JSON text.
    text : str
        As published, without comment marks that were recognised as such.
    info : str
        The fence's info string; ``comment`` for lines behind ``#>`` or ``##``; ``value`` for a comment that
        holds the value of the statement before it; ``prompt`` inside a transcript; in a notebook ``stdout``,
        ``stderr``, ``result``, ``display`` or ``error``.
    kind : str
        ``printed`` is standard output, and what a prompt shows; ``message`` standard error: messages,
        warnings, progress; ``error`` an error that the document shows; ``table`` a table in Markdown.
    file : str
        The file that it stands in, where that is not the chunk's: the rendered document beside it.
    after : int
        The line of the chunk's code, counted from 1, that ends the statement which printed it; 0 where it
        stands below the chunk, and belongs to all code since the block before it.
    shows : str
        Code to be evaluated behind that statement, because the document gives the value of an assignment.
    certain : bool
        Whether it is an output beyond doubt; a bare ``# 3`` may be a remark, and a listing without a language
        something else. Where the code prints nothing, nothing follows from one that is not certain.
    example : bool
        Whether the text above it says that it is only alike, of another input, or what a file holds.
    ename, evalue : str
        Of an error: its kind and its message, where they are known.
    """

    line: int
    text: str
    info: str = ""
    kind: OutputKind = "printed"
    file: str = ""
    after: int = 0
    shows: str = ""
    certain: bool = True
    example: bool = False
    ename: str = ""
    evalue: str = ""


class UnreadOutput(Frozen, frozen=True, kw_only=True):
    """Something that looks like printed output and could not be read; ``why`` says what is in the way."""

    line: int
    text: str
    why: str


class DataBlock(Frozen, frozen=True, kw_only=True):
    """A fenced block of data, byte for byte; ``file`` is the name that the prose before it gives it."""

    line: int
    text: str
    info: str
    file: str = ""


class Included(Frozen, frozen=True, kw_only=True):
    """Lines of a chunk's code that stand in a file, and in the document as one line that includes it."""

    file: str
    line: int
    lines: int


class Chunk(Frozen, frozen=True, kw_only=True):
    """A piece of code that is run as one.

    Attributes
    ----------
    index : int
        Its place among the document's chunks, counted from 0.
    line, end_line : int
        The first and last line of it in the file, fences included; of a notebook, the line of the
        JSON text that its cell's source begins on.
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
    doubtful : str
        Why the document does not show all that was run for its output; empty where it does.
    own : str
        What the chunk holds, where ``code`` hands that to another program; as many lines.
    cell : int
        In a notebook, the number of the cell among all cells, counted from 1; 0 elsewhere.
    execution_count : int or None
        In a notebook, the number behind ``In``.
    stale : bool
        In a notebook, whether a value has another number than its cell: it is of an earlier run.
    skipped : int
        Lines of the cell above ``code``: options and a cell magic.
    source : str
        The file that the chunk stands in, relative to the document's folder, where it is not the document.
    output : tuple of OutputBlock
        What the document says that it prints, in order.
    included : tuple of Included
        Lines of its code that stand in files.
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
    doubtful: str = ""
    own: str = ""
    included: tuple[Included, ...] = ()
    cell: int = 0
    execution_count: int | None = None
    stale: bool = False
    skipped: int = 0
    source: str = ""
    output: tuple[OutputBlock, ...] = ()


class Document(Frozen, frozen=True, kw_only=True):
    """A document as it was read.

    Attributes
    ----------
    path : Path
        Its file.
    kind, title, engine : str
        ``engine`` is what its header asks to be run with, where it says so.
    tracks : tuple of str
        The tabs.
    chunks, data, notes : tuple
        In document order.
    unread : tuple of UnreadOutput
        What looks like output and is none of the chunks' ``output``.
    pictures : int
        Outputs that are pictures or widgets, which hold no text.
    inline : tuple of InlineCode
        Code in prose.
    prose : tuple of Paragraph
        What stands between the chunks.
    numbers : tuple of ProseNumber
        Numbers in prose that repeat a printed one.
    written_for : dict
        Versions that the document names: a language or package, and its version.
    """

    path: Path
    kind: DocumentKind
    title: str
    engine: str = ""
    tracks: tuple[str, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    data: tuple[DataBlock, ...] = ()
    notes: tuple[Note, ...] = ()
    unread: tuple[UnreadOutput, ...] = ()
    pictures: int = 0
    inline: tuple[InlineCode, ...] = ()
    prose: tuple[Paragraph, ...] = ()
    numbers: tuple[ProseNumber, ...] = ()
    written_for: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def read(self) -> int:
        """How many outputs were read."""
        return sum(len(chunk.output) for chunk in self.chunks)

    @property
    def shown(self) -> int:
        """How many outputs it shows, pictures apart."""
        return self.read + len(self.unread)


class Place(Frozen, frozen=True, kw_only=True):
    """Where a line of a chunk's code stands, as an author would name it.

    Attributes
    ----------
    file : str
        The file's name.
    line : int or None
        The line of the file; None in a notebook, whose lines are counted inside cells.
    cell : int or None
        The number of a notebook's cell.
    execution_count : int or None
        The number behind ``In``.
    cell_line : int or None
        The line inside the cell.
    text : str
        The line itself.
    """

    file: str
    line: int | None
    cell: int | None
    execution_count: int | None
    cell_line: int | None
    text: str

    def __str__(self) -> str:
        if self.cell is None:
            return f"{self.file}:{self.line}"
        count = f" (In [{self.execution_count}])" if self.execution_count is not None else ""
        return f"{self.file}, cell {self.cell}{count}, line {self.cell_line}"


def place_of(document: Document, chunk: Chunk, line: int) -> Place:
    """Return where a line of a chunk's code stands.

    Parameters
    ----------
    document : Document
        The document.
    chunk : Chunk
        One of its chunks.
    line : int
        A line of ``chunk.code``, counted from 1.
    """
    lines = chunk.code.split("\n")
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    file = chunk.source or document.path.name
    if chunk.cell:
        return Place(
            file=file,
            line=None,
            cell=chunk.cell,
            execution_count=chunk.execution_count,
            cell_line=line + chunk.skipped,
            text=text,
        )
    return Place(
        file=file,
        line=chunk.code_line + line_in_document(chunk, line) - 1,
        cell=None,
        execution_count=None,
        cell_line=None,
        text=text,
    )


def line_in_document(chunk: Chunk, line: int) -> int:
    """Return which line of a chunk, as its document has it, a line of its code is from; both count from 1."""
    more = [max(0, min(line, part.line + part.lines - 1) - part.line) for part in chunk.included]
    return line - sum(more)
