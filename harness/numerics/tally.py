"""Counts and maxima of one pass over a range of elements, and how those of ranges are joined, in order."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from harness.model import ErrorStats

BINS = 23
"""Bins of the ULP histogram: 0, 1, 2, 3-4, 5-8, ... 2**19+1 - 2**20, and everything above."""


@dataclass(slots=True)
class Tally:
    """Counts and maxima over a range of elements; positions are those in the whole array, in C order.

    ``sums`` and ``squares`` hold one number per block of elements, of errors multiplied by a power of two.
    """

    max_abs: float = 0.0
    max_abs_at: int = -1
    max_rel: float = 0.0
    max_rel_at: int = -1
    max_ulp: int = 0
    max_ulp_at: int = -1
    nan_both: int = 0
    nan_mismatch: int = 0
    inf_mismatch: int = 0
    zero_sign_mismatch: int = 0
    beyond: int = 0
    first_beyond: int = -1
    used: float = 0.0
    bad_limits: int = 0
    histogram: list[int] = field(default_factory=lambda: [0] * BINS)
    sums: list[float] = field(default_factory=list)
    squares: list[float] = field(default_factory=list)

    def join(self, later: Tally) -> None:
        """Add the tally of the range that follows."""
        if later.max_abs > self.max_abs:
            self.max_abs, self.max_abs_at = later.max_abs, later.max_abs_at
        if later.max_rel > self.max_rel:
            self.max_rel, self.max_rel_at = later.max_rel, later.max_rel_at
        if later.max_ulp > self.max_ulp:
            self.max_ulp, self.max_ulp_at = later.max_ulp, later.max_ulp_at
        if self.first_beyond < 0:
            self.first_beyond = later.first_beyond
        self.histogram = [a + b for a, b in zip(self.histogram, later.histogram, strict=True)]
        self.nan_both += later.nan_both
        self.nan_mismatch += later.nan_mismatch
        self.inf_mismatch += later.inf_mismatch
        self.zero_sign_mismatch += later.zero_sign_mismatch
        self.beyond += later.beyond
        self.bad_limits += later.bad_limits
        self.used = max(self.used, later.used)
        self.sums += later.sums
        self.squares += later.squares


def total(terms: list[float]) -> float:
    """The correctly rounded sum of non-negative numbers; infinite where it overflows."""
    try:
        return math.fsum(terms)
    except OverflowError:
        return math.inf


def summarised(tally: Tally, shape: tuple[int, ...], scale: float) -> ErrorStats:
    """The public form of a tally over a whole array of ``shape``, whose sums were taken of scaled errors."""
    finite = sum(tally.histogram)
    mean = total(tally.sums) / finite / scale if finite else 0.0
    rms = math.sqrt(total(tally.squares) / finite) / scale if finite else 0.0
    return ErrorStats(
        count=math.prod(shape),
        max_abs=tally.max_abs,
        max_abs_index=_index(tally.max_abs_at, shape),
        max_rel=tally.max_rel,
        max_rel_index=_index(tally.max_rel_at, shape),
        max_ulp=float(tally.max_ulp),
        max_ulp_index=_index(tally.max_ulp_at, shape),
        mean_abs=mean,
        rms=rms,
        ulp_histogram=tuple(tally.histogram),
        nan_both=tally.nan_both,
        nan_mismatch=tally.nan_mismatch,
        inf_mismatch=tally.inf_mismatch,
        zero_sign_mismatch=tally.zero_sign_mismatch,
        beyond=tally.beyond,
        first_beyond=_index(tally.first_beyond, shape),
        used=tally.used,
    )


def _index(position: int, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    if position < 0:
        return None
    if len(shape) == 1:
        return (position,)
    index = []
    for size in reversed(shape):
        position, along = divmod(position, size)
        index.append(along)
    return tuple(reversed(index))
