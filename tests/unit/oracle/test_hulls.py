"""What any branch of an undecided comparison gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from harness.oracle.gaps import widest_gap
from harness.oracle.oracle_host import start

# 0.1 * 3 is 0.30000000000000004: in float64, 0.3 is a tie with it.
SOURCE = """
import numpy as np

def part(x): return x * 0.1 * 3
def chosen(part): return np.where(part > 0.3, 5.0, -2.0)
def masked(part):
    made = part * 0
    made[part > 0.3] = 7
    return made
def scaled(part): return (part > 0.3) * 6.0
def twice(chosen): return np.where(chosen > 1, 10.0, 20.0)
def root(chosen): return np.sqrt(chosen + 3) / (chosen + 4)
def pole(chosen): return np.log(chosen + 1)
def no_pole(part): return np.log(part - 0.3)
def singly(part): return np.stack([np.where(one > 0.3, 8.0, one) for one in part])
def infinite(part): return np.where(part > 0.3, np.inf, 1.0)
def floors(part): return np.floor(part * 10)
def signs(part): return np.sign(part - 0.3)
def places(part):
    return np.argmax(np.stack([part, part * 0 + 0.3, part - 1, part * 3 / 3 - 1e-9], axis=-1), axis=-1)
def mixed(chosen, x): return chosen + (x + 1e8 - 1e8)
def large(part): return np.where(part > 0.3, 1.0, 1e308) * 10
def swapped(part): return np.array([part[1], part[0], part[2]]) if part[1] > 0.3 else part
def steps(part):
    t, k = 0.0, 0
    while t < 0.6:
        t, k = t + part[1], k + 1
    return np.array([t, k])
def bent(part):
    if part.sum() < 1.2 and part[1] < 0.3:
        return part * 2
    return part * 0
def lengths(part): return part if part[1] > 0.3 else part[:2]
def many(part):
    total = part * 0
    for _ in range(5):
        if part[1] > 0.3:
            total = total + 1
    return total
def all_of(swapped): return np.concatenate([swapped * 0, [1.0]])
"""
X = np.array([0.5, 1.0, 2.5])


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    path = tmp_path / "ties.py"
    path.write_text(SOURCE, encoding="utf-8")
    host = start()
    loaded, problems = host.load(str(path), {"part": 1}, {})
    assert problems == []

    def bounds(*chain: str, bits: int = 53, cut: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """The least and the most of every element of the last stage; NaN where nothing is known."""
        names = ["x", *chain]
        inputs = {name: [before] for before, name in zip(names, chain, strict=False)}
        if chain[-1] == "mixed":
            inputs["mixed"] = ["chosen", "x"]
        params = {
            "names": ["x"],
            "stages": [{"name": name, "inputs": inputs[name], "outputs": [name]} for name in chain],
            "wanted": list(chain),
            "feed": True,
            "bits": bits,
            "balls": False,
        }
        result, arrays = host.truth(loaded, params, [X])
        assert result["problems"] == {}
        assert result["cut"] is cut
        high, low, radius, _, limit = arrays[5 * result["values"].index(chain[-1]) :][:5]
        assert (low[np.isnan(limit)] == 0).all()
        # A radius of -inf: nothing is known, and no comparison is why.
        radius = np.where(np.isneginf(radius), np.nan, radius)
        decided = ~np.isnan(limit)
        return np.where(decided, high, high - radius), np.where(decided, high, high + radius)

    return bounds


@pytest.mark.parametrize(
    ("chain", "least", "most"),
    [
        (("chosen",), -2.0, 5.0),
        (("masked",), 0.0, 7.0),
        (("scaled",), 0.0, 6.0),
        (("floors",), 2.0, 3.0),
        (("signs",), -1.0, 1.0),
        (("places",), 0.0, 1.0),
        (("singly",), 0.3, 8.0),
        (("chosen", "twice"), 10.0, 20.0),
        # In intervals: the root of 1 to 8, over 2 to 9.
        (("chosen", "root"), 1.0 / 9.0, np.sqrt(8.0) / 2.0),
    ],
)
def test_bounds_of_both_branches(ask: Any, chain: tuple[str, ...], least: float, most: float) -> None:
    low, high = ask("part", *chain)
    assert low[1] == pytest.approx(least, abs=4e-7 * max(1.0, abs(most)))
    assert high[1] == pytest.approx(most, abs=4e-7 * max(1.0, abs(most)))
    assert low[1] <= least
    assert high[1] >= most
    # What is no tie has its true value.
    assert (low[[0, 2]] == high[[0, 2]]).all()


@pytest.mark.parametrize("bits", [24, 11, 8])
def test_shorter_formats(ask: Any, bits: int) -> None:
    low, high = ask("part", "chosen", bits=bits)
    assert -2.0 - 7 * 2.0 ** (-bits / 2) <= low[1] <= -2.0
    assert 5.0 <= high[1] <= 5.0 + 7 * 2.0 ** (-bits / 2)


@pytest.mark.parametrize("chain", [("chosen", "pole"), ("no_pole",), ("infinite",), ("large",)])
def test_nothing_is_known_where_a_branch_may_be_no_number(ask: Any, chain: tuple[str, ...]) -> None:
    low, _ = ask("part", *chain)
    assert np.isnan(low[1])


def test_both_ways_of_an_if_are_followed(ask: Any) -> None:
    low, high = ask("part", "swapped", "all_of")
    assert low == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=4e-8)
    assert high == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=4e-8)
    low, high = ask("part", "swapped")
    assert low == pytest.approx([0.15, 0.15, 0.75], abs=4e-8)
    assert high == pytest.approx([0.3, 0.3, 0.75], abs=4e-8)
    # Two comparisons that follow each other.
    low, high = ask("part", "bent")
    assert low == pytest.approx([0.0, 0.0, 0.0], abs=1e-7)
    assert high == pytest.approx([0.3, 0.6, 1.5], abs=1e-7)


def test_a_loop_may_take_one_step_more(ask: Any) -> None:
    low, high = ask("part", "steps")
    assert low == pytest.approx([0.6, 2.0], abs=1e-7)
    assert high == pytest.approx([0.9, 3.0], abs=1e-7)
    low, high = ask("part", "steps", bits=24)
    assert 1.9 < low[1] <= 2.0
    assert 3.0 <= high[1] < 3.1


def test_the_gap_between_ways_is_the_widest_and_holds_no_ball() -> None:
    def balls(*pairs: tuple[float, float]) -> np.ndarray:
        return np.array([arb(*pair) for pair in pairs], dtype=object)

    ways = [
        balls((9.0, 1.0), (1.0, 0.5), (0.0, 9.0), (1.0, 0.0)),
        balls((1.0, 0.5), (2.0, 1.0), (1.0, 0.5), (2.0, 0.0)),
        balls((3.0, 0.5), (1.5, 0.1), (7.0, 0.5), (9.0, 0.0)),
    ]
    asked = np.array([True, True, True, False])
    gap = widest_gap(ways, np.array([3.2, 1.0, 0.0, 1.0]), asked, 0.25)
    assert gap is not None
    # From 3.5 to 8; the others overlap, one ball holds all, and of the last nothing is asked.
    assert gap == pytest.approx(np.array([[3.75, *[np.nan] * 3], [7.75, *[np.nan] * 3]]), nan_ok=True)
    # What a plain evaluation gives is on some way as well.
    near = widest_gap(ways, np.array([6.0, 1.0, 0.0, 1.0]), asked, 0.25)
    assert near is not None
    assert near[:, 0] == pytest.approx([3.75, 5.75])
    assert widest_gap(ways, np.ones(4), asked, 3.0) is None
    assert widest_gap(ways[:1], np.ones(4), asked, 0.0) is None


@pytest.mark.parametrize("stage", ["many", "lengths"])
def test_of_too_many_ways_all_that_is_known_is_that_it_is_a_number(ask: Any, stage: str) -> None:
    low, high = ask("part", stage)
    assert (low == -np.inf).all()
    assert (high == np.inf).all()


def test_where_the_time_is_spent_no_way_is_followed(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.oracle.oracle_host.LEAST_SECONDS", 0.0)
    low, high = ask("part", "steps", cut=True)
    assert (low == -np.inf).all()
    assert (high == np.inf).all()


def test_rounding_that_is_larger_than_a_coarse_limit_widens_the_bounds(ask: Any) -> None:
    # x + 1e8 - 1e8 is off by up to an ULP of 1e8, 1.5e-8, beside 1.5e-8 of a coarse limit of 5.
    low, high = ask("part", "chosen", "mixed")
    assert low[1] <= -2.0 + 1.0 - 1.5e-8 - 6 * 2.0**-26.5
    assert high[1] >= 5.0 + 1.0 + 1.5e-8 + 6 * 2.0**-26.5
