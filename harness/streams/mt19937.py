"""The 32-bit Mersenne Twister behind R's and PyTorch's generators, run by NumPy's own MT19937.

Source: M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform
pseudo-random number generator", ACM TOMACS 8(1), 1998. Each language seeds the 624 words in its own way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

WORDS = 624


class Twister:
    """Tempered 32-bit words, in the order in which every implementation of MT19937 gives them."""

    def __init__(self, key: npt.NDArray[np.uint32], position: int = WORDS) -> None:
        self._bits = np.random.MT19937()
        state: Any = {"bit_generator": "MT19937", "state": {"key": key, "pos": position}}
        self._bits.state = state
        self._draw = np.random.RandomState(self._bits)

    def words(self, count: int) -> npt.NDArray[np.uint32]:
        """The next `count` words, shape (count,), uint32."""
        return self._draw.randint(0, 2**32, size=count, dtype=np.uint32)


def from_seed_2002(seed: int) -> Twister:
    """The authors' 2002 initialisation from one 32-bit word (`init_genrand`)."""
    word = seed & 0xFFFFFFFF
    key = [word]
    for i in range(1, WORDS):
        word = (1812433253 * (word ^ (word >> 30)) + i) & 0xFFFFFFFF
        key.append(word)
    return Twister(np.array(key, dtype=np.uint32))
