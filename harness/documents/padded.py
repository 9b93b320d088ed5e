"""Blanks within quotation marks, at the beginning and at the end of a text: they are a part of it."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"(?<![\w'\"])(['\"])([^'\"\n]*\S[^'\"\n]*)\1(?!\w)")

_FILLED = re.compile(r"\d\.( {2,})(?=\])")
"""A whole number at the end of NumPy's row, with blanks for the decimals that others have."""


def decimals_filled(text: str) -> int:
    """Return how many decimals NumPy printed of each number of an array, by the blanks that fill them up.

    Parameters
    ----------
    text : str
        A printed text. Zero where no row shows it.
    """
    return max((len(blanks) for blanks in _FILLED.findall(text)), default=0)


def padded_otherwise(published: str, produced: str) -> tuple[int, str, str] | None:
    """Return the first text in quotation marks that begins or ends with blanks in one of two texts alone.

    Parameters
    ----------
    published, produced : str
        Two printed texts, which are the same but for blanks. How many blanks there are, whoever sets a text
        changes; not whether there are some.

    Returns
    -------
    tuple of (int, str, str) or None
        Its line, counted from 1, and the two texts.
    """
    left, right = (list(_QUOTED.finditer(text)) for text in (published, produced))
    if len(left) != len(right):
        return None
    for one, other in zip(left, right, strict=True):
        if one[2].strip() == other[2].strip() and _sides(one[2]) != _sides(other[2]):
            return published.count("\n", 0, one.start()) + 1, one[0], other[0]
    return None


def _sides(text: str) -> tuple[bool, bool]:
    return text[0].isspace(), text[-1].isspace()
