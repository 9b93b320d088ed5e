"""Which numbers of two printouts agree, and what it earns to pair two tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.programs.tokens import Token

_SCALES = (1.0, 100.0, 0.01)
"""A share may be printed as per cent."""
_CLEAR = 0.5
"""Of a number, what rounding may be at most where it is held against a hundred times another."""
_ROUNDING = 1e-6
_HALF = 0.505
"""Of a unit of the last digit, what rounding can change; a hair more for numbers that are no decimals."""
_BLOCK = 200
"""Numbers that are held against all others at once."""

# What the alignment of two printouts earns for each pair of tokens, and for one without a partner.
_EQUAL, _SMALL, _SCALED, _SAME_WORD = 4.0, 2.0, 3.0, 2.5
_COUNTED, COARSE = 0.5, 0.5
"""For whole numbers of which one is counted from one, and for a whole number that is a fraction rounded."""
OTHER_NUMBER, _OTHER_WORD, _NEVER, _ALONE = -0.4, -1.2, -9.0, -1.0


class Place(NamedTuple):
    """Two numbers that stand in the same place; ``scale`` is what the second is multiplied with."""

    a: int
    b: int
    agrees: bool
    scale: float


def without_equal(a: Sequence[Token], b: Sequence[Token]) -> list[Token]:
    """Numbers of the first that agree with none of the second as far as both are printed."""
    left: list[Token] = list(a) if not b else []
    for at in range(0, len(a) if b else 0, _BLOCK):
        block = a[at : at + _BLOCK]
        best = worth_of(block, b, 0)[0].max(axis=1).tolist()
        left += [one for one, worth in zip(block, best, strict=True) if worth <= 0]
    return left


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
    if not math.isfinite(first.value):
        return False
    limit = _HALF * (first.unit + place.scale * second.unit) + _ROUNDING * abs(first.value)
    return abs(first.value - place.scale * second.value) <= limit


def worth_of(a: Sequence[Token], b: Sequence[Token], shift: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
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
    worth = np.where(both, OTHER_NUMBER, worth)
    scales = np.ones_like(worth)
    large = np.logical_and.outer(*telling)
    share = [np.array([one.per_cent for one in side]) for side in (a, b)]
    # Counts are printed as they are.
    whole = np.logical_and.outer(*(one == 1 for one in unit))
    coarse = np.logical_xor.outer(*(one >= 1 for one in unit))
    for scale in reversed(_SCALES):
        with np.errstate(invalid="ignore"):
            off = np.abs(value[0][:, None] - scale * value[1][None, :])
            limit = _HALF * (unit[0][:, None] + scale * unit[1][None, :])
            limit = limit + _ROUNDING * np.abs(value[0])[:, None]
            # Of what is infinite any part is.
            same = both & np.isfinite(limit) & (off <= limit)
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
        if scale == 1:
            equal = value[0][:, None] == value[1][None, :]
            earned = np.where(whole & ~equal, _COUNTED, earned)
            earned = np.where(coarse & ~equal, np.minimum(earned, COARSE), earned)
        worth, scales = np.where(same, earned, worth), np.where(same, scale, scales)
    return worth, scales


def aligned(worth: npt.NDArray[Any]) -> list[tuple[int, int]]:
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
