"""What two programs print, token by token: which number of one stands where which of the other does."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

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
_SCALES = (1.0, 100.0, 0.01)
"""A share may be printed as per cent."""
_CLEAR = 0.5
"""Of a number, what rounding may be at most where it is held against a hundred times another."""
_ROUNDING = 1e-6
_HALF = 0.505
"""Of a unit of the last digit, what rounding can change; a hair more for numbers that are no decimals."""
_FILLED = 0.985
"""Of a unit of the last digit that is not zero."""
_MOST = 1500
"""Tokens of a printout that are aligned."""
_BLOCK = 200
"""Numbers that are held against all others at once."""
_FEW = 100.0
"""Whole numbers below it are found anywhere."""

# What the alignment of two printouts earns for each pair of tokens, and for one without a partner.
_EQUAL, _SMALL, _SCALED, _SAME_WORD = 4.0, 2.0, 3.0, 2.5
_OTHER_NUMBER, _OTHER_WORD, _NEVER, _ALONE = -0.4, -1.2, -9.0, -1.0


class Token(NamedTuple):
    """A number or a word of a printout; of a number, one unit of its last digit, and if it is in per cent."""

    text: str
    value: float
    unit: float
    is_number: bool
    per_cent: bool = False

    @property
    def is_telling(self) -> bool:
        """Whether it is a number that chance does not print twice."""
        return self.is_number and (self.unit < 1 or abs(self.value) >= _FEW)


class Place(NamedTuple):
    """Two numbers that stand in the same place; ``scale`` is what the second is multiplied with."""

    a: int
    b: int
    agrees: bool
    scale: float


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
    for line in _THOUSANDS.sub("", _INDEX.sub("", text)).splitlines():
        matches = list(_TOKEN.finditer(line))
        if not any(match[1] for match in matches):
            heading = bool(_PER_CENT.search(line)) if line.strip() else heading
        found += _of_line(line, matches, heading, words)
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


def without_equal(a: Sequence[Token], b: Sequence[Token]) -> list[Token]:
    """Numbers of the first that agree with none of the second as far as both are printed."""
    left: list[Token] = list(a) if not b else []
    for at in range(0, len(a) if b else 0, _BLOCK):
        block = a[at : at + _BLOCK]
        best = _worth(block, b, 0)[0].max(axis=1).tolist()
        left += [one for one, worth in zip(block, best, strict=True) if worth <= 0]
    return left


def in_place(a: Sequence[Token], b: Sequence[Token], shift: int = 0) -> list[Place]:
    """Pair the numbers of two printouts that stand in the same place, whether they are equal or not.

    Parameters
    ----------
    a, b : sequence of Token
        From `tokens_of`; what is behind the first thousand or so is not looked at.
    shift : int
        How much the second may add to a whole number: 1 if only it counts from one.

    Returns
    -------
    list of Place
        In order. Two that differ are paired only where both printouts have as many numbers between the
        same neighbours that agree. None, where the two print the same numbers in another order.
    """
    a, b = a[:_MOST], b[:_MOST]
    if not a or not b:
        return []
    worth, scales = _worth(a, b, shift)
    pairs = _aligned(worth)
    anchors = [(-1, -1), *((i, j) for i, j in pairs if worth[i, j] > 0), (len(a), len(b))]
    made: list[Place] = []
    for (low_a, low_b), (high_a, high_b) in pairwise(anchors):
        first = [i for i in range(low_a + 1, high_a) if a[i].is_number]
        second = [j for j in range(low_b + 1, high_b) if b[j].is_number]
        if len(first) == len(second):
            made += [Place(i, j, False, 1.0) for i, j in zip(first, second, strict=True)]
        if high_a < len(a) and a[high_a].is_number:
            made.append(Place(high_a, high_b, True, float(scales[high_a, high_b])))
    first, second = [[n for n, one in enumerate(side) if one.is_number] for side in (a, b)]
    if len(first) == len(second) > len(made):
        # As many numbers, of which some are another's: each belongs to the one in its place.
        straight = [
            Place(i, j, bool(worth[i, j] > 0), float(scales[i, j]))
            for i, j in zip(first, second, strict=True)
        ]
        if sum(one.agrees for one in straight) >= len(straight) / 2:
            made = straight
    return _reordered(a, b, made, worth, scales)


def same_in_place(own: Token, other: Token, place: Place, side: int, shift: int) -> bool:
    """Whether a number that one program prints in a place agrees with what the other prints there.

    Parameters
    ----------
    own, other : Token
        Of the program that is 0 or 1, and of the other.
    place : Place
        Of both, as the first program is 0.
    side : int
        Which program the first number is of.
    shift : int
        As in `in_place`.
    """
    first, second = (own, other) if side == 0 else (other, own)
    if first.value == second.value or (first.value != first.value and second.value != second.value):
        return True
    if first.unit == second.unit == 1 and place.scale == 1:
        return first.value + shift == second.value
    limit = _HALF * (first.unit + place.scale * second.unit) + _ROUNDING * abs(first.value)
    return abs(first.value - place.scale * second.value) <= limit


def as_coarse(one: Token, other: Token) -> Token:
    """A number as if it were printed with no more digits than another."""
    return one._replace(unit=max(one.unit, other.unit))


def bits_of(token: Token) -> float:
    """How much a printed number says."""
    if not token.unit or not math.isfinite(token.value) or not token.value:
        return 2.0
    return max(1.0, min(20.0, math.log2(1 + abs(token.value) / token.unit)))


def _reordered(
    a: Sequence[Token],
    b: Sequence[Token],
    made: Sequence[Place],
    worth: npt.NDArray[Any],
    scales: npt.NDArray[Any],
) -> list[Place]:
    """The same pairs, but for numbers that both print in another order: those agree.

    Where nothing is left that differs, the order itself may be wrong; there is no telling.
    """
    agreeing = [one for one in made if one.agrees]
    taken_a, taken_b = {one.a for one in agreeing}, {one.b for one in agreeing}
    free_b = [j for j, one in enumerate(b) if one.is_telling and j not in taken_b]
    moved: list[Place] = []
    for i, one in enumerate(a):
        if i in taken_a or not one.is_telling:
            continue
        found = [j for j in free_b if worth[i, j] > 0]
        if found:
            free_b.remove(found[0])
            moved.append(Place(i, found[0], True, float(scales[i, found[0]])))
    if not moved:
        return list(made)
    gone_a, gone_b = {one.a for one in moved}, {one.b for one in moved}
    off = [one for one in made if not one.agrees and one.a not in gone_a and one.b not in gone_b]
    if any(not one.agrees for one in made) and not off:
        return []
    return sorted([*agreeing, *moved, *off])


def _worth(a: Sequence[Token], b: Sequence[Token], shift: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """What pairing each two tokens earns; and the scale at which two numbers agree."""
    words: dict[str, int] = {}
    ids = [np.array([words.setdefault(one.text, len(words)) for one in side]) for side in (a, b)]
    number = [np.array([one.is_number for one in side]) for side in (a, b)]
    value = [np.array([one.value for one in side]) for side in (a, b)]
    unit = [np.array([one.unit for one in side]) for side in (a, b)]
    telling = [np.array([one.is_telling for one in side]) for side in (a, b)]
    both = np.logical_and.outer(*number)
    neither = np.logical_and.outer(~number[0], ~number[1])
    alike = ids[0][:, None] == ids[1][None, :]
    worth = np.where(neither, np.where(alike, _SAME_WORD, _OTHER_WORD), _NEVER)
    worth = np.where(both, _OTHER_NUMBER, worth)
    scales = np.ones_like(worth)
    large = np.logical_and.outer(*telling)
    share = [np.array([one.per_cent for one in side]) for side in (a, b)]
    # Counts are printed as they are.
    whole = np.logical_and.outer(*(one == 1 for one in unit))
    for scale in reversed(_SCALES):
        with np.errstate(invalid="ignore"):
            off = np.abs(value[0][:, None] - scale * value[1][None, :])
            limit = _HALF * (unit[0][:, None] + scale * unit[1][None, :])
            limit = limit + _ROUNDING * np.abs(value[0])[:, None]
            same = both & (off <= limit)
            if scale == 1:
                same &= ~whole
            else:
                # Only the larger one is said to be a per cent; of a zero, rounding would be all of it.
                larger, smaller = (
                    (share[0][:, None], share[1]) if scale > 1 else (share[1], share[0][:, None])
                )
                same &= large & larger & ~smaller & (limit <= _CLEAR * np.abs(value[0])[:, None])
            if scale == 1:
                same |= whole & (value[0][:, None] + shift == value[1][None, :])
                same |= both & (value[0][:, None] == value[1][None, :])
                same |= both & np.isnan(value[0])[:, None] & np.isnan(value[1])[None, :]
        earned = np.where(large, _EQUAL, _SMALL) if scale == 1 else np.full_like(worth, _SCALED)
        worth, scales = np.where(same, earned, worth), np.where(same, scale, scales)
    return worth, scales


def _aligned(worth: npt.NDArray[Any]) -> list[tuple[int, int]]:
    """The pairs of two sequences that together earn most, in order on both sides."""
    rows, columns = worth.shape
    best = np.zeros((rows + 1, columns + 1))
    best[:, 0] = _ALONE * np.arange(rows + 1)
    best[0, :] = _ALONE * np.arange(columns + 1)
    for diagonal in range(2, rows + columns + 1):
        i = np.arange(max(1, diagonal - columns), min(rows, diagonal - 1) + 1)
        j = diagonal - i
        paired = best[i - 1, j - 1] + worth[i - 1, j - 1]
        best[i, j] = np.maximum(paired, np.maximum(best[i - 1, j], best[i, j - 1]) + _ALONE)
    found: list[tuple[int, int]] = []
    i, j = rows, columns
    while i and j:
        if best[i, j] == best[i - 1, j - 1] + worth[i - 1, j - 1]:
            found.append((i - 1, j - 1))
            i, j = i - 1, j - 1
        elif best[i, j] == best[i - 1, j] + _ALONE:
            i -= 1
        else:
            j -= 1
    return found[::-1]
