"""A NaN that rounding alone makes in the reference accuses nobody who has a number there."""

from __future__ import annotations

import numpy as np
import pytest

from harness.conformance.lost_numbers import on_any_branch
from harness.model import Truth

BY_ZERO = "a division by what rounding may make zero in line 6 of f.py"
OVERFLOW = "a number beyond 1.79769e+308, the largest float64, in line 6 of f.py"


def undecided(why: str) -> Truth:
    return Truth(
        high=np.ones(3),
        low=np.zeros(3),
        limit=np.zeros(3),
        worst=0.0,
        undecided=np.array([True, True, False]),
        reach=np.array([np.nan, np.nan, np.nan]),
        why=why,
    )


def test_a_number_where_the_reference_lost_it_is_left_out() -> None:
    ours, theirs = np.array([2.0, 3.0, 4.0]), np.array([np.nan, 5.0, np.nan])
    put, count = on_any_branch(ours, theirs, undecided(BY_ZERO), 1e6)
    np.testing.assert_array_equal(put, [np.nan, 3.0, 4.0])
    assert count == 1


@pytest.mark.parametrize("ours", [[np.nan, 3.0, 4.0], [np.inf, 3.0, 4.0]])
def test_what_is_no_number_beside_the_number_of_the_reference_is_compared(ours: list[float]) -> None:
    put, count = on_any_branch(np.array(ours), np.array([1.0, 3.0, 4.0]), undecided(BY_ZERO), 1e6)
    np.testing.assert_array_equal(put, ours)
    assert count == 0


def test_where_exact_operands_give_nan_a_number_is_compared() -> None:
    why = "it has no true value: it is not a number, or a quotient by zero"
    put, count = on_any_branch(np.ones(3), np.full(3, np.nan), undecided(why), 1e6)
    np.testing.assert_array_equal(put, np.ones(3))
    assert count == 0


@pytest.mark.parametrize(
    ("number", "left_out"), [(42.0, 0), (-42.0, 0), (0.0, 0), (9.9e5, 0), (1e6, 1), (-4e15, 1), (np.inf, 0)]
)
def test_beside_an_infinity_only_a_number_that_a_divisor_next_to_zero_gives_is_left_out(
    number: float, left_out: int
) -> None:
    ours, theirs = np.array([number, 3.0, 4.0]), np.array([np.inf, 3.0, 4.0])
    put, count = on_any_branch(ours, theirs, undecided(BY_ZERO), 1e6)
    assert count == left_out
    np.testing.assert_array_equal(put, theirs if left_out else ours)


@pytest.mark.parametrize(("ours", "theirs"), [(np.inf, np.nan), (-np.inf, np.nan), (np.nan, np.inf)])
def test_where_a_number_overflows_one_order_gives_infinity_and_another_nan(
    ours: float, theirs: float
) -> None:
    expected = np.array([theirs, 3.0, 4.0])
    for why, left_out in ((OVERFLOW, 1), (BY_ZERO, 0)):
        put, count = on_any_branch(np.array([ours, 3.0, 4.0]), expected, undecided(why), 1e6)
        assert count == left_out
        np.testing.assert_array_equal(put, expected if left_out else [ours, 3.0, 4.0])


@pytest.mark.parametrize("ours", [np.inf, -np.inf, np.nan])
def test_where_a_number_overflows_another_order_loses_the_number_of_the_reference(ours: float) -> None:
    """With a fused multiply-add, 1.5e308 * 1.5 - 1.5e308 is a number, and without it infinity."""
    expected = np.array([2.0, 3.0, 4.0])
    for why, left_out in ((OVERFLOW, 1), (BY_ZERO, 0)):
        put, count = on_any_branch(np.array([ours, 3.0, 4.0]), expected, undecided(why), 1e6)
        assert count == left_out
        np.testing.assert_array_equal(put, expected if left_out else [ours, 3.0, 4.0])


def test_an_infinity_of_the_other_sign_is_compared_where_a_number_overflows() -> None:
    ours, theirs = np.array([-np.inf, 3.0, 4.0]), np.array([np.inf, 3.0, 4.0])
    put, count = on_any_branch(ours, theirs, undecided(OVERFLOW), 1e6)
    np.testing.assert_array_equal(put, ours)
    assert count == 0
