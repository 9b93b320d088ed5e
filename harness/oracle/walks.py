"""Ways through the branches of a stage whose conditions rounding can turn. NumPy alone."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.unknown import Unknown

Array = npt.NDArray[Any]

PATHS = 16
"""Largest number of ways through the branches of one stage that are followed."""

WAYS_SPENT = "the processor time for following branches is spent"


class Walk:
    """One way through the branches of a stage: what each comparison of two numbers gives.

    Parameters
    ----------
    forced : sequence of bool
        The results of the first comparisons; later ones have their probable result.
    until : float
        The processor time of this thread at which the way is given up.
    """

    def __init__(self, forced: Sequence[bool], until: float = math.inf) -> None:
        self.forced = forced
        self.until = until
        self.taken: list[bool] = []
        self.unsure: list[bool] = []

    def decide(self, value: Array, unsure: Array) -> tuple[Array, Array]:
        """The result of the next comparison, decided; `Unknown` where the time is spent."""
        if time.thread_time() > self.until:
            raise Unknown(WAYS_SPENT)
        place = len(self.taken)
        self.taken.append(self.forced[place] if place < len(self.forced) else bool(value))
        self.unsure.append(bool(unsure))
        return np.array(self.taken[-1]), np.array(False)

    def turned(self) -> list[list[bool]]:
        """The other ways that begin as this one, and turn where a comparison that is not forced is unsure."""
        return [
            [*self.taken[:place], not self.taken[place]] for place, unsure in enumerate(self.unsure) if unsure
        ]
