"""Linear algebra whose squares and products underflow or overflow: the limits are never zero, and scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

Function = Callable[..., Any]

A = np.random.default_rng(2).normal(size=(5, 5))
B = np.random.default_rng(3).normal(size=(5, 2))
S = A + A.T


def lstsq(a: Any, b: Any) -> Any:
    return np.linalg.lstsq(a[:, :3], b, rcond=None)[0]


def fit(y: Any) -> Any:
    return np.polyfit(np.arange(9.0), y, 3)


SCALING: dict[str, tuple[Function, np.ndarray, float]] = {
    "solve": (lambda a: np.linalg.solve(a, B), A, -1.0),
    "inv": (np.linalg.inv, A, -1.0),
    "det": (np.linalg.det, A[:2, :2], 2.0),
    "cholesky": (np.linalg.cholesky, S @ S, 0.5),
    "eigvalsh": (np.linalg.eigvalsh, S, 1.0),
    "|V|": (lambda a: np.abs(np.linalg.eigh(a)[1]), S, 0.0),
    "svdvals": (lambda a: np.linalg.svd(a, compute_uv=False), A, 1.0),
    "|U|": (lambda a: np.abs(np.linalg.svd(a)[0]), A, 0.0),
    "|R|": (lambda a: np.abs(np.linalg.qr(a)[1]), A, 1.0),
    "|Q|": (lambda a: np.abs(np.linalg.qr(a)[0]), A, 0.0),
    "lstsq": (lambda a: lstsq(a, B), A, -1.0),
    "pinv": (lambda a: np.linalg.pinv(a[:, :3]), A, -1.0),
}


def limits(function: Function, a: np.ndarray, bits: int = 53) -> tuple[np.ndarray, list[str]]:
    """The limits of a result, and the reasons that were recorded."""
    pytest.importorskip("flint")
    from harness.oracle.registry import arithmetic
    from harness.oracle.unknown import Branches

    branches = Branches(set())
    rounded = arithmetic(bits, branches=branches)
    with np.errstate(all="ignore"):
        limit = np.asarray(rounded.gather(function(rounded.given(a))).limit())
    return limit, branches.take()


# The logarithms of the pivots are in the limit of a determinant.
@pytest.mark.parametrize("name", sorted(SCALING.keys() - {"det"}))
@pytest.mark.parametrize("exponent", [-500, 500])
def test_a_power_of_two_scales_the_limits_alone(name: str, exponent: int) -> None:
    function, a, degree = SCALING[name]
    ordinary, _ = limits(function, a)
    scaled, why = limits(function, np.ldexp(a, exponent))
    assert why == []
    assert (scaled == 0).tolist() == (ordinary == 0).tolist()
    # Squares of 2^-500 lose their last places, which changes the limit in the sixth digit.
    np.testing.assert_allclose(scaled, np.ldexp(ordinary, int(degree * exponent)), rtol=1e-4)


@pytest.mark.parametrize("name", SCALING)
@pytest.mark.parametrize("exponent", [-1060, -1000, -700, 700, 1000])
def test_a_limit_is_never_zero_for_a_number_that_was_rounded(name: str, exponent: int) -> None:
    function, a, _ = SCALING[name]
    ordinary, _ = limits(function, a)
    scaled, why = limits(function, np.ldexp(a, exponent))
    assert (np.isnan(scaled) | (scaled >= 5e-324))[ordinary > 0].all()
    if np.isnan(scaled).any():
        reasons = ("squares of a matrix's elements that underflow", "a number beyond 1.79769e+308")
        assert why
        assert all(reason.startswith(reasons) for reason in why)


@pytest.mark.parametrize("name", ["solve", "eigvalsh", "|V|", "svdvals", "|U|"])
@pytest.mark.parametrize("exponent", [-1000, 1000])
def test_scales_that_libraries_compute_at_have_limits(share: Any, name: str, exponent: int) -> None:
    function, a, _ = SCALING[name]
    assert share(function, np.ldexp(a, exponent)) <= 0.7
    assert share(function, np.ldexp(a, exponent), by=lambda a: function(a) * (1.0 + 3e-13)) > 1.0


def householder(a: np.ndarray) -> np.ndarray:
    """|R| by reflections whose lengths are sums of squares, as textbooks have them."""
    a = a.copy()
    for j in range(a.shape[1]):
        v = a[j:, j].copy()
        v[0] += np.copysign(np.sqrt((v * v).sum()), v[0])
        v /= v[0]
        a[j:, j:] -= np.outer(v, 2.0 * (v @ a[j:, j:]) / (v * v).sum())
    return np.abs(np.triu(a))


@pytest.mark.parametrize("scale", [1e-150, 1e-155, 1e-157, 1e-120, 1.0, 1e150])
def test_qr_by_unscaled_squares_is_within_the_limit(share: Any, scale: float) -> None:
    function = SCALING["|R|"][0]
    assert share(function, scale * A) <= 0.7
    assert share(function, scale * A, by=householder) <= 0.7
    wrong = 1e-13 if scale > 1e-153 else 1e-4
    assert share(function, scale * A, by=lambda a: function(a) * (1.0 + wrong)) > 1.0


@pytest.mark.parametrize("name", ["|R|", "|Q|", "lstsq", "pinv"])
def test_squares_that_underflow_or_overflow_have_no_limit(name: str) -> None:
    function = SCALING[name][0]
    for bits, tiny, huge, largest in ((53, 1e-200, 1e200, "1.79769e+308"), (24, 1e-30, 1e25, "3.40282e+38")):
        limit, why = limits(function, np.triu(A) * tiny, bits)
        assert np.isnan(limit[0]).all()
        assert why == ["squares of a matrix's elements that underflow"]
        limit, why = limits(function, np.triu(A) * huge, bits)
        assert np.isnan(limit[0]).all()
        assert why == [f"a number beyond {largest}, the largest float{32 if bits == 24 else 64},"]


@pytest.mark.parametrize("scale", [1e-200, 1e-310, 1e-320, 1e200])
def test_right_sides_of_any_scale_have_limits(share: Any, scale: float) -> None:
    b = scale * B
    assert share(lstsq, A, b) <= 0.7
    assert share(np.linalg.solve, A, b) <= 0.7
    assert share(lstsq, A, b, by=lambda a, b: np.linalg.pinv(a[:, :3]) @ b) <= 0.7
    wrong = 100 * 5e-324 if scale < 1e-300 else scale * 1e-12
    for function in (lstsq, np.linalg.solve):
        assert share(function, A, b, by=lambda a, b, f=function: f(a, b) + 2.0 * wrong) > 1.0


def test_right_sides_of_different_scales_have_limits_of_their_own(share: Any) -> None:
    b = B * np.array([1.0, 1e-250])
    off = np.array([0.0, 1e-262])
    for function in (lstsq, np.linalg.solve):
        assert share(function, A, b) <= 0.7
        assert share(function, A, b, by=lambda a, b, f=function: f(a, b) + off) > 1.0


@pytest.mark.parametrize("column", [1e-180, 1e-300])
def test_a_column_that_is_much_smaller_than_the_others(share: Any, column: float) -> None:
    a = A * np.array([1.0, 1.0, column, 1.0, 1.0])
    assert share(np.linalg.solve, a, B) <= 0.7
    wrong = 1e-12 / column * np.eye(5)[2][:, None]
    assert share(np.linalg.solve, a, B, by=lambda a, b: np.linalg.solve(a, b) + wrong) > 1.0


Y = np.array([0.3, -1, 2, 1.5, -0.7, 0.2, 0.9, -2, 1]) * 1e-310
"""For a cubic whose coefficients are 10^13 times the smallest number."""


def test_a_fit_of_subnormal_numbers_may_be_off_by_some_of_the_smallest(share: Any) -> None:
    # R's qr.solve is 5 of the smallest numbers off in its second coefficient.
    off = 5e-324 * np.array([1.0, 5.0, -5.0, 1.0])
    assert share(fit, Y) <= 0.7
    assert 0.03 < share(fit, Y, by=lambda y: fit(y) + off) <= 0.7
    assert share(fit, Y, by=lambda y: fit(y) * (1.0 + 1e-10)) > 1.0


def test_reciprocals_of_pivots_that_overflow_leave_a_determinant_undecided() -> None:
    # PyTorch's is NaN.
    limit, why = limits(np.linalg.det, 1e-312 * A[:4, :4])
    assert np.isnan(limit)
    assert why == ["a number beyond 1.79769e+308, the largest float64,"]
    limit, why = limits(np.linalg.det, 1e-300 * A[:4, :4])
    assert 0 < limit < 1e-320
    assert why == []


def test_an_inverse_beyond_the_largest_number_is_undecided() -> None:
    for function in (np.linalg.inv, lambda a: np.linalg.solve(a, 1e-310 * B)):
        limit, why = limits(function, 1e-310 * A)
        assert np.isnan(limit).all()
        assert why == ["a number beyond 1.79769e+308, the largest float64,"]
