"""Infinities and very large negative numbers as masks: they pass through softmax and what is like it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision
from harness.oracle.oracle_host import start
from harness.oracle.registry import arithmetic, balls

X = np.round(np.random.default_rng(3).normal(size=(4, 3)), 3)

SCORES = """import numpy as np
from scipy import special
def f(X):
    s = X @ X.T / np.sqrt(X.shape[1])
    s = np.where(np.tril(np.ones(s.shape)) > 0, s, {mask})
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return {result}
"""

SOFTMAX = "e / e.sum(axis=1, keepdims=True)"


def truth(folder: Path, source: str, x: np.ndarray, bits: int = 53) -> tuple[list[np.ndarray], str]:
    """High, low, radius, worst and limit of a stage ``f(X)``; and why some elements are undecided."""
    path = folder / "lines.py"
    path.write_text(source, encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["X"], "outputs": ["f"]}
    params = {"names": ["X"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": bits, "balls": False}
    result, parts = host.truth(loaded, params, [x])
    assert not result["problems"]
    return [np.atleast_1d(part) for part in parts], result["why"].get("f", "")


def softmax(x: np.ndarray) -> np.ndarray:
    """By another way: without the largest element, in twice the digits where the machine has them."""
    s = x.astype(np.longdouble) @ x.T.astype(np.longdouble) / np.sqrt(np.longdouble(x.shape[1]))
    e = np.tril(np.exp(s))
    return (e / e.sum(axis=1, keepdims=True)).astype(np.float64)


@pytest.mark.parametrize(
    "mask", ["-np.inf", "-1e9", "-1e20", "-1e30", "np.finfo(s.dtype).min", "-np.finfo(np.float32).max"]
)
@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (SOFTMAX, softmax(X)),
        (f"({SOFTMAX}) @ X", softmax(X) @ X),
        ("special.softmax(s, axis=1)", softmax(X)),
        ("special.softmax(s[1])", softmax(X)[1]),
        ("np.exp(s[2] - special.logsumexp(s[2]))", softmax(X)[2]),
    ],
)
def test_a_masked_softmax_is_judged_everywhere(
    mask: str, result: str, expected: np.ndarray, tmp_path: Path
) -> None:
    (high, _, _, _, limit), why = truth(tmp_path, SCORES.format(mask=mask, result=result), X)
    assert why == ""
    assert (np.abs(high - expected) <= 1e-15 * np.maximum(1.0, np.abs(expected))).all()
    # Half of it wrong is far beyond the limit; elements that are masked have none but the smallest number.
    masked = expected == 0
    assert (limit[~masked] < 1e-13).all()
    assert (limit[masked] <= 2.0**-1068).all()


@pytest.mark.parametrize(("bits", "dtype"), [(24, np.float32), (11, np.float16)])
def test_the_least_number_of_a_short_format_is_a_mask(bits: int, dtype: type, tmp_path: Path) -> None:
    source = SCORES.format(mask="np.finfo(s.dtype).min", result=SOFTMAX)
    (high, *_, limit), why = truth(tmp_path, source, X.astype(dtype), bits)
    assert why == ""
    expected = softmax(X.astype(dtype).astype(np.float64))
    assert (np.abs(high - expected) <= 1e-15).all()
    assert (limit < 60 * 2.0**-bits).all()


@pytest.mark.parametrize(
    ("mask", "twice"), [("np.finfo(s.dtype).min", True), ("-1.7e308", True), ("-8e307", False)]
)
def test_a_sum_beyond_the_format_stays_undecided(mask: str, twice: bool, tmp_path: Path) -> None:
    (*_, limit), why = truth(tmp_path, SCORES.format(mask=mask, result="s + s"), X)
    masked = ~np.tri(4, dtype=bool)
    assert (np.isnan(limit) == (masked & twice)).all()
    assert ("a number beyond 1.79769e+308" in why) == twice


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("np.exp(special.log_softmax(s[0]))", [1.0, 0.0, 0.0, 0.0]),
        ("special.log_softmax(s, axis=1)[0]", [0.0, -np.inf, -np.inf, -np.inf]),
        ("np.log(special.softmax(s, axis=1))[0]", [0.0, -np.inf, -np.inf, -np.inf]),
        ("s.min(axis=1)[:3]", [-np.inf] * 3),
        ("s[:3].sum(axis=1)", [-np.inf] * 3),
        ("(s**2)[0, 1:]", [np.inf] * 3),
        ("(s**3)[0, 1:]", [-np.inf] * 3),
        ("(s / 2 + 1)[0, 1:]", [-np.inf] * 3),
        ("np.sort(s, axis=1)[:3, 0]", [-np.inf] * 3),
        ("np.median(s[:1], axis=1)", [-np.inf]),
        ("np.searchsorted(np.sort(s[1]), [-1e300, 1e300])", [2, 4]),
        ("np.argmax(s, axis=1)", [0, 1, 2, 3]),
        ("np.isinf(s).sum(axis=1)", [3, 2, 1, 0]),
    ],
)
def test_infinities_are_exact(result: str, expected: list[float], tmp_path: Path) -> None:
    (high, *_, limit), why = truth(tmp_path, SCORES.format(mask="-np.inf", result=result), X)
    assert why == ""
    assert (high == expected).all() if np.isinf(expected).any() else np.allclose(high, expected, 0, 1e-14)
    assert (limit <= 1e-13).all()


def test_the_exponential_of_minus_infinity_is_zero_in_every_arithmetic() -> None:
    with precision(256):
        true = balls(53)
        third = true.gather(1.0) / true.gather(3.0)
        assert [float(ball) for ball in np.exp(third - true.gather([-np.inf, np.inf])).items] == [np.inf, 0.0]
    rounded = arithmetic(53)
    powers = np.exp(rounded.gather(1.0) / 3.0 - rounded.gather([np.inf, 1e30, 800.0]))
    assert powers.value.tolist() == [0.0, 0.0, 0.0]
    assert powers.limit()[0] == 0
    assert (powers.limit()[1:] > 0).all()
    assert (powers.limit()[1:] <= 2.0**-1068).all()


def test_an_exponential_that_may_be_anything_has_no_limit() -> None:
    rounded = arithmetic(53)
    with np.errstate(all="ignore"):
        lost = (rounded.gather(0.1) * 1e20 + rounded.gather(-0.7) * 1e20) + 6e19
        power = np.exp(lost)
    assert abs(float(lost.value)) < 1e5
    assert np.isnan(power.limit())
