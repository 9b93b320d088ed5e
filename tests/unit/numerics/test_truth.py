"""Distances from the truth, in fractions of a unit in the last place."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from harness.errors import CompareError
from harness.model import Truth
from harness.numerics.truth import compare_to_truth, shares_of


def truth_of(*values: Fraction | float, limit: float = 1.0) -> Truth:
    high = np.array([float(value) for value in values])
    low = np.array(
        [
            float(Fraction(value) - Fraction(float(value))) if np.isfinite(float(value)) else 0.0
            for value in values
        ]
    )
    return Truth(high=high, low=low, limit=np.full(len(values), limit, dtype=np.float32), worst=2 * limit)


def test_error_is_a_fraction_of_a_unit() -> None:
    third = Fraction(1, 3)
    truth_comparison = compare_to_truth(np.array([1 / 3]), truth_of(third))
    expected = abs(Fraction(1 / 3) - third)
    assert truth_comparison.stats.max_abs == pytest.approx(float(expected), rel=1e-15)
    assert truth_comparison.ulp_error == pytest.approx(
        float(expected / Fraction(np.spacing(1 / 3))), rel=1e-12
    )
    assert truth_comparison.ulp_error == pytest.approx(1 / 3, rel=1e-9)
    assert truth_comparison.stats.max_ulp == 0.0


def test_single_precision() -> None:
    nearest = np.array([1 / 3], dtype=np.float32)
    truth_comparison = compare_to_truth(nearest, truth_of(Fraction(1, 3)))
    unit = Fraction(float(np.spacing(nearest[0])))
    expected = abs(Fraction(float(nearest[0])) - Fraction(1, 3)) / unit
    assert truth_comparison.ulp_error == pytest.approx(float(expected), rel=1e-9)
    assert truth_comparison.stats.max_ulp == 0.0
    assert (
        compare_to_truth(np.nextafter(nearest, np.float32(1)), truth_of(Fraction(1, 3))).stats.max_ulp == 1.0
    )


def test_small_elements_count_in_their_own_units_and_in_the_stage_s() -> None:
    truth_comparison = compare_to_truth(np.array([1.0, 2.0**-20 + 2.0**-60]), truth_of(1.0, 2.0**-20))
    assert truth_comparison.ulp_error == 2.0**-60 / 2.0**-72
    assert truth_comparison.ulp_of_stage == 2.0**-60 / 2.0**-52


def test_a_true_zero_has_no_unit_of_its_own() -> None:
    truth_comparison = compare_to_truth(np.array([1e-17, 1.0]), truth_of(0.0, 1.0))
    assert truth_comparison.ulp_error == 0.0
    assert truth_comparison.ulp_of_stage == 1e-17 / 2.0**-52
    nothing = compare_to_truth(np.array([1e-17]), truth_of(0.0))
    assert (nothing.ulp_error, nothing.ulp_of_stage) == (None, None)


def test_a_sample_whose_true_values_are_all_zero_has_no_unit_beside_others_that_have() -> None:
    """1e-10 in units of the smallest number would overflow, and warn."""
    shares = shares_of(
        [np.array([1e-10, 0.0]), np.array([1.0 + 2.0**-52])], [truth_of(0.0, 0.0), truth_of(1.0)]
    )
    assert shares is not None
    assert shares.ulp_of_stage == 1.0
    assert shares.max_abs.tolist() == [1e-10, 2.0**-52]


def test_beyond_and_used_are_by_element() -> None:
    limits = Truth(
        high=np.array([1.0, 2.0, 3.0]),
        low=np.zeros(3),
        limit=np.array([0.5, 0.25, 0.0]),
        worst=1.0,
    )
    assert compare_to_truth(np.array([1.5, 2.25, 3.0]), limits).stats.beyond == 0
    truth_comparison = compare_to_truth(np.array([1.25, 2.5, 3.0]), limits)
    assert (
        truth_comparison.stats.beyond,
        truth_comparison.stats.first_beyond,
        truth_comparison.stats.used,
    ) == (1, (1,), 2.0)
    assert compare_to_truth(np.array([1.0, 2.0, 3.0000001]), limits).stats.first_beyond == (2,)


def test_nan_and_infinities_are_beyond_unless_they_match() -> None:
    truth = truth_of(1.0, -np.inf, 2.0)
    assert compare_to_truth(np.array([1.0, -np.inf, 2.0]), truth).stats.beyond == 0
    truth_comparison = compare_to_truth(np.array([1.0, np.inf, np.nan]), truth)
    assert (truth_comparison.stats.beyond, truth_comparison.stats.first_beyond) == (2, (1,))
    assert (truth_comparison.stats.inf_mismatch, truth_comparison.stats.nan_mismatch) == (1, 1)


def test_scalars_and_wrong_shapes() -> None:
    scalar = Truth(high=np.array(2.0), low=np.array(0.0), limit=np.array(1e-3), worst=1e-3)
    assert compare_to_truth(np.array(2.0), scalar).stats.count == 1
    with pytest.raises(CompareError):
        compare_to_truth(np.array([2.0]), scalar)


@pytest.mark.parametrize("at", [0, 16_383, 16_384, 40_000])
def test_the_largest_error_is_found_in_any_block_and_nothing_given_is_changed(at: int) -> None:
    high = np.linspace(1.0, 1.5, 40_001)
    known = np.ones(high.shape, dtype=bool)
    known[20_000] = False
    truth = Truth(
        high=high, low=np.zeros(high.shape), limit=np.full(high.shape, 1e-3), worst=1.0, known=known
    )
    actual = high.copy()
    actual[at] += 2.0**-50
    # Where the reference stands in for a true value, the distance is no error of anybody's.
    actual[20_000] += 2.0**-40
    copies = [array.copy() for array in (actual, high, known)]
    truth_comparison = compare_to_truth(actual, truth)
    assert (truth_comparison.ulp_error, truth_comparison.ulp_of_stage) == (4.0, 4.0)
    assert (truth_comparison.stats.max_abs, truth_comparison.stats.max_abs_index) == (2.0**-40, (20_000,))
    for array, copy in zip((actual, high, known), copies, strict=True):
        np.testing.assert_array_equal(array, copy)
