"""Arrays of a lower precision inside of a run: each operation rounds as NumPy's rules of promotion say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start
from harness.oracle.registry import arithmetic, balls

X = np.array([1.5, -1.3, 3.0, 0.7, 2.5, -0.05])
HEAD = "import math\nimport numpy as np\nfrom scipy.special import expit\n"


def write(folder: Path, body: str) -> str:
    path = folder / "lines.py"
    lines = "".join(f"    {line}\n" for line in body.split("; "))
    path.write_text(f"{HEAD}def f(x):\n{lines}", encoding="utf-8")
    return str(path)


def truth(path: str) -> tuple[dict[str, Any], list[np.ndarray]]:
    """What is told of a stage ``f(x)``, and its high, low, radius, worst and limit."""
    host = start()
    loaded, _ = host.load(path, {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, parts = host.truth(loaded, params, [X])
    return result, [np.asarray(part) for part in parts]


def computed(path: str) -> np.ndarray:
    names: dict[str, Any] = {}
    exec(Path(path).read_text(encoding="utf-8"), names)
    return np.asarray(names["f"](X.copy()))


SINGLE = [
    "y = np.zeros(len(x), dtype=np.float32); y[:] = x * 0.1; return y.astype(np.float64)",
    "y = np.empty(len(x), np.float32); y[:] = x / 7; return y + 0.0",
    "y = np.full(len(x), 0.1, dtype=np.float32); return y / 3",
    "y = np.ones(len(x), dtype='float32') / 7; return y",
    "y = np.zeros_like(x, dtype=np.float32); y[...] = x / 3; return y",
    "y = np.zeros(3, np.float32); y[1] += x[0] * 0.1; return y",
    "y = np.zeros(6, np.float32); np.multiply(x, 0.3, out=y); return y",
    "y = np.zeros((1,), np.float32); np.sum(x, axis=0, keepdims=True, out=y); return y",
    "y = np.zeros(6, np.float32); np.add.at(y, [0, 0, 1], x[:3] * 0.1); return y",
    "y = x.astype(np.float32); np.exp(y, out=y); return y",
    "y = x.astype(np.float32); y *= 0.1; return y.astype(np.float64)",
    "y = x.astype(np.float32); y += x; return y",
    "y = x.astype(np.float32); return y * (0.1 + 0.2)",
    "y = x.astype(np.float32); return y * float(x[0] / 3)",
    "y = x.astype(np.float32); return y * math.sqrt(3)",
    "y = x.astype(np.float32); return y * round(math.exp(0.3) * 2, 2)",
    "y = x.astype(np.float32); return [t.item() * 0.1 for t in y]",
    "y = x.astype(np.float32); return np.where(y > 0, y / 3, 0.1)",
    "y = x.astype(np.float32); return np.clip(y, 0.1, 0.7) / 3",
    "y = x.astype(np.float32); return (y > 0) * y / 3",
    "y = x.astype(np.float32); return np.pad(y, 1) / 3",
    "y = x.astype(np.float32); return np.round(y / 3, 2)",
    "y = x.astype(np.float32); return np.stack([y, y * 3]) / 3",
    "y = x.astype(np.float32); return np.array([y[0] / 3, y[1] / 3])",
    "y = x.astype(np.float32); e = np.exp(y - y.max()); return e / e.sum()",
    "y = x.astype(np.float32); return y @ y",
    "y = x.astype(np.float32); return np.einsum('i,i->', y, y)",
    "y = x.astype(np.float32); return np.linalg.norm(y)",
    "y = x.astype(np.float32).reshape(2, 3); return np.linalg.solve(y[:, :2], y[:, 2])",
    "y = x.astype(np.float32); return np.std(y)",
    "y = x.astype(np.float32); return np.median(y) / 3",
    "return expit(x.astype(np.float32))",
    "return np.array([np.float32(t) * np.float32(0.1) for t in x])",
    "return np.arange(9, dtype=np.float32) / 7",
    "return np.linspace(0, 1, 7, dtype=np.float32) / 3",
    "return np.mean(x, dtype=np.float32)",
    "return x.sum(dtype=np.float32)",
    "return np.cumsum(x, dtype=np.float32)",
    "return np.add(x, 0.1, dtype=np.float32)",
    "return np.stack([x / 3, x], dtype=np.float32)",
    "return np.abs(np.fft.fft(x.astype(np.complex64)))",
    "z = np.empty(6, dtype=np.complex64); z[:] = np.fft.fft(x); return np.square(np.abs(z)).astype(float)",
]

HALF = [
    "return np.exp(x.astype(np.float16))",
    "y = x.astype(np.float16); return y * y + y",
    "return np.mean(x * 0.1, dtype=np.float16)",
]

WIDENED = [
    "y = x.astype(np.float32); return y * np.sqrt(3) - x * np.sqrt(3) + x * np.sqrt(3)",
    "y = x.astype(np.float32); return np.concatenate([y, x]) / 3",
    "y = x.astype(np.float32); return y * np.arange(6) / 3",
    "return x * np.float32(0.5) / 3",
    "return np.float64(np.float32(x.mean())) / 3",
]


@pytest.mark.parametrize("body", [*SINGLE, *HALF, *WIDENED])
def test_numpy_is_within_the_limits_of_a_lower_precision(body: str, tmp_path: Path) -> None:
    path = write(tmp_path, body)
    result, (high, low, _, _, limit) = truth(path)
    assert not result["problems"]
    assert not result["why"]
    error = np.abs((computed(path).astype(np.float64) - high) - low)
    assert (error <= 0.9 * limit).all()


@pytest.mark.parametrize(("bodies", "unit"), [(SINGLE, 2.0**-24), (HALF, 2.0**-11)])
def test_limits_are_those_of_the_format_and_not_much_more(
    bodies: list[str], unit: float, tmp_path: Path
) -> None:
    for body in bodies:
        _, (high, _, _, _, limit) = truth(write(tmp_path, body))
        assert (limit <= 100.0 * unit * np.maximum(np.abs(high).max(), 1.0)).all(), body


def test_what_is_wider_is_rounded_as_the_wider_one(tmp_path: Path) -> None:
    _, (high, _, _, _, limit) = truth(
        write(tmp_path, "y = x.astype(np.float32); return np.float64(y) * 0 + x")
    )
    assert (limit <= 1e-6 * np.abs(high)).all()
    _, (high, _, _, _, limit) = truth(write(tmp_path, "return np.float64(np.float32(0.5)) * x / 3"))
    assert (limit <= 1e-15 * np.abs(high)).all()


def test_a_float16_inside_of_float32_is_beyond_the_limit(tmp_path: Path) -> None:
    result, (high, low, _, _, limit) = truth(write(tmp_path, "return np.exp(x.astype(np.float32))"))
    assert not result["why"]
    assert (np.abs((np.exp(X.astype(np.float16)) - high) - low) > limit).any()


def test_what_float32_does_not_hold_is_undecided(tmp_path: Path) -> None:
    result, (*_, limit) = truth(write(tmp_path, "return (x * 1e39).astype(np.float32) / 3"))
    assert np.isnan(limit).tolist() == [True] * 5 + [False]
    assert "3.40282e+38" in result["why"]["f"]


def test_a_variance_in_another_dtype_has_no_limit(tmp_path: Path) -> None:
    result, _ = truth(write(tmp_path, "return np.var(x, dtype=np.float32)"))
    assert result["problems"] == {
        "f": "no limit can be derived for `numpy.var(dtype=...)` (line 5 of lines.py)"
    }


@pytest.mark.parametrize("kind", [arithmetic(53), balls(53)])
def test_dtypes_are_those_of_numpy(kind: Any) -> None:
    x, other = kind.given(X), X.copy()
    y, single = x.astype(np.float32), other.astype(np.float32)
    for oracle, numpy in (
        (y, single),
        (y * 0.1, single * 0.1),
        (y * np.float64(0.1), single * np.float64(0.1)),
        (y * x, single * other),
        (y * np.arange(6), single * np.arange(6)),
        (y * np.arange(6, dtype=np.int16), single * np.arange(6, dtype=np.int16)),
        (y[0] * 2, single[0] * 2),
        (y[0] * x[0], single[0] * other[0]),
        (y.astype(np.float16) + y, single.astype(np.float16) + single),
        (np.stack([y, y]), np.stack([single, single])),
        (np.concatenate([y, x]), np.concatenate([single, other])),
        (np.interp(0.5, np.sort(y), y), np.interp(0.5, np.sort(single), single)),
        (y.sum(), single.sum()),
        (y.sum(dtype=np.float64), single.sum(dtype=np.float64)),
    ):
        assert oracle.dtype == numpy.dtype
    before = y
    y *= x
    assert y is before
    assert y.dtype == np.float32


def test_a_run_in_float32_has_no_higher_precision() -> None:
    kind = arithmetic(24)
    x = kind.given(X.astype(np.float32))
    assert x.astype(np.float64).dtype == np.float32
    assert type(x.astype(np.float16) * x) is kind
    assert type(x.astype(np.float16) * 0.5) is kind.of(np.float16)


@pytest.mark.parametrize(
    ("expression", "wrong"),
    [
        ("np.polyval([1.0, -1.2, 0.3], x + 1j).real", "np.polyval([1.0, -1.2, 0.3], x - 1.1j).real"),
        ("np.polyval(np.array([0.3j, 2.0, 1 / 3]), x / 3).imag", "np.polyval([0.3, 2.0, 1 / 3], x / 3)"),
        ("np.prod(x * 1.1 + 0.3j).imag", "np.prod(x[1:] * 1.1 + 0.3j).imag"),
        ("np.prod((x + 0.7j).reshape(2, 3), axis=1).real", "np.prod((x + 0.7j).reshape(3, 2), axis=0).real"),
        ("np.var(x * 1.1 + 1j * x[::-1])", "np.var(x * 1.1)"),
        ("np.std(np.fft.fft(x), ddof=1)", "np.std(np.fft.fft(x))"),
        ("np.asarray(math.fsum(t * t for t in x))", "np.sum(x)"),
        ("np.fromiter((t * 0.1 for t in x), dtype=float)", "x * 0.2"),
        ("np.fromiter((t * 0.1 for t in x), np.float32, 6)", "x * 0.1001"),
    ],
)
def test_products_of_complex_numbers_and_what_generators_give(
    expression: str, wrong: str, tmp_path: Path
) -> None:
    path = write(tmp_path, f"return {expression}")
    result, (high, low, _, _, limit) = truth(path)
    assert not result["problems"]
    assert (np.abs((computed(path) - high) - low) <= 0.7 * limit).all()
    other = computed(write(tmp_path, f"return {wrong}"))
    assert (np.abs((other - high) - low) > limit).any()
