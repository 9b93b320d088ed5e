"""From a rule to an absolute limit."""

from __future__ import annotations

import numpy as np
import pytest

from harness.model import Precision, Tolerance
from harness.numerics.tolerance import coarse_limit, last_place, least_quotient, limit, rounding_floor


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


def test_allclose_is_that_of_numpy() -> None:
    rule = Tolerance(rule="allclose", rtol=0.125, atol=0.5, reason="r")
    expected = np.array([8.0, -16.0, 0.0, np.inf, np.nan])
    np.testing.assert_array_equal(limit(rule, expected, Precision.FLOAT64), [1.5, 2.5, 0.5, 0.0, 0.0])
    for off, close in ((1.5, True), (1.6, False)):
        assert np.allclose(8.0 + off, 8.0, rtol=0.125, atol=0.5) is close


def test_a_norm_is_the_largest_magnitude() -> None:
    rule = Tolerance(rule="norm", value=0.25, reason="r")
    assert limit(rule, np.array([1.0, -8.0, np.inf]), Precision.FLOAT64) == 2.0
    assert limit(rule, np.array([3 + 4j, 1]), Precision.FLOAT64) == 1.25
    with pytest.raises(ValueError, match="the limit follows from A"):
        limit(Tolerance(rule="norm", value=0.25, of="A", reason="r"), np.ones(2), Precision.FLOAT64)


@pytest.mark.parametrize(
    ("expected", "digits", "due"),
    [
        (3.14159, 3, 0.005),
        (-3.14159, 3, 0.005),
        (9.999, 1, 0.5),
        (10.0, 1, 5.0),
        (1e-5, 2, 5e-7),
        (0.1, 1, 0.05),
        (1e300, 17, 5e283),
        (1e-320, 1, 5e-321),
        (0.0, 3, 0.0),
        (np.nan, 3, 0.0),
        (np.inf, 3, 0.0),
        (1000, 4, 0.5),
        (np.float32(1e-5), 2, 5e-7),
        (3 + 4j, 1, 0.5),
    ],
)
def test_digits_are_half_a_unit_in_the_last_of_them(expected: complex, digits: int, due: float) -> None:
    rule = Tolerance(rule="digits", digits=digits, reason="r")
    found = limit(rule, np.array([expected]), Precision.FLOAT64)
    np.testing.assert_allclose(found, [due], rtol=1e-15, atol=0)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([3, 5]), 1.0),
        (np.array([True]), 1.0),
        (np.array([1 + 4j]), np.spacing(4.0)),
        (np.array(4 - 1j), np.spacing(4.0)),
        (np.array([[1 + 4j, 64.0], [2.0, -5j]])[:, :1], np.spacing(5.0)),
        (np.zeros(0), 0.0),
        (np.zeros(3), np.spacing(0.0)),
    ],
)
def test_last_place(array: np.ndarray, expected: float) -> None:
    assert last_place(array) == expected


def test_a_derived_limit_does_not_follow_from_a_value() -> None:
    with pytest.raises(ValueError, match=r"^a derived limit comes from the truth: compare_to_truth$"):
        limit(Tolerance(rule="derived"), np.zeros(2), Precision.FLOAT64)


UNITS = [
    (Precision.FLOAT64, 2.0**-53),
    (Precision.FLOAT32, 2.0**-24),
    (Precision.FLOAT16, 2.0**-11),
    (Precision.BFLOAT16, 2.0**-8),
]


@pytest.mark.parametrize(("precision", "unit"), UNITS)
def test_a_coarse_limit_is_half_of_the_digits_of_the_largest(precision: Precision, unit: float) -> None:
    root = unit**0.5
    assert coarse_limit(np.array([[3.0, -4.0], [np.inf, np.nan]]), precision) == 4.0 * root
    assert coarse_limit(np.array([3.0 + 4.0j, 4.5]), precision) == 5.0 * root
    assert coarse_limit(np.array([2.0], np.float32), precision) == 2.0 * root
    for nothing in (np.array([7, 8]), np.array([True]), np.zeros(0), np.array([np.nan])):
        assert coarse_limit(nothing, precision) == 0.0


@pytest.mark.parametrize(("precision", "unit"), UNITS)
def test_what_rounding_makes_of_zero(precision: Precision, unit: float) -> None:
    # The largest is 3, its square 9, and 5 are the most that are added.
    assert rounding_floor([np.array([2.0, -3.0]), np.full((2, 5), 0.5)], precision) == unit * 5 * 9
    assert rounding_floor(iter([np.full((4, 2), -0.5)]), precision) == unit * 4 * 0.5
    assert rounding_floor([np.array(2.0), np.array([np.nan, np.inf])], precision) == unit * 2 * 4
    assert rounding_floor([np.array(2.0)], precision) == unit * 4
    assert rounding_floor([np.zeros((0, 3))], precision) == 0.0
    assert rounding_floor([], precision) == 0.0


@pytest.mark.parametrize(
    ("inputs", "precision", "least"),
    [
        ([[1.0, 9.0, 0.0]], Precision.FLOAT64, 2.0**26.5 / 9.0),
        ([[1.0], [-4.0, np.inf]], Precision.FLOAT32, 1024.0),
        ([[0.0, np.nan]], Precision.FLOAT64, 2.0**26.5),
    ],
)
def test_the_least_quotient_by_what_rounding_leaves_of_a_zero(
    inputs: list[list[float]], precision: Precision, least: float
) -> None:
    assert least_quotient(map(np.array, inputs), precision) == pytest.approx(least, rel=1e-12)


def test_texts_among_the_inputs_have_no_size() -> None:
    texts = np.array(["a", "bc"])
    numbers = np.array([4.0, 0.5])
    assert rounding_floor([texts, numbers], Precision.FLOAT64) == rounding_floor([numbers], Precision.FLOAT64)
    assert least_quotient([texts, numbers], Precision.FLOAT64) == least_quotient([numbers], Precision.FLOAT64)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_largest_number_has_a_last_place_that_is_finite(dtype: type) -> None:
    most = np.finfo(dtype).max
    unit = last_place(np.array([1.0, -most], dtype))
    assert unit == float(most) - float(np.nextafter(most, dtype(0)))
    rule = Tolerance(rule="ulp", value=2, reason="r")
    assert limit(rule, np.array([most], dtype), Precision.FLOAT64) == 2 * unit
