"""Where the cells of a notebook stand in its JSON text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

_DECODER = json.JSONDecoder()


class CellLines(NamedTuple):
    """The line of the file that a cell begins on, and the one that its source begins on."""

    start: int
    source: int


def cell_lines(text: str) -> list[CellLines]:
    """Return where each cell stands, of a text that is known to be a JSON object.

    Parameters
    ----------
    text : str
        A notebook. Of a cell without a source, its first line stands for that of the source too.
    """
    starts = _starts(text)
    sources = [_source(text, start) if text[start] == "{" else start for start in starts]
    return [CellLines(*lines) for lines in zip(_lines(text, starts), _lines(text, sources), strict=True)]


def _starts(text: str) -> list[int]:
    for key, at in _members(text, text.index("{")):
        if key == "cells" and text[at] == "[":
            return list(_items(text, at))
        if key == "worksheets" and text[at] == "[":  # format 3
            sheets = [sheet for sheet in _items(text, at) if text[sheet] == "{"]
            lists = [at for sheet in sheets for key, at in _members(text, sheet) if key == "cells"]
            return [cell for at in lists if text[at] == "[" for cell in _items(text, at)]
    return []


def _items(text: str, start: int) -> Iterator[int]:
    """Yield the places of the items of the list that begins at a place."""
    at = _next(text, start + 1)
    while text[at] != "]":
        yield at
        at = _behind(text, at)


def _source(text: str, start: int) -> int:
    """Return the place of the first text of a cell's source."""
    for key, at in _members(text, start):
        if key in ("source", "input"):
            return _next(text, at + 1) if text[at] == "[" else at
    return start


def _members(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the keys of the object that begins at a place, and the places of their values."""
    at = _next(text, start + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _next(text, at)
        yield key, at
        at = _behind(text, at)


def _behind(text: str, at: int) -> int:
    """Step over a value."""
    return _next(text, _DECODER.raw_decode(text, at)[1])


def _lines(text: str, places: list[int]) -> list[int]:
    lines, line, seen = [], 1, 0
    for place in places:
        line += text.count("\n", seen, place)
        seen = place
        lines.append(line)
    return lines


def _next(text: str, at: int) -> int:
    """Step over blanks, a comma or a colon."""
    while text[at] in " \t\n\r,:":
        at += 1
    return at
