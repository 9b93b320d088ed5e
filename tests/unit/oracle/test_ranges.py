"""Ranges of floating-point numbers: NumPy's, R's and Julia's are within the limit, a wrong step is not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start as begin


def truth(folder: Path, line: str, x: np.ndarray, bits: int = 53) -> list[np.ndarray]:
    """The true value, its rest and the limit of a stage ``f(x)``."""
    path = folder / "lines.py"
    path.write_text(f"import numpy as np\ndef f(x):\n    return {line}\n", encoding="utf-8")
    host = begin()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": bits, "balls": False}
    result, (high, low, _, _, limit) = host.truth(loaded, params, [x])
    assert not result["problems"]
    return [high, low, limit]


def used(parts: list[np.ndarray], values: Any) -> float:
    high, low, limit = parts
    error = np.abs((np.asarray(values, dtype=np.float64) - high) - low)
    return float(np.divide(error, limit, out=np.where(error > 0, np.inf, 0.0), where=limit > 0).max())


def exactly(start: float, step: float, n: int) -> np.ndarray:
    """As Julia's ranges, which carry twice the digits."""
    return np.array([float(Fraction(start) + k * Fraction(step)) for k in range(n)])


def by_products(start: float, step: float, n: int) -> np.ndarray:
    """As R's seq: from + (0:n) * by."""
    return start + np.arange(n, dtype=np.float64) * step


@pytest.mark.parametrize(
    ("start", "stop", "step"),
    [
        *((0.9410291, 5.0, 1.0), (0.9410291, 5.0, 0.25), (1000.1, 1010.0, 0.1), (-3.3, 3.0, 0.7)),
        *((0.1, 2000.0, 0.1), (1e6 + 0.3, 1e6 + 40.0, 0.01), (5.0, -5.0, -0.3), (0.0, 1.0, 0.1)),
    ],
)
def test_every_language_is_within_the_limit(start: float, stop: float, step: float, tmp_path: Path) -> None:
    ours = np.arange(start, stop, step)
    parts = truth(tmp_path, "np.arange(x[0], x[1], x[2])", np.array([start, stop, step]))
    assert parts[0].shape == ours.shape
    ranges = [ours, exactly(start, step, len(ours)), by_products(start, step, len(ours))]
    assert max(used(parts, values) for values in ranges) <= 1.0
    # NumPy's own rounded step explains no more than it is off by.
    lost = abs(((start + step) - start) - step)
    assert (parts[2] <= 16 * (np.arange(len(ours)) * lost + 2e-16 * np.maximum(np.abs(ours), 1.0))).all()
    wrong = ours + np.arange(len(ours)) * step * 1e-6
    assert used(parts, wrong) > 100.0


def test_the_last_elements_of_a_range_may_be_off_by_many_units() -> None:
    """Without the error of NumPy's step, this range would be beyond a limit of two roundings."""
    start, step = 1000.1, 0.1
    ours = np.arange(start, 1010.0, step)
    assert abs(ours[-1] - exactly(start, step, len(ours))[-1]) > 4 * np.spacing(1000.0)


@pytest.mark.parametrize("line", ["np.arange(x[0], x[1])", "np.arange(start=x[0], stop=x[1], step=1)"])
def test_a_range_of_two_bounds_has_the_step_one(line: str, tmp_path: Path) -> None:
    parts = truth(tmp_path, line, np.array([0.9410291, 5.0]))
    assert used(parts, np.arange(0.9410291, 5.0)) <= 1.0
    assert used(parts, 0.9410291 + np.arange(5) * (1.0 + 1e-14)) > 1.0


def test_the_sum_of_a_range_has_the_error_of_all_its_elements(tmp_path: Path) -> None:
    start, stop, step = 1000.1, 1200.0, 0.1
    parts = truth(tmp_path, "np.sum(np.arange(x[0], x[1], x[2]))", np.array([start, stop, step]))
    assert used(parts, np.arange(start, stop, step).sum()) <= 1.0
    assert used(parts, np.arange(start, stop, step).sum() * (1 + 1e-9)) > 1.0


def test_a_short_format_has_its_own_step(tmp_path: Path) -> None:
    x = np.array([100.1, 110.0, 0.1], dtype=np.float32)
    parts = truth(tmp_path, "np.arange(x[0], x[1], x[2])", x, 24)
    assert used(parts, np.arange(*x)) <= 1.0
    assert used(parts, np.arange(*x.tolist())) <= 1.0
    assert used(parts, np.arange(*x) + np.arange(100) * 1e-4) > 1.0
