"""What a session alone decides of printed lines: the marks before them, and how many names R puts in one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

_MARK = re.compile(r"(?m)^[ \t]*#[#>] ?")
_COMMENT = re.compile(r"(?m)^[ \t]*#[#>]? ?")
_HEADS = 2
"""Lines above the names at most: what the names are of."""


def without_marks(text: str) -> str:
    """Return a text without the marks of comments before its lines; a single ``#`` stands before all or none.

    Parameters
    ----------
    text : str
        A printed text.
    """
    every = all(row.lstrip().startswith("#") for row in text.split("\n") if row.strip())
    return (_COMMENT if every else _MARK).sub("", text)


def in_lines_of(published: str, produced: str) -> str:
    """Return printed values, each below its name, in the lines of published ones; others as they are.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    """
    left, right = (
        [row.split() for row in without_marks(text).split("\n") if row.strip()]
        for text in (published, produced)
    )
    if [len(row) for row in left] == [len(row) for row in right]:
        return produced
    for head in range(_HEADS):
        mine, theirs = left[head:], right[head:]
        if not (_are_pairs(mine) and _are_pairs(theirs)):
            continue
        names, values = (list(chain.from_iterable(theirs[first::2])) for first in (0, 1))
        counts = [len(row) for row in mine[::2]]
        if sum(counts) == len(names):
            rows = right[:head]
            for at, count in enumerate(counts):
                begin = sum(counts[:at])
                rows += [names[begin : begin + count], values[begin : begin + count]]
            return "\n".join(map(" ".join, rows)) + "\n"
    return produced


def _are_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows stand in pairs, of which the first holds a name for each value of the second."""
    even = bool(rows) and len(rows) % 2 == 0
    return even and all(len(one) == len(other) for one, other in zip(rows[::2], rows[1::2], strict=True))
