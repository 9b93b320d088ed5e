"""A value that depends on a comparison which rounding can turn is undecided; no other one is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start

HEAD = "import math\nimport numpy as np\nT = np.divide(1, 3)\n"
X = np.array([[1.0, 2.0], [3.0, 5.0]])
ALL = [[True, True], [True, True]]
NONE = [[False, False], [False, False]]


def truth(
    folder: Path, body: str, *, bits: int = 53, x: np.ndarray = X, **more: Any
) -> tuple[dict[str, list[np.ndarray]], dict[str, str], dict[str, str]]:
    """High, low, radius, worst and limit of a stage ``f(x)``, problems and why."""
    path = folder / "lines.py"
    path.write_text(HEAD + body, encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    params = {
        "names": ["x"],
        "stages": [{"name": "f", "inputs": ["x"], "outputs": ["f"]}],
        "wanted": ["f"],
        "feed": True,
        "bits": bits,
        "balls": False,
        **more,
    }
    result, parts = host.truth(loaded, params, [x])
    arrays = {name: list(parts[5 * n : 5 * n + 5]) for n, name in enumerate(result["values"])}
    return arrays, result["problems"], result["why"]


# x * T * 3 is x in the truth, and may be a unit away from it in floating point.
UNDECIDED = {
    "where": ("def f(x): return np.where(x * T * 3 > x, 1.0, 2.0)", ALL, "a comparison"),
    "mask": ("def f(x): return (x * T * 3 >= x) * 1.0", ALL, "a comparison"),
    "truth values": ("def f(x): return x * T * 3 > x", ALL, "a comparison"),
    "equality": ("def f(x): return np.where(x * T * 3 == x, x, -x)", ALL, "a tie"),
    "threshold": (
        "def f(x): return np.where(x / 7 > np.divide(2, 7), x, -x)",
        [[False, True], [False, False]],
        "a comparison",
    ),
    "assignment": (
        "def f(x):\n    y = x.copy()\n    y[x / 7 > np.divide(5, 7)] = 0.0\n    return y",
        [[False, False], [False, True]],
        "a comparison",
    ),
    "floor": ("def f(x): return np.floor(x * T * 3)", ALL, "a jump of floor"),
    "ceil": ("def f(x): return np.ceil(x * T * 3)", ALL, "a jump of ceil"),
    "trunc": ("def f(x): return np.trunc(x * T * 3)", ALL, "a jump of trunc"),
    "round": (
        "def f(x): return np.round(x / 6 * 3)",
        [[True, False], [True, True]],
        "a rounding to whole numbers",
    ),
    "digits": (
        "def f(x): return np.round(x * T * 0.375, 2)",
        [[True, False], [True, True]],
        "a rounding to digits",
    ),
    "cast": ("def f(x): return (x * T * 3).astype(int)", ALL, "a cast to integers"),
    "sign": ("def f(x): return np.sign(x * T * 3 - x)", ALL, "a sign"),
    "remainder": ("def f(x): return np.mod(x * T, 1)", [[False, False], [True, False]], "the whole part"),
    "whole quotient": ("def f(x): return x * T // 1", [[False, False], [True, False]], "the whole part"),
    "argmax": (
        "def f(x): return np.argmax(np.stack([x / 3, x * np.divide(1, 3)]), axis=0)",
        ALL,
        "a tie",
    ),
    "heaviside": ("def f(x): return np.heaviside(x * T * 3 - x, 0.5)", ALL, "a comparison"),
    "isclose": (
        "def f(x): return np.isclose(x / 3, x / 3 + np.divide(1, 3), rtol=0, atol=np.divide(1, 3))",
        ALL,
        "a comparison",
    ),
    "if": (
        "def f(x):\n    if x[0, 0] * T * 3 > x[0, 0]:\n        return x\n    return -x",
        ALL,
        "a comparison",
    ),
    "while": (
        "def f(x):\n    n, y = 0, x[1, 1] * T\n    while y > 2 * T:\n"
        "        y, n = y - T, n + 1\n    return x * n",
        ALL,
        "a comparison",
    ),
    "index": (
        "def f(x):\n    at = np.argmax(np.stack([x[0, 0] * T * 3, x[0, 0]]))\n    return x * x[at]",
        ALL,
        "a tie",
    ),
    "division": (
        "def f(x): return x / (x * T * 3 - x)",
        ALL,
        "a division by what rounding may make zero",
    ),
}
LINE = {"assignment": 6, "if": 5, "while": 6, "index": 5}


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_rounding_can_turn_is_undecided(tmp_path: Path, name: str) -> None:
    body, mask, what = UNDECIDED[name]
    arrays, problems, why = truth(tmp_path, body)
    assert problems == {}
    np.testing.assert_array_equal(np.isnan(arrays["f"][4]), mask)
    assert why["f"].startswith(what)
    assert f"in line {LINE.get(name, 4)} of lines.py" in why["f"]


EXACT = {
    "a tie of inputs": ("def f(x): return np.where(x >= x[0, 1], 1.0, 2.0)", [[2.0, 1.0], [1.0, 1.0]]),
    "equal inputs": ("def f(x): return (x == 3) * 1.0", [[0.0, 0.0], [1.0, 0.0]]),
    "argmax of inputs": ("def f(x): return np.argmax(np.stack([x, x]), axis=0)", [[0, 0], [0, 0]]),
    "floor of inputs": ("def f(x): return np.floor(x)", X),
    "half of inputs": ("def f(x): return np.round(x / 2)", [[0.0, 1.0], [2.0, 2.0]]),
    "remainder of inputs": ("def f(x): return x % 2", [[1.0, 0.0], [1.0, 1.0]]),
    "whole quotient of inputs": ("def f(x): return x // 0.5", [[2.0, 4.0], [6.0, 10.0]]),
    "far from the threshold": ("def f(x): return np.where(x / 3 > 0.8, 1.0, 0.0)", [[0.0, 0.0], [1.0, 1.0]]),
    "the largest is the largest": (
        "def f(x):\n    y = x / 3\n    return (y == y.max()) * 1.0",
        [[0.0, 0.0], [0.0, 1.0]],
    ),
    "an exact branch": ("def f(x):\n    return x if x[0, 0] > 0.5 else -x", X),
    "a loop": ("def f(x):\n    while x[0, 0] < 3.5:\n        x = x * 2\n    return x", 4 * X),
}


@pytest.mark.parametrize("name", EXACT)
def test_what_rounding_cannot_turn_is_told(tmp_path: Path, name: str) -> None:
    body, expected = EXACT[name]
    arrays, problems, why = truth(tmp_path, body)
    assert (problems, why) == ({}, {})
    high, low, _, _, limit = arrays["f"]
    np.testing.assert_array_equal(high, expected)
    assert not low.any()
    assert np.isfinite(limit).all()


CONTINUOUS = {
    "relu by where": "def f(x):\n    y = x * T * 3 - x\n    return np.where(y > 0, y, 0.0)",
    "relu by product": "def f(x):\n    y = x * T * 3 - x\n    return y * (y > 0)",
    "relu by assignment": "def f(x):\n    y = x * T * 3 - x\n    y[y < 0] = 0.0\n    return y",
    "relu by maximum": "def f(x): return np.maximum(x * T * 3 - x, 0)",
    "absolute": "def f(x):\n    y = x * T * 3 - x\n    return np.where(y < 0, -y, y)",
    "clip": "def f(x): return np.clip(x * T * 3 - x, 0, 1)",
}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_branches_that_meet_are_told_with_a_limit(tmp_path: Path, name: str) -> None:
    arrays, problems, why = truth(tmp_path, CONTINUOUS[name])
    assert (problems, why) == ({}, {})
    high, low, _, _, limit = arrays["f"]
    assert not high.any()
    assert not low.any()
    # What a rounding of x leaves: no less than a unit of x, no more than a few.
    assert (limit >= X * 2.0**-53).all()
    assert (limit <= X * 2.0**-48).all()


def test_doubt_spreads_to_what_follows_and_to_nothing_else(tmp_path: Path) -> None:
    body = "def f(x):\n    y = np.where(x / 7 > np.divide(2, 7), x, -x)\n    return y.sum(axis=0) * 2"
    arrays, _, why = truth(tmp_path, body)
    np.testing.assert_array_equal(np.isnan(arrays["f"][4]), [False, True])
    assert arrays["f"][0][0] == 4.0
    assert why == {"f": "a comparison in line 5 of lines.py"}


def test_a_selection_by_an_undecided_mask_has_no_shape(tmp_path: Path) -> None:
    arrays, _, why = truth(tmp_path, "def f(x): return x[x * T * 3 >= x]")
    assert np.isnan(arrays["f"][4]).all()
    assert why == {"f": "a choice of elements in line 4 of lines.py"}
    arrays, problems, _ = truth(tmp_path, "def f(x): return x[x * T * 3 > x]")
    assert (arrays, problems) == ({}, {"f": "a choice of elements in line 4 of lines.py"})


def test_single_precision_turns_what_double_does_not(tmp_path: Path) -> None:
    body = "def f(x): return np.where(x / 3 > np.divide(1, 3) + 1e-10, 1.0, 0.0)"
    double, *_ = truth(tmp_path, body)
    single, *_ = truth(tmp_path, body, bits=24)
    np.testing.assert_array_equal(np.isnan(double["f"][4]), NONE)
    np.testing.assert_array_equal(np.isnan(single["f"][4]), [[True, False], [False, False]])


def test_an_undecided_stage_takes_those_along_that_follow_from_it_alone(tmp_path: Path) -> None:
    body = (
        "def f(x):\n    if x[0, 0] * T * 3 > 1:\n        return x\n    return -x\n\n"
        "def g(f): return f * 2\n\ndef h(x): return x / 3\n"
    )
    stages = [
        {"name": "f", "inputs": ["x"], "outputs": ["f"]},
        {"name": "g", "inputs": ["f"], "outputs": ["g"]},
        {"name": "h", "inputs": ["x"], "outputs": ["h"]},
    ]
    arrays, problems, why = truth(tmp_path, body, stages=stages, wanted=["f", "g", "h"])
    assert problems == {}
    assert np.isnan(arrays["f"][4]).all()
    assert np.isnan(arrays["g"][4]).all()
    assert np.isfinite(arrays["h"][4]).all()
    line = "a comparison in line 5 of lines.py"
    assert why == {"f": line, "g": line}


def test_a_horizon_is_where_no_limit_is_below_the_value(tmp_path: Path) -> None:
    """The logistic map doubles an error at every step: of 53 bits none is left after some 50."""
    body = (
        "def f(x):\n    y = x[0, 0] * 0.3\n    out = np.zeros(200)\n    for i in range(200):\n"
        "        y = 4 * y * (1 - y)\n        out[i] = y\n    return out"
    )
    arrays, problems, why = truth(tmp_path, body, seconds=10.0)
    assert problems == {}
    limit = arrays["f"][4]
    first = int(np.argmax(np.isnan(limit)))
    assert 35 < first < 60
    assert np.isnan(limit[first:]).all()
    assert why["f"] == (
        "no limit can be derived for `f` (line 10 of lines.py): "
        f"from row {first} on no limit is below the value itself"
    )
    assert (limit[:first] < 1.0).all()


@pytest.mark.parametrize("number", [-1e100, 1e100, -(2.0**256), -(2.0**300), 2.0**255 + 2.0**203, -3.0, 0.0])
def test_whole_numbers_of_any_size_round_to_themselves(number: float) -> None:
    from flint import arb

    from harness.oracle.ball_comparisons import STEPS
    from harness.oracle.balls import precision

    with precision(256):
        rounded = STEPS[np.rint](arb(number))
        assert rounded.is_exact()
        assert rounded == arb(number)
        assert STEPS[np.rint](arb(-2.5)) == -2
        assert STEPS[np.rint](arb(-3.5)) == -4


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("def f(x): return np.where(x >= 0.1, 1.0, 2.0)", [1.0, 2.0, 1.0]),
        ("def f(x): return np.where(0.1 < x, 1.0, 2.0)", [2.0, 2.0, 1.0]),
        ("def f(x): return np.where(x >= 1 / 10, 1.0, 2.0)", [1.0, 2.0, 1.0]),
        ("def f(x): return np.where(x == np.pi, 1.0, 2.0)", [2.0, 2.0, 1.0]),
        ("def f(x): return np.array([1.0 if e <= 0.1 else 2.0 for e in x])", [1.0, 1.0, 2.0]),
    ],
)
def test_a_tie_of_an_input_with_a_written_double_is_decided_in_float64(
    tmp_path: Path, body: str, value: list[float]
) -> None:
    x = np.array([0.1, np.nextafter(0.1, 0.0), np.pi])
    arrays, problems, why = truth(tmp_path, body, x=x)
    assert (problems, why) == ({}, {})
    np.testing.assert_array_equal(arrays["f"][0], value)
    # float32 has another number for it, as may a language that keeps the double.
    _, problems, why = truth(tmp_path, body, x=x.astype(np.float32).astype(np.float64), bits=24)
    assert why or problems


@pytest.mark.parametrize(
    "body",
    [
        "def f(x): return np.where(x >= 0.3 / 3, 1.0, 2.0)",
        "def f(x): return np.where(x * 1.5 / 1.5 >= 0.1, 1.0, 2.0)",
        "T1 = np.sqrt(0.01)\ndef f(x): return np.where(x >= T1, 1.0, 2.0)",
    ],
)
def test_a_tie_with_what_is_computed_is_undecided(tmp_path: Path, body: str) -> None:
    _, problems, why = truth(tmp_path, body, x=np.array([0.1, 3.0]))
    assert problems == {}
    assert "a comparison" in why["f"]


MASKED = {
    # The element that is a tie, or its row, is undecided, and no other.
    "w[mask] += 1.5": [True],
    "w[mask] = y[mask] * 2 - w[mask]": [True],
    "w[~mask] *= np.log(y[~mask] + 9)": [True],
    "w[mask] = 1 / (y[mask] - 0.1)": [True],
    "w[mask, 0] -= w[mask, 0] / 3": [True, False, False],
    "w[0, part] = 9.0": [True, False, False],
    "w[mask] = np.arange(3.0)": [True, True, True],
}


@pytest.mark.parametrize("statement", MASKED)
def test_a_tie_in_a_mask_leaves_the_other_elements_decided(statement: str, tmp_path: Path) -> None:
    wide = "[0" in statement or ", 0]" in statement or "arange" in statement
    x = np.array([0.9, 1.5, -2.1])
    path = tmp_path / "lines.py"
    shape = "np.outer(y, [1.0, 2.0, 3.0])" if wide else "y * 2"
    path.write_text(
        "import numpy as np\ndef f(x):\n    y = x * 0.1 * 3\n"
        f"    w = {shape}\n    mask = y > 0.9 * 0.1 * 3\n    part = w[0] > 0.9 * 0.1 * 3\n"
        f"    {statement}\n    return w\n",
        encoding="utf-8",
    )
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    answer, (high, *_, limit) = host.truth(loaded, params, [x])
    expected = loaded.plain.call("f", [x.copy()])[1]
    undecided = np.isnan(limit)
    assert answer["problems"] == {}
    rows = np.zeros(undecided.shape, dtype=bool)
    rows[0] = MASKED[statement] if wide else True
    np.testing.assert_array_equal(undecided, rows)
    np.testing.assert_allclose(high[~rows], expected[~rows], rtol=1e-14)
    assert np.isfinite(limit[~rows]).all()


def test_rows_that_a_mask_names_are_no_columns(tmp_path: Path) -> None:
    """A square matrix: a mask of its rows also fits its columns."""
    body = "def f(x):\n    w = x * 0.1 * 3\n    w[w[:, 0] > 0.1 * 3] = 0.0\n    return w"
    x = np.array([[1.0, 2.0], [9.0, -4.0]])
    arrays, problems, _ = truth(tmp_path, body, x=x)
    assert problems == {}
    assert np.isnan(arrays["f"][4]).tolist() == [[True, True], [False, False]]
    assert arrays["f"][0][1].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("result", ["len(w[mask])", "w[mask][0]", "np.sort(w[mask])[0]", "w[mask].max()"])
def test_what_needs_the_length_of_a_choice_is_undecided_as_a_whole(result: str, tmp_path: Path) -> None:
    body = f"def f(x):\n    w = x[0] * 0.1 * 3\n    mask = w > 0.1 * 3\n    return np.array([{result}, 1.0])"
    arrays, _, why = truth(tmp_path, body, x=np.array([[1.0, 2.0, -4.0]]))
    assert np.isnan(arrays["f"][4]).all()
    assert "a choice of elements in line" in why["f"]


def test_the_difference_of_truth_values_is_whether_they_change(tmp_path: Path) -> None:
    moved = "x.ravel() * T * 3 - np.array([0.0, 9.0, -9.0, 9.0]) > x.ravel()"
    parts, problems, why = truth(tmp_path, f"def f(x): return np.diff({moved}) * 1.0")
    assert not problems
    high, *_, limit = parts["f"]
    assert high[1:].tolist() == [1.0, 1.0]
    assert np.isnan(limit).tolist() == [True, False, False]
    assert "a comparison in line 4" in why["f"]


def test_an_undecided_position_as_an_index_is_undecided(tmp_path: Path) -> None:
    path = tmp_path / "lines.py"
    path.write_text(
        "import numpy as np\ndef nearest(x):\n    return np.argmin([x * 3, x + x + x], axis=0)\n"
        "def chosen(y, nearest):\n    return y[nearest] / 3\n",
        encoding="utf-8",
    )
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stages = [
        {"name": name, "inputs": inputs, "outputs": [name]}
        for name, inputs in (("nearest", ["x"]), ("chosen", ["y", "nearest"]))
    ]
    wanted = {"names": ["x", "y"], "stages": stages, "wanted": ["chosen"], "feed": True, "bits": 53}
    result, _ = host.truth(loaded, wanted | {"balls": False}, [np.array([0.1, 0.0]), np.array([1.0, 2.0])])
    assert not result["problems"]
    assert "an index in line 5 of lines.py" in result["why"]["chosen"]
