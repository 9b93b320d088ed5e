"""R's counts: of elements before the rows of a vector, ``[1]`` in front, and of a matrix's rows, columns."""

from __future__ import annotations

import re
from itertools import accumulate

_MARKED = re.compile(r"\s*(?:#[#>]?\s*)?(?P<mark>\[-?\d+\])(?=\s|$)(?P<rest>.*)")
_MATRIX_ROW = re.compile(r"\s*(?:#[#>]?\s*)?(?P<mark>\[-?\d+,\])\s")
_COLUMN = re.compile(r"(?<!\S)\[,-?\d+\](?!\S)")
_ELIDED = re.compile(r"\.\.\.|…")

Mark = tuple[int, str]
Row = tuple[int, str, list[str]]


def miscounted(published: str, produced: str) -> tuple[int, str, str] | None:
    """Return the line of the first row that is counted otherwise than R counts it, and the two marks.

    Parameters
    ----------
    published, produced : str
        Two texts with the same values. Where these are in other rows, as of another width, R counts the
        first row alone in the same way.

    Returns
    -------
    tuple or None
        None where no row is, or values are left out above it.
    """
    if _ELIDED.search(published):
        return None
    mine, theirs = _rows(published), _rows(produced)
    if [len(values) for _, _, values in mine] != [len(values) for _, _, values in theirs]:
        all_mine, all_theirs = (
            [value for _, _, values in rows for value in values] for rows in (mine, theirs)
        )
        if all_mine != all_theirs:
            return None
        if all(mark == f"[{before + 1}]" for (_, mark, _), before in _counted(theirs)):
            # One word is one value, so that those of rows of another width are counted too.
            theirs = [(line, f"[{before + 1}]", []) for (line, _, _), before in _counted(mine)]
        else:
            mine, theirs = mine[:1], theirs[:1]
    found = [([(line, mark) for line, mark, _ in mine], [(line, mark) for line, mark, _ in theirs])]
    columns, marked = _columns(published), _of_rows(published)
    # R prints a matrix with both or, as a frame, with neither.
    if (columns or marked) and (others := _columns(produced)):
        missing = ((columns or marked)[-1][0], "nothing")
        longest = max(len(columns), len(others))
        found.append((_filled(columns, longest, missing), _filled(others, longest, missing)))
    if len(marked) == len(others := _of_rows(produced)):
        found.append((marked, others))
    return next((other for pair in found if (other := _other_mark(*pair)) is not None), None)


def _counted(rows: list[Row]) -> list[tuple[Row, int]]:
    """Rows, each with how many words stand above it."""
    above = accumulate((len(values) for _, _, values in rows), initial=0)
    return list(zip(rows, above, strict=False))


def _filled(marks: list[Mark], length: int, missing: Mark) -> list[Mark]:
    return [*marks, *[missing] * (length - len(marks))]


def _other_mark(published: list[Mark], produced: list[Mark]) -> tuple[int, str, str] | None:
    for (line, mark), (_, other) in zip(published, produced, strict=True):
        if mark != other:
            return line, mark, other
    return None


def _columns(text: str) -> list[Mark]:
    """The columns of matrices without names, which R counts from left to right in any width."""
    lines = enumerate(text.split("\n"), 1)
    return [(line, mark) for line, row in lines for mark in _COLUMN.findall(row)]


def _of_rows(text: str) -> list[Mark]:
    """The rows of matrices without names; a matrix that is wider than the page has each several times."""
    found = ((line, _MATRIX_ROW.match(row)) for line, row in enumerate(text.split("\n"), 1))
    return [(line, row["mark"]) for line, row in found if row is not None]


def _rows(text: str) -> list[Row]:
    found = ((line, _MARKED.fullmatch(row)) for line, row in enumerate(text.split("\n"), 1))
    return [(line, row["mark"], row["rest"].split()) for line, row in found if row is not None]
