"""R's counts of elements before the rows of a vector: ``[1]`` in front, then how many stand above."""

from __future__ import annotations

import re

_MARKED = re.compile(r"\s*(?:#[#>]? ?)?(?P<mark>\[-?\d+\])(?=\s|$)(?P<rest>.*)")
_ELIDED = re.compile(r"\.\.\.|…")

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
    if [values for _, _, values in mine] != [values for _, _, values in theirs]:
        all_mine, all_theirs = (
            [value for _, _, values in rows for value in values] for rows in (mine, theirs)
        )
        if all_mine != all_theirs:
            return None
        mine, theirs = mine[:1], theirs[:1]
    for (line, mark, _), (_, other, _) in zip(mine, theirs, strict=True):
        if mark != other:
            return line, mark, other
    return None


def _rows(text: str) -> list[Row]:
    found = ((line, _MARKED.fullmatch(row)) for line, row in enumerate(text.split("\n"), 1))
    return [(line, row["mark"], row["rest"].split()) for line, row in found if row is not None]
