"""How large a difference is, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.model import Measure, Truth
from harness.numerics.size import local_size, size_of, sizes_by_axis

MEASURES: tuple[Measure, ...] = ("absolute", "relative", "norm")


def sizes(actual: Any, expected: Any) -> list[float | None]:
    return [size_of(measure, np.asarray(actual), np.asarray(expected)) for measure in MEASURES]


def test_each_measure_is_what_it_says() -> None:
    # Off by 3 of 4 and by 4 of 2: the largest 4, the largest share 2, the norms 5 and the root of 20.
    assert sizes([7.0, -2.0], [4.0, 2.0]) == [4.0, 2.0, pytest.approx(5 / 20**0.5, rel=1e-15)]
    assert sizes([[1.0]], [[1.0]]) == [0.0, 0.0, 0.0]
    assert sizes([3, 5], [2, 5]) == [1.0, 0.5, pytest.approx(1 / 29**0.5, rel=1e-15)]
    assert sizes(np.zeros(0), np.zeros(0)) == [0.0, 0.0, 0.0]


def test_zero_is_nothing_of_zero_and_infinitely_less_than_anything() -> None:
    assert sizes([0.0, 0.0], [0.0, 0.0]) == [0.0, 0.0, 0.0]
    assert sizes([1e-300, 0.0], [0.0, 0.0]) == [1e-300, np.inf, np.inf]


def test_squares_do_not_overflow_or_vanish() -> None:
    assert sizes([3e300, 0.0], [1e300, 0.0]) == [2e300, 2.0, 2.0]
    assert (
        sizes([3e-300, 0.0], [1e-300, 0.0]) == [pytest.approx(2e-300, rel=1e-15)] + [pytest.approx(2.0)] * 2
    )
    assert sizes([1.7e308], [-1.7e308]) == [np.inf, np.inf, np.inf]


@pytest.mark.parametrize("actual", [[np.nan, 1.0], [np.inf, 1.0]])
def test_no_number_says_how_large_a_nan_is(actual: Any) -> None:
    assert sizes(actual, [1.0, 1.0]) == [None, None, None]
    assert sizes([1.0, 1.0], actual) == [None, None, None]
    assert sizes([1.0, 3.0], [np.nan, 1.0]) == [None, None, None]
    # What is the same on both sides is no difference.
    assert sizes(actual, actual) == [0.0, 0.0, 0.0]


def test_the_low_part_of_a_truth_counts_and_what_is_undecided_does_not() -> None:
    high, low = np.array([1.0, 1.0]), np.array([0.0, 1e-20])
    truth = Truth(high=high, low=low, limit=low, worst=0.0)
    assert size_of("absolute", high, truth) == 1e-20
    unsure = Truth(high=high, low=low, limit=low, worst=0.0, undecided=np.array([False, True]))
    assert size_of("absolute", high + 1, unsure) == 1.0
    assert size_of("absolute", high + np.array([0, 1]), unsure) == 0.0


def test_shapes_have_to_be_the_same() -> None:
    with pytest.raises(ValueError, match=r"shapes \(2,\) and \(1, 2\) differ"):
        size_of("norm", np.ones(2), np.ones((1, 2)))


def test_the_largest_number_of_every_row_and_column() -> None:
    array = np.array([[1.0, -4.0, np.inf], [2.0, np.nan, 0.5]])
    rows, columns = sizes_by_axis(array)
    assert rows.tolist() == [[4.0], [2.0]]
    assert columns.tolist() == [[2.0, 4.0, 0.5]]
    assert rows.dtype == np.float64
    assert [size.tolist() for size in sizes_by_axis(np.float32([1, -3]))] == [[1.0, 3.0]]
    assert [size.tolist() for size in sizes_by_axis(np.array([3 + 4j]))] == [[5.0]]
    assert [size.tolist() for size in sizes_by_axis(np.zeros((0, 2)))] == [[], [[0.0, 0.0]]]


def test_the_numbers_around_an_element_are_those_of_its_row_or_column_whichever_are_smaller() -> None:
    array = np.array([[1.0, -4.0, np.inf], [2.0, np.nan, 0.5]])
    assert local_size(array).tolist() == [[2.0, 4.0, 0.5], [2.0, 2.0, 0.5]]
    stack = np.arange(8.0).reshape(2, 2, 2)
    assert local_size(stack).tolist() == [[[3.0, 3.0], [3.0, 3.0]], [[5.0, 5.0], [6.0, 7.0]]]
