"""Formats, and what limits make of their smallest, largest and rounded numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.formats import FORMATS
from harness.oracle.registry import arithmetic
from harness.oracle.rounding import Rounded
from harness.oracle.summation import sum_error

DTYPES: dict[int, Any] = {53: np.float64, 24: np.float32, 11: np.float16, 8: ml_dtypes.bfloat16}


@pytest.mark.parametrize("bits", [53, 24, 11, 8])
def test_a_format_is_the_one_of_its_name(bits: int) -> None:
    form, info = FORMATS[bits], ml_dtypes.finfo(DTYPES[bits])
    assert form.name == np.dtype(DTYPES[bits]).name
    assert (form.largest, form.least) == (float(info.max), float(info.smallest_normal))
    # Hardware for bfloat16 takes what is below the smallest normal number for zero.
    assert form.tiny == (form.least if bits == 8 else float(info.smallest_subnormal))


@pytest.mark.parametrize("bits", [53, 24, 11, 8])
def test_it_holds_what_a_cast_keeps(bits: int) -> None:
    rng = np.random.default_rng(0)
    drawn = rng.normal(size=4000) * 10.0 ** rng.integers(-12, 9, size=4000)
    edges = [0.0, -0.0, np.inf, 65504.0, 65505.0, 65536.0, 2.0**-24, 2.0**-25, 3 * 2.0**-24, 1.0 + 2.0**-8]
    with np.errstate(over="ignore"):
        values = np.concatenate([drawn, drawn.astype(DTYPES[bits]).astype(np.float64), edges])
        kept = values.astype(DTYPES[bits]).astype(np.float64) == values
    assert (FORMATS[bits].holds(values) == kept).all()
    assert kept.any()


def stored(values: Any, bits: int) -> Any:
    return np.asarray(values).astype(DTYPES[bits])


@pytest.mark.parametrize("bits", [24, 11, 8])
@pytest.mark.parametrize("count", [3, 20, 300])
def test_a_sum_in_a_short_format_is_within_its_limit_in_any_order(bits: int, count: int) -> None:
    rng = np.random.default_rng(count)
    kinds = [rng.normal(size=count), rng.random(count), np.full(count, 0.1), np.geomspace(1e-3, 1.0, count)]
    for kind in kinds:
        terms = stored(kind, bits).astype(np.float64)
        true = terms.sum()
        worst, spread = sum_error(terms[None], 2.0**-bits)
        limit = min(float(worst[0]), 8 * float(spread[0])) + 2 * 2.0**-bits * abs(true)
        for order in (
            np.arange(count),
            np.argsort(terms),
            np.argsort(-np.abs(terms)),
            rng.permutation(count),
        ):
            total = stored(0.0, bits)
            for term in stored(terms[order], bits):
                total = (total + term).astype(DTYPES[bits])
            assert abs(float(total) - true) <= limit
    # Were it half a unit of every addition, equal terms would be beyond it.
    equal = stored(np.full(300, 0.1), bits).astype(np.float64)
    total = stored(0.0, bits)
    for term in stored(equal, bits):
        total = (total + term).astype(DTYPES[bits])
    assert abs(float(total) - equal.sum()) > 2.0**-bits * equal.sum()


def squared(x: Any) -> Any:
    return x * x


def summed(x: Any) -> Any:
    return x.sum()


def multiplied(x: Any) -> Any:
    return (x[None, :] @ x[:, None]).reshape(())


@pytest.mark.parametrize(
    ("function", "small", "large"),
    [
        (squared, [255.0], [257.0]),
        (summed, [30000.0, 30000.0, -30000.0], [40000.0, 40000.0, -40000.0]),
        (multiplied, [180.0, 180.0], [182.0, 182.0]),
    ],
)
def test_what_may_be_beyond_the_largest_number_is_undecided(
    function: Callable[[Any], Any], small: list[float], large: list[float]
) -> None:
    for bits, values, undecided in ((11, small, False), (11, large, True), (24, large, False)):
        kind = arithmetic(bits)
        rounded: Rounded = function(kind.given(np.array(values)))
        assert rounded.doubtful().all() == undecided
        met = kind.branches.take()
        assert any("beyond 65504, the largest float16" in reason for reason in met) == undecided


def test_an_element_that_another_order_takes_beyond_the_largest_is_undecided_beside_one_that_is() -> None:
    """1e308 - 1e308 + 1e308 is a number, and 1e308 + 1e308 none; the other column has none in any order."""
    kind = arithmetic(53)
    columns = 1e308 * np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, 1.0]])
    product = kind.given(np.ones((1, 3))) @ kind.given(columns)
    assert product.doubtful().tolist() == [[True, True]]
    assert any("beyond 1.79769e+308" in reason for reason in kind.branches.take())


def test_a_constant_below_the_smallest_number_may_be_taken_for_zero() -> None:
    for bits, least in ((11, 2.0**-25), (24, 1e-16)):
        made = arithmetic(bits)(1e-8)
        assert float(made.limit()) >= min(least, 1e-8)
    assert float(arithmetic(24)(1e-8).limit()) < 1e-14
    assert float(arithmetic(11)(1e-8).limit()) >= 1e-8


def test_a_product_that_underflows_is_off_by_the_smallest_number() -> None:
    x, y = 3e-4, 1.234e-4
    for count in (1, 30):
        rows, columns = np.full((1, count), np.float16(x)), np.full((count, 1), np.float16(y))
        true = count * float(np.float16(x)) * float(np.float16(y))
        kind = arithmetic(11)
        product = kind.given(rows.astype(np.float64)) @ kind.given(columns.astype(np.float64))
        off = np.float16(0.0)
        for left, other in zip(rows[0], columns[:, 0], strict=True):
            off = np.float16(off + np.float16(left * other))
        assert 0 < abs(float(off) - true) <= float(product.limit().item())
