"""Ways through the branches of a stage whose conditions rounding can turn. NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

PATHS = 16
"""Largest number of ways through the branches of one stage that are followed."""


class Walk:
    """One way through the branches of a stage: what each comparison of two numbers gives.

    Parameters
    ----------
    forced : sequence of bool
        The results of the first comparisons; later ones have their probable result.
    """

    def __init__(self, forced: Sequence[bool]) -> None:
        self.forced = forced
        self.taken: list[bool] = []
        self.unsure: list[bool] = []

    def decide(self, value: Array, unsure: Array) -> tuple[Array, Array]:
        """The result of the next comparison, decided."""
        place = len(self.taken)
        self.taken.append(self.forced[place] if place < len(self.forced) else bool(value))
        self.unsure.append(bool(unsure))
        return np.array(self.taken[-1]), np.array(False)

    def turned(self) -> list[list[bool]]:
        """The other ways that begin as this one, and turn where a comparison that is not forced is unsure."""
        return [
            [*self.taken[:place], not self.taken[place]] for place, unsure in enumerate(self.unsure) if unsure
        ]
