"""Loops that add equal terms, values on the edge of a step, and values that are taken by their bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start

X = np.array([0.1])


def truth(folder: Path, body: str, x: np.ndarray = X) -> tuple[list[np.ndarray], str]:
    """High, low, radius, worst and limit of a stage ``f(x)``; or the reason why there are none."""
    path = folder / "lines.py"
    path.write_text("import numpy as np\n" + body, encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, parts = host.truth(loaded, params, [x])
    return list(parts), result["problems"].get("f", "")


LOOPS = {
    "clock": "def f(x):\n    t = 0.0\n    for _ in range(10000):\n        t = t + x\n    return t",
    "in place": "def f(x):\n    t = np.zeros(1)\n    for _ in range(10000):\n        t += x\n    return t",
    "mean": "def f(x):\n    m = 0.0 * x\n    for _ in range(5000):\n        m += x / 5000\n    return m",
    "downwards": "def f(x):\n    t = 5 * x\n    for _ in range(9000):\n        t = t - x\n    return t",
}


# Two to four seconds each.
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(body, id=name, marks=() if name == "in place" else pytest.mark.slow)
        for name, body in LOOPS.items()
    ],
)
def test_a_loop_that_adds_equal_terms_is_within_its_limit(body: str, tmp_path: Path) -> None:
    (high, low, _, _, limit), _ = truth(tmp_path, body)
    space: dict[str, object] = {"np": np}
    exec(body, space)
    error = abs((space["f"](X) - high) - low)[0]  # type: ignore[operator]
    # All roundings have one direction: more than any number of random ones comes to.
    assert 0 < error <= limit[0] < 40 * error


def test_a_term_too_few_is_beyond_the_limit_of_a_loop(tmp_path: Path) -> None:
    (high, _, _, _, limit), _ = truth(tmp_path, LOOPS["clock"])
    assert abs(9999 * 0.1 - high[0]) > 1e6 * limit[0]


def test_half_a_unit_that_rounding_may_turn_is_undecided(tmp_path: Path) -> None:
    (*_, limit), _ = truth(tmp_path, "def f(x): return np.round(x * 10)", np.array([0.05, 0.15, 0.2]))
    assert np.isnan(limit).tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("def f(x): return x * len({x[0], x[0] / 3 * 3})", "{x[0], x[0] / 3 * 3}"),
        ("def f(x): return x * len({x[0] * 3: 1})", "{x[0] * 3: 1}"),
        ("def f(x): return x.view(np.int64) * 1.0", "ndarray.view"),
        ("def f(x): return x.astype(np.float32).view(np.int32) * 1.0", "ndarray.view"),
    ],
)
def test_values_by_their_bits_have_no_limit(body: str, named: str, tmp_path: Path) -> None:
    _, problem = truth(tmp_path, body)
    assert problem.startswith(f"no limit can be derived for `{named}` (line 2 of lines.py)")


def test_a_view_in_its_own_format_is_understood(tmp_path: Path) -> None:
    (high, *_), problem = truth(tmp_path, "def f(x): return x.view(np.ndarray).view(np.float64) * 2")
    assert (high.tolist(), problem) == ([0.2], "")
