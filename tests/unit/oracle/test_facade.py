"""Ordinary NumPy code in a reference: its true values, its limits, and what is said where there are none."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start

HEAD = """import math
import numpy as np
import numpy.linalg as la
from math import sqrt
from numpy import zeros

W = np.array([[0.1, 0.2], [0.3, 0.4]])
"""
X = np.array([[1.0, 2.0], [3.0, 5.0]])


def host_of(folder: Path, body: str) -> Any:
    path = folder / "lines.py"
    path.write_text(HEAD + body, encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    return host, loaded


def truth(folder: Path, body: str, *, bits: int = 53) -> tuple[dict[str, Any], Any, Any]:
    """What is told of a stage ``f(x)``, the arrays, and what plain NumPy gives."""
    host, loaded = host_of(folder, body)
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": bits, "balls": True}
    result, parts = host.truth(loaded, params, [X])
    plain = loaded.plain._module.f
    try:
        given = X.copy() if bits == 53 else X.astype(np.float32)
        return result, parts, plain(given)
    except Exception as error:
        return result, parts, error


UNDERSTOOD = {
    "item assignment": """
def f(x):
    out = np.zeros((2, 2))
    for i in range(2):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] / 3 + W[i, j]
    return out
""",
    "views": """
def f(x):
    out = np.empty_like(x)
    out[:] = x / 3
    row = out[1]
    row /= 7
    out.T[0] += 1
    out.ravel()[3] = 0.5
    return out
""",
    "masks": """
def f(x):
    y = x / 3
    y[y > 0.9] = 0.25
    y[[0, 1], [0, 1]] *= 3
    return y
""",
    "exchange": """
def f(x):
    y = x / 3
    y[[0, 1]] = y[[1, 0]]
    y[:, 0], y[:, 1] = y[:, 1].copy(), y[:, 0].copy()
    return y
""",
    "an alias": """
def f(x):
    y = x / 3
    z = y
    z *= 2
    return y
""",
    "a number is a copy": """
def f(x):
    y = x / 3
    a = y[0, 0]
    b = a
    b += 1
    y[0, 0] = 9
    return np.array([a, b, y[0, 0]])
""",
    "out": """
def f(x):
    y = np.empty_like(x)
    np.add(x, W, out=y)
    np.multiply(y, 3, out=y)
    return y
""",
    "lists": "def f(x): return np.array([[float(v) / 3 for v in row] for row in x])",
    "append": """
def f(x):
    out = []
    for row in x:
        out.append(row.sum() / 3)
    return np.array(out)
""",
    "plain numbers": "def f(x): return x / np.sqrt(3) + math.exp(1) + sqrt(2) * np.pi",
    "vectorize": "def f(x): return np.vectorize(lambda v: v / 3 if v > 1.5 else v)(x)",
    "along an axis": "def f(x): return np.apply_along_axis(lambda r: r / r.sum(), 1, x)",
    "eps": "def f(x): return x / (3 + np.finfo(x.dtype).eps)",
    "types": """
def f(x):
    assert isinstance(x, np.ndarray) and x.dtype in (np.float64, np.float32)
    assert np.issubdtype(x.dtype, np.floating) and isinstance(x[0, 0], np.floating)
    assert x.ndim == np.ndim(x) == 2 and x.shape == np.shape(x) and len(x) == 2 and x.size == 4
    return x.astype(x.dtype) / 3
""",
    "integers": "def f(x): return x[x[0].astype(int) - 1] / 3 + int(x[1, 1]) * np.arange(2)",
    "grids": "def f(x): return np.linspace(0, 1, 4).reshape(2, 2) * x + np.arange(0, 1, 0.25).reshape(2, 2)",
    "identity": "def f(x): return (np.eye(2) - x / 7) @ np.ones((2, 3)) + np.full((2, 3), 0.5)",
    "largest of two": "def f(x): return max(x[0, 0] / 3, x[0, 1]) + min(1, x[0, 0]) + abs(-x[1, 1]) / 3",
    "quantifiers": "def f(x): return x / 3 if (x > 0).all() and np.any(x > 2) and x.any() else -x",
    "iteration": """
def f(x):
    r = x * 0.5
    for _ in range(8):
        r = 0.5 * (r + x / r)
    return r
""",
    "joining": "def f(x): return np.c_[x, x / 3][:, 1:3] + np.concatenate([x[0], x[1] / 3]).reshape(2, 2)",
    "piecewise": "def f(x): return np.select([x < 1.5, x < 4], [x / 3, x / 7], 1.0)",
    "printing": "def f(x):\n    print(f'{x[0, 0]:.3f}', x)\n    return x / 3",
}


@pytest.mark.parametrize("bits", [53, 24])
@pytest.mark.parametrize("name", UNDERSTOOD)
def test_ordinary_code_has_true_values_and_limits(tmp_path: Path, name: str, bits: int) -> None:
    result, parts, plain = truth(tmp_path, UNDERSTOOD[name], bits=bits)
    assert (result["problems"], result["why"]) == ({}, {})
    high, low, radius, worst, limit = parts
    assert high.shape == np.shape(plain)
    assert (radius <= 2.0**-100 * np.abs(high)).all()
    error = np.abs((np.asarray(plain, dtype=np.float64) - high) - low)
    assert (error <= limit).all()
    assert limit.max() <= 2.0 ** (6 - bits) * np.abs(high).max()
    # One unit in the last place is granted where the worst case is half of one.
    assert (worst >= limit * 0.49).all()


def test_constants_are_what_python_makes_of_them_and_functions_of_them_exact(tmp_path: Path) -> None:
    result, parts, _ = truth(tmp_path, "def f(x): return np.array([0.1 * x[0, 0], np.sqrt(2) * 1.0, 0.5])")
    assert result["problems"] == {}
    tenth, root, half = (Fraction(high) + Fraction(low) for high, low in zip(parts[0], parts[1], strict=True))
    assert tenth == Fraction(0.1) != Fraction(1, 10)
    assert abs(root**2 - 2) < Fraction(1, 2**100)
    assert half == Fraction(1, 2)


def test_a_stage_does_not_change_what_others_are_given(tmp_path: Path) -> None:
    body = "def f(x):\n    x /= 3\n    return x\n\ndef g(x): return x / 1.0\n"
    host, loaded = host_of(tmp_path, body)
    stages = [{"name": name, "inputs": ["x"], "outputs": [name]} for name in ("f", "g")]
    params = {
        "names": ["x"],
        "stages": stages,
        "wanted": ["f", "g"],
        "feed": True,
        "bits": 53,
        "balls": False,
    }
    _, parts = host.truth(loaded, params, [X])
    np.testing.assert_array_equal(parts[0], X / 3)
    np.testing.assert_array_equal(parts[5], X)


def test_the_same_question_has_the_same_answer(tmp_path: Path) -> None:
    host, loaded = host_of(tmp_path, "def f(x): return np.exp(x @ W) @ x / 3")
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    first, second = (host.truth(loaded, params, [X])[1] for _ in range(2))
    for array, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(array, other)


NO = "no limit can be derived for `{}` (line 8 of lines.py)"
REFUSED = {
    "numpy": (
        "def f(x): return la.eig(x)[0]",
        NO.format("numpy.linalg.eig"),
    ),
    "an operator": (
        "def f(x): return x << 2",
        NO.format("numpy.left_shift"),
    ),
    "an attribute": (
        "def f(x): return x.nosuch()",
        NO.format("x.nosuch"),
    ),
    "math": (
        "def f(x): return math.gcd(x[0, 0], 2)",
        NO.format("math.gcd"),
    ),
    "its own": (
        "def f(x):\n    raise ValueError('too cold')",
        "no limit can be derived for `raise ValueError('too cold')` (line 9 of lines.py): "
        "ValueError: too cold",
    ),
    "ragged": ("def f(x): return [x[0], x[0, :1]]", NO.format("f") + ": its rows differ in length"),
    "nothing": ("def f(x): return None", NO.format("f") + ": None is no array of real numbers"),
    "text": ("def f(x): return 'abc'", NO.format("f") + ": a str is no array of real numbers"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_understood_costs_its_own_stage_and_is_said_with_its_line(
    tmp_path: Path, name: str
) -> None:
    body, message = REFUSED[name]
    host, loaded = host_of(tmp_path, body + "\n\ndef g(x): return x / 3\n\ndef h(f): return f / 3\n")
    stages = [
        {"name": "f", "inputs": ["x"], "outputs": ["f"]},
        {"name": "g", "inputs": ["x"], "outputs": ["g"]},
        {"name": "h", "inputs": ["f"], "outputs": ["h"]},
    ]
    params = {
        "names": ["x"],
        "stages": stages,
        "wanted": ["f", "g", "h"],
        "feed": True,
        "bits": 53,
        "balls": False,
    }
    result, _ = host.truth(loaded, params, [X])
    assert result["values"] == ["g"]
    # What follows from it names the same line.
    assert result["problems"] == {"f": message, "h": f"there is no true value of f: {message}"}


def test_a_stated_value_stands_in_with_the_error_that_it_may_have(tmp_path: Path) -> None:
    host, loaded = host_of(tmp_path, "def f(x): return la.eig(x)[0]\n\ndef g(f): return f * 3\n")
    stages = [
        {"name": "f", "inputs": ["x"], "outputs": ["f"]},
        {"name": "g", "inputs": ["f"], "outputs": ["g"]},
    ]
    value, error = np.array([0.25, 5.75]), np.array([0.0, 1e-6])
    params = {
        "names": ["x", "f", "f:limit"],
        "stages": stages,
        "wanted": ["g"],
        "feed": True,
        "bits": 53,
        "balls": False,
        "stated": ["f"],
    }
    result, parts = host.truth(loaded, params, [X, value, error])
    assert result["values"] == ["g"]
    np.testing.assert_array_equal(parts[0], [0.75, 17.25])
    assert parts[4][0] == pytest.approx(0.75 * 2 * 2.0**-53)
    assert parts[4][1] == pytest.approx(3e-6, rel=1e-6)


def test_a_file_beside_it_is_read_in_the_same_arithmetic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside_it.py").write_text("import numpy as np\n\ndef third(x): return x / np.sqrt(9.5)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    result, parts, _ = truth(tmp_path, "from beside_it import third\n\ndef f(x): return third(x)\n")
    assert result["problems"] == {}
    root = (Fraction(parts[0][0, 0]) + Fraction(parts[1][0, 0])) ** 2
    assert abs(root - Fraction(2, 19)) < Fraction(1, 2**100)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            "np.polyval(x, x + 1j).real",
            "no limit can be derived for `np.polyval(x, x + 1j)` (line 5 of lines.py): an array of complex "
            "numbers is no array of real numbers",
        ),
        (
            "np.frompyfunc(lambda t: t * 1.1, 1, 1)(x).astype(float)",
            "no limit can be derived for `numpy.frompyfunc(...)` (line 5 of lines.py)",
        ),
        ("special.digamma(x)", "no limit can be derived for `scipy.special.digamma` (line 5 of lines.py)"),
        ("special.zeta(x + 2)", "no limit can be derived for `scipy.special.zeta` (line 5 of lines.py)"),
        (
            "np.array([len(Counter(x.tolist()))])",
            "no limit can be derived for `Counter(x.tolist())` (line 5 of lines.py): it needs a key of a set "
            "or a dictionary, in which rounding cannot be followed; NumPy's own functions need none",
        ),
    ],
)
def test_reasons_name_what_the_user_wrote_and_where(body: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "lines.py"
    head = "import numpy as np\nfrom collections import Counter\nfrom scipy import special\n"
    path.write_text(f"{head}def f(x):\n    return {body}\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, _ = host.truth(loaded, params, [np.array([1.5, 3.0])])
    assert result["problems"] == {"f": why}


@pytest.mark.parametrize("result", ["np.sqrt(-x)", "np.sqrt(np.array([x[0], -x[1]]))"])
def test_what_is_not_a_number_names_its_stage_and_line(result: str, tmp_path: Path) -> None:
    host, loaded = host_of(tmp_path, f"def f(x): return {result}")
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    told, _ = host.truth(loaded, params, [np.array([1.5, 3.0])])
    why = NO.format("f") + ": it has no true value: it is not a number, or a quotient by zero"
    assert (told["problems"], told["why"]) == ({}, {"f": why})
