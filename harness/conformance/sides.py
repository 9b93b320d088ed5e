"""The two arrays that a cell compares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import msgspec

from harness.conformance.lookup import truth_of, value_of
from harness.model import (
    Array,
    Case,
    Cell,
    Check,
    Failure,
    Mode,
    Observed,
    Published,
    Truth,
    Truths,
)


class Sides(msgspec.Struct, frozen=True, kw_only=True):
    """The values of one implementation, and those that they are compared with.

    Attributes
    ----------
    case : Case
        The case.
    chained, isolated : mapping
        What the implementation returned.
    reference : mapping
        What the reference returned, chained.
    upstream : mapping
        The inputs of the isolated stages.
    chained_truths, isolated_truths : mapping
        The true values.
    data : mapping
        By sample and output, the expected values that are given as data.
    """

    case: Case
    chained: Observed
    isolated: Observed = {}
    reference: Observed = {}
    upstream: Observed = {}
    chained_truths: Truths = {}
    isolated_truths: Truths = {}
    data: Mapping[tuple[str, str], Array | Published | Failure] = {}

    def actual(self, cell: Cell, sample: str) -> Array | Failure:
        """Return the value that was judged in one sample of a cell."""
        return self._value(self.chained if cell.mode is Mode.CHAINED else self.isolated, sample, cell.stage)

    def expected(self, cell: Cell, sample: str) -> Array | Truth | Published | Failure:
        """Return what the value was compared with."""
        chained = cell.mode is Mode.CHAINED
        match cell.check:
            case Check.ORACLE:
                return self.truth(cell, sample)
            case Check.REFERENCE:
                return self._value(self.reference if chained else self.upstream, sample, cell.stage)
            case Check.EXPECTED:
                return self.data[sample, cell.stage]
            case Check.REPEAT:
                return self._value(self.chained, sample, cell.stage)
            case Check.IDENTITY:
                return self._value(self.chained, sample, cell.against)
            case Check.PUBLISHED:
                return next(
                    published
                    for published in self.case.published
                    if (published.stage, published.source) == (cell.stage, cell.against)
                )
            case _:
                assert_never(cell.check)

    def truths(self, cell: Cell) -> Truths:
        """Return the true values in the mode of a cell."""
        return self.chained_truths if cell.mode is Mode.CHAINED else self.isolated_truths

    def truth(self, cell: Cell, sample: str) -> Truth | Failure:
        """Return the true values of one sample of a cell, or why there are none."""
        observed = self.reference if cell.mode is Mode.CHAINED else self.upstream
        theirs = self._value(observed, sample, cell.stage)
        value = self.case.values[cell.stage]
        return truth_of(self.truths(cell), sample, value, theirs, self.actual(cell, sample))

    def _value(self, observed: Observed, sample: str, name: str) -> Array | Failure:
        return value_of(observed, sample, self.case.owner(name), self.case.values[name])
