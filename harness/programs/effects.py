"""Which printed numbers change with a line, held against those in which two programs differ.

A line that is wrong makes numbers differ, and so do most other changes of it: of those that agree it changes
few. So each change that is tried says something for or against its line, though it mends nothing. A number of
which it is not known whether the other program has it says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from harness.programs.equal_tokens import Place
from harness.programs.tokens import Token
from harness.programs.weights import EFFECT

_LEAST = 2
"""Changes of a line of which none has an effect like the one looked for, until that says something."""


class Effects:
    """What changes of lines change in what is printed.

    Parameters
    ----------
    tokens : tuple of sequence of Token
        What each of the two programs prints.
    places : sequence of Place
        Of these, the numbers that stand in the same places.
    alone : tuple of sequence of Token
        The numbers that each has and the other has not, where they have no places.
    """

    def __init__(
        self,
        tokens: tuple[Sequence[Token], Sequence[Token]],
        places: Sequence[Place],
        alone: tuple[Sequence[Token], Sequence[Token]],
    ) -> None:
        self._tokens = tokens
        off = [one for one in places if not one.agrees]
        self._off = {one.a for one in off}, {one.b for one in off}
        if not off:
            self._off = _where(tokens[0], alone[0]), _where(tokens[1], alone[1])
        in_place = {one.a for one in places if one.agrees}, {one.b for one in places if one.agrees}
        self._agreeing = tuple(
            known if off else {*range(len(own))} - self._off[side]
            for side, (own, known) in enumerate(zip(tokens, in_place, strict=True))
        )
        self._alike: dict[tuple[int, int], list[float]] = {}

    def note(self, side: int, line: int, now: Sequence[Token]) -> None:
        """Keep what a change of a line changes, by what is printed with it."""
        own = self._tokens[side]
        if len(now) != len(own):
            return
        changed = {n for n, (one, other) in enumerate(zip(own, now, strict=True)) if one.text != other.text}
        if changed:
            off = self._off[side]
            reached, spoilt = len(changed & off), len(changed & self._agreeing[side])
            # What a mistake moves, another change of its line mostly does; that may move more.
            alike = reached / max(1, len(off)) * (1 + reached / max(1, reached + spoilt)) / 2
            self._alike.setdefault((side, line), []).append(alike)

    def of(self, side: int) -> Mapping[int, float]:
        """For each line of a program what its changes say for it, or against it, as a logarithm.

        The likest effect counts: a change may reach less than the mistake does, or more.
        """
        at, said_there = ([point[k] for point in EFFECT] for k in (0, 1))
        said = {
            line: float(np.interp(max(alike), at, said_there))
            for (own, line), alike in self._alike.items() if own == side
        }  # fmt: skip
        return {
            line: worth for line, worth in said.items()
            if worth > 0 or len(self._alike[side, line]) >= _LEAST
        }  # fmt: skip


def _where(tokens: Sequence[Token], chosen: Sequence[Token]) -> set[int]:
    """Which tokens are of some that were chosen."""
    return {number for number, one in enumerate(tokens) if one in chosen}
