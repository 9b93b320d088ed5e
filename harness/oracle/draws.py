"""Draws of rounding errors with random signs, and the probable error and the limit that follow from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

DRAWS = 32
"""Draws of all rounding errors; the root mean square of the random ones is known to one part in eight."""

ALIKE = 2
"""The number of last draws with equal signs: all roundings upwards in one, away from zero in the other, as in
a loop that adds equal terms."""

LAMBDA = 8.0
"""Limit over probable error: 2 exp(-LAMBDA**2 / 2) = 2.5e-14 is the chance that an element is beyond it."""


class Signs:
    """Random signs, which are drawn in large blocks.

    Parameters
    ----------
    seed : int
        Seed of the draws.
    """

    MANY = 1 << 15

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._ready = np.empty(0)
        self._next = 0

    def times(self, sizes: Array) -> Array:
        """`DRAWS` copies of these numbers along a first axis, each number with a random sign."""
        count = DRAWS * sizes.size
        if count > self.MANY:
            return np.where(self._drawn(count).reshape(DRAWS, *sizes.shape), sizes, -sizes)
        if self._next + count > self._ready.size:
            self._ready = np.where(self._drawn(self.MANY), 1.0, -1.0)
            self._next = 0
        signs = self._ready[self._next : self._next + count]
        self._next += count
        signed: Array = signs.reshape(DRAWS, *sizes.shape) * sizes
        return signed

    def once(self) -> Array:
        """`DRAWS` signs as numbers; the caller must not change the array."""
        if self._next + DRAWS > self._ready.size:
            self._ready = np.where(self._drawn(self.MANY), 1.0, -1.0)
            self._next = 0
        self._next += DRAWS
        return self._ready[self._next - DRAWS : self._next]

    def _drawn(self, count: int) -> npt.NDArray[np.bool_]:
        drawn = np.frombuffer(self._generator.bytes(-(-count // 8)), np.uint8)
        return np.unpackbits(drawn, count=count).view(np.bool_)


def probable_of(draws: Array | None, shape: tuple[int, ...]) -> Array:
    """Probable error: root mean square of the random draws, or the largest draw with equal signs over λ."""
    if draws is None:
        return np.zeros(shape)
    largest = np.abs(draws).max(axis=0)
    scaled = draws / np.where(largest > 0, largest, 1.0)
    random = np.sqrt(np.mean(np.square(scaled[:-ALIKE]), axis=0))
    # Each draw with equal signs is the whole error of one possible computation, not a spread.
    alike = np.abs(scaled[-ALIKE:]).max(axis=0) / LAMBDA
    probable: Array = largest * np.maximum(random, alike)
    return probable


def limit_of(worst: Array, probable: Array) -> Array:
    """The limit of elements, from their worst and their probable error."""
    worst = np.where(np.isnan(worst), np.inf, worst)
    # Where an error is possible and all draws are zero, their order is too low to say anything.
    limit: Array = np.where(probable > 0, np.minimum(worst, LAMBDA * probable), worst)
    return np.where(np.isnan(probable), np.nan, limit)
