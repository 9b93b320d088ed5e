"""Sums of more numbers than are computed one by one: exact where the numbers are given."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision, split
from harness.oracle.oracle_host import start
from harness.oracle.sampling import sample
from harness.oracle.totals import sums
from tests.unit.oracle.stages_apart import APART, apart


def test_the_sum_of_many_given_numbers_is_exact(tmp_path: Path) -> None:
    # The sum of these is 2^-60 (700 * 500 / 2) exactly; added one by one, most of it is lost.
    x = np.full((700, 500), 2.0**-60)
    x[:, ::2] = 1.0
    x[::2, ::2] = -1.0
    result, values = apart(tmp_path, x, total=["x"], centred=["x"])
    assert result["problems"] == {}
    high, low, radius, worst, _ = values["total"]
    assert (float(high), float(low)) == (175_000 * 2.0**-60, 0.0)
    assert radius <= 2.0**-1000
    assert abs(float(x.sum()) - high) <= worst
    places, across = sample((700, 500))
    assert places is not None
    assert across is not None
    there = x[places][:, across] - 2.0**-61
    assert np.array_equal(values["centred"][0], there)


def test_sums_of_five_million_numbers_have_true_values_and_the_limit_that_is_proven(tmp_path: Path) -> None:
    x = np.random.default_rng(7).uniform(0.1, 1.0, size=(500_000, 10))
    x[0, 0] = -np.float64(2.0**40)
    result, values = apart(tmp_path, x, total=["x"], centred=["x"], columns=["x"])
    assert result["problems"] == {}
    high, low, radius, worst, limit = (float(part) for part in values["total"])
    exact = math.fsum(x.ravel())
    assert (high, low + exact) == (exact, pytest.approx(exact, rel=1e-15))
    assert radius < 2.0**-200
    proven = x.size * 2.0**-53 * float(np.abs(x).sum())
    assert proven * 0.999 < limit == worst < proven * 1.001
    # Half of the digits are compared otherwise: a number that is left out is found.
    assert abs(float(x.sum()) - high) <= limit
    assert abs(float(np.delete(x.ravel(), 0).sum()) - high) > limit
    means, _, _, _, off = values["columns"]
    across = sample((500_000, 10))[0]
    assert across is not None
    assert (np.abs(x[across] - x.mean(axis=0) - means) <= off).all()
    assert off.max() < 500_000 * 2.0**-53 * 2.0**41 / 500_000 * 2


def test_as_many_numbers_of_a_shorter_format_have_none(tmp_path: Path) -> None:
    """The limit would be wider than the coarse one."""
    path = tmp_path / "apart.py"
    path.write_text(APART, encoding="utf-8")
    host = start()
    x = np.random.default_rng(7).uniform(0.1, 1.0, size=5_000_000).astype(np.float32)
    params: dict[str, Any] = {
        "names": ["x"],
        "stages": [{"name": "total", "inputs": ["x"], "outputs": ["total"]}],
        "wanted": ["total"],
        "feed": True,
        "bits": 24,
        "balls": False,
    }
    result, _ = host.truth(host.load(str(path), {}, {})[0], params, [x])
    assert "needs 5,000,000 numbers" in result["problems"]["total"]


@pytest.mark.parametrize("number", [np.inf, np.nan, 1.7e308])
def test_such_sums_of_what_is_not_finite_or_too_large_have_none(tmp_path: Path, number: float) -> None:
    x = np.full(4_500_000, 0.5)
    x[-1] = number
    result, values = apart(tmp_path, x, total=["x"])
    assert values == {}
    assert "needs 4,500,000 numbers" in result["problems"]["total"]


def test_blocks_of_any_content_add_up_exactly() -> None:
    rng = np.random.default_rng(5)
    rows = [
        rng.normal(size=70_000) * 2.0 ** rng.integers(-1070, 900, 70_000),
        np.full(70_000, 5e-324),
        np.repeat([1.0, -1.0, 2.0**-1074], [40_000, 29_999, 1]),
        np.zeros(70_000),
        np.full(70_000, 2.0**1004),
    ]
    for row in rows:
        with precision(256):
            high, low, radius = split(sums(row, (0,), False).exact)
        exact = sum(map(Fraction, row.tolist()))
        assert abs(exact - Fraction(float(high)) - Fraction(float(low))) <= Fraction(float(radius))
        assert radius <= 2.0**-100 * abs(high)


def test_the_sum_of_numbers_of_many_magnitudes_is_within_its_radius() -> None:
    x = np.random.default_rng(3).normal(size=(2, 50)) * 2.0 ** np.linspace(-900, 900, 50)
    with precision(256):
        known = sums(x, (1,), False)
        high, low, radius = split(known.exact)
    assert known.exact.shape == (2,)
    for k in range(2):
        exact = sum(map(Fraction, x[k].tolist()))
        assert abs(exact - Fraction(high[k]) - Fraction(low[k])) <= Fraction(radius[k])
        assert radius[k] <= 2.0**-100 * abs(high[k])
