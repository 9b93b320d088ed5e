"""Statistics, products, running sums, order statistics: NumPy's own never exceeds its limit, a fault does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.oracle.unknown import Unknown

Function = Callable[..., Any]


def draw(*shape: int, seed: int = 0, offset: float = 0.0) -> np.ndarray:
    return offset + np.random.default_rng(seed).normal(size=shape)


RIGHT: dict[str, tuple[Function, tuple[np.ndarray, ...]]] = {
    "var": (lambda x: np.var(x, axis=0, ddof=1), (draw(30, 4),)),
    "var of a large mean": (lambda x: np.var(x, axis=0), (draw(300, 4, offset=1000.0),)),
    "std": (np.std, (draw(7, 6),)),
    "std kept": (lambda x: np.std(x, axis=-1, keepdims=True), (draw(7, 6),)),
    "std of equal numbers": (lambda x: np.std(x, ddof=1), (np.full(102, np.float32(0.1)),)),
    "prod": (lambda x: np.prod(x, axis=1), (draw(6, 20),)),
    "prod that underflows": (np.prod, (np.full(130, 1e-3),)),
    "prod of a zero": (lambda x: np.prod(x - 0.5), (np.array([0.5, 2.0, 3.0]),)),
    "cumsum": (np.cumsum, (draw(20, 30),)),
    "cumsum of an axis": (lambda x: np.cumsum(x, axis=0), (draw(50, 3),)),
    "cumprod": (lambda x: np.cumprod(x, axis=1), (draw(3, 12),)),
    "sort": (lambda x: np.sort(3 * x, axis=0), (draw(9, 4),)),
    "sort of ties": (lambda x: np.sort(x / 3), (np.array([3.0, 1.0, 3.0, 1.0, 2.0]),)),
    "median of an odd number": (np.median, (draw(9),)),
    "median of an even number": (lambda x: np.median(x, axis=0), (draw(8, 3),)),
    "quantiles": (lambda x: np.quantile(x, [0.0, 0.1, 0.25, 0.77, 1.0], axis=0), (draw(11, 3),)),
    "percentile": (lambda x: np.percentile(x, 33, keepdims=True), (draw(40),)),
    "hazen": (lambda x: np.quantile(x, 0.4, method="hazen"), (draw(41),)),
    "median unbiased": (lambda x: np.quantile(x, 0.9, method="median_unbiased"), (draw(41),)),
    "tensordot": (
        lambda x, y: np.tensordot(x, y, axes=([0, 2], [1, 0])),
        (draw(4, 3, 5), draw(5, 4, 2, seed=1)),
    ),
    "inner": (np.inner, (draw(4, 9), draw(3, 9, seed=1))),
    "vdot": (np.vdot, (draw(40), draw(40, seed=1))),
    "outer": (np.outer, (draw(7), draw(5, seed=1))),
    "kron": (np.kron, (draw(3, 2), draw(2, 4, seed=1))),
    "kron of a vector": (np.kron, (draw(3), draw(2, 4, seed=1))),
    "convolve": (np.convolve, (draw(40), draw(7, seed=1))),
    "convolve, same": (lambda x, y: np.convolve(x, y, "same"), (draw(40), draw(6, seed=1))),
    "convolve, valid": (lambda x, y: np.convolve(y, x, "valid"), (draw(40), draw(7, seed=1))),
    "trace": (lambda x: np.trace(x, 1), (draw(6, 5),)),
    "diff": (lambda x: np.diff(x, 2, axis=0), (draw(6, 5),)),
    "clip": (lambda x: np.clip(3 * x, -1, 1), (draw(6, 5),)),
    "norm": (np.linalg.norm, (draw(6, 5),)),
    "norm of rows": (lambda x: np.linalg.norm(x, axis=1, keepdims=True), (draw(6, 5),)),
    "norm 1": (lambda x: np.linalg.norm(x, 1), (draw(6, 5),)),
    "norm inf": (lambda x: np.linalg.norm(x, np.inf), (draw(6, 5),)),
    "largest": (lambda x: np.linalg.norm(x, np.inf, axis=0), (draw(6, 5),)),
    "average": (lambda x, w: np.average(x, weights=w), (draw(40), draw(40, seed=1) ** 2)),
    "average of columns": (lambda x, w: np.average(x, axis=0, weights=w), (draw(9, 4), draw(9, seed=1) ** 2)),
    "interp": (lambda x, y: np.interp(x, np.linspace(-2, 2, 7), y), (draw(40), draw(7, seed=1))),
    "interp at the knots": (lambda x, y: np.interp(np.sort(x), np.sort(x), y), (draw(7), draw(7, seed=1))),
    "interp beyond": (
        lambda x, y: np.interp(3 * x, np.arange(7.0), y, left=1.0),
        (draw(40), draw(7, seed=1)),
    ),
}


@pytest.mark.parametrize("bits", [53, 24])
@pytest.mark.parametrize("name", RIGHT)
def test_numpy_itself_is_within_its_limit(share: Any, name: str, bits: int) -> None:
    function, arrays = RIGHT[name]
    assert share(function, *arrays, bits=bits) <= 0.7


NOTHING = np.zeros((3, 0))
EMPTY: dict[str, tuple[Function, tuple[np.ndarray, ...]]] = {
    "of two vectors": (lambda x, y: x @ y, (NOTHING[0], NOTHING[0])),
    "of a matrix and a vector": (lambda x, y: x @ y, (NOTHING, NOTHING[0])),
    "of a vector and a matrix": (lambda x, y: x @ y, (NOTHING[0], NOTHING.T)),
    "of two matrices": (lambda x, y: x @ y, (NOTHING, NOTHING.T)),
    "dot": (np.dot, (NOTHING[0], NOTHING[0])),
    "dot as a method": (lambda x, y: x.dot(y), (NOTHING[0], NOTHING[0])),
    "vdot": (np.vdot, (NOTHING[0], NOTHING[0])),
    "inner": (np.inner, (NOTHING, NOTHING)),
    "tensordot": (lambda x, y: np.tensordot(x, y, 1), (NOTHING, NOTHING.T)),
    "einsum": (lambda x, y: np.einsum("i,i->", x, y), (NOTHING[0], NOTHING[0])),
    "einsum of matrices": (lambda x, y: np.einsum("ij,kj->ik", x, y), (NOTHING, NOTHING)),
    "sum": (np.sum, (NOTHING,)),
    "sum of rows": (lambda x: x.sum(axis=1, keepdims=True), (NOTHING,)),
    "sum of no rows": (lambda x: np.add.reduce(x, axis=0), (NOTHING.T,)),
    "prod": (np.prod, (NOTHING,)),
    "prod of rows": (lambda x: np.prod(x, axis=1), (NOTHING,)),
    "norm": (np.linalg.norm, (NOTHING[0],)),
    "norm of rows": (lambda x: np.linalg.norm(x, axis=1), (NOTHING,)),
    "norm 1": (lambda x: np.linalg.norm(x, 1), (NOTHING[0],)),
    "taken off a number": (lambda x, y: y[0] - x @ x, (NOTHING[0], np.array([3.0]))),
}


@pytest.mark.parametrize("name", EMPTY)
def test_sums_and_products_of_nothing_are_what_numpy_has(share: Any, name: str) -> None:
    function, arrays = EMPTY[name]
    assert share(function, *arrays) == 0.0
    with np.errstate(over="ignore"):
        assert share(function, *arrays, by=lambda *given: function(*given) + 1e-12) > 1e3


@pytest.mark.parametrize("bits", [53, 24])
def test_a_mean_of_nothing_is_not_a_number(bits: int) -> None:
    pytest.importorskip("flint")
    from harness.oracle.registry import arithmetic, balls

    for kind in (arithmetic(bits), balls(bits)):
        with np.errstate(all="ignore"):
            assert np.isnan(kind.gather(kind.given(NOTHING).mean(axis=1)).nearest()).tolist() == [True] * 3
            assert kind.gather(kind.given(NOTHING).mean(axis=0)).shape == (0,)


@pytest.mark.parametrize("exponent", [1, 2, 3, 4])
def test_a_power_of_a_difference_that_is_zero_is_zero(exponent: int) -> None:
    """The ball of 1/7 - 1/7 holds 0 in its middle."""
    pytest.importorskip("flint")
    from harness.oracle.balls import precision, split
    from harness.oracle.registry import balls

    with precision(256):
        # Two computations of one number: the same ball minus itself is 0.
        third, other = (balls(53).given(np.ones(2)) / np.array([7.0, 3.0]) for _ in range(2))
        high, low, radius = split(balls(53).gather((third - other) ** exponent).items)
    assert (np.abs(high) + np.abs(low) <= radius).all()
    assert (radius < 2.0**-250).all()
    assert (radius > 0).all()


def welford(x: np.ndarray) -> np.ndarray:
    mean, total = x.dtype.type(0), x.dtype.type(0)
    for count, sample in enumerate(x, start=1):
        away = sample - mean
        mean = mean + away / x.dtype.type(count)
        total = total + away * (sample - mean)
    return total / x.dtype.type(len(x))


def by_blocks(x: np.ndarray) -> np.ndarray:
    """Chan's update of the variance of two halves."""
    left, right = x[: len(x) // 2], x[len(x) // 2 :]
    away = right.mean() - left.mean()
    total = left.var() * len(left) + right.var() * len(right) + away**2 * len(left) * len(right) / len(x)
    return np.asarray(total / len(x), dtype=x.dtype)


@pytest.mark.parametrize("bits", [53, 24])
@pytest.mark.parametrize("offset", [0.0, 10.0, 300.0])
@pytest.mark.parametrize("by", [welford, by_blocks])
@pytest.mark.parametrize("n", [5, 100, 3000])
def test_variance_by_updating_is_granted(share: Any, by: Function, offset: float, n: int, bits: int) -> None:
    assert share(np.var, draw(n, offset=offset), by=by, bits=bits) <= 0.7


def test_variance_by_the_textbook_formula_is_not() -> None:
    """It loses the square of what cancels."""
    from harness.oracle.registry import arithmetic

    x = draw(300, offset=1000.0).astype(np.float32)
    limit = np.var(arithmetic(24).given(x.astype(np.float64))).limit()
    textbook = (x * x).mean() - x.mean() ** 2
    assert abs(textbook - x.astype(np.float64).var()) > 10 * limit


def sequential(x: np.ndarray) -> np.ndarray:
    total = x.dtype.type(1)
    for factor in x[::-1]:
        total = total * factor
    return total


WRONG: dict[str, tuple[Function, Function, tuple[np.ndarray, ...]]] = {
    "ddof": (lambda x: np.var(x, ddof=1), np.var, (draw(300),)),
    "a term left out": (np.cumsum, lambda x: np.r_[x[0], np.cumsum(x[1:])], (draw(300, offset=3.0),)),
    "narrow": (np.std, lambda x: np.std(x.astype(np.float32)), (draw(300),)),
    "another quantile": (
        lambda x: np.quantile(x, 0.3),
        lambda x: np.quantile(x, 0.3, method="weibull"),
        (draw(41),),
    ),
    "the lower median": (np.median, lambda x: np.sort(x)[len(x) // 2 - 1], (draw(40),)),
    "one of a product": (np.prod, lambda x: np.prod(x[1:]), (draw(9),)),
    "not sorted": (lambda x: np.sort(x, axis=0), lambda x: np.sort(x, axis=1), (draw(3, 3),)),
    "moved": (np.convolve, lambda x, y: np.convolve(x, y[::-1]), (draw(9), draw(3))),
    "the wrong norm": (np.linalg.norm, lambda x: np.linalg.norm(x, 2), (draw(4, 4),)),
    "the nearest knot": (
        lambda x: np.interp(x, np.arange(4.0), np.arange(4.0) ** 2),
        lambda x: np.round(x) ** 2,
        (np.array([0.3, 1.9]),),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_beyond_its_limit(share: Any, name: str) -> None:
    right, wrong, arrays = WRONG[name]
    assert share(right, *arrays, by=wrong) > 1e3


def test_products_in_another_order(share: Any) -> None:
    for n in (3, 50, 400):
        x = np.exp(draw(n) / math.sqrt(n))
        assert share(np.prod, x, by=sequential) <= 0.7


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.quantile(x, 0.5, method="nearest"),
        lambda x: np.var(x, dtype=np.float32),
        lambda x: np.var(x, ddof=3),
        lambda x: np.linalg.norm(x, 0),
        lambda x: np.average(x, returned=True),
    ],
)
def test_what_has_no_analysis_is_refused(function: Function) -> None:
    pytest.importorskip("flint")
    from harness.oracle.registry import arithmetic

    with pytest.raises(Unknown):
        function(arithmetic(53).given(np.ones(3)))
