"""Lists that a text states, and that its document has but for one number, or for two exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from harness.documents.model import Document
from harness.findings.prose_near import numbers_of

_NUMBER = r"-?\d+(?:\.\d+)?"
_LIST = re.compile(rf"(?<!\w)[\[({{]\s*(?P<numbers>{_NUMBER}(?:\s*[,;]\s*{_NUMBER})+)\s*[,;]?\s*[\])}}]")
_LONGEST = 20_000
_FEWEST = 4
"""Numbers of a list that is known by them: of fewer, lists differ in one by chance."""
_UNITS, _TELLING = frozenset((-1.0, 0.0, 1.0)), 2
"""Numbers that many lists have alone; how many others tell one."""


class Otherwise(msgspec.Struct, frozen=True):
    """A list of a text, where it stands, and how the document has it."""

    start: int
    text: str
    shown: tuple[float, ...]


class Runs:
    """All numbers of a document's code and outputs, in order."""

    def __init__(self, document: Document) -> None:
        texts = [
            text for chunk in document.chunks for text in (chunk.code, *(one.text for one in chunk.output))
        ]
        self._rows = [tuple(numbers_of(text[:_LONGEST])) for text in texts]

    def otherwise(self, text: str) -> Iterator[Otherwise]:
        """Yield the lists of a text that the document has in one other way, and nowhere as they are.

        Parameters
        ----------
        text : str
            A paragraph with its marks.
        """
        for found in _LIST.finditer(text):
            numbers = tuple(float(number) for number in re.findall(_NUMBER, found["numbers"]))
            if len(numbers) < _FEWEST or sum(number not in _UNITS for number in numbers) < _TELLING:
                continue
            runs = {run for row in self._rows for run in _windows(row, len(numbers))}
            alike = [run for run in runs if _is_but_for_a_slip(run, numbers)]
            if numbers not in runs and len(alike) == 1:
                yield Otherwise(found.start("numbers"), found["numbers"], alike[0])


def _windows(row: Sequence[float], length: int) -> Iterator[tuple[float, ...]]:
    return (tuple(row[first : first + length]) for first in range(len(row) - length + 1))


def _is_but_for_a_slip(run: tuple[float, ...], numbers: tuple[float, ...]) -> bool:
    unlike = [pair for pair in zip(run, numbers, strict=True) if pair[0] != pair[1]]
    return len(unlike) == 1 or (len(unlike) == 2 and unlike[0] == unlike[1][::-1])
