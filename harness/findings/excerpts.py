"""Listings that are parts of other listings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

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
    mine = _lines(chunk.code)
    for other in chunks:
        if other.index == chunk.index or other.language != chunk.language:
            continue
        theirs = _lines(other.code)
        if len(theirs) <= len(mine) or not mine:
            continue
        if sum(line in set(theirs) for line in mine) >= _COMMON * len(mine):
            return other
    return None


@lru_cache(maxsize=4096)
def _lines(code: str) -> tuple[str, ...]:
    bare = ("".join(line.partition("#")[0].split()) for line in code.splitlines())
    return tuple(line for line in bare if line)
