"""What one value is to another: said where it is certain, and not where chance could have made it."""

from __future__ import annotations

import numpy as np
import pytest

from harness.numerics.layouts import Value
from harness.numerics.relations import relation_of

X = np.array([0.31, 2.71828, -1.4142, 8.125, 5.5001, -3.33, 0.0712, 9.001])
TABLE = np.array([[0.11, 2.5, -3.25], [4.75, 0.62, 7.125], [1.01, 9.2, 0.44], [3.3, 5.05, 6.6]])


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (X, -X, "sign"),
        (X, X * 8 / 7, "n/(n - 1) with n = 8"),
        (X, X * np.sqrt(7 / 8), "sqrt((n - 1)/n) with n = 8"),
        (np.array(0.7154321), np.array(0.7154321 / 8), "1/n with n = 8"),
        (X, X * 1.2345, "factor 1.2345"),
        (X, X + 2.5, "offset +2.5"),
        (X, X * np.pi / 180, "radians for degrees"),
        (X, X / np.log(10), "log base"),
        (X, X * 100, "percent"),
        (X, X[::-1], "reversed"),
        (X, np.roll(X, 1), "shifted by one"),
        (X, X[[3, 1, 2, 0, 7, 5, 6, 4]], "permuted"),
        (X, X.astype(np.float32).astype(float), "float32"),
        (X, X.round(2), "rounded to 2 digits"),
        (X, X**2, "square"),
        (X, np.exp(X), "exponential"),
        (X, X[1:], "without the first element"),
        (TABLE, TABLE.T, "transposed"),
        (TABLE, TABLE[[2, 0, 3, 1]], "permuted: the same rows"),
        (TABLE, TABLE * [1, -1, 1], "sign of columns"),
        (TABLE, TABLE.ravel(order="F").reshape(TABLE.shape), "another"),
    ],
)
def test_a_relation_is_named(one: Value, other: Value, said: str) -> None:
    assert said in relation_of(one, other, [8, 3])


def test_a_half_and_its_root_are_not_blamed_on_a_divisor_of_two_values() -> None:
    assert relation_of(X, X * 0.5**0.5, [2, 8]) == "factor 1/sqrt(2)"
    assert relation_of(X, X * 2, [2, 8]) == "factor 2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array(3), np.array(4)),
        (np.array(2.0), np.array(4.0)),
        (np.array([1, 0, 1]), np.array([0, 1, 1])),
        (np.array(0.7154321), np.array(0.312399)),
        (X, np.sin(X) * 3.1 + X**3),
        (X, np.array(["a"], object)),
    ],
)
def test_nothing_is_said_of_chance(one: Value, other: Value) -> None:
    assert relation_of(one, other, range(2, 30)) == ""


def test_numbers_near_the_largest_are_looked_at_without_a_warning() -> None:
    huge = X * 1e307
    assert "sign" in relation_of(huge, -huge)
    assert relation_of(huge, np.sin(X) * 1e307 + X) == ""


def test_real_beside_complex_numbers_are_looked_at_without_a_warning() -> None:
    real = np.array([1.25, -3.5, 2.125])
    assert "rounded" not in relation_of(real, real + 1j)
    assert "rounded" not in relation_of(real + 1j, real)


@pytest.mark.parametrize("factor", [1 + 1e-10, 1 + 1e-9, 1 - 9e-10])
def test_a_difference_that_tells_no_relation_from_another_has_none(factor: float) -> None:
    for values in (np.abs(X), np.sort(X), np.outer(X, X[:3]), np.array([0.5, 1.25, 3.0, 40.5])):
        assert relation_of(values, values * factor, [8], ("what is due", "this output")) == ""


def test_numbers_of_few_digits_are_not_rounded_ones() -> None:
    few = np.array([0.2, 1.5, 3.7, 12.4, 0.9, 7.1])
    assert "rounded" not in relation_of(few, few * 1.00001, [6])
    assert relation_of(few + 0.03, few, [6]).startswith("rounded to 1 digits")
    large = np.array([81234.123456, 91234.654321, 71235.111222])
    assert relation_of(large + 3e-7, large).startswith("rounded to 6 digits")


def test_unrelated_numbers_have_no_relation() -> None:
    draws = np.random.default_rng(5)
    said = [
        relation_of(draws.normal(size=size), draws.normal(size=size), [5, 10, 50])
        for size in (1, 2, 3, 6, 20)
        for _ in range(400)
    ]
    assert set(said) == {""}
