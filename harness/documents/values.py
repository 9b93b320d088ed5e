"""The values of a capture: expressions of the session's language, and numbers that a chunk printed."""

from __future__ import annotations

import re

from harness.documents.model import Document
from harness.documents.patch import FILE, Capture
from harness.documents.results import ChunkRun
from harness.errors import CaseError
from harness.model import Array

_CHUNK = re.compile(r"\{chunk (\d+)\}")


def names_of(capture: Capture) -> list[tuple[str, str]]:
    """Samples and values, in the order in which they are asked for."""
    return [(sample, name) for sample in capture.samples for name in capture.values]


def expressions(capture: Capture, document: Document) -> dict[tuple[str, str], str]:
    """The expressions of a capture, by sample and value.

    Parameters
    ----------
    capture : Capture
        ``{sample}`` and ``{chunk N}`` in it are replaced.
    document : Document
        The document that holds the chunks.

    Raises
    ------
    CaseError
        There is no such chunk.
    """

    return {
        (sample, name): _with_chunks(value.replace("{sample}", capture.samples[sample]), capture, document)
        for sample, name in names_of(capture)
        if isinstance(value := capture.values[name], str)
    }


def setup_code(capture: Capture, document: Document) -> str:
    """Return what a session evaluates before a capture's expressions; ``{chunk N}`` in it is replaced.

    Raises
    ------
    CaseError
        There is no such chunk.
    """
    return _with_chunks(capture.setup, capture, document)


def _with_chunks(text: str, capture: Capture, document: Document) -> str:
    def code(match: re.Match[str]) -> str:
        index = int(match[1])
        if index >= len(document.chunks):
            what = f"the capture {capture.id!r} of {FILE} names chunk {index}, which is not there"
            raise CaseError(what, path=document.path)
        return document.chunks[index].code.strip()

    return _CHUNK.sub(code, text)


def printed_numbers(run: ChunkRun, label: str) -> Array | str:
    """Return the numbers after a label, one from each line that a chunk printed with it.

    Parameters
    ----------
    run : ChunkRun
        The chunk.
    label : str
        What the lines begin with.

    Returns
    -------
    array or str
        Doubles, in order; a text says why there are none.
    """
    if run.left is None:
        return f"the chunk at line {run.line} did not run: {run.skipped}"
    if run.left.cut:
        return f"{run.left.cut} bytes of what the chunk at line {run.line} printed were not kept"
    texts = [line[len(label) :] for line in run.left.text.splitlines() if line.startswith(label)]
    if not texts:
        return f"the chunk at line {run.line} printed no line that begins with {label!r}"
    import numpy as np

    try:
        return np.array([float(text) for text in texts])
    except ValueError as error:
        return f"line {run.line}: what follows {label!r} is not a number: {error}"
