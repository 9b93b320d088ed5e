"""Infinite and very large operands: exact where every language agrees, undecided where languages differ."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start

INF = np.inf


def truth(folder: Path, result: str, x: np.ndarray) -> tuple[list[np.ndarray], str]:
    """High, low, radius, worst and limit of a stage ``f(x)``; and why it has no limit somewhere."""
    path = folder / "lines.py"
    source = f"import numpy as np\nfrom scipy import special\ndef f(x):\n    return {result}\n"
    path.write_text(source, encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    answer, parts = host.truth(loaded, params, [x])
    if "f" in answer["problems"]:
        return [np.full(1, np.nan)] * 5, answer["problems"]["f"]
    return [np.atleast_1d(part) for part in parts], answer["why"].get("f", "")


@pytest.mark.parametrize(
    ("result", "x", "expected", "most"),
    [
        ("special.erfc(x)", [INF, 1e300, -INF], [0.0, 0.0, 2.0], 1e-14),
        ("np.logaddexp(x, 0.0)", [1e308, 1e300, -INF], [1e308, 1e300, 0.0], 1e293),
        ("np.logaddexp2(x, 0.0)", [1e308, 2.0**1000], [1e308, 2.0**1000], 1e293),
        ("np.logaddexp(x, x)", [INF, -INF, 0.0], [INF, -INF, np.log(2.0)], 1e-15),
    ],
)
def test_every_element_has_a_limit(
    result: str, x: list[float], expected: list[float], most: float, tmp_path: Path
) -> None:
    (high, _, _, _, limit), why = truth(tmp_path, result, np.array(x))
    assert why == ""
    assert high.tolist() == pytest.approx(expected, rel=1e-15, abs=1e-300)
    # A wrong number, of 1e-12 of the right one, is beyond it.
    assert (limit <= np.minimum(np.abs(expected) * 1e-12 + 1e-300, most)).all()


@pytest.mark.parametrize("result", ["x // 2.0", "x % 2.0", "np.fmod(x, 2.0)", "1.0 // x", "-1.0 // x"])
def test_a_whole_part_of_an_infinite_quotient_is_undecided(result: str, tmp_path: Path) -> None:
    (high, low, _, _, limit), why = truth(tmp_path, result, np.array([3.0, INF, -INF]))
    assert "the whole part of a quotient of infinite numbers in line 4 of lines.py" in why
    # The finite element is judged still: 1 where 2 is expected is found.
    assert np.isfinite(limit[0])
    assert limit[0] < 0.5
    expected = {"x // 2.0": 1.0, "x % 2.0": 1.0, "np.fmod(x, 2.0)": 1.0, "1.0 // x": 0.0, "-1.0 // x": -1.0}
    assert high[0] + low[0] == expected[result]
    assert not np.isfinite(limit[1:]).any()


def test_the_reason_for_nan_in_a_search_is_true(tmp_path: Path) -> None:
    _, why = truth(tmp_path, "np.searchsorted(np.sort(x), x) * 1.0", np.array([2.0, np.nan, 1.0]))
    assert "not sorted" not in why
    assert "an order of what is not a number" in why
    _, why = truth(tmp_path, "np.searchsorted(x, x) * 1.0", np.array([2.0, 1.0]))
    assert "in what is not sorted" in why
