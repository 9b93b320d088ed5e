"""Arrays of more elements than a thread takes at a time."""

from __future__ import annotations

import numpy as np

from harness.numerics import kernels
from harness.numerics.formats import format_of
from harness.numerics.sweep import sweep


def test_ranges_are_joined_in_order() -> None:
    # Of arrays that have to be copied, 65536 elements at a time: the row of 50000 is no multiple.
    actual, limit = np.zeros((4, 50_000), order="F"), np.ones((4, 50_000), order="F")
    for place, error in (((0, 5), 0.5), ((1, 40_000), 3.0), ((3, 49_999), 3.0)):
        actual[place] = error
    limit[0, 5] = 0.25
    form = format_of(actual.dtype, None)
    for bound, beyond, first, used in ((limit, 3, 5, 3.0), (1.0, 2, 90_000, 3.0), (4.0, 0, -1, 0.75)):
        tally = sweep(actual, np.zeros((4, 50_000)), form, bound, 1.0, kernels.range_tally)
        assert (tally.max_abs, tally.max_abs_at, tally.max_ulp_at) == (3.0, 90_000, 90_000)
        assert (tally.beyond, tally.first_beyond, tally.used) == (beyond, first, used)
        assert (tally.histogram[0], tally.histogram[22]) == (199_997, 3)
        assert (sum(tally.sums), sum(tally.squares)) == (6.5, 18.25)
