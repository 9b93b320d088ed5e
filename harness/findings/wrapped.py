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


def in_one_width(published: str, produced: str) -> tuple[str, str]:
    """Return two printed tables of R with all columns side by side; other texts as they are.

    Parameters
    ----------
    published, produced : str
        Two printed texts. What is wider than the session's lines, R prints in parts one below the other, each
        with its columns' names and all names of the rows.
    """
    texts = [
        [row for row in without_marks(text).split("\n") if row.strip()] for text in (published, produced)
    ]
    if len(texts[0]) == len(texts[1]):
        return published, produced
    left, right = map(_side_by_side, texts)
    if [len(row.split()) for row in left] != [len(row.split()) for row in right]:
        return published, produced
    return "\n".join(left) + "\n", "\n".join(right) + "\n"


def _side_by_side(rows: Sequence[str]) -> Sequence[str]:
    for count in range(2, len(rows) // 2 + 1):
        height = len(rows) // count
        parts = [rows[at : at + height] for at in range(0, len(rows), height)]
        if len(rows) % count == 0 and (width := _width_of_names(parts)):
            return [
                " ".join([first, *(part[at][width:] for part in parts[1:])])
                for at, first in enumerate(parts[0])
            ]
    return rows


def _width_of_names(parts: Sequence[Sequence[str]]) -> int:
    """How wide the names before the rows of all parts are; 0 where these are no parts of one table."""
    width = min(len(part[0]) - len(part[0].lstrip()) for part in parts)
    rows = list(zip(*(part[1:] for part in parts), strict=True))
    while width and any(len({row[:width] for row in same}) > 1 for same in rows):
        width -= 1
    while width and any(_is_cut_at(row, width) for same in rows for row in same):
        width -= 1
    named = all(same[0][:width].strip() for same in rows)
    return width if named else 0


def _is_cut_at(row: str, width: int) -> bool:
    return width < len(row) and " " not in row[width - 1 : width + 1]


def _are_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows stand in pairs, of which the first holds a name for each value of the second."""
    even = bool(rows) and len(rows) % 2 == 0
    return even and all(len(one) == len(other) for one, other in zip(rows[::2], rows[1::2], strict=True))
