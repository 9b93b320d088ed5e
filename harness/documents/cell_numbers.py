"""A notebook as its cells were run, by the numbers that it shows: in another order, or more than once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import msgspec

from harness.documents.model import Chunk, Document

_SEVERAL = 3
"""Values whose numbers fit the places of their cells."""


def numbered_by_values(
    chunks: Sequence[Chunk], values: Mapping[int, Collection[int | None]]
) -> tuple[Chunk, ...]:
    """Number cells that show no number by those of their values, where each was run once and in order.

    Parameters
    ----------
    chunks : sequence of Chunk
        The cells of a notebook, as some services store them: without numbers.
    values : mapping of int to collection of int or None
        The numbers of the values that a cell shows, by its index.

    Returns
    -------
    tuple of Chunk
        Those up to the last value have numbers where only one numbering fits; else all as they were.
    """
    known = {index: count for index, counts in values.items() for count in counts if count is not None}
    offsets = {count - index for index, counts in values.items() for count in counts if count is not None}
    if len(known) < _SEVERAL or len(offsets) != 1 or any(chunk.execution_count for chunk in chunks):
        return tuple(chunks)
    (offset,) = offsets
    return tuple(
        msgspec.structs.replace(chunk, execution_count=chunk.index + offset, stale=False)
        if chunk.index <= max(known)
        else chunk
        for chunk in chunks
    )


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


def numbers_lost(document: Document) -> dict[int, int]:
    """Return how many numbers are missing right before a cell's own, by the index of the cell.

    Parameters
    ----------
    document : Document
        A notebook; of any other document there are none.
    """
    counted = [chunk for chunk in document.chunks if chunk.execution_count is not None]
    lost = {}
    for before, chunk in pairwise(counted):
        gap = (chunk.execution_count or 0) - (before.execution_count or 0) - 1
        if gap > 0:
            lost[chunk.index] = gap
    return lost


def repeated(document: Document, cells: Collection[int], times: int) -> Document | None:
    """Return a notebook in which some cells run more than once.

    Parameters
    ----------
    document : Document
        A notebook.
    cells : collection of int
        The indices of those cells.
    times : int
        How many times more, where as many numbers are missing before a cell's own.

    Returns
    -------
    Document or None
        None where so many are missing before none of them.
    """
    lost = numbers_lost(document)
    again = {index for index in cells if lost.get(index, 0) >= times}
    if not again:
        return None
    chunks = [chunk for chunk in document.chunks for _ in range(1 + times * (chunk.index in again))]
    return msgspec.structs.replace(document, chunks=tuple(chunks))
