"""Two printed texts that differ in one place: in a value, a word, an element or two rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.documents.compare_printed import read_output
from harness.documents.tokens import ADDRESS, Elision, Group, Item, Number
from harness.findings.apart import (
    are_exchanged,
    are_lists,
    brackets_exchanged,
    lacks_one,
    neighbours_turned,
    tokens_of,
    values_apart,
)
from harness.findings.number_pairs import is_whole_for_fraction, unwrapped
from harness.findings.wrapped import without_marks

_ADDRESS = re.compile(ADDRESS)
_CELL = re.compile(
    r"[(\[][-+\d.]+, ?[-+\d.]+[)\]]|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b"
    r"|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b"
)
"""What is one value of several numbers: an interval, a date, a time of day."""
_BRACKETS = re.compile(r"[\[\](){},]")
_ROWS = 3
_LONGEST = 60
"""Rows of texts that are compared by their values."""
VERY_MANY = 12
_MANY = 6
"""Values of which all but one, or two that are exchanged, are as printed: they were read rightly."""


def in_one_place(published: str, printed: str, language: str) -> str:
    """Say in what two texts differ, where it is in one place; else nothing.

    It is a ``value``, a ``word``, an ``element``, or the ``exchange`` of two numbers.

    Parameters
    ----------
    published, printed : str
        The two texts.
    language : str
        What printed them.
    """
    apart = values_apart(published, printed)
    if apart is None:
        return _in_layout(published, printed, language)
    if language == "julia" and not apart and is_whole_for_fraction(published, printed):
        return "value"
    if language == "python" and not apart and brackets_exchanged(published, printed):
        return "word"
    kinds = {pair.what for pair in apart}
    turned = are_exchanged(apart)
    if len(apart) != 1 and kinds == {"number"} and is_in_one_cell(published, printed):
        return "value"
    if len(apart) != 1 and not turned:
        return "element" if are_other_rows(published, printed) else ""
    if turned:
        return "exchange" if kinds == {"number"} else "word"
    return "value" if kinds <= {"number", "truth"} else "word"


def is_in_one_cell(published: str, printed: str) -> bool:
    """Whether one interval, date or time is another, of which all numbers may be, and all else is the same.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    cells = [_CELL.findall(text) for text in (published, printed)]
    rest = [_CELL.sub("0", text).split() for text in (published, printed)]
    if rest[0] != rest[1] or len(rest[0]) < _MANY:
        return False
    apart = [pair for pair in zip(*cells, strict=True) if pair[0].split() != pair[1].split()]
    return len(apart) == 1


def is_one_of_many(published: str, printed: str, language: str, least: int = _MANY) -> bool:
    """Whether all of many values but those in one place are as printed: no other code gives that.

    Parameters
    ----------
    published, printed : str
        The two texts.
    language : str
        What printed them.
    least : int, optional
        How many values there are; of `VERY_MANY`, the others show that they were read rightly.
    """
    values = [text for kind, text in tokens_of(printed) if kind != "other"]
    return len(values) >= least and in_one_place(published, printed, language) != ""


def _in_layout(published: str, printed: str, language: str) -> str:
    """Say in what one place two texts differ whose lines, signs or elements are not the same."""
    items = [_items(read_output(text, language)) for text in (published, printed)]
    if len(items[0]) == len(items[1]) and items[0]:
        pairs = [(one, other) for one, other in zip(*items, strict=True) if one != other]
        if len(pairs) == 1 and all(kind is Number for kind, _ in pairs[0]):
            return "value"
    if are_other_rows(published, printed):
        return "element"
    left, right = tokens_of(published), tokens_of(printed)
    if len(left) == len(right):
        signs = [{one[1], other[1]} for one, other in zip(left, right, strict=True) if one != other]
        return "value" if signs == [{"+", "-"}] else ""
    either = bool(left and right)
    return "element" if either and lacks_one(left, right) and are_lists(published, printed) else ""


def _items(read: Sequence[Item]) -> list[tuple[type, str]]:
    """All that was read of a text, each with its kind; nothing where a part of it is left out."""
    found: list[tuple[type, str]] = []
    for item in read:
        if isinstance(item, Group):
            found += _items(item.items)
        elif isinstance(item, Elision):
            return []
        else:
            found.append((type(item), item.text))
    return found


def are_other_rows(published: str, printed: str) -> bool:
    """Whether two rows are exchanged, or one is missing or stands twice, and all else is the same.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    other = are_rows_turned(published, printed) or is_a_row_doubled(published, printed)
    return other or row_left_out(published, printed) > 0


def row_left_out(published: str, printed: str) -> int:
    """Return which row that the code prints is missing, counted from 0; 0 where not one inside alone is.

    Parameters
    ----------
    published, printed : str
        The two texts. The first and the last rows are what authors leave out when they show a part; but of
        few rows that are alike, as a loop prints them, nobody leaves out the last one alone.
    """
    left, right = _rows(published), rows_in_digits_of(_rows(published), _rows(printed))
    if len(right) != len(left) + 1:
        return 0
    at = next((n for n, row in enumerate(left) if row != right[n]), len(left))
    if at == len(left):
        rows = {" ".join(row) for row in right}
        alike = len({re.sub(r"\d[\d.]*", "0", row) for row in rows}) == 1 and len(rows) == len(right)
        return at if alike and _ROWS <= at < VERY_MANY else 0
    return at if left[at:] == right[at + 1 :] else 0


def missing_line(published: str, printed: str) -> str:
    """Return the one printed line that is missing, where all others are the same; else nothing.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    left, right = (
        [line for line in without_marks(text).split("\n") if line.strip()] for text in (published, printed)
    )
    shown, rows = ([line.split() for line in lines] for lines in (left, right))
    if not shown or len(rows) != len(shown) + 1:
        return ""
    rows = rows_in_digits_of(shown, rows)
    at = next((n for n, row in enumerate(shown) if row != rows[n]), len(shown))
    return " ".join(rows[at]) if shown[at:] == rows[at + 1 :] else ""


def lacks_an_end(published: str, printed: str) -> bool:
    """Whether the first or the last row alone is missing.

    Parameters
    ----------
    published, printed : str
        The two texts. Whether the author left it out on purpose, only what keeps the output tells.
    """
    left, right = _rows(published), rows_in_digits_of(_rows(published), _rows(printed))
    return bool(left) and len(right) == len(left) + 1 and left in (right[1:], right[:-1])


def has_another_row(published: str, printed: str) -> bool:
    """Whether one of two texts has a row more, wherever it stands, and all others are the same.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    left, right = _rows(published), _rows(printed)
    return bool(left and right) and lacks_one(left, right)


def lacks_one_of_its_kind(published: str, printed: str) -> bool:
    """Whether the first or the last row alone is missing, and holds what its neighbour holds, by kind.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    if not lacks_an_end(published, printed):
        return False
    left, right = _rows(published), rows_in_digits_of(_rows(published), _rows(printed))
    ends = right[:2] if left == right[1:] else right[-2:]
    first, second = ([kind for kind, _ in tokens_of(" ".join(row))] for row in ends)
    return first == second


def is_a_row_doubled(published: str, printed: str) -> bool:
    """Whether a row that the code prints once stands twice, one below the other, and all else is the same.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    left, right = _rows(published), _rows(printed)
    if len(left) != len(right) + 1 or len(right) < _ROWS:
        return False
    at = next((n for n, row in enumerate(right) if row != left[n]), len(right))
    once = at > 0 and (at == 1 or right[at - 1] != right[at - 2])
    return once and left[at] == left[at - 1] and left[at + 1 :] == right[at:]


def rows_in_digits_of(published: Sequence[list[str]], printed: Sequence[list[str]]) -> list[list[str]]:
    """Return printed rows, those with as many digits as published ones that are the same but for rounding.

    Parameters
    ----------
    published, printed : sequence of list of str
        The rows of two texts, of which the second has one more; where it has not, they stay as they are.
    """
    if len(printed) != len(published) + 1 or len(printed) > _LONGEST:
        return list(printed)
    rows = []
    for at, row in enumerate(printed):
        beside = (published[n] for n in (at, at - 1) if 0 <= n < len(published))
        rows.append(next((other for other in beside if _are_rounded(other, row)), row))
    return rows


def _are_rounded(published: list[str], printed: list[str]) -> bool:
    if published == printed or len(published) != len(printed):
        return published == printed
    return values_apart(" ".join(published), " ".join(printed)) == ()


def has_dots_for_words(published: str, produced: str) -> bool:
    """Whether dots of a published text stand for words that the code prints.

    Parameters
    ----------
    published, produced : str
        The two texts.
    """
    if not re.search(r"\.\.\.|…", published):
        return False
    wanted = r"[\s\S]*?".join(re.escape(part) for part in re.split(r"\.\.\.|…", " ".join(published.split())))
    return re.fullmatch(wanted, " ".join(produced.split())) is not None


def _rows(text: str) -> list[list[str]]:
    """The rows of a text without brackets and commas, which end each row of a matrix in a way of its own.

    An address is another in every run.
    """
    plain = _ADDRESS.sub("0x0", unwrapped(text))
    rows = (_BRACKETS.sub(" ", line).split() for line in plain.split("\n"))
    return [row for row in rows if row]


def are_rows_turned(published: str, printed: str) -> bool:
    """Whether two rows, one below the other, stand in each other's place, and all others are the same.

    Parameters
    ----------
    published, printed : str
        The two texts.
    """
    left, right = _rows(published), _rows(printed)
    # Of two rows alone, each has to say something.
    if len(left) != len(right) or (len(left) < _ROWS and not all(len(row) > 1 for row in left)):
        return False
    return neighbours_turned(left, right)
