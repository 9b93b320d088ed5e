"""Limits hold for every order of a sum and every way to write a stage, and are no wider than that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.oracle.rounding import Rounded
from harness.oracle.unknown import Unknown

flint = pytest.importorskip("flint")

from harness.oracle.balls import precision, radius_of, split  # noqa: E402
from harness.oracle.registry import arithmetic, balls  # noqa: E402

UNIT = 2.0**-53
BALLS = balls()
Function = Callable[..., Any]


def truth(function: Function, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    with precision(256):
        high, low, _ = split(BALLS.gather(function(*map(BALLS.given, arrays))).items)
    return high, low


def analysed(function: Function, *arrays: np.ndarray, bits: int = 53) -> Rounded:
    rounded = arithmetic(bits)
    return rounded.gather(function(*map(rounded.given, arrays)))


def used(result: np.ndarray, function: Function, *arrays: np.ndarray, bits: int = 53) -> float:
    """The largest error of a result over its limit."""
    high, low = truth(function, *arrays)
    rounded = analysed(function, *arrays, bits=bits)
    limit = np.maximum(np.minimum(rounded.worst, 8.0 * rounded.probable()), 2.0 * 2.0**-bits * np.abs(high))
    return float((np.abs((result.astype(np.float64) - high) - low) / limit).max())


def softmax(scores: Any) -> Any:
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_softmax(q: Any, k: Any) -> Any:
    return softmax(q @ k.T / np.sqrt(type(q.flat[0])(q.shape[1])))


def draw(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def one_by_one(x: np.ndarray, y: np.ndarray, order: np.ndarray) -> np.ndarray:
    total = np.zeros((x.shape[0], y.shape[1]))
    for k in order:
        total = total + x[:, k, None] * y[None, k, :]
    return total


@pytest.mark.parametrize("n", [1, 2, 3, 8, 51, 300])
def test_product_summed_in_any_order(n: int) -> None:
    x, y = draw(7, n), draw(n, 5, seed=1)
    orders = [np.arange(n), np.arange(n)[::-1], *(np.random.default_rng(i).permutation(n) for i in range(20))]
    for order in orders:
        assert used(one_by_one(x, y, order), np.matmul, x, y) <= 0.7
    assert used(x @ y, np.matmul, x, y) <= 0.7


@pytest.mark.parametrize("n", [8, 51, 300])
def test_product_whose_terms_come_sorted(n: int) -> None:
    x = np.sort(draw(1, n))
    y = np.ones((n, 1))
    for order in (np.arange(n), np.arange(n)[::-1]):
        assert used(one_by_one(x, y, order), np.matmul, x, y) <= 0.7


def in_scale_first(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return softmax((q * q.shape[1] ** -0.5) @ k.T)


def after_the_largest(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    scores = q @ k.T
    return softmax((scores - scores.max(axis=-1, keepdims=True)) / q.shape[1] ** 0.5)


def by_reciprocals(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    scores = (q @ k.T) * (1.0 / q.shape[1] ** 0.5)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e * (1.0 / e.sum(axis=-1, keepdims=True))


def by_logarithms(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    scores = q @ k.T / q.shape[1] ** 0.5
    largest = scores.max(axis=-1, keepdims=True)
    return np.exp(scores - largest - np.log(np.exp(scores - largest).sum(axis=-1, keepdims=True)))


@pytest.mark.parametrize("variant", [in_scale_first, after_the_largest, by_reciprocals, by_logarithms])
@pytest.mark.parametrize(
    ("n", "d", "scale"),
    [
        (4, 3, 1.0),
        (5, 3, 8.0),
        (36, 51, 1.0),
        # Two seconds for each way to write it.
        pytest.param(64, 51, 0.1, marks=pytest.mark.slow),
    ],
)
def test_other_ways_to_write_a_stage(variant: Function, n: int, d: int, scale: float) -> None:
    for seed in range(20):
        q, k = scale * draw(n, d, seed=seed), draw(n, d, seed=seed + 1000)
        assert used(variant(q, k), scaled_softmax, q, k) <= 0.7


def test_single_precision_is_beyond_the_limits_of_double() -> None:
    q, k = draw(5, 3), draw(5, 3, seed=1)
    single = scaled_softmax(q.astype(np.float32), k.astype(np.float32)).astype(np.float64)
    assert used(single, scaled_softmax, q, k) > 1e5
    q, k = q.astype(np.float32), k.astype(np.float32)
    assert used(scaled_softmax(q, k), scaled_softmax, q, k, bits=24) <= 0.7


def test_a_limit_is_eight_times_the_probable_error_and_no_more_than_the_worst() -> None:
    many = analysed(np.matmul, draw(7, 300), draw(300, 5, seed=1))
    assert (8.0 * many.probable() < many.worst).all()
    np.testing.assert_array_equal(many.limit(), 8.0 * many.probable())
    few = analysed(np.matmul, draw(7, 2), draw(2, 5, seed=1))
    assert (few.worst < 8.0 * few.probable()).any()
    np.testing.assert_array_equal(few.limit(), np.minimum(few.worst, 8.0 * few.probable()))


def test_limit_widens_where_terms_cancel_and_only_there() -> None:
    x = np.array([[1.0, 1e8, -1e8], [1.0, 2.0, 3.0]])
    limit = analysed(np.matmul, x, np.ones((3, 1))).worst[:, 0]
    assert limit[0] == pytest.approx(4 * UNIT * 2e8, rel=1e-6)
    assert limit[1] == pytest.approx(4 * UNIT * 6.0, rel=1e-6)


def test_selections_are_exact_and_carry_their_errors() -> None:
    rounded = arithmetic(53)
    x = rounded.given(draw(4, 3))
    for same in (
        x.T,
        x[1:, ::2],
        np.stack([x, x]),
        np.diag(x[0]),
        np.where(draw(4, 3) > 0, x, 0.0),
        x.max(axis=0),
    ):
        assert not same.worst.any()
        assert not same.probable().any()
    y = x * 3.0
    again = np.concatenate([y[2:], y[:2]])[[2, 3, 0, 1]]
    np.testing.assert_array_equal(again.worst, y.worst)
    np.testing.assert_array_equal(again.probable(), y.probable())
    np.testing.assert_array_equal(np.tril(y[:3]).worst, np.tril(y.worst[:3]))


def test_an_error_that_is_used_twice_is_one_error() -> None:
    x = arithmetic(53).given(np.full(100, 0.1)) * 3.0
    same = x[:1]
    total = sum((same for _ in range(99)), start=same)
    assert total.probable()[0] >= 99 * same.probable()[0]
    assert (x - x).probable()[0] < 3 * x.probable()[0]


def test_error_of_a_quotient_by_a_sum_cancels() -> None:
    # The largest score moves every exponential alike: it must not widen the weights.
    scores = np.zeros((1, 16))
    weights = analysed(softmax, scores)
    assert weights.probable().max() < 3 * UNIT * weights.value.max() * 2


@pytest.mark.parametrize("function", [np.linalg.eig, np.i0, np.unwrap, np.spacing])
def test_what_has_no_analysis_is_refused(function: Function) -> None:
    with pytest.raises(Unknown, match="no limit can be derived for `numpy"):
        function(arithmetic(53).given(np.eye(2)))


def test_constants_that_were_rounded_are_charged() -> None:
    rounded = arithmetic(53)
    assert rounded(0.1).worst == UNIT * 0.1
    for exact_one in (3, 0.5, -np.inf, 2.0**-20):
        assert rounded(exact_one).worst == 0.0


def test_infinities_have_no_error() -> None:
    rounded = arithmetic(53)
    scores = rounded.given(np.array([[1.0, -np.inf], [0.5, 0.25]]))
    weights = softmax(scores)
    assert np.isfinite(weights.worst).all()
    assert weights.value[0, 1] == 0.0
    assert weights.worst[0, 1] <= 1e-320


def test_in_place_arithmetic_changes_all_that_shares_the_memory() -> None:
    given = np.ones(3)
    x = arithmetic(53).given(given)
    same, row, other = x, x[1:], x.copy()
    same /= 3.0
    row[1] += 1.0
    assert x.value.tolist() == [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0 + 1.0]
    assert (x.worst > 0.0).all()
    assert x.probable()[2] > x.probable()[1] > 0.0
    assert given.tolist() == other.value.tolist() == [1.0, 1.0, 1.0]
    assert not other.worst.any()


@pytest.mark.parametrize(
    "subscripts", ["nd,hdk->hnk", "hik,hjk->hij", "ij,jk->ik", "bij,bjk->bik", "i,j->ij"]
)
def test_einsum_is_a_matrix_product(subscripts: str) -> None:
    sizes = {"n": 4, "d": 3, "h": 2, "k": 5, "i": 4, "j": 6, "b": 2}
    left, right = subscripts.partition("->")[0].split(",")
    x, y = draw(*(sizes[axis] for axis in left)), draw(*(sizes[axis] for axis in right), seed=1)
    rounded = analysed(lambda a, b: np.einsum(subscripts, a, b), x, y)
    np.testing.assert_allclose(rounded.value, np.einsum(subscripts, x, y))
    contracted = set(left) & set(right) - set(subscripts.partition("->")[2])
    terms = int(np.prod([sizes[axis] for axis in contracted]))
    bound = (terms + 1) * UNIT * np.einsum(subscripts, np.abs(x), np.abs(y))
    np.testing.assert_allclose(rounded.worst, bound, rtol=1e-9)


@pytest.mark.parametrize("bits", [53, 24])
def test_balls_of_the_working_precision_stay_within_the_worst_case(bits: int) -> None:
    q, k = draw(6, 8), draw(6, 8, seed=1)
    if bits == 24:
        q, k = (array.astype(np.float32).astype(np.float64) for array in (q, k))
    with precision(bits):
        radius = radius_of(scaled_softmax(BALLS.given(q), BALLS.given(k)).items)
    worst = analysed(scaled_softmax, q, k, bits=bits).worst
    # Balls round towards zero, by up to two units where rounding to nearest moves by one.
    assert (radius <= 2.1 * worst).all()
    assert (radius >= worst / 100).all()


def test_a_tiny_radius_is_not_rounded_to_nothing() -> None:
    with precision(256):
        balls_ = np.array([flint.arb(5, "1e-400"), flint.arb(0, "1e-400"), flint.arb(5), flint.arb(1) / 3])
        high, low, radius = split(balls_)
        third = radius[3]
        assert flint.arb(high[3]) + flint.arb(low[3]) + third >= flint.arb(1) / 3
    assert high.tolist()[:3] == [5.0, 0.0, 5.0]
    assert radius.tolist()[:3] == [5e-324, 5e-324, 0.0]
    assert radius_of(balls_).tolist()[:3] == [5e-324, 5e-324, 0.0]
    assert 0 < third < 2.0**-105
