"""In float64, a number of the file is one double in every language: at a tie with an input it decides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from tests.unit.oracle.test_same_number import truth

X = np.array([0.1, 0.3, 1 / 3, 2 / 3, 0.7, 0.05, 0.9, np.nextafter(1 / 3, 1), np.nextafter(0.1, 0)])


def expected(body: str, x: np.ndarray) -> list[float]:
    names: dict[str, object] = {"np": np}
    exec(f"def f(x):\n{body}", names)
    result: np.ndarray = names["f"](x)  # type: ignore[operator]
    return result.astype(float).tolist()


BODIES = [
    "    return np.digitize(x, [0.1, 0.3, 0.7]) + 0.0",
    "    return np.digitize(x, [0.1, 0.3, 0.7], right=True) + 0.0",
    "    return np.digitize(x, (0.7, 0.3, 0.1)) + 0.0",
    "    return np.digitize(x, np.array([0.7, 0.3, 0.1]))",
    "    return np.digitize(x, [1 / 3, 2 / 3])",
    "    return np.digitize(x, np.array([0.1, 1 / 3, 2 / 3]))",
    "    edges = np.array([0.1, 0.3, 0.7])\n    return np.searchsorted(edges[1:], x)",
    "    return np.searchsorted([0.1, 0.3, 0.7], x, side='right')",
    "    return np.where(x < 1 / 3, 2.0, 3.0)",
    "    return np.where(2 / 3 <= x, 2.0, 3.0)",
    "    return np.where(x[:, None] >= np.array([0.1, 0.3]), 2.0, 3.0)",
    "    return np.where(x[:, None] >= [0.1, 1 / 3], 2.0, 3.0)",
    "    return np.isin(x, [0.1, 0.7]) * 1.0",
    "    t = 1 / 3\n    return np.array([1.0 if v < t else 2.0 for v in x])",
    "    edges = np.array([0.1, 0.3, 0.7])\n    return np.array([sum(v >= e for e in edges) for v in x])",
]


@pytest.mark.parametrize("body", BODIES)
def test_ties_of_inputs_with_numbers_of_the_file_are_decided(body: str, tmp_path: Path) -> None:
    (high, *_, limit), why = truth(tmp_path, body, X)
    assert why == ""
    assert high.tolist() == expected(body, X)
    assert not limit.any()


@pytest.mark.parametrize(
    ("body", "undecided"),
    [
        ("    return np.digitize(x * 0.1 * 10, [0.1, 0.3, 0.7])", [0, 1, 4, 8]),
        ("    return np.digitize(x, np.array([1.0, 3.0, 7.0]) * 0.1)", [0, 1, 4, 8]),
        ("    return np.where(x < 1 / 3 * 2, 2.0, 3.0)", [3]),
        ("    return np.where(x < 0.1 * 3, 2.0, 3.0)", [1]),
        ("    return np.where(x < 0.3 / 0.9, 2.0, 3.0)", [2, 7]),
        (
            "    e = np.array([0.1, 0.3])\n    e[0] = 1 / 3 * 2\n"
            "    return np.where(x[:, None] < e, 2.0, 3.0)[:, 0]",
            [3],
        ),
        (
            "    e = np.array([0.1, 0.3])\n    e *= 1.0000000001\n"
            "    return np.digitize(x * 1.0000000001, e)",
            [0, 1, 8],
        ),
    ],
)
def test_what_is_computed_stays_undecided(body: str, undecided: list[int], tmp_path: Path) -> None:
    """Another language may have another double there."""
    (*_, limit), _ = truth(tmp_path, body, X)
    assert np.flatnonzero(np.isnan(limit)).tolist() == undecided


@pytest.mark.parametrize("body", BODIES[:5])
def test_shorter_formats_may_round_them(body: str, tmp_path: Path) -> None:
    x = np.float32(X).astype(float)
    (*_, limit), _ = truth(tmp_path, body, x, bits=24)
    assert np.isnan(limit).any()
