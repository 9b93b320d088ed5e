"""Outputs in the text of a notebook: listings that its reader sees, and that no kernel runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.documents.held_output import with_held_output
from harness.documents.markdown import read_blocks
from harness.documents.model import UnreadOutput
from harness.documents.reader import Reader
from harness.errors import DocumentError

WHY = "it stands in a text cell, whose code is not run"
_LISTS = ("```", "~~~", ">>> ", "julia> ")


def unread_in_text(path: Path, source: str, line: int) -> Iterator[UnreadOutput]:
    """Yield the outputs that a text cell shows beyond doubt.

    Parameters
    ----------
    path : Path
        The notebook.
    source : str
        The cell, in Markdown.
    line : int
        The line of the JSON text that its source begins on.
    """
    if not any(mark in source for mark in _LISTS):
        return
    reader = Reader(path, "markdown", [])
    try:
        for block in with_held_output(read_blocks(source, "markdown").blocks):
            reader.take(block)
    except DocumentError:
        return  # a cell may hold anything
    for chunk in reader.document().chunks:
        for output in chunk.output:
            if output.certain and not output.example and chunk.supported:
                yield UnreadOutput(line=line, text=output.text[:200], why=WHY)
