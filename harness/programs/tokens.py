"""What a program prints, token by token."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

_NUMBER = r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w.]|:\d)"
_TOKEN = re.compile(rf"({_NUMBER})|([^\W\d_][\w']*)")
_INDEX = re.compile(r"^[ \t]*\[\d+(?:,\d*)?\]|(?<!\w)\[,\d+\]", re.MULTILINE)
"""What R puts before a line of values, and above a column."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORDS = {"true": 1.0, "false": 0.0, "nan": float("nan"), "na": float("nan"), "inf": float("inf")}
_NO_VALUES = {"r": ("inf", "nan", "na"), "julia": ("inf", "nan", "na")}
"""Words that a language prints for no number: it writes them otherwise, ``Inf``."""
_PER_CENT = re.compile(r"%|\bper ?cent\b|\bpercent|\bpct\b", re.IGNORECASE)
_ITS_SIGN = re.compile(r"[ \t]?(?:%|per ?cent\b)", re.IGNORECASE)
"""What stands behind a number that is a per cent."""
_FILLED = 0.985
"""Of a unit of the last digit that is not zero."""
_FEW = 100.0
"""Whole numbers below it are found anywhere."""


class Token(NamedTuple):
    """A number or a word of a printout, and where it stands.

    Of a number, ``unit`` is one unit of its last digit; it may be in per cent.
    """

    text: str
    value: float
    unit: float
    is_number: bool
    per_cent: bool = False
    line: int = 0
    start: int = 0
    end: int = 0

    @property
    def is_telling(self) -> bool:
        """Whether it is a number that chance does not print twice."""
        return self.is_number and (self.unit < 1 or abs(self.value) >= _FEW)


def tokens_of(text: str, language: str = "") -> list[Token]:
    """Read the numbers and words of a printout, in order.

    Parameters
    ----------
    text : str
        What a program has printed; marks of R's lines and commas between thousands are left out.
    language : str
        The program's, where that is known: "inf" is a word in R and in Julia.
    """
    found: list[Token] = []
    heading = False
    words = _NO_VALUES.get(language, ())
    for number, line in enumerate(_THOUSANDS.sub("", _INDEX.sub("", text)).splitlines()):
        matches = list(_TOKEN.finditer(line))
        if not any(match[1] for match in matches):
            heading = bool(_PER_CENT.search(line)) if line.strip() else heading
        own = _of_line(line, matches, heading, words)
        found += [
            one._replace(line=number, start=match.start(), end=match.end())
            for one, match in zip(own, matches, strict=True)
        ]
    return found


def _of_line(line: str, matches: Sequence[re.Match[str]], heading: bool, words: Sequence[str]) -> list[Token]:
    """The tokens of a line; a number is a per cent by what stands behind it, its label or the heading."""
    found: list[Token] = []
    label, end = False, 0
    for match in matches:
        if match[1] is None:
            word = match[2].lower()
            if word in _WORDS and match[2] not in words:
                found.append(Token(match[2], _WORDS[word], 0.0, True))
            else:
                found.append(Token(word, 0.0, 0.0, False))
            continue
        before = line[end : match.start()]
        if end and (own := _ITS_SIGN.match(before)):
            before = before[own.end() :]
        if re.search(r"\w|%", before):
            label = bool(_PER_CENT.search(before))
        end = match.end()
        per_cent = heading or label or bool(_ITS_SIGN.match(line, end))
        found.append(Token(match[1], float(match[1]), _unit(match[1]), True, per_cent))
    return found


def _unit(text: str) -> float:
    """One unit of the last digit of a number."""
    digits, _, exponent = text.lower().partition("e")
    power = int(exponent or 0)
    unit = 10.0 ** (power - len(digits.partition(".")[2]))
    if power < 0:
        # Of 1.000e-04, zeros may only fill up: it can have been rounded to four decimals.
        unit = max(unit, _FILLED * 10.0 ** (power - len(digits.rstrip("0").partition(".")[2])))
    return unit


def as_coarse(one: Token, other: Token) -> Token:
    """A number as if it were printed with no more digits than another."""
    return one._replace(unit=max(one.unit, other.unit))


def bits_of(token: Token) -> float:
    """How much a printed number says."""
    if not token.unit or not math.isfinite(token.value) or not token.value:
        return 2.0
    return max(1.0, min(20.0, math.log2(1 + abs(token.value) / token.unit)))
