"""Texts that lack one line without which R prints no such thing: the head of a table, a part's name.

An author who shows a part of what is printed shows whole rows of it, below their head. What is left when one
of these lines is lost is no print of R's: values that stand below no names, or a vector that begins in its
middle. Nor does R print one row twice below names, where it prints it once.
"""

from __future__ import annotations

import re
from itertools import pairwise

from harness.findings.apart import lacks_one
from harness.findings.one_place import rows_in_digits_of
from harness.findings.wrapped import without_marks

_INDEX = re.compile(r"\s*\[(?P<at>\d+)\](?=\s|$)")
_NAME = re.compile(r"(?:\$\s*\S.*|\[\[\d+\]\]\S*|, , .*|attr\(,\"\w+\"\))\s*")
"""What R prints above a part of a list or of an array."""
_STRUCTURE = re.compile(r"\s*(?:'data\.frame':|List of \d+|tibble \[|Classes )")
_PART = re.compile(r"\s*(?:\.\. ?)*\$ ?\S")
_LEVELS = re.compile(r"\s*(?:\d+ )?Levels:")
_CLASSES = re.compile(r"\s*(?:[<(]\w+[>)]\s*)+")
"""The kinds of columns, which data.table before 1.15 and early tibbles do not print below names."""
_HEAD_AND_ROW = 2
"""Lines of a table of one row: of its head alone nobody shows a part."""
_NO_WORDS = frozenset({"NA", "NaN", "Inf", "TRUE", "FALSE"})
_VALUE = re.compile(r"[-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|NA|NaN|Inf|TRUE|FALSE)")


def is_torn(published: str, printed: str) -> bool:
    """Whether a text is what R prints but for one line, and without it is no print of R's.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    left, right = (_lines(text) for text in (published, printed))
    shown, rows = ([line.split() for line in lines] for lines in (left, right))
    if not left or len(rows) != len(shown) + 1:
        return False
    rows = rows_in_digits_of(shown, rows)
    at = next((n for n, row in enumerate(shown) if row != rows[n]), len(shown))
    if shown[at:] != rows[at + 1 :]:
        return False
    above, lost, below = (right[n] if 0 <= n < len(right) else "" for n in (at - 1, at, at + 1))
    if _CLASSES.fullmatch(lost):
        return False
    return (
        _is_head(lost, below)
        or _are_names(lost, below)
        or _are_names(above, lost)
        or (len(right) == _HEAD_AND_ROW and _is_head(above, lost))
        or _begins_within(lost, below)
        or _is_of_a_list(above, lost, below)
        or bool(_STRUCTURE.match(lost) and _PART.match(below))
        or _is_of_a_factor(above, lost, below)
    )


def has_a_row_twice(published: str, printed: str) -> bool:
    """Whether one row below names stands there twice, and once in what is printed, and all else is the same.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    shown, rows = _lines(published), _lines(printed)
    twice = [at for at, (row, after) in enumerate(pairwise(shown)) if row == after]
    if len(shown) != len(rows) + 1 or len(twice) != 1 or not lacks_one(rows, shown):
        return False
    at = twice[0]
    if shown[:at] + shown[at + 1 :] != rows:
        return False
    return any(_is_head(head, shown[at]) for head in shown[:at]) or (
        at > 0 and _are_names(shown[at - 1], shown[at])
    )


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in without_marks(text).split("\n") if line.strip()]


def _is_head(lost: str, below: str) -> bool:
    """Whether a line stands above rows that have names, and ends where they end."""
    in_columns = lost.startswith(" ") and below[:1].strip() != "" and len(lost) == len(below)
    return in_columns and len(below.split()) > 1 and _INDEX.match(below) is None


def _are_names(line: str, below: str) -> bool:
    """Whether a line names the values below it, each where it ends."""
    names, values = (list(re.finditer(r"\S+", text)) for text in (line, below))
    if [name.end() for name in names] != [value.end() for value in values]:
        return False
    named = not any(_VALUE.fullmatch(name[0]) for name in names) and _INDEX.match(line) is None
    return bool(names) and named and all(_VALUE.fullmatch(value[0]) for value in values)


def _begins_within(lost: str, below: str) -> bool:
    """Whether a row of a vector goes on from one that is missing."""
    first, then = _INDEX.match(lost), _INDEX.match(below)
    return first is not None and then is not None and int(first["at"]) < int(then["at"])


def _is_of_a_factor(above: str, lost: str, below: str) -> bool:
    """Whether the levels below words without quotation marks are missing, or the row above the levels."""
    if _LEVELS.match(lost):
        words = re.findall(r"[^\W\d]\w*", _INDEX.sub("", above))
        return _INDEX.match(above) is not None and '"' not in above and set(words) > _NO_WORDS & set(words)
    return _LEVELS.match(below) is not None and not above and _INDEX.match(lost) is not None


def _is_of_a_list(above: str, lost: str, below: str) -> bool:
    """Whether a name of a list's part is missing, or the one line of a part whose name stands there."""
    if _NAME.fullmatch(lost):
        return bool(below) and not _NAME.fullmatch(below)
    return bool(_NAME.fullmatch(above)) and (not below or bool(_NAME.fullmatch(below)))
