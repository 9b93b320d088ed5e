"""Arrays with errors, by hand: sums, extremes, shorter formats, and what NumPy's functions make of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.conditions import Condition
from harness.oracle.registry import arithmetic, balls
from harness.oracle.rounding import Rounded
from harness.oracle.unknown import NotUnderstood, Unknown

U = 2.0**-53
INF, NAN = math.inf, math.nan
MATRIX = [[1.0, 5.0, 3.0], [4.0, -2.0, 6.0]]


@pytest.fixture
def kind() -> type[Rounded]:
    return arithmetic(53)


def exact(kind: type[Rounded], values: Any) -> Rounded:
    return kind.given(np.array(values, dtype=float))


def within(kind: type[Rounded], values: Any, errors: Any) -> Rounded:
    return kind.within(np.array(values, dtype=float), np.array(errors, dtype=float))


def expect(rounded: Any, value: Any, worst: Any = 0.0, probable: Any = None) -> None:
    assert isinstance(rounded, Rounded)
    np.testing.assert_array_equal(rounded.value, value, strict=np.ndim(value) > 0)
    np.testing.assert_array_equal(rounded.worst, np.broadcast_to(worst, rounded.shape))
    if probable is not None:
        np.testing.assert_array_equal(rounded.probable(), np.broadcast_to(probable, rounded.shape))


def test_numbers_with_an_error(kind: type[Rounded]) -> None:
    expect(within(kind, [1.0, -2.0], [0.5, 0.25]), [1.0, -2.0], [0.5, 0.25], [0.5, 0.25])
    expect(exact(kind, [1.0, -2.0]), [1.0, -2.0], 0.0, 0.0)


@pytest.mark.parametrize(
    ("value", "number", "worst"),
    [(3, 3.0, 0.0), (0.1, 0.1, 0.1 * U), (np.float64(-0.1), -0.1, 0.1 * U), (True, 1.0, 0.0)],
)
def test_a_number_is_gathered(kind: type[Rounded], value: Any, number: float, worst: float) -> None:
    for _ in range(2):
        rounded = kind.gather(value)
        expect(rounded, number, worst, worst)
        assert rounded.shape == ()
        # What a file has written down is rounded once.
        assert kind.written == {number: worst} or type(value) is bool


def test_whatever_a_function_returns_is_gathered(kind: type[Rounded]) -> None:
    x = within(kind, [1.0, 2.0], [0.5, 0.25])
    assert kind.gather(x) is x
    expect(kind.gather([x, [3.0, 4.0]]), [[1.0, 2.0], [3.0, 4.0]], [[0.5, 0.25], [0.0, 0.0]])
    expect(kind.gather([1, 2]), [1.0, 2.0])
    truths = np.array([True, False])
    expect(kind.gather(Condition(kind, truths, ~truths & truths, "x > 0")), [1.0, 0.0])
    with pytest.raises(Unknown, match=r"^its rows differ in length$"):
        kind.gather([x, x[:1]])
    with pytest.raises(Unknown, match=r"^None is no array of real numbers$"):
        kind.gather(None)


def test_a_shorter_format_rounds_what_it_may_not_hold(kind: type[Rounded]) -> None:
    # 4 may be any number near it; -0.5 is held; 0.1 is not; the last is below the least normal of float16.
    tiny = 2.0**-20 + 2.0**-50
    x = within(kind, [4.0, -0.5, 0.1, tiny], [0.25, 0.0, 0.0, 0.0])
    single = x.astype(np.float32)
    expect(single, [4.0, -0.5, 0.1, tiny], [0.25 + 2.0**-22, 0.0, 2.0**-24 * 0.1, 2.0**-24 * tiny])
    np.testing.assert_array_equal(single.probable()[1:], single.worst[1:])
    half = x.astype("f2")
    expect(half, [4.0, -0.5, 0.1, tiny], [0.25 + 2.0**-9, 0.0, 2.0**-11 * 0.1, 2.0**-24])
    assert [array.dtype.name for array in (x, single, half)] == ["float64", "float32", "float16"]
    # A longer one holds all of a shorter.
    expect(half.astype(np.float64), half.value, half.worst, half.probable())
    expect(x.astype(np.float64), [4.0, -0.5, 0.1, tiny], [0.25, 0.0, 0.0, 0.0])
    expect(exact(kind, [0.1]).astype(np.float32).astype(np.float32), [0.1], 2.0**-24 * 0.1)
    assert exact(kind, [4.0, -2.0]).astype(np.int8).tolist() == [4, -2]


def test_a_sum_adds_its_rounding_to_what_its_terms_carry(kind: type[Rounded]) -> None:
    # Of 3 and 4: 2 terms of 7 in all, and a spread of sqrt(9 + 16 + 49 / 3) units.
    expect(exact(kind, [3.0, 4.0]).sum(), 7.0, 14 * U)
    assert exact(kind, [3.0, 4.0]).sum().probable() == pytest.approx(U * math.sqrt(25 + 49 / 3), rel=1e-14)
    x = within(kind, [3.0, 4.0], [0.5, 0.25])
    expect(x.sum(), 7.0, 0.75 + 14 * U)
    assert x.draws is not None
    np.testing.assert_allclose(x.sum().draws, x.draws.sum(axis=1), rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("axis", "value", "kept"),
    [
        (None, 17.0, [[17.0]]),
        (0, [5.0, 3.0, 9.0], [[5.0, 3.0, 9.0]]),
        (1, [9.0, 8.0], [[9.0], [8.0]]),
        (-1, [9.0, 8.0], [[9.0], [8.0]]),
        ((0, 1), 17.0, [[17.0]]),
        ((), MATRIX, MATRIX),
    ],
)
def test_axes_of_a_sum(kind: type[Rounded], axis: Any, value: Any, kept: Any) -> None:
    x = exact(kind, MATRIX)
    for total in (x.sum(axis), np.sum(x, axis=axis), np.add.reduce(x, axis=axis)):
        np.testing.assert_array_equal(total.value, value, strict=np.ndim(value) > 0)
    for total in (x.sum(axis, keepdims=True), np.add.reduce(x, axis=axis, keepdims=True)):
        np.testing.assert_array_equal(total.value, kept, strict=True)


def test_axes_of_a_stack(kind: type[Rounded]) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    given = kind.given(x)
    for axis in (0, 1, 2, (0, 2), (2, 0)):
        np.testing.assert_array_equal(given.sum(axis).value, x.sum(axis))
        np.testing.assert_array_equal(given.max(axis).value, x.max(axis))
        np.testing.assert_array_equal(given.min(axis, keepdims=True).value, x.min(axis, keepdims=True))
    # The first axis where none is named, as of any ufunc.
    np.testing.assert_array_equal(np.add.reduce(given).value, x.sum(0))
    np.testing.assert_array_equal(np.maximum.reduce(given).value, x[1])


@pytest.mark.parametrize(
    ("terms", "decided"),
    [
        # No partial sum of terms of one sign is beyond the whole, of others half of 110000 and 50000.
        ([30000.0, 30000.0], True),
        ([40000.0, 40000.0, -30000.0], False),
        ([40000.0, 20000.0, -30000.0], True),
        ([-40000.0, -40000.0, 30000.0], False),
    ],
)
def test_a_sum_that_overflows_in_some_order_is_undecided(terms: list[float], decided: bool) -> None:
    half = arithmetic(11)
    assert np.isfinite(exact(half, terms).sum().limit()) == decided
    assert (half.branches.take() == []) == decided


def test_sums_of_what_is_not_finite(kind: type[Rounded]) -> None:
    x = exact(kind, [[1.5e308, 1.5e308], [INF, 1.0], [1.0, 2.0]])
    for total in (np.add.reduce(x, axis=1), np.sum(x, axis=1)):
        assert total.value.tolist()[1:] == [INF, 3.0]
        np.testing.assert_array_equal(total.limit(), [NAN, 0.0, 6 * U])


def test_a_mean_is_a_sum_and_a_quotient(kind: type[Rounded]) -> None:
    # Halves are exact.
    expect(exact(kind, [3.0, 4.0]).mean(), 3.5, 7 * U)
    expect(exact(kind, [3.0]).mean(), 3.0, 0.0)
    x = exact(kind, MATRIX)
    assert x.mean(axis=0).value.tolist() == [2.5, 1.5, 4.5]
    assert x.mean(axis=1, keepdims=True).value.tolist() == [[3.0], [8 / 3]]
    assert x.mean().value == 17 / 6
    assert np.isnan(exact(kind, []).mean().value)
    assert exact(kind, np.zeros((0, 3))).mean(axis=1).shape == (0,)


def test_of_the_largest_the_worst_error_is_that_of_any(kind: type[Rounded]) -> None:
    x = within(kind, MATRIX, [[0.5, 0.25, 0.125], [2.0**-4, 2.0**-5, 2.0**-6]])
    expect(x.max(axis=1), [5.0, 6.0], [0.5, 2.0**-4], [0.25, 2.0**-6])
    expect(x.min(axis=1), [1.0, -2.0], [0.5, 2.0**-4], [0.5, 2.0**-5])
    expect(x.max(), 6.0, 0.5, 2.0**-6)
    expect(x.min(axis=0, keepdims=True), [[1.0, -2.0, 3.0]], [[0.5, 0.25, 0.125]])
    expect(exact(kind, MATRIX).max(axis=0), [4.0, 5.0, 6.0], 0.0, 0.0)


def test_the_largest_of_what_is_undecided_is_undecided(kind: type[Rounded]) -> None:
    x = exact(kind, MATRIX).spoiled(np.array([[True, False, False], [False, False, False]]))
    # The undecided one is not the largest by its value.
    np.testing.assert_array_equal(np.isnan(x.max(axis=1).limit()), [True, False])
    np.testing.assert_array_equal(np.isnan(x.min(axis=0).limit()), [True, False, False])
    np.testing.assert_array_equal(np.isnan(x.max(axis=1, keepdims=True).limit()), [[True], [False]])


@pytest.mark.parametrize(
    ("function", "understood"),
    [
        *((function, True) for function in (np.add, np.sum, np.greater, np.take, np.stack)),
        *((function, False) for function in (np.spacing, np.linalg.eig, np.i0)),
    ],
)
def test_what_is_understood(kind: type[Rounded], function: Any, understood: bool) -> None:
    assert kind.understands(function) is understood


def test_reductions_take_an_initial_value(kind: type[Rounded]) -> None:
    x = exact(kind, [3.0, 4.0])
    assert np.add.reduce(x, initial=8.0).value == 15.0
    assert np.maximum.reduce(x, initial=8.0).value == 8.0
    assert np.maximum.reduce(x, initial=2.0).value == 4.0


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (np.spacing, "numpy.spacing"),
        (np.hypot.reduce, "numpy.hypot.reduce"),
        (np.i0, "numpy.i0"),
    ],
)
def test_what_is_refused_is_named(kind: type[Rounded], function: Callable[..., Any], name: str) -> None:
    with pytest.raises(NotUnderstood, match=f"^no limit can be derived for `{name}`$"):
        function(exact(kind, [1.0, 2.0]))


def test_steps_of_arrays_and_of_numbers(kind: type[Rounded]) -> None:
    x = within(kind, [1.5, 2.0], [0.25, 0.25])
    floor = np.floor(x)
    assert floor.value.tolist() == [1.0, 2.0]
    np.testing.assert_array_equal(floor.limit(), [0.0, NAN])
    clipped = np.clip(exact(kind, [1.0, 5.0]), 2.0, 4.0)
    assert clipped.value.tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("function", "value"),
    [
        (np.transpose, [[1.0, 4.0], [5.0, -2.0], [3.0, 6.0]]),
        (lambda x: np.reshape(x, (3, 2)), [[1.0, 5.0], [3.0, 4.0], [-2.0, 6.0]]),
        (lambda x: np.moveaxis(x, source=0, destination=1), [[1.0, 4.0], [5.0, -2.0], [3.0, 6.0]]),
        (lambda x: np.flip(x, axis=1), [[3.0, 5.0, 1.0], [6.0, -2.0, 4.0]]),
    ],
)
def test_views_share_their_memory(kind: type[Rounded], function: Callable[..., Any], value: Any) -> None:
    x = exact(kind, MATRIX)
    view = function(x)
    assert view.value.tolist() == value
    x[0, 0] = 9.0
    assert view.value.max() == 9.0


def test_what_is_viewed_may_be_given_by_its_name(kind: type[Rounded]) -> None:
    for arithmetic_ in (kind, balls()):
        x = arithmetic_.given(np.array(MATRIX))
        assert np.transpose(a=x).nearest().tolist() == [[1.0, 4.0], [5.0, -2.0], [3.0, 6.0]]


def test_elements_are_selected_with_their_errors(kind: type[Rounded]) -> None:
    x = within(kind, [1.0, 2.0, 3.0], [0.5, 0.25, 0.125])
    expect(np.take(x, [2, 0]), [3.0, 1.0], [0.125, 0.5], [0.125, 0.5])
    expect(np.concatenate([x[:1], [4.0]]), [1.0, 4.0], [0.5, 0.0], [0.5, 0.0])
    expect(np.roll(x, shift=1), [3.0, 1.0, 2.0], [0.125, 0.5, 0.25])


def test_errors_are_carried_to_more_axes(kind: type[Rounded]) -> None:
    x, y = within(kind, [2.0, 4.0], [0.5, 0.25]), exact(kind, [[[0.0]], [[0.0]], [[0.0]]])
    total = x + y
    assert total.shape == (3, 1, 2)
    np.testing.assert_allclose(total.probable(), np.broadcast_to([0.5, 0.25], (3, 1, 2)), rtol=1e-12)


def test_an_angle_is_that_of_a_point(kind: type[Rounded]) -> None:
    angle = kind.angle(exact(kind, [1.0]), exact(kind, [-1.0]))
    assert angle.value.tolist() == [math.atan2(1.0, -1.0)]
    assert angle.worst[0] > 0.0
