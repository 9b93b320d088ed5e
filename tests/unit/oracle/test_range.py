"""Numbers on the way that float64 does not hold: too large ones are undecided, too small ones are errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start


def truth(folder: Path, expression: str, x: np.ndarray) -> tuple[list[np.ndarray], str]:
    """High, low, radius, worst and limit of a stage ``f(x)``; and why some elements are undecided."""
    path = folder / "lines.py"
    path.write_text(f"import numpy as np\ndef f(x): return {expression}\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, parts = host.truth(loaded, params, [x])
    assert not result["problems"]
    return [np.atleast_1d(part) for part in parts], result["why"].get("f", "")


@pytest.mark.parametrize(
    ("expression", "x"),
    [
        ("np.sqrt(x * x)", [1e200]),
        ("np.sqrt(np.sum(x * x))", [1e200, 2.0]),
        ("np.sqrt(x @ x)", [1e200, 2.0]),
        ("np.sqrt(np.einsum('i,i->', x, x))", [1e200, 2.0]),
        ("x * x / x", [1e200]),
        ("x**3 / x", [1e200]),
        ("x * x - x * x", [1e200]),
        ("(x + x) - x", [1.7e308]),
        ("(x / 1e-200) * 1e-200", [1e200]),
        ("np.log(np.exp(x))", [800.0]),
        ("np.cosh(x) / np.cosh(x)", [800.0]),
        ("np.exp(x) / np.sum(np.exp(x))", [800.0, 800.0]),
        ("np.hypot(x, x) / 2.0", [1.7e308]),
        ("np.std(x)", [1e200, -1e200]),
        ("np.mean(x)", [1.7e308, 1.7e308]),
        ("np.prod(x)", [1e200, 1e-200, 1e200]),
        ("np.cumsum(x)[-1:]", [1.7e308, 1.7e308, -1.7e308]),
    ],
)
def test_what_comes_of_a_number_that_is_too_large_is_undecided(
    expression: str, x: list[float], tmp_path: Path
) -> None:
    (*_, limit), why = truth(tmp_path, expression, np.array(x))
    assert np.isnan(limit).all()
    assert "a number beyond 1.79769e+308, the largest float64, in line 2 of lines.py" in why


@pytest.mark.parametrize(
    ("expression", "x", "high"),
    [
        ("x * 2.0", [np.inf, 1.0], [np.inf, 2.0]),
        ("x + 1.0", [-np.inf, 1.0], [-np.inf, 2.0]),
        ("np.log(x)", [0.0, 1.0], [-np.inf, 0.0]),
        ("np.sqrt(x * x)", [1e150, 2.0], [1e150, 2.0]),
        ("np.exp(x)", [-np.inf, 0.0], [0.0, 1.0]),
    ],
)
def test_infinity_that_was_given_and_a_pole_stay_decided(
    expression: str, x: list[float], high: list[float], tmp_path: Path
) -> None:
    (array, _, _, _, limit), _ = truth(tmp_path, expression, np.array(x))
    np.testing.assert_array_equal(array, high)
    assert np.isfinite(limit).all()


@pytest.mark.parametrize(
    ("expression", "x", "true", "most"),
    [
        ("np.sqrt(x * x)", [1e-200, 2.0], [1e-200, 2.0], 1e-161),
        ("x * x / x", [1e-200, 2.0], [1e-200, 2.0], 1e-123),
        ("np.prod(x)", [1e-200, 1e-200, 1e200], [1e-200], 1e-122),
    ],
)
def test_a_number_that_is_lost_below_the_smallest_is_an_error(
    expression: str, x: list[float], true: list[float], most: float, tmp_path: Path
) -> None:
    (high, _, _, _, limit), _ = truth(tmp_path, expression, np.array(x))
    np.testing.assert_allclose(high, true, rtol=1e-15)
    array = np.atleast_1d(eval(expression, {"np": np, "x": np.array(x)}))
    assert (np.abs(array - high) <= limit).all()
    assert limit[0] < most


@pytest.mark.parametrize("expression", ["np.sqrt(np.sum(x * x))", "np.sqrt(x @ x)", "np.linalg.norm(x)"])
def test_a_norm_whose_squares_are_lost_accuses_nobody(expression: str, tmp_path: Path) -> None:
    (high, _, _, _, limit), _ = truth(tmp_path, expression, np.array([1e-200, 2e-200]))
    assert np.isnan(limit).all() or (np.abs(high) <= limit).all()


@pytest.mark.parametrize(
    ("expression", "x"),
    [
        ("x[0]**4 / (x[1]**2)**2", [1e-170, 2e-170]),
        ("np.exp(-x)**2 * np.exp(-x) / (np.exp(-x)**2 * np.exp(-x)).sum()", [760.0, 761.0]),
        ("np.prod(np.exp(-x) * np.ones(3)) / np.prod(np.exp(-x) * np.ones(3))", [800.0]),
        ("np.prod(np.full(60, 1e-20) * x) / np.prod(np.full(60, 2e-20) * x)", [1.0]),
        ("(x * x) @ (x * x) / np.float64((x * x) @ (x * x))", [1e-170, 1e-180]),
        ("(x[0] * x[0]) * (x[0] * x[0]) / ((x[0] * x[0]) * (x[0] * x[0]))", [1e-170]),
        ("((x[0] * x[0]) / 2.0**900) / ((x[0] * x[0]) / 2.0**900)", [1e-170]),
    ],
)
def test_a_quotient_of_numbers_lost_twice_below_the_smallest_is_undecided(
    expression: str, x: list[float], tmp_path: Path
) -> None:
    (*_, limit), why = truth(tmp_path, expression, np.array(x))
    assert np.isnan(limit).all()
    assert "a division by what rounding may make zero" in why


def test_a_convolution_of_too_many_products_has_no_limit(tmp_path: Path) -> None:
    path = tmp_path / "lines.py"
    path.write_text("import numpy as np\ndef f(x): return np.convolve(x, x[:101])\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, _ = host.truth(loaded, params, [np.arange(1.0, 30001.0)])
    why = (
        "no limit can be derived for `np.convolve(x, x[:101])` (line 2 of lines.py): "
        "its true value needs 3,040,100 products, and no more than 2,097,152 are computed"
    )
    assert result["problems"] == {"f": why}


def test_a_convolution_in_several_parts_is_one(tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=1000)
    (high, low, _, _, limit), _ = truth(tmp_path, "np.convolve(x, x[:101] / 3)", x)
    wide = np.convolve(x.astype(np.longdouble), x[:101].astype(np.longdouble) / 3)
    np.testing.assert_allclose(high, wide.astype(np.float64), rtol=0, atol=1e-14)
    assert (np.abs((np.convolve(x, x[:101] / 3) - high) - low) <= limit).all()
    assert (limit < 1e-11).all()


def test_a_product_of_zeros_that_are_exact_has_no_error(tmp_path: Path) -> None:
    (high, _, _, _, limit), _ = truth(tmp_path, "x * x * x", np.array([0.0, 1e-170]))
    assert high.tolist() == [0.0, 0.0]
    assert limit.tolist() == [0.0, 5e-324]


@pytest.mark.parametrize(
    "then", ["q * 0.5 + 1", "np.exp(q)", "np.log(q) / 2", "1 / (q - 1)", "np.ones(2) @ q", "q.sum() / 3"]
)
def test_what_follows_from_an_undecided_quotient_is_undecided(then: str, tmp_path: Path) -> None:
    quotient = "(lambda q: {})(np.exp(-x)**2 * np.exp(-x) / (np.exp(-x)**2 * np.exp(-x)))"
    (*_, limit), why = truth(tmp_path, quotient.format(then), np.array([760.0, 761.0]))
    assert np.isnan(limit).all()
    assert "a division by what rounding may make zero" in why
