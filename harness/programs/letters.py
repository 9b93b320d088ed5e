"""How many letters texts have in common, as `difflib.SequenceMatcher` counts them, for many pairs at once.

The longest common block counts, then that of what is left of it, and that of what is right of it, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int16]

_LONGEST = 60
"""Letters up to which pairs are looked at together."""
_CHUNK = 1 << 15
"""Pairs that are looked at together: what is kept of them stays near the processor."""


def ratios(ones: Sequence[str], others: Sequence[str]) -> npt.NDArray[np.float64]:
    """For each text and each of the others, what ``SequenceMatcher(None, one, other).ratio()`` is.

    Parameters
    ----------
    ones, others : sequence of str
        The texts.

    Returns
    -------
    ndarray
        Of float64, with a row for each of ``ones`` and a column for each of ``others``.
    """
    lengths = [np.array([len(text) for text in texts], dtype=np.int64) for texts in (ones, others)]
    whole = lengths[0][:, None] + lengths[1][None, :]
    short = (lengths[0][:, None] <= _LONGEST) & (lengths[1][None, :] <= _LONGEST)
    common = np.zeros(whole.shape, dtype=np.int64)
    letters: dict[str, int] = {}
    codes = [_codes(texts, letters) for texts in (ones, others)]
    rows, columns = np.nonzero(short)
    for start in range(0, rows.size, _CHUNK):
        i, j = rows[start : start + _CHUNK], columns[start : start + _CHUNK]
        common[i, j] = _common(codes[0][i], lengths[0][i], codes[1][j], lengths[1][j])
    made = np.divide(2.0 * common, whole, out=np.ones(whole.shape), where=whole > 0)
    for row, column in np.argwhere(~short).tolist():
        made[row, column] = SequenceMatcher(None, ones[row], others[column]).ratio()
    return np.asarray(made)


def _codes(texts: Sequence[str], letters: dict[str, int]) -> Codes:
    """A row of letters for each text, as long as the longest that is looked at."""
    cut = [text if len(text) <= _LONGEST else "" for text in texts]
    made = np.zeros((len(cut), 2 * max(map(len, cut), default=0)), dtype=np.int16)
    for row, text in zip(made, cut, strict=True):
        row[: len(text)] = [letters.setdefault(letter, len(letters)) for letter in text]
    return made


def _common(a: Codes, in_a: Numbers, b: Codes, in_b: Numbers) -> Numbers:
    """Letters in common of each pair of rows, of which the first so many letters count."""
    total = np.zeros(len(a), dtype=np.int64)
    pair = np.arange(len(a))
    zero = np.zeros(len(a), dtype=np.int64)
    # Beginning and end of the part that is looked at, in both.
    part = np.stack([zero, in_a, zero, in_b])
    while pair.size:
        size, at_a, at_b = _longest(a, b, pair, part)
        np.add.at(total, pair, size)
        found = size > 0
        pair, part, size, at_a, at_b = pair[found], part[:, found], size[found], at_a[found], at_b[found]
        left = np.stack([part[0], at_a, part[2], at_b])
        right = np.stack([at_a + size, part[1], at_b + size, part[3]])
        pair, part = np.concatenate([pair, pair]), np.concatenate([left, right], axis=1)
        some = (part[0] < part[1]) & (part[2] < part[3])
        pair, part = pair[some], part[:, some]
    return total


def _longest(a: Codes, b: Codes, pair: Numbers, part: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Length and places of the longest common block of each part; of several the first, as difflib has it."""
    high, wide = int((part[1] - part[0]).max()), int((part[3] - part[2]).max())
    # Letters behind the end are those of no text, and others in each.
    first = _cut(a, pair, part[0], part[1], high, -1)
    second = _cut(b, pair, part[2], part[3], wide, -2)
    size, end, last = (np.zeros(pair.size, dtype=np.int64) for _ in range(3))
    # How long a block is that ends at this letter of the one and at each of the other.
    run = np.zeros((wide + 1, pair.size), dtype=np.uint8)
    for i in range(high):
        run[1:] = (run[:-1] + np.uint8(1)) * (second == first[i])
        longest = run.max(axis=0)
        better = np.flatnonzero(longest > size)
        size[better], end[better] = longest[better], i + 1
        last[better] = run[:, better].argmax(axis=0)
    return size, part[0] + end - size, part[2] + last - size


def _cut(rows: Codes, pair: Numbers, begin: Numbers, end: Numbers, width: int, none: int) -> Codes:
    """The letters of each part, one part in each column."""
    places = np.arange(width)[:, None]
    # Each row is padded by its own width, so that no place is beyond the next one's end.
    letters = rows.ravel().take(pair * rows.shape[1] + begin + places)
    letters[places >= end - begin] = none
    return np.asarray(letters)
