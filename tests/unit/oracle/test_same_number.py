"""A number minus itself is 0, NaN times anything is NaN: rounding turns neither."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision
from harness.oracle.oracle_host import start
from harness.oracle.registry import balls

X = np.array([0.1, 0.3, 0.7])


def truth(folder: Path, body: str, x: np.ndarray = X, bits: int = 53) -> tuple[list[np.ndarray], str]:
    """High, low, radius, worst and limit of a stage ``f(x)``; and why some elements are undecided."""
    path = folder / "lines.py"
    path.write_text(f"import numpy as np\ndef f(x):\n{body}\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": bits, "balls": False}
    answer, parts = host.truth(loaded, params, [x])
    return list(parts), answer["why"].get("f", "") or answer["problems"].get("f", "")


POINTS = "    a = np.stack([x, np.sqrt(x)], axis=1)\n"


@pytest.mark.parametrize(
    "body",
    [
        "    return (x[:, None] - x[None, :] == 0) * 1.0",
        "    return (np.sqrt((x[:, None] - x) ** 2) == 0) * 1.0",
        "    return (np.hypot(x[:, None] - x, x - x[:, None]) == 0) * 1.0",
        "    return ((np.abs(x[:, None] - x) ** 2) ** 0.5 == 0) * 1.0",
        POINTS + "    return (np.sqrt(((a[:, None] - a[None]) ** 2).sum(-1)) == 0) * 1.0",
        POINTS + "    return (np.sqrt(np.sum((a[:, None] - a[None]) ** 2, axis=2)) == 0) * 1.0",
        POINTS + "    return (np.linalg.norm(a[:, None] - a, axis=-1) <= 0) * 1.0",
        POINTS
        + "    d = np.array([[((p - q) ** 2).sum() for q in a] for p in a])\n    return (d == 0) * 1.0",
    ],
)
def test_a_distance_of_a_point_from_itself_is_zero(body: str, tmp_path: Path) -> None:
    """Of computed points as well as of given ones."""
    (high, *_, limit), why = truth(tmp_path, body)
    assert why == ""
    assert high.tolist() == np.eye(3).tolist()
    assert limit.tolist() == np.zeros((3, 3)).tolist()


def test_other_points_at_rounding_s_distance_are_undecided(tmp_path: Path) -> None:
    body = POINTS + "    b = a * 0.1 * 10\n    return (np.abs(a[:, None] - b) == 0).all(-1) * 1.0"
    (_, _, _, _, limit), why = truth(tmp_path, body)
    assert np.isnan(limit).tolist() == np.eye(3, dtype=bool).tolist()
    assert why == "a tie in line 5 of lines.py"


@pytest.mark.parametrize(
    "body",
    [
        "    return (x - x) * np.inf",
        "    y = x / 3\n    return (y - y) * np.inf",
        "    return (x * 0.1 * 3 - x * 0.3) * np.nan",
        "    return np.sqrt(x / 3) * np.nan + x",
        "    return np.nan / (x + 0.1)",
        "    return np.stack([x / 3 - x / 3, x]).T @ np.stack([x * np.nan, x])",
        "    return np.stack([x - x, x]).T @ np.stack([x * np.inf, x])",
        "    return np.stack([(x * 0.1 * 3 - x * 0.3) * np.inf, x * np.nan]).sum(0)",
        "    return np.array([v * np.nan for v in x * 0.1 - x * 0.1 + 1e-300])",
    ],
)
def test_nan_is_due_whatever_the_other_operand_is(body: str, tmp_path: Path) -> None:
    """There is no other reason; where some numbers are decided, the radius of these is minus infinity."""
    (_, _, radius, *_), why = truth(tmp_path, body)
    assert re.fullmatch(
        r"no limit can be derived for `f` \(line \d of lines.py\): "
        "it has no true value: it is not a number, or a quotient by zero",
        why,
    )
    assert np.isneginf(radius).all()


@pytest.mark.parametrize(
    "body",
    [
        "    return np.append((x * 0.1 * 3 - x * 0.3) * np.inf, 1.0)",
        # About 1e-17 in the truth, and 0 in some orders.
        "    return np.append((x + 0.2 - x - 0.2) * np.inf, 1.0)",
        "    a = np.stack([x + 0.2 - x - 0.2, x])\n    return np.append(a.T @ np.array([np.inf, 1.0]), 1.0)",
    ],
)
def test_an_infinity_times_what_rounding_may_make_zero_is_undecided(body: str, tmp_path: Path) -> None:
    (high, _, _, _, limit), why = truth(tmp_path, body)
    assert np.isnan(limit[:-1]).all()
    assert "what it is computed from is undecided" in why
    assert (high[-1], limit[-1]) == (1.0, 0.0)


def test_balls_that_hold_every_number_are_not_one_number() -> None:
    """Elements of which nothing is known share a ball; that does not make them equal."""
    with precision(256):
        kind = balls(53)
        unknown = kind.given(np.ones(2)).spoiled(np.array([True, True]))
        for ufunc in (np.equal, np.less, np.less_equal, np.not_equal):
            assert kind.compare(ufunc, unknown[:1], unknown[1:])[1].tolist() == [True], ufunc
        difference = kind.gather(unknown[:1] - unknown[1:])
        assert difference.doubtful().tolist() == [True]


def test_what_is_compared_with_a_maximum_keeps_its_rounding(tmp_path: Path) -> None:
    """The largest score minus itself is 0; a softmax by exp(x - log sum exp x) has no such zero."""
    (high, *_, limit), why = truth(tmp_path, "    return np.exp(x - x.max())", np.array([100.3, 60.1, 40.0]))
    assert why == ""
    assert high[0] == 1.0
    assert limit[0] > 100 * 2.0**-53
