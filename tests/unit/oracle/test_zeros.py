"""Functions that look at the sign of a zero, which balls do not have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start


def truth(folder: Path, expression: str, x: list[float]) -> tuple[list[np.ndarray], str]:
    """High, low, radius, worst and limit of a stage ``f(x)``; and why some elements are undecided."""
    path = folder / "lines.py"
    path.write_text(f"import numpy as np\ndef f(x): return {expression}\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, parts = host.truth(loaded, params, [np.array(x)])
    assert not result["problems"]
    return list(parts), result["why"].get("f", "")


@pytest.mark.parametrize(
    ("expression", "least", "most"),
    [
        ("np.copysign(1.0, x)", -1.0, 1.0),
        ("np.where(np.signbit(x), -1.0, 1.0)", -1.0, 1.0),
        ("np.arctan2(x, -1.0)", -np.pi, np.pi),
        ("np.arctan2(np.abs(x), x)", 0.0, np.pi),
    ],
)
def test_a_negative_zero_is_undecided_and_both_signs_are_in_bounds(
    expression: str, least: float, most: float, tmp_path: Path
) -> None:
    (high, _, radius, _, limit), why = truth(tmp_path, expression, [-0.0, 2.0, 0.0, -2.0])
    x = np.array([-0.0, 2.0, 0.0, -2.0])
    values = eval(expression, {"np": np, "x": x})
    assert np.isnan(limit).tolist() == [True, False, False, False]
    assert "the sign of a zero in line 2 of lines.py" in why
    assert high[0] - radius[0] <= least
    assert high[0] + radius[0] >= most
    # Neither sign is accused, and nothing beyond them passes.
    assert radius[0] < 4.0
    np.testing.assert_array_less(np.abs(values - high)[1:], limit[1:] + 1e-300)
    # Elsewhere the other sign is beyond the limit.
    assert (np.abs(-values - high)[[1, 3]] > limit[[1, 3]]).all()


def test_a_zero_without_a_look_at_its_sign_is_decided(tmp_path: Path) -> None:
    expression = "np.abs(x) + np.copysign(x, x) + np.arctan2(x, 1.0)"
    (high, _, _, _, limit), _ = truth(tmp_path, expression, [-0.0, 2.0])
    assert high[0] == 0
    assert limit[0] < 1e-322
    assert 0 < limit[1] < 1e-14
