"""`measure_errors`: what `compare` says of errors and zeros, without ratios and steps."""

from __future__ import annotations

from typing import Any

import hypothesis.extra.numpy as arrays
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import CompareError
from harness.numerics import compare
from harness.numerics.stats import measure_errors

MEASURED = ("max_abs", "max_abs_index", "mean_abs", "rms", "beyond", "first_beyond", "used", "count")
"""What is measured of errors; ratios and steps are not."""

numbers = st.one_of(st.just(0.0), st.floats(0.0, allow_nan=False, width=64), st.floats(1e-9, 1e9))
shapes = arrays.array_shapes(min_dims=0, max_dims=3, max_side=9)
pairs = shapes.flatmap(
    lambda shape: st.tuples(
        *(arrays.arrays(np.float64, shape, elements=numbers, fill=st.nothing()) for _ in range(2))
    )
)


def measured(stats: Any) -> list[Any]:
    return [getattr(stats, name) for name in MEASURED]


@settings(max_examples=300, deadline=None)
@given(pairs)
def test_small_arrays_are_measured_as_compare_measures_them(drawn: tuple[Any, Any]) -> None:
    error, limit = drawn
    assert measured(measure_errors(error, limit)) == measured(
        compare(error, np.zeros_like(error), limit=limit)
    )


@pytest.mark.parametrize("size", [1, 64, 65, 1000, 16384, 16385, 40000])
def test_neither_lanes_nor_blocks_make_a_difference(size: int) -> None:
    error = np.abs(np.random.default_rng(size).standard_normal(size))
    limit = np.roll(error, 1) * 1.5
    assert measured(measure_errors(error, limit)) == measured(compare(error, 0.0 * error, limit=limit))


def test_by_hand() -> None:
    stats = measure_errors(np.array([[0.0, 3.0], [4.0, 0.0]]), np.array([[0.0, 6.0], [2.0, 1.0]]))
    assert (stats.max_abs, stats.max_abs_index) == (4.0, (1, 0))
    assert (stats.beyond, stats.first_beyond, stats.used) == (1, (1, 0), 2.0)
    assert (stats.mean_abs, stats.rms) == (1.75, 2.5)


@pytest.mark.parametrize("limit", [np.array([-1.0]), np.array([np.nan]), np.ones(2)])
def test_limits_that_are_none(limit: Any) -> None:
    with pytest.raises(CompareError):
        measure_errors(np.ones(1), limit)
