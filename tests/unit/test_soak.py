"""The judge of ``nox -s soak`` finds what grows, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.soak.judge import growing, growth
from tests.soak.plot import corners, plot

RUNS = 400
FLAT = [7.0] * RUNS


def series(kind: str) -> list[float]:
    draw = np.random.default_rng(7)
    runs = np.arange(RUNS)
    match kind:
        case "flat":
            return FLAT
        case "noisy":
            return (100 + draw.normal(0, 3, RUNS)).tolist()
        case "grows at first":
            return np.minimum(100 + runs, 180.0).tolist()
        case "a few outliers":
            return np.where(runs % 5 == 4, 900.0, 100.0).tolist()
        case "one higher step in the first half":
            return np.where(runs > 150, 130.0, 100.0).tolist()
        case "one in a hundred runs":
            return (7 + runs // 100).astype(float).tolist()
        case "a little each run, and noise":
            return (100 + 0.02 * runs + draw.normal(0, 1, RUNS)).tolist()
        case _:
            raise AssertionError(kind)


@pytest.mark.parametrize(
    ("quantity", "kind"),
    [
        ("descriptors", "flat"),
        ("memory in MiB", "flat"),
        ("memory in MiB", "noisy"),
        ("memory in MiB", "grows at first"),
        ("memory in MiB", "a few outliers"),
        ("descriptors", "one higher step in the first half"),
    ],
)
def test_what_is_flat_does_not_grow(quantity: str, kind: str) -> None:
    assert not growing({quantity: series(kind)})


@pytest.mark.parametrize(
    ("quantity", "kind"),
    [
        ("descriptors", "one in a hundred runs"),
        ("temporary files", "one in a hundred runs"),
        ("memory in MiB", "a little each run, and noise"),
    ],
)
def test_what_leaks_is_named(quantity: str, kind: str) -> None:
    (said,) = growing({"threads": FLAT, quantity: series(kind)})
    assert said.startswith(f"{quantity}: +")


def test_few_runs_are_no_proof() -> None:
    assert growing({"threads": [3.0] * 7}) == ["threads: 7 runs are too few to say"]
    assert not growing({"threads": [3.0] * 8})


def test_growth_is_that_of_the_second_half() -> None:
    assert growth([0.0] * 50 + [float(n) for n in range(50)]) == pytest.approx(49.0)
    assert growth([float(n) for n in range(50)] + [9.0] * 50) == 0.0


def test_the_plot_has_a_line_for_every_quantity() -> None:
    drawn = plot({"a": {"threads": [1.0, 2.0, 3.0], "descriptors": [1.0] * 3}, "b": {"threads": [1.0] * 3}})
    assert drawn.count("<polyline") == 3
    lines = [line for line in drawn.splitlines() if "<polyline" in line]
    assert [len(line.split('"')[1].split()) for line in lines] == [3, 2, 2]


def test_level_parts_are_drawn_by_their_ends() -> None:
    heights = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0]
    kept = [(0, 1.0), (2, 1.0), (3, 2.0), (6, 2.0), (7, 3.0), (8, 3.0)]
    assert corners(range(9), heights) == kept
    assert corners(range(3), [1.0, 2.0, 1.0]) == [(0, 1.0), (1, 2.0), (2, 1.0)]
    assert corners(range(2), [1.0, 1.0]) == [(0, 1.0), (1, 1.0)]
