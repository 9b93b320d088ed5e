"""Signs by which a number that a text states, and that stands nowhere beside it, may be a slip."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from harness.documents.model import Document
from harness.findings.prose_comments import comments_of
from harness.findings.prose_near import Held, Line, Near, Surroundings, stems
from harness.findings.prose_stated import UNITS, Stated, stated

_CODE = re.compile(r"<-|\w\(|^\s*[\w.]+\s*=|[{}]|\$\w|::|^\W|>>>|\[\d*,", re.MULTILINE)
"""What a comment has that is code which is not run."""
_WORD = re.compile(r"[^\W\d_]{2}")
_LONG, _FEW = 3, 4
"""Digits of a fraction that is long; words of a line by which it is told."""
_LONGEST = 20_000
"""Characters of code whose comments are read."""
_ZERO = re.compile(r"0\d")
_KINDS = ("turned", "next", "any")


class Place(msgspec.Struct, frozen=True):
    """A paragraph or comment: its text, line and cell, what stands beside it, and right beside it."""

    text: str
    line: int
    cell: int
    comment: bool
    beside: Near
    right: Near
    stated: tuple[Stated, ...]


class Other(msgspec.Struct, frozen=True):
    """A number that stands beside a text, and that one of it is but for a slip.

    Two digits are ``turned``, one is the ``next`` to the one that is meant, or ``any`` other.
    """

    digits: str
    kind: str
    right: bool
    counted: bool


class Reading:
    """What a document states, and what stands near that.

    Parameters
    ----------
    document : Document
        Its prose and its chunks.
    """

    def __init__(self, document: Document) -> None:
        self._near = Surroundings(document)
        self.places = [*_paragraphs(document, self._near), *_comments(document, self._near)]
        self._often = Counter(one.value for place in self.places for one in place.stated)
        self._held, self._all = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
        for place in self.places:
            for one in place.stated:
                self._held[one.kind, place.comment] += _is_held(one, place)
                self._all[one.kind, place.comment] += 1

    def signs(self, place: Place, one: Stated) -> tuple[dict[str, float], Other | None]:
        """Return the signs of a number that does not stand beside its text, and what it may be meant for.

        Parameters
        ----------
        place, one : Place, Stated
            One of ``places``, and a number of it.
        """
        rest = [other for other in place.stated if other.start != one.start]
        sentence = [_is_held(other, place) for other in rest if other.sentence == one.sentence]
        others = [other for other in _others_beside(one, place) if not _is_told(other, one, rest)]
        kind, hit = (one.kind, place.comment), float(bool(others))
        rate = math.log((self._held[kind] + 0.5) / (self._all[kind] - self._held[kind] + 1))
        again = float(self._often[one.value] > 1)
        best = min(others, key=_rank, default=None)
        if one.small:
            signs = {"": 1.0, "like": hit, "like rate": hit * rate, "again": again}
            return {f"small {name}".strip(): sign for name, sign in signs.items()}, best
        slips = {other.kind for other in others if not other.counted}
        right = {other.kind for other in others if other.right and not other.counted}
        return {
            "large": 1.0,
            "like": hit,
            "rate": rate,
            "again": again,
            "companions": float(bool(sentence) and all(sentence)),
            "turned": float("turned" in slips),
            "next": float("next" in right),
            "line": max((_tells(line, one, place, others) for line in place.beside.lines), default=0.0),
            "anywhere": float(self._near.everything().shows(one.value, one)),
        }, best


def is_candidate(one: Stated, place: Place) -> bool:
    """Whether neither code nor output beside a text has a number; of a small one, right beside it.

    Where its sentence has no words, it is one of a list or a table.
    """
    words = _WORD.search(place.text[one.sentence]) is not None
    return words and not (place.right if one.small else place.beside).shows(one.value, one)


def _paragraphs(document: Document, near: Surroundings) -> Iterator[Place]:
    for one in document.prose:
        beside, right = near.beside(one.after), near.next_to(one.after)
        yield Place(one.text, one.line, one.cell, False, beside, right, stated(one.text))


def _comments(document: Document, near: Surroundings) -> Iterator[Place]:
    for chunk in document.chunks:
        if len(chunk.code) > _LONGEST:
            continue
        for row, text in comments_of(chunk):
            if not _CODE.search(text):
                line = chunk.line if chunk.cell else chunk.code_line + row - 1
                beside, right = near.up_to(chunk.index), near.within(chunk.index)
                yield Place(text, line, chunk.cell, True, beside, right, stated(text))


def _is_held(one: Stated, place: Place) -> bool:
    near = place.beside
    remarked = not place.comment and near.remarked.has(one.value, one)
    return near.shows(one.value, one) or remarked or (not one.places and near.counted.has(one.value, one))


def _slips(one: Stated) -> Iterator[tuple[str, str]]:
    """The numbers that one may be meant for, and what the slip is: of a small one, the next to it.

    None begins with a zero that the number has not: nobody writes that.
    """
    yield from (pair for pair in _typed(one) if not _ZERO.match(pair[0]) or _ZERO.match(one.digits))


def _typed(one: Stated) -> Iterator[tuple[str, str]]:
    digits = one.digits
    if one.small or (digits.isdigit() and one.kind != "two"):
        yield from ((str(int(digits) + step), "next") for step in (-1, 1))
    if one.small or not digits.replace(".", "").isdigit():
        return
    places = [place for place, char in enumerate(digits) if char != "."]
    for first, second in pairwise(places):
        if digits[first] != digits[second]:
            turned = list(digits)
            turned[first], turned[second] = turned[second], turned[first]
            yield "".join(turned), "turned"
    for place in places:
        for other in range(10):
            apart = abs(other - int(digits[place]))
            if apart:
                yield f"{digits[:place]}{other}{digits[place + 1 :]}", "next" if apart == 1 else "any"


def _others_beside(one: Stated, place: Place) -> Iterator[Other]:
    for digits, kind in dict(_slips(one)).items():
        value = float(digits)
        if value in UNITS:
            continue
        if place.beside.shows(value, one):
            yield Other(digits, kind, place.right.shows(value, one), counted=False)
        elif not _is_long(one) and not one.places and place.right.counted.has(value, one):
            yield Other(digits, kind, right=True, counted=True)


def _rank(other: Other) -> tuple[bool, bool, bool, int]:
    """The likeliest first."""
    return other.kind == "any", other.counted, not other.right, _KINDS.index(other.kind)


def _is_told(other: Other, one: Stated, rest: list[Stated]) -> bool:
    """Whether the text has that number too, so that this one is none of it."""
    unit = 10.0**-one.places if one.places else 1e-9
    return any(abs(mine.value - float(other.digits)) < unit for mine in rest)


def _tells(line: Line, one: Stated, place: Place, others: list[Other]) -> float:
    """Which share of the words of a line that has such a number are those of the sentence, of few words."""
    numbers = Held(line.numbers)
    if not line.stems or not any(numbers.has(float(other.digits), one) for other in others):
        return 0.0
    shared = len(line.stems & stems(place.text[one.sentence]))
    return min(1.0, shared / min(len(line.stems), _FEW))


def _is_long(one: Stated) -> bool:
    fraction = one.kind == "fraction" and len(one.digits.replace(".", "").strip("0")) >= _LONG
    return fraction or one.kind in ("long", "year")
