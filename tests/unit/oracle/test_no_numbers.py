"""NaN among the inputs: comparisons with it are exact, sorts put it last, and means and medians are NaN."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision, split
from harness.oracle.oracle_host import start
from harness.oracle.registry import arithmetic, balls

NO_VALUE = (
    "no limit can be derived for `f` (line 3 of lines.py): "
    "it has no true value: it is not a number, or a quotient by zero"
)

NAN = np.nan
X = np.array([NAN, 1.0, 2.0])


def truth(folder: Path, result: str, x: np.ndarray) -> tuple[list[np.ndarray], str]:
    """High, low, radius, worst and limit of a stage ``f(x)``; and why some elements are undecided."""
    path = folder / "lines.py"
    path.write_text(f"import numpy as np\ndef f(x):\n    return {result}\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, parts = host.truth(loaded, params, [x])
    if "f" in result["problems"]:
        return [np.full(1, np.nan)] * 5, result["problems"]["f"]
    return [np.atleast_1d(part) for part in parts], result["why"].get("f", "")


@pytest.mark.parametrize(
    "result",
    [
        *("x == x", "x != x", "x < 1", "x <= x", "x > 1", "x >= x", "x == x[0]", "x != 1", "x == np.nan"),
        *("np.where(x != x, 0.3, 1.1)", "np.where(x == x[0], 1.1, 0.3)", "np.where(x > 1, x, 0)"),
        *(
            "np.array([np.all(x == x)])",
            "np.array([(x == x).sum()])",
            "np.array([x[0] == x[0], x[0] != x[0]])",
        ),
        *("np.array([x[0] / 3 == x[0] / 3])", "x / np.pi < 0.5", "np.isin(x, [1.0])"),
        *("np.isclose(x, x)", "np.array([np.allclose(x, x), np.array_equal(x, x)])"),
        *("np.isnan(x)", "np.isinf(x)", "np.isnan(x / np.pi)", "np.argmax(x[[1, 0, 2]])", "np.argmin(x)"),
        *(
            "np.isnan(np.log(-x))",
            "np.isnan(np.arcsin(2 * x))",
            "np.isnan(np.sqrt(-x))",
            "np.isnan(x - x.mean())",
        ),
    ],
)
def test_comparisons_are_exact(result: str, tmp_path: Path) -> None:
    (high, *_, limit), why = truth(tmp_path, result, X)
    assert why == ""
    with np.errstate(all="ignore"):
        expected = np.atleast_1d(eval(result, {"np": np, "x": X}))
    assert high.tolist() == expected.astype(float).tolist()
    assert (limit < 1e-15).all()


@pytest.mark.parametrize(
    "result",
    [
        *("np.sort(x)", "np.sort(x)[::-1]", "np.sort(x * 0.1)", "np.sort(x / np.pi)", "np.sort(-x)"),
        *("np.sort(np.stack([x, x[::-1], x * 0 + 1]), axis=1)", "np.sort(np.stack([x, x[::-1]]), axis=0)"),
        *("np.median(np.stack([x, np.array([3.0, 1.0, 2.0])]), axis=1)", "np.percentile(x, [25, 50])"),
        *("np.median(x)", "np.quantile(x[::-1], 0.3)", "np.max(x)", "np.mean(x)", "np.maximum(x, 1.5)"),
        *("np.minimum(x, 1.5)", "np.clip(x, 0, 1)", "np.floor(x)", "np.sign(x)", "np.heaviside(x, 0.5)"),
    ],
)
def test_it_is_last_in_a_sort_and_all_of_a_median(result: str, tmp_path: Path) -> None:
    (high, *_, limit), why = truth(tmp_path, result, X)
    with np.errstate(all="ignore"):
        expected = np.asarray(eval(result, {"np": np, "x": X}))
    there = ~np.isnan(np.atleast_1d(expected))
    assert why == NO_VALUE
    if there.any():
        assert (there == ~np.isnan(limit)).all()
        assert np.allclose(high[there], expected[there], 1e-15, 0)
        assert (limit[there] < 1e-14).all()


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("np.isnan(x / x)", [1, 0, 0]),
        ("np.isinf(x / x)", [0, 0, 0]),
        ("np.isinf(1 / x)", [1, 0, 0]),
        ("np.isnan(1 / x)", [0, 0, 0]),
        ("np.isfinite(1 / x)", [0, 1, 1]),
        ("np.where(np.isinf(1 / x), 0.0, 1.0)", [0, 1, 1]),
        ("np.isinf(-1 / x + 1)", [1, 0, 0]),
        ("np.isinf(np.reciprocal(x))", [1, 0, 0]),
        ("np.isinf(x**-3)", [1, 0, 0]),
    ],
)
def test_a_pole_is_infinite_and_not_nan(result: str, expected: list[float], tmp_path: Path) -> None:
    (high, *_, limit), why = truth(tmp_path, result, np.array([0.0, 1.0, 2.0]))
    assert (why, high.tolist(), limit.tolist()) == ("", expected, [0.0, 0.0, 0.0])


def test_a_pole_has_no_true_value(tmp_path: Path) -> None:
    (*_, limit), why = truth(tmp_path, "1 / x", np.array([0.0, 1.0]))
    assert np.isnan(limit).tolist() == [True, False]
    assert why == NO_VALUE


def test_what_may_be_a_number_compares_with_nothing() -> None:
    with precision(64):
        true = balls(53)
        third = true.gather(1.0) / true.gather(3.0)
        unknown = np.log(third * 3.0 - 1.0)
        assert np.isnan(split(unknown.items)[0])
        for mask in (unknown == unknown, unknown != unknown, unknown < 1.0, np.isnan(unknown)):
            assert mask.unsure.all()
        either = np.sort(np.stack([unknown, true.gather(1.0)]))
        assert either.unknown().all()
    rounded = arithmetic(53)
    with np.errstate(all="ignore"):
        lost = np.sqrt(rounded.gather(0.1) * 3.0 - 0.3 - 1e-16)
    assert np.isnan(lost.value)
    assert (lost == 1.0).unsure.all()
    assert (lost != lost).unsure.all()


def test_a_sort_with_an_undecided_element_is_undecided_everywhere() -> None:
    rounded = arithmetic(53)
    given = rounded.gather(np.array([5.0, 2.0, 3.0]))
    spoiled = given.spoiled(np.array([True, False, False]))
    assert np.sort(given).doubtful().tolist() == [False, False, False]
    assert np.sort(spoiled).doubtful().tolist() == [True, True, True]


@pytest.mark.parametrize(
    "result",
    [
        *("logit(p)", "np.log(p) - np.log1p(-p)", "np.log1p(-p) * 2 + 1", "-(3 * np.log1p(-p)) / 2"),
        *("np.sum([np.log1p(-p), p], axis=0)", "np.stack([p, np.log1p(-p)], axis=1) @ np.ones(2)"),
        *("np.mean([np.log1p(-p), p], axis=0)", "np.cumsum([np.log1p(-p), p], axis=0)[1]"),
        *("np.array([one.prod() for one in np.stack([np.log1p(-p), p], axis=1)])",),
    ],
)
def test_what_is_made_of_a_pole_that_rounding_reaches_is_undecided(result: str, tmp_path: Path) -> None:
    path = tmp_path / "lines.py"
    lines = ("import numpy as np", "from scipy.special import logit", "def f(x):")
    path.write_text(
        "\n".join([*lines, "    p = 1 / (1 + np.exp(-x))", f"    return {result}\n"]), encoding="utf-8"
    )
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    answer, parts = host.truth(loaded, params, [np.array([20.0, 36.0, 45.0, 100.0])])
    # At 45 the sigmoid is 1 - 2.9e-20, and 1 in float64: its logit is infinite.
    assert np.isnan(parts[-1]).tolist() == [False, True, True, True]
    assert re.search(
        r"no limit can be derived for `[^`]*` \(line 5 of lines.py\): its error has no bound",
        answer["why"]["f"],
    )


@pytest.mark.parametrize(
    "result", ["np.fft.irfft(np.fft.rfft(x) ** 2, n=3)", "np.fft.fft(np.fft.fft(x) ** 2).real"]
)
def test_a_transform_of_what_is_too_large_is_undecided(result: str, tmp_path: Path) -> None:
    (*_, limit), why = truth(tmp_path, result, np.array([1e200, 2.0, 4e200]))
    assert np.isnan(limit).all()
    assert "a number beyond 1.79769e+308" in why
    (high, *_, limit), why = truth(tmp_path, result, np.array([1.0, 2.0, 4.0]))
    expected = {"np.fft.irfft(np.fft.rfft(x) ** 2, n=3)": [17.0, 20.0, 12.0]}.get(result, [51.0, 36.0, 60.0])
    assert high == pytest.approx(expected, abs=1e-12)
    assert (limit < 1e-11).all()
    assert why == ""
