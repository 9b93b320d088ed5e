"""Comparison with the truth, against numbers worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from harness.model import ErrorStats, Precision, Truth
from harness.numerics.truth import compare_to_truth, enclosed, error_of, rounded, shares_of, still_undecided
from harness.numerics.truth import without as without_zeros

INF, NAN = math.inf, math.nan


def truth(high: Any, limit: Any, low: Any = 0.0, **more: Any) -> Truth:
    values = np.array(high)
    for name in ("undecided", "reach", "known"):
        if name in more:
            more[name] = np.array(more[name])
    parts = (np.broadcast_to(np.array(part, dtype=float), values.shape) for part in (low, limit))
    return Truth(high=values, **dict(zip(("low", "limit"), parts, strict=True)), worst=9.0, **more)


def test_every_number_of_a_comparison() -> None:
    result = compare_to_truth(
        np.array([1.375, 2.0, 4.0, 8.5]), truth([1.0, 2.0, 4.0, 8.0], [0.5, 0.25, 0.0, 1.0])
    )
    assert (result.limit, result.undecided, result.outside, result.first_outside) == (1.0, 0, 0, None)
    # Units in the last place are 2**-52 at 1, and 2**-49 at 8.
    assert (result.ulp_error, result.ulp_of_stage) == (0.375 * 2.0**52, 2.0**48)
    assert result.stats == ErrorStats(
        count=4,
        max_abs=0.5,
        max_abs_index=(3,),
        max_rel=0.375,
        max_rel_index=(0,),
        max_ulp=0.375 * 2.0**52,
        max_ulp_index=(0,),
        mean_abs=0.875 / 4,
        rms=math.sqrt(0.390625 / 4),
        ulp_histogram=(2, *(0,) * 21, 2),
        used=0.75,
    )


def test_errors_are_from_the_true_values_and_steps_from_the_nearest_ones() -> None:
    due = truth([4.0, 1.0 + 2.0**-29, 1.0 + 2.0**-30], 2.0**-28, [0.0, 0.0, 2.0**-60])
    stats = compare_to_truth(np.array([4.0, 1.0, 1.0], np.float32), due).stats
    assert (stats.max_ulp, stats.max_rel, stats.ulp_histogram) == (0.0, 0.0, (3, *(0,) * 22))
    assert (stats.max_abs, stats.max_abs_index, stats.used) == (2.0**-29, (1,), 0.5)
    assert stats.mean_abs == pytest.approx(2.0**-30, rel=1e-8)
    assert stats.rms == pytest.approx(2.0**-30 * math.sqrt(5 / 3), rel=1e-8)


def test_the_first_beyond_is_that_of_a_limit_or_of_what_is_no_number() -> None:
    due = truth([1.0, 2.0, NAN, 4.0], 0.25)
    stats = compare_to_truth(np.array([1.0, 2.5, NAN, INF]), due).stats
    assert (stats.beyond, stats.first_beyond, stats.nan_both, stats.inf_mismatch) == (2, (1,), 1, 1)
    stats = compare_to_truth(np.array([1.0, NAN, NAN, 5.0]), due).stats
    assert (stats.beyond, stats.first_beyond, stats.nan_mismatch) == (2, (1,), 1)


def test_what_is_undecided_is_left_out() -> None:
    due = truth([1.0, 2.0, 4.0, 8.0], [0.5, 7.0, 0.0, 1.0], undecided=[False, True, False, False])
    result = compare_to_truth(np.array([1.25, 100.0, 4.0, 8.5]), due)
    assert (result.limit, result.undecided, result.outside, result.first_outside) == (1.0, 1, 0, None)
    stats = result.stats
    assert (stats.count, stats.max_abs, stats.max_abs_index, stats.beyond) == (3, 0.5, (3,), 0)
    assert stats.mean_abs == pytest.approx(0.25, rel=1e-15)
    assert stats.rms == pytest.approx(math.sqrt(0.3125 / 3), rel=1e-15)
    assert stats.ulp_histogram == (1, *(0,) * 21, 2)
    alone = compare_to_truth(np.array([7.0]), truth([1.0], 0.5, undecided=[True]))
    assert (alone.limit, alone.undecided, alone.stats.count, alone.ulp_error) == (0.0, 1, 0, None)


BRANCHES: dict[str, Any] = {
    "undecided": [[True, True], [True, False]],
    "reach": [[INF, 1.0], [NAN, NAN]],
}


@pytest.mark.parametrize(
    ("actual", "left", "first"),
    [
        ([[5.0, 3.0], [99.0, 8.0]], [[True, True], [True, False]], None),
        ([[5.0, 3.5], [99.0, 8.0]], [[True, False], [True, False]], (0, 1)),
        ([[NAN, 3.0], [NAN, 8.0]], [[False, True], [True, False]], (0, 0)),
        ([[INF, 0.5], [INF, 8.0]], [[False, False], [True, False]], (0, 0)),
    ],
)
def test_what_no_branch_gives_is_outside(actual: Any, left: Any, first: tuple[int, int] | None) -> None:
    due = truth([[1.0, 2.0], [4.0, 8.0]], [[NAN, NAN], [NAN, 0.25]], **BRANCHES)
    np.testing.assert_array_equal(still_undecided(np.array(actual), due), left)
    result = compare_to_truth(np.array(actual), due)
    outside = 3 - int(np.sum(left))
    assert (result.undecided, result.outside, result.first_outside) == (int(np.sum(left)), outside, first)
    assert (result.stats.beyond, result.stats.first_beyond) == (outside, first)
    assert (result.stats.count, result.limit) == (1 + outside, 0.25)


def test_bounds_of_what_is_undecided_are_its_limits() -> None:
    due = truth([[1.0, 2.0], [4.0, 8.0]], [[NAN, NAN], [NAN, 0.25]], **BRANCHES)
    bounds = enclosed(due)
    np.testing.assert_array_equal(bounds.limit, [[INF, 1.0], [NAN, 0.25]])
    assert bounds.undecided is not None
    assert bounds.undecided.tolist() == [[False, False], [True, False]]
    for nothing in (truth([1.0], 0.5), truth([1.0], 0.5, undecided=[True]), truth([1.0], 0.5, reach=[2.0])):
        assert enclosed(nothing) is nothing
    assert not still_undecided(np.ones(2), truth([1.0, 2.0], 0.5)).any()
    assert still_undecided(np.ones(2), truth([1.0, 2.0], 0.5, undecided=[False, True])).tolist() == [
        False,
        True,
    ]


def test_elements_that_do_not_differ_are_taken_out() -> None:
    stats = ErrorStats(count=5, max_abs=3.0, mean_abs=1.0, rms=2.0, ulp_histogram=(3, 1))
    assert without_zeros(stats, 1) == ErrorStats(
        count=4, max_abs=3.0, mean_abs=4 / 3, rms=2.0 * math.sqrt(4 / 3), ulp_histogram=(2, 1)
    )
    equal = ErrorStats(count=2, ulp_histogram=(2, 0))
    assert without_zeros(equal, 2) == ErrorStats(count=0, ulp_histogram=(0, 0))


def test_distances_take_the_low_part_and_neither_overflow_nor_are_no_numbers() -> None:
    def error(actual: Any, high: Any, low: Any = 0.0) -> list[float]:
        distances: list[float] = error_of(np.array(actual), truth(high, 1.0, low)).tolist()
        return distances

    assert error([1.0, 1.5], [1.0, 1.0], [2.0**-60, -(2.0**-60)]) == [2.0**-60, 0.5]
    assert error([1.7e308, INF, NAN, 1.0, INF], [-1.7e308, INF, 1.0, NAN, 1.0]) == [INF, 0.0, 0.0, 0.0, 0.0]
    assert error([3.0 + 4.0j], [0.0 + 0.0j]) == [5.0]
    assert error(np.array([1.5], np.float32), [1.0]) == [0.5]
    single = rounded(truth([1e300, 1.0 + 2.0**-30, NAN], 1.0), np.dtype(np.float32))
    np.testing.assert_array_equal(single, np.array([INF, 1.0, NAN], np.float32), strict=True)


def test_units_of_the_smallest_and_of_no_numbers() -> None:
    least = 2.0**-1022
    result = compare_to_truth(np.array([least + 2.0**-1074]), truth([least], 1.0))
    assert (result.ulp_error, result.ulp_of_stage) == (1.0, 1.0)
    result = compare_to_truth(np.array([2.0**-1074]), truth([least / 2.0], 1.0))
    assert (result.ulp_error, result.ulp_of_stage) == (None, None)
    # A quotient that overflows is no warning.
    assert compare_to_truth(np.array([1e308]), truth([1e-300], INF)).ulp_error == INF


def test_what_is_not_known_to_be_true_tells_nothing_of_accuracy() -> None:
    due = truth([1.0, 2.0], 1.0, known=[True, False])
    result = compare_to_truth(np.array([1.0 + 2.0**-50, 2.5]), due)
    assert (result.ulp_error, result.ulp_of_stage) == (4.0, 2.0)
    assert (result.stats.max_abs, result.stats.used) == (0.5, 0.5)


def test_bfloat16_is_compared_with_its_nearest_number() -> None:
    actual = np.array([1.0, 2.0, 1.0], dtype=np.float32)
    due = truth([1.0 + 2.0**-9, 2.0, 1.0 + 2.0**-8 + 2.0**-12], 1.0)
    result = compare_to_truth(actual, due, Precision.BFLOAT16)
    # A step is 2**-7 at 1, and 2**-6 at 2, the largest; the last number rounds to the next one.
    assert (result.stats.max_ulp, result.stats.max_ulp_index) == (1.0, (2,))
    assert result.ulp_error == 0.5 + 2.0**-5
    assert result.ulp_of_stage == 0.25 + 2.0**-6


def test_shares_of_several_arrays() -> None:
    arrays = [np.array([1.25, 2.0]), np.array([[4.75], [5.0]])]
    truths = [truth([1.0, 2.0], [0.5, 0.0]), truth([[4.0], [5.0]], [[1.0], [2.0]])]
    shares = shares_of(arrays, truths)
    assert shares is not None
    assert (shares.used.tolist(), shares.max_abs.tolist(), shares.size) == ([0.5, 0.75], [0.25, 0.75], 4)
    # Units: 2**-52 at 1, 2**-51 at 2, 2**-50 at 4.
    assert (shares.ulp_error, shares.ulp_of_stage) == (2.0**50, 0.75 * 2.0**50)
    known = [truths[0], truth([[4.0], [5.0]], [[1.0], [2.0]], known=[[False], [True]])]
    shares = shares_of(arrays, known)
    assert shares is not None
    assert (shares.used.tolist(), shares.max_abs.tolist()) == ([0.5, 0.75], [0.25, 0.75])
    assert (shares.ulp_error, shares.ulp_of_stage) == (2.0**50, 2.0**49)
    single = [array.astype(np.float32) for array in arrays]
    shares = shares_of(single, truths, Precision.BFLOAT16)
    assert shares is not None
    assert (shares.ulp_error, shares.ulp_of_stage) == (2.0**5, 0.75 * 2.0**5)
    shares = shares_of([np.zeros(2)], [truth([0.0, 0.0], 0.0)])
    assert shares is not None
    assert (shares.used.tolist(), shares.ulp_error, shares.ulp_of_stage) == ([0.0], None, None)


@pytest.mark.parametrize(("actual", "high"), [(1.5, 1.0), (NAN, 1.0), (INF, INF), (1.0, NAN), (NAN, NAN)])
def test_no_shares_where_something_is_beyond_or_no_number(actual: float, high: float) -> None:
    assert shares_of([np.array([1.0, actual])], [truth([1.0, high], 0.25)]) is None
    assert shares_of([np.array([1.0, 1.25])], [truth([1.0, 1.0], 0.25)]) is not None


def test_a_single_number_that_no_branch_gives_is_outside() -> None:
    truth = Truth(
        high=np.array(1.0),
        low=np.array(0.0),
        limit=np.array(0.0),
        worst=0.0,
        undecided=np.array(True),
        reach=np.array(4.0),
        why="a comparison in line 5",
    )
    result = compare_to_truth(np.array(7.0), truth)
    assert (result.undecided, result.outside, result.first_outside) == (0, 1, ())
    assert compare_to_truth(np.array(5.0), truth).undecided == 1
