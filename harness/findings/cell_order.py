"""What the numbers of a notebook's cells say of the session that its outputs are from; proved by a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from harness.documents.cell_numbers import numbers_lost
from harness.documents.model import Chunk, Document
from harness.findings.carried import changes_what_it_reads
from harness.findings.causes import named
from harness.findings.names import upstream
from harness.findings.random_numbers import draw_in, seeds

_ATTACHES = re.compile(r"\s*(?:#.*|(?:import|from|using)\b.*|(?:suppress\w+\()?(?:library|require)\(.*)?")
"""A line that attaches packages, or is empty."""


class Numbered(msgspec.Struct, frozen=True):
    """What the numbers of the cells that an output depends on say; empty where they say nothing.

    Attributes
    ----------
    disordered : str
        Two cells stand in another order than they were run in.
    lost : str
        Cells were run between them that the notebook does not have, or more than once.
    apart : str
        One of them was not run in the session of the others, or its value is of an earlier run.
    """

    disordered: str = ""
    lost: str = ""
    apart: str = ""


def numbered(document: Document, chunk: Chunk) -> Numbered:
    """Read the numbers of a chunk's cell and of those from the first on that it depends on.

    Parameters
    ----------
    document : Document
        A notebook; of any other document there is nothing to say.
    chunk : Chunk
        One of its chunks.
    """
    cone = upstream(document.chunks, chunk)
    apart = _apart(document, cone)
    first = begins(document, chunk)
    if first == chunk.index:
        return Numbered(apart=apart)
    span = [
        other
        for other in document.chunks
        if first <= other.index <= chunk.index and other.execution_count is not None
    ]
    disordered = lost = ""
    for left, right in pairwise(span):
        before, after = left.execution_count or 0, right.execution_count or 0
        if after <= before and not disordered:
            disordered = (
                "the cells were not run from top to bottom: "
                f"{named(document, right)} stands below {named(document, left)}"
            )
        elif after > before + 1 and not lost:
            gone = f"In [{before + 1}]" if after == before + 2 else f"In [{before + 1}] to In [{after - 1}]"
            lost = f"{gone}, run before {named(document, right)}, is not in the notebook" + (
                "" if after == before + 2 else " any more"
            )
    return Numbered(disordered, lost, apart)


def begins(document: Document, chunk: Chunk) -> int:
    """Return the index of the first cell that an output depends on: also the one that seeds what it draws.

    Parameters
    ----------
    document : Document
        A notebook.
    chunk : Chunk
        The cell of the output.
    """
    # What only attaches packages is the same in every session.
    cone = [part for part in upstream(document.chunks, chunk) if part is chunk or not _only_attaches(part)]
    drawing = [part for part in cone if draw_in(part.code, part.language) is not None]
    seeding = [
        other.index
        for other in document.chunks[: drawing[0].index + 1 if drawing else 0]
        if other.language == chunk.language and seeds(other.code, other.language)
    ]
    return min([cone[0].index, *seeding[-1:]])


def _only_attaches(chunk: Chunk) -> bool:
    return all(_ATTACHES.fullmatch(line) for line in chunk.code.split("\n"))


def may_have_run_again(document: Document, chunk: Chunk) -> list[Chunk]:
    """Return the cells above an output, its own too, that change what they read, with numbers missing before.

    Parameters
    ----------
    document : Document
        A notebook.
    chunk : Chunk
        The cell of the output.
    """
    lost = numbers_lost(document)
    above = document.chunks[begins(document, chunk) : chunk.index + 1]
    return [part for part in above if part.index in lost and changes_what_it_reads(part)]


def _apart(document: Document, cone: Sequence[Chunk]) -> str:
    """Say which cell, if any, has no number where others have one, or a value with another number."""
    counted = any(chunk.execution_count is not None for chunk in document.chunks)
    for part in reversed(cone):
        if part.stale:
            return f"the value of {named(document, part)} has another number: it is of an earlier run"
        if counted and part.cell and part.execution_count is None:
            return f"{named(document, part)} has no number: it was not run in the session of the others"
    return ""


def spans_a_gap(document: Document) -> Iterator[int]:
    """Yield the indices of the chunks that depend on cells which were run before others that are lost."""
    for chunk in document.chunks:
        said = numbered(document, chunk)
        if chunk.output and (said.disordered or said.lost):
            yield chunk.index


def is_isolated(reproduced: Sequence[bool]) -> bool:
    """Whether all but one or two of many outputs are reproduced, so that no lost cell can be the reason."""
    same = sum(reproduced)
    return same >= 4 and len(reproduced) - same <= max(1, same // 4)
