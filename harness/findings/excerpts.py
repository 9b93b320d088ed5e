"""Listings that are parts of other listings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.documents.model import Chunk

_COMMON = 0.95


def part_of(chunk: Chunk, chunks: Sequence[Chunk]) -> Chunk | None:
    """Return another chunk of the language that holds all of a chunk's lines, and more.

    Parameters
    ----------
    chunk : Chunk
        The chunk.
    chunks : sequence of Chunk
        Those of its document.
    """
    mine = _lines(chunk)
    for other in chunks:
        if other.index == chunk.index or other.language != chunk.language:
            continue
        theirs = _lines(other)
        shared = sum(line in set(theirs) for line in mine)
        if len(theirs) > len(mine) and mine and shared >= _COMMON * len(mine):
            return other
    return None


def _lines(chunk: Chunk) -> list[str]:
    code = (re.sub(r"\s+", "", line.partition("#")[0]) for line in chunk.code.splitlines())
    return [line for line in code if line]
