"""A notebook in the order in which its cells were run, by the numbers that it shows."""

from __future__ import annotations

import msgspec

from harness.documents.model import Document


def by_numbers(document: Document) -> Document | None:
    """Return a notebook with its cells in the order of their numbers.

    Parameters
    ----------
    document : Document
        Any document.

    Returns
    -------
    Document or None
        None where the cells stand in that order, or have no numbers. A cell without one stays behind the one
        above it.
    """
    counts = [chunk.execution_count for chunk in document.chunks if chunk.execution_count is not None]
    if counts == sorted(counts):
        return None
    keys, last = {}, 0
    for chunk in document.chunks:
        last = chunk.execution_count or last
        keys[chunk.index] = (last, chunk.index)
    ordered = sorted(document.chunks, key=lambda chunk: keys[chunk.index])
    return msgspec.structs.replace(document, chunks=tuple(ordered))
