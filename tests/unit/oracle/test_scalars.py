"""Single numbers have the operations that arrays have: the same values and the same errors."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision
from harness.oracle.registry import arithmetic, balls
from harness.oracle.unknown import Undecided

NUMBERS = [0.0, -0.0, 1.0, -2.0, 0.1, 3.7, -1e-3, 1e300, -1e308, 5e-324, 3e-310, 2.0**-1022, np.inf, np.nan]
OPERATIONS = [operator.add, operator.sub, operator.mul, operator.truediv]
UNARY = [
    operator.neg,
    abs,
    lambda x: x**2,
    lambda x: x + 0.1,
    lambda x: 0.3 - x,
    lambda x: x * 2,
    lambda x: 1 / x,
]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """As a stage is evaluated."""
    with np.errstate(all="ignore"):
        yield


def off(kind: Any, number: float) -> Any:
    """A number with an error, in an array of one element."""
    return kind.within(np.array([number]), np.abs(np.array([number])) * 1e-12)


@pytest.mark.parametrize("bits", [53, 24])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_number_has_the_value_and_the_error_of_an_array(operation: Callable[..., Any], bits: int) -> None:
    kind = arithmetic(bits)
    for a, b in product(NUMBERS, NUMBERS):
        for x, y in (
            (kind.given([a]), kind.given([b])),
            (off(kind, a), kind.given([b])),
            (off(kind, a), off(kind, b)),
        ):
            scalar, whole = operation(x[0], y[0]), operation(x, y)
            assert scalar.shape == ()
            np.testing.assert_array_equal(scalar.value, whole.value[0])
            np.testing.assert_allclose(scalar.worst, whole.worst[0], rtol=1e-9)
            assert (scalar.probable() > 0) == (whole.probable()[0] > 0)
            assert bool(scalar.doubtful()) == bool(whole.doubtful()[0])
            if scalar.probable() > 0:
                assert 0.3 < scalar.probable() / whole.probable()[0] < 3.0


@pytest.mark.parametrize("bits", [53, 24])
@pytest.mark.parametrize("operation", UNARY)
def test_so_it_has_beside_a_constant(operation: Callable[..., Any], bits: int) -> None:
    kind = arithmetic(bits)
    for number in NUMBERS:
        scalar, whole = operation(off(kind, number)[0]), operation(off(kind, number))
        np.testing.assert_array_equal(scalar.value, whole.value[0])
        np.testing.assert_allclose(scalar.worst, whole.worst[0], rtol=1e-9)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_ball_is_that_of_an_array(operation: Callable[..., Any]) -> None:
    kind = balls(53)
    with precision(256):
        for a, b in product(NUMBERS, NUMBERS):
            x, y = kind.given([a]) / 3.0, kind.given([b])
            scalar, whole = operation(x[0], y[0]), operation(x, y)
            assert str(scalar.items[()]) == str(whole.items[0])


def test_errors_that_cancel_in_arrays_cancel_in_numbers() -> None:
    third = (arithmetic(53).given([1.0]) / 3.0)[0]
    assert (third - third).probable() <= 2.0**-53
    assert (third + third).probable() > 2.0**-53 * 0.3


def test_comparisons_are_decided_where_those_of_arrays_are() -> None:
    kind = arithmetic(53)
    third = (kind.given([1.0]) / 3.0)[0]
    assert third < 0.5
    assert not third > 0.5
    assert kind.given([0.5])[0] == 0.5
    with pytest.raises(Undecided):
        bool(third * 3.0 == 1.0)
    ball = (balls(53).given([1.0]) / 3.0)[0]
    assert ball < 0.5
    with pytest.raises(Undecided):
        bool(ball * 3.0 < 1.0)


def test_an_element_is_a_copy_and_an_assignment_goes_into_the_array() -> None:
    for kind in (arithmetic(53), balls(53)):
        x = kind.given(np.arange(6.0).reshape(2, 3)).copy()
        element = x[1, 2]
        x[1, 2] = element / 3.0
        x[0, -1] = 7.5
        assert element.nearest() == 5.0
        assert x.nearest()[1, 2] == pytest.approx(5.0 / 3.0)
        assert x.nearest()[0, 2] == 7.5
        row = x[1]
        row[0] = 0.1
        assert x.nearest()[1, 0] == 0.1
        with pytest.raises(IndexError):
            x[1, 3]
    rounded = arithmetic(53).given(np.arange(3.0))
    rounded[1] = rounded[1] / 3.0
    assert rounded.limit().tolist() == [0.0, pytest.approx(2 * 2.0**-53 / 3), 0.0]
    rounded[1] = 1.0
    assert not rounded.limit().any()
