"""Numbers of one line of a printout that no word divides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from harness.programs.tokens import Token


class Run(NamedTuple):
    """Where a number stands among numbers of one line that no word divides."""

    number: int
    at: int
    size: int
    heads: bool
    """Whether it is the first of its line, before any word."""

    @property
    def shape(self) -> tuple[int, int]:
        """Which number it is of how many."""
        return self.at, self.size


def runs_of(tokens: Sequence[Token]) -> list[Run]:
    """For each token the numbers that it is among; a word is in one of its own."""
    found: list[Run] = []
    for number, (_, group) in enumerate(
        groupby(enumerate(tokens), key=lambda one: (one[1].line, one[1].is_number or -one[0]))
    ):
        own = [at for at, _ in group]
        heads = own[0] == 0 or tokens[own[0] - 1].line != tokens[own[0]].line
        found += [Run(number, at, len(own), heads and at == 0) for at in range(len(own))]
    return found
