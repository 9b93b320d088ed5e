"""Whether code that draws random numbers prints the same whatever they are: it is run many times."""

from __future__ import annotations

import msgspec

from harness.documents.model import Document
from harness.findings.judging_state import Key
from harness.findings.outputs import produced
from harness.findings.runs import DocumentRuns

_TIMES = 200
"""What one of two hundred draws changes, hardly any author saw changed, and no draw of these shows."""
_FEW = 3
_SECONDS = 30.0
"""How long all of these may take."""


def is_same_in_all_draws(runs: DocumentRuns, key: Key) -> bool:
    """Whether an output is the same in many runs of its statements in one session, none of which seeds it.

    Parameters
    ----------
    runs : DocumentRuns
        Those of a document that holds nothing else than the statements.
    key : Key
        The output.
    """
    # What is compiled first takes longer than all that follows it.
    took = _took(runs, key, _FEW)
    if took is None or took * _TIMES > _SECONDS:
        return False
    return _took(runs, key, _TIMES) is not None


def _took(runs: DocumentRuns, key: Key, times: int) -> float | None:
    """Return the seconds of the last of some runs that all print the same; None where they do not."""
    mine = runs.document.chunks[key[0]]
    document = many_times(runs.document, times)
    many = runs.alone(document)
    if many is None:
        return None
    text = produced(mine, runs.published.of(mine), key[1])
    for chunk in document.chunks:
        run = many.published.of(chunk)
        if run.error is not None or (chunk.code == mine.code and produced(chunk, run, key[1]) != text):
            return None
    last = many.published.chunks[-(len(document.chunks) // times) :]
    return sum(run.left.seconds for run in last if run.left is not None)


def many_times(document: Document, times: int) -> Document:
    """Return a document of all code of another, many times over.

    Parameters
    ----------
    document : Document
        The other.
    times : int
        How many times.
    """
    chunks = [chunk for chunk in document.chunks if chunk.code.strip()] * times
    numbered = (msgspec.structs.replace(chunk, index=index) for index, chunk in enumerate(chunks))
    return msgspec.structs.replace(document, chunks=tuple(numbered))
