"""Values that are the same up to how they are laid out, and those that are not."""

from __future__ import annotations

import numpy as np
import pytest

from harness.numerics.layouts import close, information, same_up_to_layout
from harness.programs.trace import Value

TABLE = np.array([[0.1, 2.5, -3.25], [4.75, 0.6, 7.125]])


@pytest.mark.parametrize(
    ("one", "other", "layout"),
    [
        (TABLE, TABLE.copy(), "same"),
        (TABLE, TABLE.T.copy(), "transposed"),
        (TABLE, TABLE.ravel(), "flattened"),
        (TABLE, TABLE.ravel(order="F"), "flattened"),
        (TABLE, TABLE.reshape(3, 2), "reshaped"),
        (TABLE, TABLE[:, None, :], "same"),
        (np.array([0, 1, 4, 2]), np.array([1, 2, 5, 3]), "shifted"),
        (np.array([True, False]), np.array([1, 0]), "same"),
        (np.array(["a", "b"], object), np.array(["a", "b"], object), "same"),
    ],
)
def test_the_same_numbers(one: Value, other: Value, layout: str) -> None:
    assert same_up_to_layout(one, other) == layout


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TABLE, TABLE * 1.00001),
        (TABLE, TABLE[::-1]),
        (TABLE, TABLE[:, :2]),
        (np.array([0, 1, 4]), np.array([2, 3, 6])),
        (np.array([0.5, 1.5]), np.array([1.5, 2.5])),
        (np.array(["a", "b"], object), np.array(["b", "a"], object)),
        (np.array([1.0, np.nan]), np.array([np.nan, 1.0])),
    ],
)
def test_other_numbers(one: Value, other: Value) -> None:
    assert same_up_to_layout(one, other) == ""


def test_rounding_is_no_difference() -> None:
    x = np.linspace(0.1, 3, 50)
    assert close(x, np.exp(np.log(x)))
    assert close(x, x.astype(np.float32))
    assert not close(x, x.astype(np.float16).astype(float))
    # What is left of a difference that is zero.
    assert close(np.array(2.2e-16), np.array(0.0))
    assert not close(np.array(2.2e-6), np.array(0.0))


def test_information_grows_with_digits_and_elements() -> None:
    few = information(np.array(2))
    assert information(np.array(0)) < few < information(np.array(0.123456789))
    assert information(np.arange(100)) <= 4.0
    assert information(np.array([0.1234567, 7.7654321, 3.1415926])) >= 30.0
