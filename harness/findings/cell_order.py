"""What the numbers of a notebook's cells say of the session that its outputs are from; proved by a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from harness.documents.model import Chunk, Document
from harness.findings.causes import named
from harness.findings.names import upstream


class Numbered(msgspec.Struct, frozen=True):
    """What the numbers of the cells that an output depends on say; empty where they say nothing.

    Attributes
    ----------
    disordered : str
        Two cells stand in another order than they were run in.
    lost : str
        Cells were run between them that the notebook does not have, or more than once.
    """

    disordered: str = ""
    lost: str = ""


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
    if len(cone) < 2:
        return Numbered()
    span = [
        other
        for other in document.chunks
        if cone[0].index <= other.index <= chunk.index and other.execution_count is not None
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
    return Numbered(disordered, lost)


def spans_a_gap(document: Document) -> Iterator[int]:
    """Yield the indices of the chunks that depend on cells which were run before others that are lost."""
    for chunk in document.chunks:
        if chunk.output and numbered(document, chunk) != Numbered():
            yield chunk.index


def is_isolated(reproduced: Sequence[bool]) -> bool:
    """Whether all but one or two of many outputs are reproduced, so that no lost cell can be the reason."""
    same = sum(reproduced)
    return same >= 4 and len(reproduced) - same <= max(1, same // 4)
