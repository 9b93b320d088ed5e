"""What stands near a text: numbers that outputs print, that code has, and of what there are how many."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from harness.documents.model import Chunk, Document
from harness.findings.prose_stated import Stated
from harness.findings.random_numbers import without_comments

_NUMBER = re.compile(
    r"(?<![\w.])-?(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?(?!\w)"
    r"|(?<=[x×])\d+|\d+(?=[x×dL%ij])|(?<=[a-z_])\d+\b"
)
"""A number by itself, in a shape, with the mark of its type, or at the end of a name."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_TEXT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_SETS = re.compile(r"^\s*(\w+)\s*(?:<-|=(?!=))", re.MULTILINE)
_RANGE = re.compile(r"(?<![\w.])(\d{1,9})\s*:\s*(\d{1,9})(?![\w.:])|\brange\((\d{1,9})\)")
_LONGEST = 20_000
"""Characters of code, or of an output, that are read."""
_BEFORE, _BEHIND = 12, 8
"""Chunks in front of a text, and behind it, that stand beside it."""
_DIGITS, _LARGEST = 30, 1e15
_STEM = 4
"""Letters of a word that words of one stem have."""
_ROWS = 3
"""Rows of an output whose entries are counted."""


class Line(msgspec.Struct, frozen=True):
    """A line of code or output: its numbers and the stems of its words."""

    numbers: tuple[float, ...]
    stems: frozenset[str]


class Held(msgspec.Struct, frozen=True):
    """Absolute numbers in order."""

    numbers: tuple[float, ...] = ()

    def has(self, value: float, form: Stated) -> bool:
        """Whether one of them is a number, rounded or cut to the places of a form, or its hundredths."""
        unit = 10.0**-form.places
        for scale in (1.0, 100.0) if form.percent else (1.0,):
            low = bisect_right(self.numbers, (value - unit) / scale)
            high = bisect_left(self.numbers, (value + unit) / scale)
            for number in self.numbers[low:high]:
                # Of a whole number, another whole one is no form.
                if number * scale == value or form.places or number * scale % 1:
                    return True
        return False


class Near(msgspec.Struct, frozen=True):
    """What stands near a text.

    Attributes
    ----------
    printed, written, counted, remarked : Held
        Numbers of the outputs, of the code, of what these have (entries, lines, characters), and of comments.
    lines : tuple of Line
        Of code and outputs, those that have a number.
    """

    printed: Held
    written: Held
    counted: Held
    remarked: Held
    lines: tuple[Line, ...]

    def shows(self, value: float, form: Stated) -> bool:
        """Whether an output or the code has a number, as of `Held.has`."""
        return self.printed.has(value, form) or self.written.has(value, form)


class Surroundings:
    """What stands near the places of a document: chunks in groups, between which there is prose."""

    def __init__(self, document: Document) -> None:
        self._chunks = document.chunks
        ends = {one.after for one in document.prose if one.after >= 0} | {len(self._chunks) - 1}
        firsts = [0, *(end + 1 for end in sorted(ends))]
        self._groups = [range(*pair) for pair in pairwise(firsts)]
        self._known = dict[tuple[int, ...], Near]()

    def beside(self, after: int) -> Near:
        """What the group in front of a text has, and the one behind it."""
        before, behind = self._groups_at(after)
        return self._near((*before[-_BEFORE:], *behind[:_BEHIND]))

    def next_to(self, after: int) -> Near:
        """What the chunk in front of a text has, and the one behind it."""
        before, behind = self._groups_at(after)
        return self._near((*before[-1:], *behind[:1]))

    def up_to(self, index: int) -> Near:
        """What a chunk has, and the one in front of it."""
        return self._near(tuple(range(max(0, index - 1), index + 1)))

    def within(self, index: int) -> Near:
        """What a chunk has."""
        return self._near((index,))

    def everything(self) -> Near:
        """What all chunks have."""
        return self._near(tuple(range(len(self._chunks))))

    def _groups_at(self, after: int) -> tuple[range, range]:
        place = next((place for place, group in enumerate(self._groups) if after in group), -1)
        before = self._groups[place] if place >= 0 else range(0)
        return before, self._groups[place + 1] if place + 1 < len(self._groups) else range(0)

    def _near(self, indices: tuple[int, ...]) -> Near:
        if indices not in self._known:
            alone = len(indices) == 1
            self._known[indices] = (
                _of_chunk(self._chunks[indices[0]])
                if alone
                else _together([self._near((index,)) for index in indices])
            )
        return self._known[indices]


def stems(text: str) -> frozenset[str]:
    """Return the first letters of the words of a text, by which words of one stem are alike."""
    return frozenset(word[:_STEM].lower() for word in _WORD.findall(text))


def _together(parts: Sequence[Near]) -> Near:
    return Near(
        _held(number for part in parts for number in part.printed.numbers),
        _held(number for part in parts for number in part.written.numbers),
        _held([*(number for part in parts for number in part.counted.numbers), len(parts)]),
        _held(number for part in parts for number in part.remarked.numbers),
        tuple(line for part in parts for line in part.lines),
    )


def _of_chunk(chunk: Chunk) -> Near:
    whole = chunk.code[:_LONGEST]
    code, texts = without_comments(whole), [block.text[:_LONGEST] for block in chunk.output]
    lines = [line for text in (code, *texts) for line in text.split("\n")]
    return Near(
        _held(number for text in texts for number in numbers_of(text)),
        _held(numbers_of(code)),
        _held([*_counts_of_code(code), *(count for text in texts for count in _counts_of_output(text))]),
        _held(numbers_of("\n".join(_comments(whole, code)))),
        tuple(Line(_held(numbers_of(line)).numbers, stems(line)) for line in lines if re.search(r"\d", line)),
    )


def _comments(code: str, bare: str) -> Iterator[str]:
    for line, rest in zip(code.split("\n"), bare.split("\n"), strict=False):
        yield line[len(rest.rstrip()) :]


def _held(numbers: Iterable[float]) -> Held:
    return Held(tuple(sorted({abs(number) for number in numbers if abs(number) < _LARGEST})))


def numbers_of(text: str) -> list[float]:
    """Return the numbers of code or an output, in order."""
    return [float(found.replace(",", "")) for found in _NUMBER.findall(text) if len(found) < _DIGITS]


def _counts_of_code(code: str) -> Iterator[float]:
    yield sum(bool(line.strip()) for line in code.split("\n"))
    yield len(set(_SETS.findall(code)))
    yield from _entries(code)
    yield from (len(one or other) for one, other in _TEXT.findall(code))
    for first, last, end in _RANGE.findall(code):
        yield int(end) if end else int(last) - int(first) + 1


def _counts_of_output(text: str) -> Iterator[float]:
    rows = [line.split() for line in text.split("\n") if line.strip()]
    yield from (len(rows), len(rows) - 1, len(numbers_of(text)), len(text.strip()))
    yield from (count for row in rows[:_ROWS] for count in (len(row), len(row) - 1))
    yield from _entries(text)


def _entries(text: str) -> Iterator[int]:
    """How many entries the brackets of a text have, apart by commas."""
    counts, quote = [0], ""
    for before, char in zip(" " + text, text, strict=False):
        if quote:
            quote = "" if char in (quote, "\n") else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            counts.append(1)
        elif char in ")]}" and len(counts) > 1:
            yield counts.pop() - (before in "([{,")
        elif char == ",":
            counts[-1] += 1
