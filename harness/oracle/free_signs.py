"""Signs that a factorisation is free to choose; values that depend on them have no true value."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


class FreeSigns:
    """The signs of all vectors of one evaluation, numbered in the order in which they are computed.

    Evaluations are repeated with every ``bit`` of the largest number. Each vector changes its sign in at
    least one of them, and any two vectors differ in at least one. A value that is the same in all depends on
    no sign.

    Parameters
    ----------
    bit : int, optional
        Vectors whose number has this bit change their sign; without it, none does.
    """

    def __init__(self, bit: int | None = None) -> None:
        self.bit = bit
        self.count = 0
        self.names: dict[str, None] = {}

    def take(self, n: int, name: str) -> npt.NDArray[np.int64]:
        """The signs, 1 or -1, of the next n vectors, which a function of this name computes."""
        numbers = np.arange(self.count + 1, self.count + n + 1)
        self.count += n
        self.names.setdefault(name)
        if self.bit is None:
            return np.ones(n, dtype=np.int64)
        return np.where(numbers >> self.bit & 1, -1, 1)

    @property
    def bits(self) -> range:
        """The bits with which to evaluate again."""
        return range(self.count.bit_length())

    @property
    def reason(self) -> str:
        """The reason why a value that depends on the signs is undecided."""
        return f"{_OF} {', '.join(self.names)} are free"


_OF = "the signs of the vectors of"


def names_free_signs(why: str) -> bool:
    """Whether free signs are among the reasons why elements are undecided."""
    return _OF in why
