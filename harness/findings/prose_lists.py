"""Lists, matrices and compound values in prose that are an output's but for one number."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from harness.documents.written_numbers import is_one_digit_off
from harness.findings.prose_beside import Beside, Claim

_FEWEST, _MOST = 4, 60
"""Numbers of a list that is meant for a printed one, from which it differs in one."""
_MATRIX = re.compile(
    r"\\begin\s*\{[bp]?(?:matrix|array)\}(?:\{[^}]*\})?(?P<cells>.*?)\\end\s*\{[bp]?(?:matrix|array)\}",
    re.DOTALL,
)
_LIST = re.compile(r"`(?P<code>[^`\n]+)`|(?<![\w\]])[\[({](?P<cells>[-\d.,;\s\[\](){}]*)[\])}](?!\w)")
_WRAPPED = re.compile(r"^(?:[a-z]+\.)?(?:array|tensor|matrix|Matrix|c)\((.*)\)$")
_NO_LIST = re.compile(r"[^-\d.,;\s\[\](){}]|\.\.|\d-")
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w.])")
_DENIES = re.compile(r"\bnot\b|n't\b|\b(?:instead|rather|unlike|would|either|or)\b", re.IGNORECASE)
_BEFORE = 30
"""Characters in front of a list among which a word says that it is none of these."""
_PARTS = re.compile(r"\d\.?(?:im|i|j)\b")
_UNITS = frozenset([Decimal(-1), Decimal(0), Decimal(1)])
"""Numbers that many lists have alone: unit matrices, signs, truth values."""
_TELLING = 3
"""Other numbers of a list, without which many are like it."""
_COMPOUND = re.compile(r"-?\d+(?:\.\d+)?(?: ?[-+] ?\d+(?:\.\d+)?(?:im|i|j)| ?//? ?\d+)")


def other_lists(beside: Beside, known: Sequence[str]) -> Iterator[Claim]:
    """Yield lists and matrices that are a printed one but for one of their numbers, and no other.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it.
    known : sequence of str
        All code and outputs of the document: a list that is there is meant for that.
    """
    told = [(start, _numbers(written)) for start, written in _lists(beside.paragraph.text)]
    told = [(start, numbers) for start, numbers in told if _FEWEST <= len(numbers) <= _MOST]
    if len(_MATRIX.findall(beside.paragraph.text)) > 1:
        return  # what a formula makes of one matrix looks like it
    # Where one of several lists is the printed one, another is a step on the way to it.
    printed = [
        output
        for output in beside.outputs
        if output.sure
        and not _PARTS.search(output.text)
        and not any(_has(numbers, _numbers(output.text)) for _, numbers in told)
    ]
    for start, numbers in told:
        denied = _DENIES.search(beside.paragraph.text[max(0, start - _BEFORE) : start])
        if denied or sum(number not in _UNITS for number in numbers) < _TELLING:
            continue
        for output in printed:
            like = list(_like(numbers, _numbers(output.text)))
            if len(set(like)) == 1 and not any(_has(numbers, _numbers(text)) for text in known):
                place = like[0]
                yield Claim(start, str(numbers[place[0]]), str(place[1]), output)
                break


def other_compounds(beside: Beside, known: Sequence[str]) -> Iterator[Claim]:
    """Yield complex numbers and fractions in marks that are a printed one but for one digit, and no other.

    Parameters
    ----------
    beside, known
        As of `other_lists`.
    """
    for found in re.finditer(r"`([^`\n]+)`", beside.paragraph.text):
        written = "".join(found[1].split())
        if _COMPOUND.fullmatch(found[1].strip()) is None or any(
            written in "".join(text.split()) for text in known
        ):
            continue
        for output in beside.outputs:
            shown = {one[0] for one in _COMPOUND.finditer(output.text)} if output.sure else set()
            like = [one for one in shown if is_one_digit_off("".join(one.split()), written)]
            if len(like) == 1:
                yield Claim(found.start(), found[1].strip(), like[0], output)
                break


def _lists(text: str) -> Iterator[tuple[int, str]]:
    for found in _MATRIX.finditer(text):
        cells = re.sub(r"\\\\|&", " ", found["cells"])
        if not _NO_LIST.search(cells) and "\\" not in cells:
            yield found.start(), re.sub(r"- (?=\d)", "-", cells)
    for found in _LIST.finditer(text):
        cells = found["cells"] or _WRAPPED.sub(r"\1", found["code"] or "")
        if not _NO_LIST.search(cells):
            yield found.start(), cells


@functools.lru_cache(maxsize=512)
def _numbers(text: str) -> tuple[Decimal, ...]:
    return tuple(Decimal(found) for found in _NUMBER.findall(text))


def _like(written: tuple[Decimal, ...], printed: tuple[Decimal, ...]) -> Iterator[tuple[int, Decimal]]:
    """Where a list differs from a run of printed numbers in one, and what is printed there."""
    for first in range(len(printed) - len(written) + 1):
        run = printed[first : first + len(written)]
        unlike = [place for place, pair in enumerate(zip(run, written, strict=True)) if not _same(*pair)]
        if len(unlike) == 1:
            yield unlike[0], run[unlike[0]]


def _has(written: tuple[Decimal, ...], printed: tuple[Decimal, ...]) -> bool:
    runs = (printed[first : first + len(written)] for first in range(len(printed) - len(written) + 1))
    return any(all(map(_same, run, written)) for run in runs)


def _same(printed: Decimal, written: Decimal) -> bool:
    if printed == written:
        return True
    place = int(written.as_tuple().exponent)
    return place < 0 and abs(printed) < 10**12 and round(printed, -place) == written
