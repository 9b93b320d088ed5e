"""What a large record holds besides the cases that are shown, in numbers."""

from __future__ import annotations

import msgspec

from harness.model.base import Frozen


class WellOf(Frozen, frozen=True, kw_only=True):
    """The cells of one implementation in cases of which all is well: each is live, and a PASS.

    ``compared`` are those that are no repetition, ``printed`` and ``data`` of these against printed digits
    and expected values. ``max_abs``, ``max_ulp`` and ``used`` are as in a report's summary, ``error`` is the
    largest in units in the last place of a stage's largest true value.
    """

    language: str
    cases: int = 0
    cells: int = 0
    compared: int = 0
    printed: int = 0
    data: int = 0
    max_abs: float | None = None
    max_ulp: float | None = None
    used: float | None = None
    error: float | None = None


class Rest(Frozen, frozen=True, kw_only=True):
    """The cases that a report shows in numbers alone: all is well in them, and nothing else to be said.

    ``rows`` are those of the matrix: cases by precisions. ``pairs`` has by two implementations on how many
    outputs they agree, and the largest distance; ``bits`` by groups that return the same bits in how many
    outputs, ``bits_of`` by all who have such an output, how many there are, and ``bits_example`` names one.
    ``tight`` and ``loose`` count limits, ``stages`` those with an error from the truth.
    """

    cases: int = 0
    rows: int = 0
    by: dict[str, WellOf] = msgspec.field(default_factory=dict)
    pairs: dict[tuple[str, str], tuple[int, float | None]] = msgspec.field(default_factory=dict)
    bits: dict[tuple[str, ...], int] = msgspec.field(default_factory=dict)
    bits_of: dict[frozenset[str], int] = msgspec.field(default_factory=dict)
    bits_example: dict[tuple[str, ...], str] = msgspec.field(default_factory=dict)
    tight: int = 0
    loose: int = 0
    stages: int = 0

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return sum(well.cells for well in self.by.values())
