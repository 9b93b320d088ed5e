"""Limits of error functions, gamma functions and softmax: usual ways to write them are not beyond them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from harness.oracle import special  # noqa: E402
from harness.oracle.balls import precision  # noqa: E402
from harness.oracle.oracle_source import OracleSource  # noqa: E402
from harness.oracle.registry import arithmetic, balls  # noqa: E402
from harness.oracle.truth_parts import parts_of  # noqa: E402
from harness.oracle.unknown import Unknown  # noqa: E402

Function = Callable[..., Any]
RANDOM = np.random.default_rng(11)
SIGNED = RANDOM.uniform(-6.0, 6.0, 2000)
POSITIVE = np.concatenate(
    [
        RANDOM.uniform(0.0, 30.0, 1000),
        1.0 + 1e-9 * RANDOM.normal(size=500),
        2.0 + 1e-3 * RANDOM.normal(size=500),
    ]
)
PART = RANDOM.uniform(0.0, 1.0, 2000)
ROWS = 5.0 * RANDOM.normal(size=(200, 10))


def judged(function: Function, *arrays: np.ndarray, bits: int = 53) -> list[np.ndarray]:
    """High, low, radius, worst and limit."""
    rounded, exact = arithmetic(bits), balls(bits)
    with precision(256), np.errstate(all="ignore"):
        true = function(exact, *map(exact.given, arrays))
        return parts_of(
            true, function(rounded, *map(rounded.given, arrays)), unit=rounded.unit, bits=256
        ).arrays


def shares(result: Any, parts: list[np.ndarray]) -> np.ndarray:
    """Error over limit of each element."""
    high, low, _, _, limit = parts
    error = np.abs((np.asarray(result, dtype=np.float64) - high) - low)
    with np.errstate(over="ignore"):
        return np.where(error == 0, 0.0, error / np.where(limit > 0, limit, 5e-324))


def of_rows(function: Function, **more: Any) -> Function:
    return lambda kind, x: function(kind, x, axis=-1, **more)


def of_math(name: str) -> Function:
    return lambda x: np.vectorize(getattr(math, name))(x.astype(np.float64)).astype(x.dtype)


def of_scipy(name: str, **more: Any) -> Function:
    return lambda *x: getattr(pytest.importorskip("scipy.special"), name)(*x, **more)


def shifted(x: np.ndarray) -> np.ndarray:
    top = x.max(axis=-1, keepdims=True)
    return np.log(np.exp(x - top).sum(axis=-1)) + top[..., 0]


def shifted_softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def naive_softmax(x: np.ndarray) -> np.ndarray:
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


SUMMED = of_rows(special.logsumexp)
SOFT = of_rows(special.softmax)
LOG_SOFT = of_rows(special.log_softmax)
CASES: dict[str, tuple[Function, tuple[np.ndarray, ...], Function]] = {
    "erf, math": (special.erf, (SIGNED,), of_math("erf")),
    "erf, SciPy": (special.erf, (SIGNED,), of_scipy("erf")),
    "erfc, math": (special.erfc, (SIGNED,), of_math("erfc")),
    "erfc, SciPy": (special.erfc, (4.0 * SIGNED,), of_scipy("erfc")),
    "gamma, math": (special.gamma, (POSITIVE,), of_math("gamma")),
    "gamma, SciPy": (special.gamma, (POSITIVE,), of_scipy("gamma")),
    "gamma, by its logarithm": (special.gamma, (POSITIVE,), lambda x: np.exp(of_math("lgamma")(x))),
    "gammaln, math": (special.gammaln, (POSITIVE,), of_math("lgamma")),
    "gammaln, SciPy": (special.gammaln, (POSITIVE,), of_scipy("gammaln")),
    "expit": (special.expit, (SIGNED,), lambda x: 1 / (1 + np.exp(-x))),
    "expit, by exp(x)": (special.expit, (SIGNED,), lambda x: np.exp(x) / (1 + np.exp(x))),
    "expit, SciPy": (special.expit, (SIGNED,), of_scipy("expit")),
    "logit": (special.logit, (PART,), lambda p: np.log(p / (1 - p))),
    "logit, a difference": (special.logit, (PART,), lambda p: np.log(p) - np.log(1 - p)),
    "logit, SciPy": (special.logit, (PART,), of_scipy("logit")),
    "xlogy": (special.xlogy, (SIGNED, PART), lambda x, y: x * np.log(y)),
    "xlogy, SciPy": (special.xlogy, (SIGNED, PART), of_scipy("xlogy")),
    "logsumexp, naive": (SUMMED, (ROWS,), lambda x: np.log(np.exp(x).sum(axis=-1))),
    "logsumexp, shifted": (SUMMED, (ROWS,), shifted),
    "logsumexp, SciPy": (SUMMED, (ROWS,), of_scipy("logsumexp", axis=-1)),
    "softmax, naive": (SOFT, (ROWS,), naive_softmax),
    "softmax, shifted": (SOFT, (ROWS,), shifted_softmax),
    "softmax, SciPy": (SOFT, (ROWS,), of_scipy("softmax", axis=-1)),
    "log_softmax, a difference": (LOG_SOFT, (ROWS,), lambda x: x - shifted(x)[..., None]),
    "log_softmax, a logarithm": (LOG_SOFT, (ROWS,), lambda x: np.log(naive_softmax(x))),
    "log_softmax, SciPy": (LOG_SOFT, (ROWS,), of_scipy("log_softmax", axis=-1)),
    "beta, SciPy": (special.beta, (POSITIVE[:500], POSITIVE[500:1000]), of_scipy("beta")),
    "betaln, SciPy": (special.betaln, (POSITIVE[:500], POSITIVE[500:1000]), of_scipy("betaln")),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", CASES)
def test_no_usual_way_is_beyond_the_limit_and_a_fault_is(name: str, dtype: str) -> None:
    function, arrays, other = CASES[name]
    arrays = tuple(array.astype(dtype) for array in arrays)
    bits = np.finfo(dtype).nmant + 1
    result = other(*arrays)
    parts = judged(function, *(array.astype(np.float64) for array in arrays), bits=bits)
    assert not np.isnan(parts[4]).any()
    assert shares(result, parts).max() <= 1.0
    # Planted: hundreds of units; where an argument of erfc is large, thousands.
    fault = (8000.0 if name.startswith("erfc") else 900.0) * 2.0**-bits
    assert (shares(result * (1.0 + fault) + fault * (np.abs(result) < 0.1), parts) > 1.0).mean() > 0.9


@pytest.mark.parametrize("name", ["erf", "erfc", "gamma", "gammaln"])
def test_what_is_inherited_is_bounded_and_not_by_much_more_than_is_possible(name: str) -> None:
    x = np.random.default_rng(7).uniform(0.5, 5.0, 300)
    off = x * 10.0 ** np.random.default_rng(8).uniform(-9, -1, 300)
    rounded = arithmetic(53)
    plain = of_math({"gammaln": "lgamma"}.get(name, name))
    result = getattr(special, name)(rounded, rounded(x, worst=off, draws=np.broadcast_to(off, (32, 300))))
    reached = np.max([np.abs(plain(x + t * off) - plain(x)) for t in np.linspace(-1, 1, 41)], axis=0)
    noise = 1e-13 * (1.0 + np.abs(plain(x)))
    assert (reached <= result.worst * (1 + 1e-9) + noise).all()
    tight = reached > 1e3 * noise
    assert np.median(result.worst[tight] / reached[tight]) < 1.1
    assert (result.worst[tight] / reached[tight]).max() < 30.0


def test_next_to_0_and_left_of_it_gamma_functions_have_no_limit() -> None:
    for function in (special.gamma, special.gammaln):
        limit = judged(function, np.array([-1.5, 1e-310, 2.0]))[4]
        assert np.isnan(limit).tolist() == [True, True, False]


def test_in_the_upper_half_of_the_range_gamma_has_no_limit() -> None:
    assert np.isnan(judged(special.gamma, np.array([171.62, 170.0]))[4]).tolist() == [True, False]


def test_erf_by_a_normal_distribution_has_an_absolute_limit_near_0() -> None:
    limit = judged(special.erf, np.array([1e-9, 0.3, 2.0]))[4]
    assert (limit >= 4.0 * 2.0**-53).all()
    assert (limit <= 8.0 * 2.0**-53).all()


def test_xlogy_is_0_where_its_factor_is() -> None:
    high, *_, limit = judged(special.xlogy, np.zeros(2), np.array([0.0, 2.0]))
    assert high.tolist() == limit.tolist() == [0.0, 0.0]


def test_a_sign_of_a_sum_of_exponentials_is_not_understood() -> None:
    with pytest.raises(Unknown, match="return_sign"):
        special.logsumexp(arithmetic(53), np.ones(3), return_sign=True)


@pytest.mark.parametrize(
    "source",
    [
        "import math\nimport numpy as np\n\ndef stage(x):\n    return np.array([math.erf(t) for t in x])\n",
        "from scipy.special import erf\n\ndef stage(x):\n    return erf(x)\n",
        "import scipy.special as sp\n\ndef stage(x):\n    return sp.erf(x) + 0.0 * sp.erf(0.25)\n",
    ],
)
def test_a_reference_finds_them(tmp_path: Path, source: str) -> None:
    if "scipy" in source:
        pytest.importorskip("scipy")
    (tmp_path / "case.py").write_text(source, encoding="utf-8")
    loaded, kind = OracleSource(str(tmp_path / "case.py")), arithmetic(53)
    _, value = loaded.within(kind).call("stage", [kind.given(np.array([0.0, 0.5]))])
    np.testing.assert_allclose(value.value, [0.0, 0.5204998778130465], rtol=1e-15)
    assert 0.0 < value.limit()[1] < 1e-14


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("ij,jk,kl->il", [(5, 6), (6, 7), (7, 4)]),
        ("i,j,k->ijk", [(3,), (4,), (5,)]),
        ("bi,bi,bi->b", [(4, 50), (4, 50), (4, 50)]),
        ("ij->i", [(5, 6)]),
        ("ii->i", [(5, 5)]),
    ],
)
@pytest.mark.parametrize("optimize", [False, True])
def test_einsum_has_a_limit_that_holds_in_any_order(
    subscripts: str, shapes: list[tuple[int, ...]], optimize: bool
) -> None:
    arrays = [np.random.default_rng(n).normal(size=(shape)) for n, shape in enumerate(shapes)]
    parts = judged(lambda kind, *given: np.einsum(subscripts, *given), *arrays)
    assert shares(np.einsum(subscripts, *arrays, optimize=optimize), parts).max() <= 1.0
    wrong = np.einsum(subscripts, *arrays) + 1e-13 * np.abs(parts[0]).max()
    assert (shares(wrong, parts) > 1.0).all()


def test_powers_of_a_plain_number_have_a_limit() -> None:
    x = np.concatenate([[0.0], np.random.default_rng(1).uniform(-20, 20, 2000)])
    parts = judged(lambda kind, x: 2.0**x, x)
    assert shares(np.exp2(x), parts).max() <= 1.0
    assert shares(2.0**x, parts).max() <= 1.0
    assert (shares(2.0**x * (1.0 + 30.0 * 2.0**-53), parts) > 1.0).all()


def test_gelu_of_0_has_a_limit() -> None:
    gelu = lambda kind, x: 0.5 * x * (1.0 + special.erf(kind, x / np.sqrt(2.0)))  # noqa: E731
    x = np.array([0.0, -0.0, 1.0, -3.0])
    parts = judged(gelu, x)
    assert not np.isnan(parts[4]).any()
    right = [0.0, 0.0, 0.8413447460685429, -0.004049694094890287]
    assert shares(right, parts).max() <= 1.0
    assert (shares([1e-15, 1e-15, 0.84134474606855, -0.00404969409447], parts) > 1.0).all()
