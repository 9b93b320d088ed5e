"""From a rule to an absolute limit."""

from __future__ import annotations

import numpy as np
import pytest

from harness.model import Precision, Tolerance
from harness.numerics.tolerance import last_place, limit


def test_exact_allows_nothing() -> None:
    assert limit(Tolerance(rule="exact"), np.array([1.0, 1e300]), Precision.FLOAT64) == 0


def test_ulp_is_counted_at_the_largest_magnitude() -> None:
    rule = Tolerance(rule="ulp", value=3, reason="r")
    assert limit(rule, np.array([1.0, -8.0, 2.0]), Precision.FLOAT64) == 3 * np.spacing(8.0)
    assert limit(rule, np.array([1.0, 8.0], dtype=np.float32), Precision.FLOAT64) == 3 * float(
        np.spacing(np.float32(8))
    )


def test_a_place_of_bfloat16_is_of_8_digits() -> None:
    rule = Tolerance(rule="ulp", value=3, reason="r")
    given = np.array([1.0, 8.0], dtype=np.float32)
    # From 8 to 16 there are 128 numbers.
    assert limit(rule, given, Precision.BFLOAT16) == 3 * 2.0**-4
    assert limit(rule, given, Precision.FLOAT32) == 3 * 2.0**-20
    assert limit(rule, np.array([7]), Precision.BFLOAT16) == 3


def test_infinities_and_nan_do_not_widen_a_limit() -> None:
    rule = Tolerance(rule="ulp", value=1, reason="r")
    assert limit(rule, np.array([1.0, -np.inf, np.nan]), Precision.FLOAT64) == np.spacing(1.0)
    assert limit(rule, np.array([np.inf]), Precision.FLOAT64) == 0


def test_relative_is_element_by_element() -> None:
    rule = Tolerance(rule="relative", value=0.5, reason="r")
    np.testing.assert_array_equal(
        limit(rule, np.array([2.0, -4.0, 0.0, np.inf]), Precision.FLOAT64), [1.0, 2.0, 0.0, 0.0]
    )


def test_absolute() -> None:
    assert limit(Tolerance(rule="absolute", value=1e-3, reason="r"), np.zeros(2), Precision.FLOAT64) == 1e-3


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([3, 5]), 1.0),
        (np.array([True]), 1.0),
        (np.array([1 + 4j]), np.spacing(4.0)),
        (np.zeros(0), 0.0),
        (np.zeros(3), np.spacing(0.0)),
    ],
)
def test_last_place(array: np.ndarray, expected: float) -> None:
    assert last_place(array) == expected
