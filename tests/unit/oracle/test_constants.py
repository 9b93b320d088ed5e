"""Constants that a reference computes for itself: another way to compute them is within the limit."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("flint")

from harness.oracle.exact import is_exact
from harness.oracle.oracle_host import start
from harness.oracle.rewriting import rewritten

X = np.array([1.0, 2.0, 3.0])

Told = tuple[list[np.ndarray], dict[str, Any]]


def truth(folder: Path, body: str, x: np.ndarray = X, bits: int = 53) -> Told:
    """High, low, radius, worst and limit of a stage ``f(x)``; and what else is told."""
    path = folder / "lines.py"
    path.write_text("import cmath\nimport math\nimport numpy as np\n" + body, encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": bits, "balls": False}
    result, parts = host.truth(loaded, params, [x])
    return list(parts), result


def used(parts: list[np.ndarray], value: Any) -> float:
    """The largest error over its limit."""
    high, low, _, _, limit = parts
    assert not np.isnan(limit).any()
    error = np.abs((np.asarray(value) - high) - low)
    assert error.shape == high.shape
    return float(np.where(error > 0, error / np.where(limit > 0, limit, 1e-300), 0.0).max())


def plainly(body: str) -> Any:
    space: dict[str, Any] = {"np": np, "math": math}
    exec(body, space)
    return space["f"](X)


def added(n: int, term: float) -> float:
    total = 0.0
    for _ in range(n):
        total += term
    return total


BASIS = "def f(x): return x[0] * np.cos(5 * (np.arange(1, 16, 2) * np.pi / 16))"
CLOCK = "def f(x):\n    t = 0.0\n    for _ in range(3000):\n        t += 0.1\n    return x * t"
ENCODING = """
def f(x):
    position, i = np.arange(100)[:, None], np.arange(8)[None]
    return x[0] * np.sin(position / 10000 ** (2 * i / 16))
"""
WINDOW = "def f(x): return x[0] * (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(8) / 7))"
HELD = """
class Clock:
    def __init__(self):
        self.time, self.laps = 0.0, [0.0, 0.0]
    def tick(self):
        self.time += 0.1
        self.laps[-1] += self.time / 3
def f(x):
    clock = Clock()
    for _ in range(50):
        clock.tick()
    return x * clock.laps[1]
"""

odd = np.arange(1, 16, 2)
rates = np.exp(np.arange(0, 16, 2) * (-math.log(10000.0) / 16))

PORTS: dict[str, tuple[str, list[Any], Any]] = {
    "a basis": (
        BASIS,
        [
            np.cos(5 * np.linspace(1, 15, 8) / 16 * np.pi),
            np.cos(5 * odd * (np.pi / 16)),
            np.cos(np.pi / 16 * 5 * odd),
        ],
        np.cos(5 * odd * 3.14159265358979 / 16),
    ),
    "a clock": (CLOCK, [X * (3000 * 0.1), X * math.fsum([0.1] * 3000)], X * (3000 * 0.1 * (1 + 1e-9))),
    "an encoding": (
        ENCODING,
        [
            np.sin(np.arange(100)[:, None] * rates),
            np.sin(np.arange(100)[:, None] / np.power(10000.0, np.arange(8) / 8)),
        ],
        np.sin(np.arange(100)[:, None] * rates * (1 + 1e-13)),
    ),
    # 2 pi is a multiple of 7: by chance, nothing is rounded in the reference's way.
    "a window": (
        WINDOW,
        [
            np.hanning(8),
            np.sin(np.pi * np.linspace(0, 1, 8)) ** 2,
            0.5 * (1 - np.cos(np.arange(8) * (2 * np.pi / 7))),
        ],
        np.hanning(9)[:8],
    ),
    "in attributes and items": (HELD, [X * (0.1 / 3 * sum(range(51)))], X * (0.1 / 3 * sum(range(52)))),
    "a sum": (
        "def f(x): return x * sum(0.1 for _ in range(30))",
        [X * 3.0000000000000004, X * (30 * 0.1)],
        X * 3.0000001,
    ),
    "a power": (
        "def f(x): return x * 10 ** -3 * 1.1 ** 7",
        [X * 1e-3 * math.exp(7 * math.log(1.1))],
        X * 0.00194872,
    ),
    "sums of constants": (
        "def f(x): return x * np.sum(np.arange(10) / 7)",
        [X * (45 / 7), X * math.fsum(k / 7 for k in range(10))],
        X * 6.4285,
    ),
    "math": (
        "def f(x): return x * math.exp(-0.1 * 3) * (1 / math.sqrt(2 * math.pi))",
        [X * (math.exp(-0.3) / math.sqrt(2 * math.pi)), X * (math.exp(-0.3) * 0.3989422804014327)],
        X * 0.2955412,
    ),
}


@pytest.mark.parametrize(("body", "ports", "wrong"), PORTS.values(), ids=PORTS)
def test_another_way_to_compute_a_constant_is_within_the_limit(
    body: str, ports: list[Any], wrong: Any, tmp_path: Path
) -> None:
    parts, answer = truth(tmp_path, body)
    assert answer["problems"] == {}
    for port in (plainly(body), *ports):
        assert used(parts, port) <= 0.8
    assert used(parts, wrong) > 2.0


@pytest.mark.parametrize("body", [BASIS, CLOCK, ENCODING, WINDOW])
def test_in_float32_constants_may_be_computed_in_float32(body: str, tmp_path: Path) -> None:
    single = np.float32
    ports = {
        BASIS: np.cos(5 * odd.astype(single) * single(np.pi) / 16),
        CLOCK: X.astype(single) * np.full(3000, 0.1, single).cumsum(dtype=single)[-1],
        ENCODING: np.sin(np.arange(100, dtype=single)[:, None] * rates.astype(single)),
        WINDOW: single(0.5) - single(0.5) * np.cos(single(2 * np.pi) * np.arange(8, dtype=single) / 7),
    }
    assert ports[body].dtype == single
    parts, _ = truth(tmp_path, body, bits=24)
    assert 0.01 < used(parts, ports[body]) <= 1.0


DFT = "def f(x):\n    k = np.arange(3)\n    W = {}\n    return (W @ x).real"
WAYS = [
    "np.exp(-2j * np.pi * np.outer(k, k) / 3)",
    "np.exp(-2j * np.pi / 3) ** np.outer(k, k)",
    "np.array([[cmath.exp(-2j * math.pi * i * j / 3) for i in range(3)] for j in range(3)])",
    "np.cos(2 * np.pi * np.outer(k, k) / 3) - 1j * np.sin(2 * np.pi * np.outer(k, k) / 3)",
]


@pytest.mark.parametrize("way", WAYS)
def test_complex_constants_are_followed(way: str, tmp_path: Path) -> None:
    parts, answer = truth(tmp_path, DFT.format(way))
    assert answer["problems"] == {}
    assert used(parts, np.fft.fft(X).real) <= 1.0
    assert used(parts, np.fft.fft(X * (1 + 1e-14)).real) > 1.0
    # The true value is that of the circle, and not of the rounded factors.
    assert np.abs(parts[0] - [6.0, -1.5, -1.5]).max() < 1e-14


def test_an_array_of_complex_numbers_is_filled(tmp_path: Path) -> None:
    body = (
        "def f(x):\n    z = np.zeros(3, dtype=complex)\n    for k in range(3):\n"
        "        z[k] = np.exp(1j * k / 3)\n    return (z * x).imag"
    )
    parts, answer = truth(tmp_path, body)
    assert answer["problems"] == {}
    assert used(parts, X * np.sin(np.arange(3) * (1 / 3))) <= 1.0


DECIDED = {
    # In the true values of these doubles, there are 99 steps, and 10 ticks.
    "steps": ("int(1.0 / 0.01)", 100),
    "whole steps": ("int(round(0.3 / 0.1))", 3),
    "floor": ("math.floor(0.7 * 10 / 7 * 3)", 3),
    "ticks": ("ticks()", 11),
    "a mask": ("np.sum(np.arange(10) / 10 * 3 < 1.5)", 5),
    "part of an array": ("len((np.arange(30) / 3)[np.arange(30) / 3 >= 7])", 9),
    "places": ("np.sum((np.arange(9) / 3).astype(int))", 9),
    "a view": ("np.sum((np.arange(9) / 3)[3:].astype(int))", 9),
    "a key": ("{0.1 * 3: 7}[0.1 * 3]", 7),
    "a branch": ("1 if 0.1 + 0.2 == 0.3 else 2", 2),
    "a range": ("len(np.arange(0, 0.1 * 3, 0.1))", 4),
    "a type": ("isinstance(0.1 * 3, float) + isinstance(0.1 * 3, (int, float))", 2),
    "text": ("len('%.3f, %s' % (0.1 * 3, 'a') + f'{0.1 * 3:.2f}')", 12),
    "in place of a list": ("len(grown())", 6),
}


@pytest.mark.parametrize(("expression", "due"), DECIDED.values(), ids=DECIDED)
def test_the_references_own_constants_decide(expression: str, due: int, tmp_path: Path) -> None:
    body = (
        "def ticks():\n    t, n = 0.0, 0\n    while t < 1.0:\n        t += 0.1; n += 1\n    return n\n"
        "def grown():\n    found = [1, 2]\n    found *= 2\n    found += [0.1, 3]\n    return found\n"
    )
    assert eval(expression, {"np": np, "math": math}, _names(body)) == due
    parts, answer = truth(tmp_path, f"{body}def f(x): return x * ({expression})")
    assert answer["problems"] == {}
    assert (parts[0] == X * due).all()


def _names(body: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(body, space)
    return space


def test_what_is_put_into_an_array_of_constants_decides_too(tmp_path: Path) -> None:
    """Through a view as well, and where the number that is put in has an error of its own."""
    body = "def f(x):\n    a = np.arange(3) / 3\n    b = a[1:]\n    b[0] = x[2]\n    return x * np.sum(a > 1)"
    parts, _ = truth(tmp_path, body)
    assert parts[0].tolist() == X.tolist()
    body = "def f(x):\n    a = np.arange(3) / 3\n    a[1:][0] = x[0] / 3 * 3\n    return x * (a >= 1)"
    parts, answer = truth(tmp_path, body)
    assert np.isnan(parts[4]).tolist() == [False, True, False]
    assert "line 7 of lines.py" in answer["why"]["f"]


def test_a_constant_is_an_option_as_it_is(tmp_path: Path) -> None:
    parts, answer = truth(tmp_path, "def f(x): return np.quantile(x, 1 - 0.9 + 0.2) * np.ones(3)")
    assert answer["problems"] == {}
    assert used(parts, np.full(3, np.quantile(X, 0.3))) <= 1.0


def test_short_constants_that_are_exact_have_no_error(tmp_path: Path) -> None:
    parts, _ = truth(tmp_path, "def f(x): return np.where(x > 0, np.arange(3) / 4 * 3 + 2 ** -3, 0.1)")
    assert (parts[0].tolist(), parts[4].tolist()) == ([0.125, 0.875, 1.625], [0.0, 0.0, 0.0])


COUNTED = """def f(x):
    hits, wrong, lost = int(np.sum(x == 1)), int(np.sum(x == 2)), int(np.sum(x == 3))
    return 2 * hits / (2 * hits + wrong + lost)
"""


def test_a_share_of_counts_may_be_computed_by_another_formula(tmp_path: Path) -> None:
    """The F1 score of 1, 4 and 10 is 2 / 16, exactly, and 0.12500000000000003 by precision and recall."""
    x = np.repeat([1.0, 2.0, 3.0], [1, 4, 10])
    parts, _ = truth(tmp_path, COUNTED, x)
    precision, recall = 1 / 5, 1 / 11
    other = 2 * precision * recall / (precision + recall)
    assert (parts[0], parts[4]) == (0.125, 2.0**-53)
    assert other != 0.125
    assert used(parts, other) <= 1.0
    assert used(parts, other * (1 + 1e-14)) > 1.0


def test_a_share_of_counts_subtracted_from_one_has_the_error_of_both(tmp_path: Path) -> None:
    """Spearman's correlation of opposite ranks, by their differences; R's cor returns the other number."""
    body = "def f(x):\n    n = len(x)\n    return 1 - 6 * 40 / (n * (n * n - 1))"
    parts, _ = truth(tmp_path, body, np.arange(5.0))
    assert parts[0] == -1.0
    assert used(parts, -0.99999999999999978) < 0.2


def test_a_count_an_index_and_a_selected_number_stay_exact(tmp_path: Path) -> None:
    for result in ("float(len(x))", "x[6 // 2 - 1]", "np.where(x > 1, 1.0, 0.0)", "x[int(len(x) / 2)]"):
        parts, answer = truth(tmp_path, f"def f(x): return {result}")
        assert answer["problems"] == {}
        assert not parts[4].any(), result


def test_more_operations_than_can_be_followed_have_no_limit(tmp_path: Path) -> None:
    _, answer = truth(
        tmp_path, "def f(x):\n    t = 0.0\n    for _ in range(20_001):\n        t += 0.1\n    return x * t"
    )
    assert answer["problems"]["f"] == (
        "no limit can be derived for `more than 20,000 operations on constants` (line 7 of lines.py)"
    )


def test_an_array_of_constants_that_changes_in_place_is_not_understood(tmp_path: Path) -> None:
    body = "def f(x):\n    a = np.arange(3) / 4\n    a *= 0.1\n    return x * a"
    _, answer = truth(tmp_path, body)
    assert (
        answer["problems"]["f"]
        == "no limit can be derived for `*= on an array of constants` (line 6 of lines.py)"
    )


SAME = {
    "once": """
log = []
def at(i):
    log.append(i)
    return i
a = [1, 2, 3]
a[at(1)] += at(5)
at(1) + at(2) * at(3) ** at(2)
result = a, log
""",
    "attribute": """
class A:
    n = 1.5
a = A()
def get():
    a.n += 1
    return a
get().n **= 2
result = a.n
""",
    "scopes": """
def f():
    n = 0
    def g():
        nonlocal n
        n += 2
    g()
    g()
    return n
result = f()
""",
    "patterns": """
match -1 + 0j:
    case -1+0j:
        result = "yes"
    case _:
        result = "no"
""",
    "slices": "a = list(range(9)); a[1:4] += [7.5]; a[-1] -= 0.5; a[::2] *= 1; result = a",
    "views": "a = np.zeros((3, 4)); b = a; a[1:, ::2] += 2; a[:, 1] -= a[:, 0]; result = b.tolist()",
    "strings": "s = 'a' + 'b' * 3; s += '%d' % 7 + '%s-%s' % ('x', 2); result = s",
    "sets": "result = sorted({1, 2} - {2}), (1,) + (2,), [0] * 3, 7 // 2, -7 % 3, 2**70, 1 << 3",
    "comprehensions": "result = [i / 4 + j for i in range(3) for j in range(2)], {k: -k + 1 for k in [2]}",
    "annotated": "a: int | None = 3 + 4\nclass B:\n    n: 'int' = 2 * 3\nresult = a, B.n",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_rewritten_code_does_the_same(text: str) -> None:
    import operator

    calls: list[str] = []

    def operated(name: str, left: Any, right: Any) -> Any:
        calls.append(name)
        return getattr(operator, name)(left, right)

    results: list[Any] = []
    for code, names in (
        (compile(text, "t", "exec"), {}),
        (rewritten(text.encode(), "t"), {"__operated__": operated}),
    ):
        space: dict[str, Any] = {"np": np, **names}
        exec(code, space)
        results.append(space["result"])
    assert results[0] == results[1]
    assert calls


def test_an_error_of_rewritten_code_has_its_line_and_words(tmp_path: Path) -> None:
    _, answer = truth(tmp_path, "def f(x):\n    a = x * 2\n    return (a + 1) * np.unwrap(\n        x + 1)")
    assert answer["problems"]["f"] == "no limit can be derived for `numpy.unwrap` (line 6 of lines.py)"
    _, answer = truth(tmp_path, "def f(x):\n    a = x * 2\n    return a + [1, 2, 3, 4] * 2")
    assert "(line 6 of lines.py)" in answer["problems"]["f"]


NUMBERS = st.one_of(
    st.integers(-(2**40), 2**40),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.sampled_from([0.0, 0.1, 0.5, 0.75, 3.0, 1e-300, 1e-160, 1e300, 2.0**-1074, math.pi]),
)

OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "truediv": lambda x, y: x / y,
}


@given(NUMBERS, NUMBERS, st.sampled_from([*OPERATIONS]))
def test_exactness_is_that_of_rational_numbers(x: Any, y: Any, name: str) -> None:
    if name == "truediv" and y == 0:
        return
    result = OPERATIONS[name](x, y)
    if not math.isfinite(result):
        return
    exact = OPERATIONS[name](Fraction(x), Fraction(y)) == Fraction(result)
    assert is_exact(name, x, y, result) == exact
    array = np.array([x, x], dtype=float)
    with np.errstate(all="ignore"):
        computed = OPERATIONS[name](array, float(y))
    exact = OPERATIONS[name](Fraction(x), Fraction(y)) == Fraction(computed[0])
    # Of arrays it may be unknown where numbers are tiny or huge.
    said = is_exact(name, array, y, computed)
    assert not said or exact
    if 1e-200 < abs(result) < 1e200 and 1e-200 < abs(y) < 1e200:
        assert said == exact


@pytest.mark.parametrize(
    ("x", "y", "exact"),
    [
        (10, 2, True),
        (10000, 0.5, True),
        (2, 0.5, False),
        (10, -3, False),
        (2, -3, True),
        (1.1, 2, False),
        (3, 40, False),
    ],
)
def test_powers_are_exact_where_they_are(x: Any, y: Any, exact: bool) -> None:
    assert is_exact("pow", x, y, float(x) ** y) == exact


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (
            "import array\ndef f(x): return x * array.array('d', [x[0]])[0]",
            "array.array('d', [x[0]])` (line 5",
        ),
        ("def f(x):\n    a = np.arange(3) / 4\n    a[0] = x[0]\n    return a", "a[0]` (line 6"),
    ],
)
def test_what_needs_plain_numbers_is_named_with_its_line(body: str, place: str, tmp_path: Path) -> None:
    _, result = truth(tmp_path, body)
    assert result["problems"]["f"] == (
        f"no limit can be derived for `{place} of lines.py): it needs a plain float, "
        "in which rounding cannot be followed; NumPy's own functions need none"
    )


def test_a_cast_that_rounding_can_turn_is_named_once(tmp_path: Path) -> None:
    _, result = truth(tmp_path, "def f(x): return x * int(x[0] / 3 * 3)")
    assert result["problems"].get("f", result["why"].get("f")) == "a cast to integers in line 4 of lines.py"


def test_a_large_array_of_constants_has_no_limit(tmp_path: Path) -> None:
    _, result = truth(tmp_path, "def f(x): return x * (np.arange(300_000) / 7)[-1]")
    assert result["problems"]["f"] == (
        "no limit can be derived for `np.arange(300_000) / 7` (line 4 of lines.py): "
        "its true value needs 300,000 numbers of one array, and no more than 262,144 are computed"
    )
