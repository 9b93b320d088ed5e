"""Limits of functions: NumPy is not beyond them, little more is, and what is inherited is bounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from harness.oracle import special  # noqa: E402
from harness.oracle.balls import precision  # noqa: E402
from harness.oracle.registry import arithmetic, balls  # noqa: E402
from harness.oracle.truth_parts import parts_of  # noqa: E402
from harness.oracle.unknown import Unknown  # noqa: E402
from tests.functions.points import ONE, TWO, points  # noqa: E402

BITS = {"float64": 53, "float32": 24}
IN_NUMPY = [name for name in (*ONE, *TWO) if hasattr(np, name)]
Function = Callable[..., Any]


def judged(function: Function, *arrays: np.ndarray, bits: int = 53) -> list[np.ndarray]:
    """High, low, radius, worst and limit."""
    rounded, exact = arithmetic(bits), balls(bits)
    with precision(256), np.errstate(all="ignore"):
        true = function(*map(exact.given, arrays))
        return parts_of(true, function(*map(rounded.given, arrays)), unit=rounded.unit, bits=256).arrays


def shares(result: np.ndarray, parts: list[np.ndarray]) -> np.ndarray:
    """Error over limit of each element."""
    high, low, _, _, limit = parts
    error = np.abs((np.asarray(result, dtype=np.float64) - high) - low)
    with np.errstate(over="ignore"):
        return np.where(error == 0, 0.0, error / np.where(limit > 0, limit, 5e-324))


def drawn(name: str, precision: str, count: int = 10_000) -> list[np.ndarray]:
    """Points whose true value that precision holds."""
    arrays = points(name, precision, count)
    with np.errstate(all="ignore"):
        value = getattr(np, name)(*(array.astype(np.float64) for array in arrays))
    # PyTorch's sinh and cosh overflow at half of the largest number.
    top = {"float64": 1e308, "float32": 3e38}[precision] * (0.45 if name in ("sinh", "cosh") else 1.0)
    fine = np.isfinite(value) & (np.abs(value) < top)
    return [array[fine] for array in arrays]


@pytest.mark.parametrize("precision", BITS)
@pytest.mark.parametrize("name", IN_NUMPY)
def test_no_function_of_numpy_is_beyond_its_limit_and_little_more_is(name: str, precision: str) -> None:
    arrays = drawn(name, precision)
    function = getattr(np, name)
    with np.errstate(all="ignore"):
        result = function(*(array.astype(precision) for array in arrays)).astype(np.float64)
    parts = judged(function, *arrays, bits=BITS[precision])
    assert shares(result, parts).max() <= 1.0
    # Planted: ten units in the last place, which no library is off by; where a unit is no subnormal number.
    normal = np.abs(parts[0]) > {"float64": 1e-300, "float32": 1e-35}[precision]
    if name == "power":
        # Many products may be off by more.
        normal &= np.abs(arrays[1]) <= 10
    wrong = result * (1.0 + 24.0 * 2.0 ** -BITS[precision])
    assert (shares(wrong, parts)[normal] > 1.0).all()


def gelu(x: Any) -> Any:
    return 0.5 * x * (1.0 + np.tanh((2.0 / np.pi) ** 0.5 * (x + 0.044715 * x**3)))


def softplus(x: Any) -> Any:
    return np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))


def layer_norm(x: Any) -> Any:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)


COMPOSED: dict[str, Function] = {
    "log of exp": lambda x: np.log(np.exp(x)),
    "exp of log": lambda x: np.exp(np.log(np.abs(x))),
    "gelu": gelu,
    "softplus": softplus,
    "layer norm": layer_norm,
    "sine of arcsine": lambda x: np.sin(np.arcsin(np.tanh(x))),
    "both squares": lambda x: np.sin(x) ** 2 + np.cos(x) ** 2,
    "arctangent of two": lambda x: np.arctan2(np.sin(x), np.cos(x)),
    "root of a square": lambda x: np.sqrt(x * x + x[..., ::-1] ** 2),
    "length": lambda x: np.hypot(x, np.exp(x)),
    "inverse root": lambda x: (x**2 + 0.1) ** -0.5,
    "power of arrays": lambda x: np.exp(x) ** np.sin(x),
    "cosh less sinh": lambda x: np.cosh(x) - np.sinh(x),
    "back from tanh": lambda x: np.arctanh(np.tanh(x / 4.0)),
    "back from cosh": lambda x: np.arccosh(1.0 + np.cosh(x)),
}


@pytest.mark.parametrize("precision", BITS)
@pytest.mark.parametrize("name", COMPOSED)
def test_no_composition_is_beyond_its_limit(name: str, precision: str) -> None:
    x = np.random.default_rng(1).normal(scale=2.0, size=(200, 50)).astype(precision).astype(np.float64)
    function = COMPOSED[name]
    result = function(x.astype(precision))
    assert result.dtype == precision
    parts = judged(function, x, bits=BITS[precision])
    assert shares(result, parts).max() <= 1.0
    # Planted: a thousand roundings of the largest value.
    fault = 1000.0 * 2.0 ** -BITS[precision] * np.abs(parts[0]).max()
    assert (shares(parts[0] + fault, parts) > 1.0).mean() > 0.5


@pytest.mark.parametrize("name", [name for name in IN_NUMPY if name in ONE and name != "gammaln"])
def test_what_is_inherited_is_bounded_and_not_by_much_more_than_is_possible(name: str) -> None:
    function = getattr(np, name)
    random = np.random.default_rng(7)
    low, high = ONE[name].usual
    x = random.uniform(low, high, 400)
    off = np.abs(x) * 10.0 ** random.uniform(-9, -1, 400)
    rounded = arithmetic(53)
    with np.errstate(all="ignore"):
        result = function(rounded(x, worst=off, draws=np.broadcast_to(off, (32, 400))))
        steps = np.linspace(-1.0, 1.0, 41)[:, None]
        moved = np.abs(function(x + steps * off) - function(x))
    # Where rounding tells nothing of a difference of two values, neither side is held to it.
    noise = 1e-13 * np.abs(function(x))
    reached = np.nanmax(moved, axis=0)
    assert (reached <= result.worst * (1 + 1e-9) + noise).all()
    tight = np.isfinite(result.worst) & ~np.isnan(moved).any(axis=0) & (reached > 1e3 * noise)
    assert tight.sum() > 100
    assert np.median(result.worst[tight] / reached[tight]) < 1.1
    assert (result.worst[tight] / reached[tight]).max() < 4.0


@pytest.mark.parametrize("exponent", [0, 0.5, 1, 1.5, 2, 2.5, 3, 7, 0.1])
def test_powers_of_zero_have_a_limit(exponent: float) -> None:
    x = np.array([0.0, 1e-160, 0.3, 2.0])
    high, *_, limit = judged(lambda x: x**exponent, x)
    assert high[0] == (1.0 if exponent == 0 else 0.0)
    assert (limit <= 1e-14 * np.abs(high) + 1e-320).all()


def test_powers_of_what_may_be_zero_have_a_limit() -> None:
    rounded = arithmetic(53)
    x = rounded(np.array([0.0, 1e-17]), worst=np.full(2, 1e-16), draws=np.full((32, 2), 1e-16))
    for exponent in (0.5, 1.0, 1.5, 2.0, 3.0):
        worst = (x**exponent).worst
        assert (worst >= [1e-16**exponent * 0.999, (1.1e-16**exponent - 1e-17**exponent) * 0.999]).all()
        assert (worst <= 2.0 * 1.2e-16**exponent).all()


def test_negative_powers_of_what_may_be_zero_have_none() -> None:
    with pytest.raises(Unknown):
        judged(lambda x: ((x + 1.0) - 1.0) ** -1.0, np.array([1e-17]))


def test_powers_of_negative_numbers() -> None:
    x = np.array([-2.0, -0.5, -3.0])
    for exponent, value in ((3, [-8.0, -0.125, -27.0]), (-2, [0.25, 4.0, 1.0 / 9.0])):
        high, *_, limit = judged(lambda x, n=exponent: x**n, x)
        np.testing.assert_allclose(high, value, rtol=1e-15)
        assert (limit < 1e-15 * np.abs(high)).all()
    assert np.isnan(judged(lambda x: x**0.5, x)[4]).all()


def test_integer_powers_may_be_products() -> None:
    x = np.random.default_rng(3).uniform(0.5, 2.0, 10_000)
    product = np.ones_like(x)
    for n in range(1, 9):
        product = product * x
        assert shares(product, judged(lambda x, n=n: x**n, x)).max() <= 1.0
        assert shares(1.0 / product, judged(lambda x, n=n: x**-n, x)).max() <= 1.0


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (np.sqrt, [0.0, 1.0]),
        (np.cbrt, [0.0, -1.0]),
        (np.arcsin, [1.0, -1.0]),
        (np.arccos, [1.0, -1.0]),
        (np.arccosh, [1.0, 2.0]),
    ],
)
def test_at_the_edge_of_a_domain_a_limit_is_the_root_of_the_error(function: Function, x: list[float]) -> None:
    high, *_, limit = judged(lambda x: function(x / 3.0 * 3.0), np.array(x))
    assert np.isfinite(high).all()
    assert (limit < 1e-7 if function is not np.cbrt else limit < 1e-5).all()
    assert limit[0] > 1e-9 or x[0] == 0.0


def test_across_a_cut_there_is_no_limit() -> None:
    turn = lambda x: np.arctan2(x - x / 3.0 * 3.0, -np.abs(x))  # noqa: E731
    with pytest.raises(Unknown):
        judged(turn, np.array([0.1]))


@pytest.mark.parametrize("function", [np.log, np.log2, np.log10, np.reciprocal, np.arctanh, np.tan])
def test_at_a_pole_there_is_no_limit(function: Function) -> None:
    pole = {np.arctanh: 1.0, np.tan: np.pi / 2.0}.get(function, 0.0)
    near = lambda x: function((x + 1.0) - (1.0 - type(x.flat[0])(pole)))  # noqa: E731
    with pytest.raises(Unknown):
        judged(near, np.array([1e-17]))


def test_values_at_infinity_and_of_no_number() -> None:
    x = np.array([np.inf, -np.inf])
    for function in (np.exp, np.tanh, np.arctan, np.cosh, np.arcsinh, np.cbrt, np.expm1, np.exp2):
        high = judged(function, x)[0]
        np.testing.assert_allclose(high, function(x), rtol=1e-15)
    assert np.isnan(judged(np.log, np.array([-1.0]))[4]).all()


def test_copysign_degrees_and_sums_of_exponentials() -> None:
    x, y = np.random.default_rng(5).normal(size=(2, 1000))
    for function in (np.copysign, np.logaddexp, np.logaddexp2):
        assert shares(function(x, y), judged(function, x, y)).max() <= 1.0
    for function in (np.degrees, np.radians, np.rad2deg, np.deg2rad, np.fabs, np.square):
        assert shares(function(x), judged(function, x)).max() <= 1.0
    assert shares(180.0 / np.pi * x, judged(np.degrees, x)).max() <= 1.0
    assert shares(np.log(np.exp(x) + np.exp(y)) + 1e-14, judged(np.logaddexp, x, y)).min() > 1.0


@pytest.mark.parametrize(("bits", "units"), [(53, 4.0), (24, 12.0)])
def test_erf_below_a_half_is_granted_what_normal_distributions_and_fused_kernels_are_off(
    bits: int, units: float
) -> None:
    x = np.array([0.001, 0.04])
    _, _, _, _, limit = _erf(x, bits)
    np.testing.assert_allclose(limit, units * 2.0**-bits, rtol=1e-2)


def _erf(x: np.ndarray, bits: int) -> list[np.ndarray]:
    rounded, exact = arithmetic(bits), balls(bits)
    with precision(256):
        true = special.erf(exact, exact.given(x))
        return parts_of(true, special.erf(rounded, rounded.given(x)), unit=rounded.unit, bits=256).arrays
