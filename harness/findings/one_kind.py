"""Numbers that stand in no array and no column so: with a point among whole ones, or with fewer decimals.

An array of NumPy's or PyTorch's, and a column of a frame, hold numbers of one kind, which are printed alike:
all of them with a point or none, and as many decimals of each as one of them needs. A version, or an option,
that shows another kind or other digits does so for all. Rows that are counted from nought on are so in all
versions: none is passed over, and none comes late.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from harness.findings.apart import neighbours_turned, places_apart

_SPAN = re.compile(r"(?P<called>\b(?:array|tensor|Size)\()?\[[\[\]\s\d.,eE+-]*\]")
"""Brackets with nothing but numbers in them."""
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_WHOLE, _FRACTION = re.compile(r"[-+]?\d+"), re.compile(r"[-+]?\d*\.\d*")
_SEVERAL = 3
"""Numbers, or rows, that show what the others of their kind are like."""
_HALF = Decimal("0.5")


def stands_alone(published: str, printed: str) -> bool:
    """Whether one number alone differs, and is shown in another way than all of its array or column.

    Parameters
    ----------
    published, printed : str
        The two texts, of which the second was printed by Python.
    """
    left, right = (_NUMBER.findall(text) for text in (published, printed))
    rest = ["".join(_NUMBER.sub("0", text).split()) for text in (published, printed)]
    if rest[0] != rest[1] or len(left) != len(right):
        return False
    places = places_apart(left, right)
    if len(places) != 1 or not _is_rounded(left[places[0]], right[places[0]]):
        return False
    at = places[0]
    beside = next((group for group in _groups(printed) if at in group), None)
    if beside is None or len(beside) < _SEVERAL:
        return False
    others = [right[n] for n in beside if n != at]
    for kind in (_WHOLE, _FRACTION):
        if all(kind.fullmatch(text) for text in (*others, right[at])) and not kind.fullmatch(left[at]):
            return True
    if not _FRACTION.fullmatch(left[at]) or not _FRACTION.fullmatch(right[at]):
        return False
    return len(left[at]) < len(right[at]) and max(map(_decimals, others)) >= _decimals(right[at])


def counts_otherwise(published: str, printed: str) -> bool:
    """Whether one of several rows that are numbered from 0 on is missing, or stands below the next one.

    Parameters
    ----------
    published, printed : str
        The two texts. The last row an author may leave out who shows a part.
    """
    left, right = (
        [line.split() for line in text.split("\n") if line.strip()] for text in (published, printed)
    )
    numbered = [n for n, row in enumerate(right) if row[0].isdigit() and len(row) > 1]
    if len(numbered) < _SEVERAL or [right[n][0] for n in numbered] != [str(n) for n in range(len(numbered))]:
        return False
    at = next((n for n, row in enumerate(left) if n >= len(right) or row != right[n]), len(left))
    if neighbours_turned(left, right):
        return at in numbered and at + 1 in numbered
    return len(right) == len(left) + 1 and at in numbered[:-1] and left[at:] == right[at + 1 :]


def _groups(text: str) -> Iterator[Sequence[int]]:
    """Yield which numbers of a text, as they are counted from its beginning, are of one array or column."""
    starts = [match.start() for match in _NUMBER.finditer(text)]
    for span in _SPAN.finditer(text):
        # A list holds what it was given, of any kind.
        if span["called"] or "," not in span[0]:
            yield [n for n, start in enumerate(starts) if span.start() < start < span.end()]
    if "[" not in text:
        yield from _columns(text)


def _columns(text: str) -> Iterator[Sequence[int]]:
    """Yield the numbers of each column of the rows at the end of a text that have as many parts."""
    rows: list[list[int | None]] = []
    counted = 0
    for line in text.split("\n"):
        row: list[int | None] = []
        for part in line.split():
            row.append(counted if _NUMBER.fullmatch(part) else None)
            counted += len(_NUMBER.findall(part))
        if rows and len(row) != len(rows[-1]):
            yield from _of_rows(rows)
            rows = []
        rows.append(row)
    yield from _of_rows(rows)


def _of_rows(rows: Sequence[Sequence[int | None]]) -> Iterator[Sequence[int]]:
    for column in zip(*rows, strict=True):
        # Above the numbers stands what they are called.
        below = column[1:] if column[0] is None else column
        numbers = [place for place in below if place is not None]
        if len(numbers) == len(below):
            yield numbers


def _is_rounded(published: str, printed: str) -> bool:
    """Whether a number is another in as many decimals as it has, or more that are nought."""
    if "e" in (published + printed).lower():
        return False
    apart = abs(Decimal(published) - Decimal(printed))
    return apart <= _HALF.scaleb(-_decimals(published))


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])
