"""What may have stood in code before one small change: another number, sign, or function of the same kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from harness.documents.model import Chunk
from harness.findings.random_numbers import seeds, without_comments

_NUMBER = re.compile(r"(?<![\w.])(?P<digits>\d+)(?P<point>\.?)(?![\w.])")
_DATE = re.compile(r"\b\d{4}[-/]\d{1,2}[-/]\d{1,2}\b|\b(?:Date|DateTime|datetime|ISOdate)\(")
_COMPARES = re.compile(r"(?<=\s)[<>]=?(?=\s)")
_COMPUTES = re.compile(r"(?<=\s)[-+*](?==?\s)")
_OTHER_SIGN = {"+": "-", "-": "+", "*": "+"}
_STEPS = (1, -1, 2, -2)
_SISTERS = (
    ("mean", "median"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("sum", "prod"),
    ("head", "tail"),
    ("first", "last"),
    ("upper", "lower"),
    ("toupper", "tolower"),
    ("uppercase", "lowercase"),
    ("any", "all"),
    ("floor", "ceil"),
)
_OTHER_NAME = {one: other for pair in _SISTERS for one, other in (pair, pair[::-1])}
_CALLED = re.compile(r"(?<![\w])(?:" + "|".join(_OTHER_NAME) + r")(?=\()")


class Change(msgspec.Struct, frozen=True):
    """One place of a chunk's code, its line counted from 1, and what may have stood there."""

    line: int
    start: int
    old: str
    new: str


def changes_of(chunk: Chunk) -> Iterator[Change]:
    """Yield what may have stood in a chunk's code before one change, from its last line up.

    Parameters
    ----------
    chunk : Chunk
        Its whole numbers may have been one or two more or less, its comparisons strict or not, sums
        differences, and a function its sister, such as `min` and `max`.
    """
    lines = without_comments(chunk.code).split("\n")
    for line in range(len(lines), 0, -1):
        code = lines[line - 1]
        # What another seed gives may be the same by chance; when a day begins, the time zone decides.
        if seeds(code, chunk.language) or _DATE.search(code):
            continue
        for found in _NUMBER.finditer(code):
            for other in (int(found["digits"]) + step for step in _STEPS):
                if other >= 0:
                    yield Change(line, found.start(), found[0], f"{other}{found['point']}")
        for found in _COMPARES.finditer(code):
            strict = found[0][0]
            yield Change(line, found.start(), found[0], strict if found[0] != strict else f"{strict}=")
        for found in _COMPUTES.finditer(code):
            yield Change(line, found.start(), found[0], _OTHER_SIGN[found[0]])
        for found in _CALLED.finditer(code):
            yield Change(line, found.start(), found[0], _OTHER_NAME[found[0]])


def likely_first(published: str, changes: Iterable[Change]) -> list[Change]:
    """Return changes in their order, but likely ones in front.

    Parameters
    ----------
    published : str
        What the code has to print with one of them.
    changes : iterable of Change
        First come those that make a number which is published of one that is not; last, a number that is two
        more or less.
    """
    shown = set(re.findall(r"\d+", published))

    def rank(change: Change) -> int:
        if change.new.rstrip(".") in shown and change.old.rstrip(".") not in shown:
            return 0
        return 2 if change.old[0].isdigit() and abs(float(change.new) - float(change.old)) > 1 else 1

    return sorted(changes, key=rank)
