"""What shares its memory in NumPy shares it in every arithmetic of the oracle, and nothing else does."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.backward_slice import evaluate
from harness.oracle.balls import precision
from harness.oracle.conditions import Condition
from harness.oracle.evaluation import Evaluation
from harness.oracle.lazy import Lazy
from harness.oracle.oracle_host import start
from harness.oracle.oracle_source import OracleSource
from harness.oracle.registry import arithmetic, balls
from harness.oracle.sampling import everything, pick

VIEWS = (
    "{}[0]",
    "{}[1:]",
    "{}[::-1]",
    "{}[..., 1]",
    "{}.T",
    "{}.reshape(-1)",
    "{}.ravel()",
    "np.asarray({})",
)
COPIES = (
    *("{}.copy()", "np.array({})", "np.copy({})", "copy.copy({})", "copy.deepcopy({})", "{}.astype(float)"),
    *("{}.flatten()", "{}[[1, 0]]", "np.array({}[0])", "np.array({}[::-1])", "+{}", "{}[0].copy()"),
)
COMPUTED = (
    "-{}",
    "abs({})",
    "{} * 0.3",
    "{} + {}[0]",
    "np.where({} > 0.123, {}, 0.25)",
    "np.maximum({}, 0.5)",
)
CHANGES = (
    *("{0}[0] = 0.375", "{0}[...] = {1}", "{0} *= 1.1", "{0} += 0.1", "{0}[-1] = {0}[0] / 3.0"),
    *("{0}[[0, 1]] = {0}[[1, 0]]", "t = {0}[0].copy(); {0}[0] = {0}[1]; {0}[1] = t", "{0}[0] = {0}[1]"),
    *(
        "t = np.array({0}[0]); {0}[0] = {0}[1]; {0}[1] = t",
        "{0}[1:] -= {0}[:1] / 7.0",
        "{0}[1, 1] = {0}[0, 1]",
    ),
)
REAL_ALONE = ("abs(", "np.where", "np.maximum", "astype(float)")


def program(seed: int, x: np.ndarray) -> str:
    """Lines that NumPy runs on ``x``: views, copies and results of arrays, which are then changed."""
    draw = np.random.default_rng(seed)
    space: dict[str, Any] = {"np": np, "copy": copy, "x": x}
    lines, names = ["m = x * 0.7", "m[0] = 0.625"], ["m"]
    exec("\n".join(lines), space)
    while len(lines) < 24:
        kind = draw.integers(4)
        line = str(draw.choice((VIEWS, COPIES, COMPUTED, CHANGES)[kind]))
        source, other = (str(draw.choice(names)) for _ in range(2))
        # The order of the axes in memory, by which NumPy tells a view from a copy, is not followed.
        if not space[source].flags.c_contiguous and space[source].ndim > 1 and kind < 3:
            continue
        if np.iscomplexobj(x) and any(part in line for part in REAL_ALONE):
            continue
        name = f"v{len(names)}"
        line = line.format(source, other) if kind == 3 else f"{name} = " + line.replace("{}", source)
        try:
            exec(line, space)
        except (IndexError, ValueError):
            continue
        if kind < 3:
            if not space[name].ndim:
                continue
            names.append(name)
        lines.append(line)
    body = "".join(f"    {line}\n" for line in lines)
    ends = ", ".join(f"{name}.reshape(-1)" for name in names)
    return f"import copy\nimport numpy as np\ndef f(x):\n{body}    return np.concatenate([{ends}])\n"


def evaluated(path: Path, x: np.ndarray) -> tuple[np.ndarray, Any, Any]:
    """What NumPy, numbers with errors, and balls make of a file's ``f(x)``."""
    space: dict[str, Any] = {}
    exec(path.read_text(encoding="utf-8"), space)
    source = OracleSource(str(path))
    stages = [{"name": "f", "inputs": ["x"], "outputs": ["f"]}]
    results = []
    for make, bits in ((arithmetic, 53), (balls, 256)):
        kind = source.kind(make, 53, bits)
        kind.restart()
        evaluation = Evaluation(source, kind, bits, {"x": x}, {}).run(stages, feed=True)
        assert not evaluation.problems
        results.append(evaluation.results["f"])
    return space["f"](x.copy()), results[0], results[1]


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("seed", range(40))
def test_programs_of_views_copies_and_changes_are_those_of_numpy(
    seed: int, dtype: Any, tmp_path: Path
) -> None:
    path = tmp_path / "program.py"
    x = np.random.default_rng(seed).uniform(0.1, 1.0, size=(3, 3)).astype(dtype)
    if dtype is np.complex128:
        x += 0.5j
    path.write_text(text := program(seed, x), encoding="utf-8")
    value, rounded, true = evaluated(path, x)
    for part in ("real", "imag")[: 2 if dtype is np.complex128 else 1]:
        plain, analysed, exact = (getattr(array, part) for array in (value, rounded, true))
        np.testing.assert_allclose(analysed.value, plain, rtol=1e-13, atol=1e-15, err_msg=text)
        with precision(256):
            error = np.abs(analysed.gather(plain).nearest() - exact.nearest())
        # The errors move with their numbers: none is missing, and none is that of a larger number.
        assert (error <= analysed.worst + 1e-17).all(), text
        assert (analysed.worst <= 1e-12).all(), text


SWAP = """
def f(x):
    a = np.stack([x * {first}, x * {second}])
    a[0] = a[0] + 0.1
    t = {copied}
    a[0] = a[1]
    a[1] = t
    return a
"""


@pytest.mark.parametrize(
    "copied", ["a[0].copy()", "np.array(a[0])", "np.copy(a[0])", "copy.copy(a[0])", "copy.deepcopy(a[0])"]
)
def test_a_row_that_was_copied_keeps_its_error(copied: str, tmp_path: Path) -> None:
    path = tmp_path / "swap.py"
    body = SWAP.format(first="1e12 / 3.0", second="0.3", copied=copied)
    path.write_text("import copy\nimport numpy as np\n" + body, encoding="utf-8")
    value, rounded, _ = evaluated(path, np.array([0.1, 0.7]))
    np.testing.assert_array_equal(rounded.value, value)
    assert (rounded.limit()[0] < 1e-16).all()
    assert (rounded.limit()[1] > 1e-7).all()


ELIMINATION = """import numpy as np

def f(x):
    m = x.copy()
    n = len(m)
    for k in range(n):
        p = k + int(np.argmax(np.abs(m[k:, k])))
        t = m[k].copy()
        m[k] = m[p]
        m[p] = t
        for i in range(k + 1, n):
            m[i] = m[i] - m[k] * (m[i, k] / m[k, k])
    return m
"""


def test_elimination_with_swapped_rows_accepts_right_programs_and_no_wrong_one(tmp_path: Path) -> None:
    path = tmp_path / "elimination.py"
    path.write_text(ELIMINATION, encoding="utf-8")
    x = np.random.default_rng(3).normal(size=(5, 5)) / 3.0
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, parts = host.truth(loaded, params, [x])
    assert not result["problems"]
    high, low, _, _, limit = parts

    def used(array: np.ndarray) -> float:
        error = np.abs((array - high) - low)
        return float((error / np.where(limit > 0, limit, 1e-300)).max())

    def by(code: str) -> np.ndarray:
        space: dict[str, Any] = {}
        exec(code, space)
        values: np.ndarray = space["f"](x)
        return values

    swap = "        t = m[k].copy()\n        m[k] = m[p]\n        m[p] = t\n"
    assert swap in ELIMINATION
    step = "m[i] = m[i] - m[k] * (m[i, k] / m[k, k])"
    assert used(by(ELIMINATION)) <= 1.0
    assert used(by(ELIMINATION.replace(swap, "        m[[k, p]] = m[[p, k]]\n"))) <= 1.0
    assert used(by(ELIMINATION.replace(step, "m[i] -= m[i, k] * m[k] / m[k, k]"))) <= 1.0
    # Without a copy, a row is lost; without a swap, the pivots are others.
    assert used(by(ELIMINATION.replace("m[k].copy()", "m[k]"))) > 1e3
    assert used(by(ELIMINATION.replace(swap, ""))) > 1e3


LAZY: dict[str, Callable[[Any, Any], Any]] = {}


def _lazy(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    LAZY[function.__name__] = function
    return function


@_lazy
def copy_then_operand_changes(x: Any, y: Any) -> Any:
    a = x * y
    t = a.copy()
    x += y
    return t + x


@_lazy
def copy_of_a_copy(x: Any, y: Any) -> Any:
    t = copy.deepcopy(x)
    u = copy.copy(t)
    t *= y
    x -= y
    return t + u * y + x


@_lazy
def what_was_added_in_place_changes_later(x: Any, y: Any) -> Any:
    x += y
    y *= y
    return x - y


@pytest.mark.parametrize("name", LAZY)
def test_copies_that_are_written_down_keep_what_they_were(name: str) -> None:
    draw = np.random.default_rng(2)
    arrays = {"x": draw.normal(size=(3, 2)), "y": draw.normal(size=(3, 2))}
    whole = LAZY[name](*(array.copy() for array in arrays.values()))
    made = LAZY[name](*(Lazy.given(key, array.shape) for key, array in arrays.items()))
    given = lambda key, asked: pick(arrays[key], everything(arrays[key].shape), asked)  # noqa: E731
    # No sum of a whole array is asked for.
    values = evaluate({"made": (made, everything(made.shape))}, given, np.float64, pytest.fail)["made"]
    np.testing.assert_allclose(values, whole, rtol=1e-14)


def test_a_view_of_undecided_truth_values_changes_with_them_and_a_copy_does_not() -> None:
    cond = Condition(arithmetic(53), np.zeros((2, 2), bool), np.ones((2, 2), bool), "a comparison")
    view, copied, deep = cond[0], cond[0].copy(), copy.deepcopy(cond)
    cond[0, 1] = True
    assert view.value.tolist() == [False, True]
    assert view.unsure.tolist() == [True, False]
    assert copied.unsure.all()
    assert deep.unsure.all()
    view[0] = True
    assert cond.value.tolist() == [[True, True], [False, False]]
    assert cond.unsure.tolist() == [[False, False], [True, True]]
