"""Arguments of a call that change its numbers: honoured, or refused by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision
from harness.oracle.oracle_host import start
from harness.oracle.registry import arithmetic, balls
from harness.oracle.unknown import NotUnderstood

X = np.array([[0.5, -1.25, 2.0, 0.1], [3.0, 0.3, -0.7, 1.5], [-2.0, -0.2, -0.9, -0.4]])
W = np.array([0.3, -1.1, 2.5, 0.7])
NAN = np.array([1.0, np.nan, 3.0, np.nan])
S = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 4.0]])

Case = tuple[Callable[..., Any], np.ndarray, Any]

HONOURED: dict[str, Case] = {
    "sum where": (lambda x: np.sum(x, axis=1, where=x > 0), X, [2.6, 4.8, 0.0]),
    "sum method where": (lambda x: x.sum(axis=1, where=x > 0), X, [2.6, 4.8, 0.0]),
    "reduce where": (lambda x: np.add.reduce(x, axis=1, where=x > 0), X, [2.6, 4.8, 0.0]),
    "sum initial": (lambda x: np.sum(x, initial=5.0), X, 6.95),
    "sum initial rows": (lambda x: np.sum(x, 1, initial=5.0, keepdims=True), X, [[6.35], [9.1], [1.5]]),
    "reduce initial": (lambda x: np.add.reduce(x, axis=0, initial=1.0), X, [2.5, -0.15, 1.4, 2.2]),
    "max initial": (lambda x: np.max(x, axis=1, initial=1.5), X, [2.0, 3.0, 1.5]),
    "max method initial": (lambda x: x.max(axis=1, initial=1.5), X, [2.0, 3.0, 1.5]),
    "max where": (lambda x: np.max(x, axis=1, initial=-9.0, where=x < 0), X, [-1.25, -0.7, -0.2]),
    "min initial": (lambda x: np.min(x, axis=1, initial=-0.8), X, [-1.25, -0.8, -2.0]),
    "min where": (lambda x: np.min(x, axis=0, initial=9.0, where=x > 0), X, [0.5, 0.3, 2.0, 0.1]),
    "mean where": (lambda x: np.mean(x, axis=1, where=x > -1), X, [2.6 / 3, 1.025, -0.5]),
    "mean method where": (lambda x: x.mean(where=x > 0), X, 7.4 / 6),
    "prod where": (lambda x: np.prod(x, axis=1, where=x > 0), X, [0.1, 1.35, 1.0]),
    "prod initial": (lambda x: x.prod(axis=1, initial=2.0), X, [-0.25, -1.89, 0.288]),
    "reduce of products": (lambda x: np.multiply.reduce(x, 1, initial=2.0), X, [-0.25, -1.89, 0.288]),
    "any where": (lambda x: np.any(x > 1, axis=1, where=x < 2) * 1.0, X, [0.0, 1.0, 0.0]),
    "all where": (lambda x: np.all(x > -1, axis=1, where=x < 0) * 1.0, X, [0.0, 1.0, 0.0]),
    "nansum where": (lambda v: np.nansum(v, where=v > 2), NAN, 3.0),
    "nanmax initial": (lambda v: np.nanmax(v, initial=9.0), NAN, 9.0),
    "isclose of NaN": (lambda v: np.isclose(v, v, equal_nan=True) * 1.0, NAN, [1.0, 1.0, 1.0, 1.0]),
    "isclose without": (lambda v: np.isclose(v, v) * 1.0, NAN, [1.0, 0.0, 1.0, 0.0]),
    "array_equal of NaN": (lambda v: np.array_equal(v, v, equal_nan=True) * v[0], NAN, 1.0),
    "allclose of NaN": (lambda v: np.allclose(v, v, equal_nan=True) * v[0], NAN, 1.0),
    "setdiff1d in order": (lambda v: np.setdiff1d(v, [2.5], assume_unique=True), W, [0.3, -1.1, 0.7]),
    "compress": (lambda x: x.compress([True, False, True], axis=0), X, X[[0, 2]]),
    "lstsq that keeps all": (lambda s: np.linalg.lstsq(s, s[0], rcond=1e-10)[0], S, [1.0, 0.0, 0.0]),
    "pinv that keeps all": (lambda s: np.linalg.pinv(s, rcond=1e-6) @ s, S, np.eye(3)),
    "eigvalsh of the upper triangle": (
        lambda s: np.linalg.eigvalsh(s, UPLO="U"),
        np.array([[2.0, 1.0], [1.0, 2.0]]),
        [1.0, 3.0],
    ),
    "astype without a copy": (lambda v: v.astype(np.float64, copy=False), W, W),
    "clip by keyword": (lambda x: np.clip(x, a_min=-1.0, a_max=1.0), X, X.clip(-1, 1)),
    "dot of a number": (lambda v: np.dot(v, 2.0) + v.dot(1.0), W, 3.0 * W),
    "vecdot along rows": (lambda x: np.vecdot(x, x, axis=0), X, [13.25, 1.6925, 5.3, 2.42]),
    "diff with ends": (lambda v: np.diff(v, prepend=0.0, append=[1.0]), W, [0.3, -1.4, 3.6, -1.8, 0.3]),
    "diff of rows": (lambda x: np.diff(x[:2], prepend=1.0, axis=0), X, [X[0] - 1.0, X[1] - X[0]]),
    "cross along rows": (
        lambda x: np.cross(x, x[::-1], axis=0)[:, 0],
        X,
        np.cross(X[:, 0], X[::-1, 0]),
    ),
    "average with a list": (
        lambda x: np.average(x, axis=1, weights=[1, 2, 3, 4.0]),
        X,
        X @ [0.1, 0.2, 0.3, 0.4],
    ),
    "matrix to the power 0": (lambda s: np.linalg.matrix_power(s, 0), S, np.eye(3)),
    "atleast_2d of several": (
        lambda v: np.atleast_2d(v, v[:2])[1] * np.atleast_2d(2.0, v)[0],
        W,
        [[0.6, -2.2]],
    ),
    "einsum of lists": (lambda x: np.einsum(x, [0, 1], x, [2, 1], [0, 2]), X, X @ X.T),
    "einsum of one list": (lambda s: np.einsum(s, [0, 0]), S, 9.0),
    "complex outer": (lambda v: np.outer(v, v + 2j).imag, W, np.outer(W, [2.0] * 4)),
    "complex convolve": (
        lambda v: np.convolve(v + 1j, v).imag,
        W,
        [0.3, -0.8, 1.7, 2.4, 2.1, 3.2, 0.7],
    ),
    "complex round": (lambda v: np.round(v * 1.04 + 1.23j, 1).imag, W, [1.2, 1.2, 1.2, 1.2]),
    "nan_to_num": (
        lambda v: np.nan_to_num(v, nan=0.5, posinf=7.0, neginf=-8.0),
        np.array([1.0, np.nan, np.inf, -np.inf]),
        [1.0, 0.5, 7.0, -8.0],
    ),
    "nan_to_num of infinities": (
        np.nan_to_num,
        np.array([1.0, np.inf, -np.inf]),
        [1.0, 1.7976931348623157e308, -1.7976931348623157e308],
    ),
}


if np.lib.NumpyVersion(np.__version__) < "2.5.0":
    HONOURED["cross of the plane"] = (lambda x: np.cross(x[:, :2], x[:, 2:]), X, [2.55, 4.71, 0.62])


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors are deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", HONOURED)
def test_what_is_honoured_has_numpys_numbers(name: str) -> None:
    function, array, expected = HONOURED[name]
    wanted = np.asarray(expected, dtype=np.float64)
    with precision(256):
        true = balls(53)
        made = true.gather(function(true.given(array))).nearest()
    assert made.shape == wanted.shape
    np.testing.assert_allclose(made, wanted, rtol=1e-14, atol=1e-14)
    rounded = arithmetic(53)
    analysed = rounded.gather(function(rounded.given(array)))
    np.testing.assert_allclose(analysed.value, wanted, rtol=1e-14, atol=1e-14)
    # NumPy's own numbers are within the limit; a number that is off by a part in a million is not.
    limit = analysed.limit() + 4e-16 * np.abs(wanted)
    error = np.abs(np.asarray(function(array), dtype=np.float64) - made)
    assert (error <= limit).all()
    assert (limit < 1e-6 * np.maximum(np.abs(wanted), 1e-3)).all()


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors are deprecated:DeprecationWarning")
@pytest.mark.parametrize("sizes", [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4)], ids=str)
@pytest.mark.parametrize("cross", [np.cross, np.linalg.cross], ids=["cross", "linalg.cross"])
def test_a_cross_product_is_refused_where_this_numpy_refuses_it(
    cross: Callable[..., Any], sizes: tuple[int, int]
) -> None:
    a, b = (X[:, :size] for size in sizes)
    with precision(256):
        kind = balls(53)
        try:
            wanted = cross(a, b[::-1])
        except ValueError:
            with pytest.raises(ValueError, match="cross of vectors of"):
                cross(kind.given(a), kind.given(b[::-1]))
        else:
            made = kind.gather(cross(kind.given(a), kind.given(b[::-1]))).nearest()
            np.testing.assert_allclose(made, wanted, rtol=1e-14, atol=1e-14)


REFUSED: dict[str, Case] = {
    "var where": (lambda x: np.var(x, where=x > 0), X, "numpy.var(where=...)"),
    "method var": (lambda x: x.var(where=x > 0), X, "numpy.var(where=...)"),
    "nanvar": (lambda v: np.nanvar(v, where=v > 0), X, "numpy.var(where=...)"),
    "nanmean": (lambda v: np.nanmean(v, where=v > 0), NAN, "numpy.nanmean(where=...)"),
    "lstsq": (lambda x: np.linalg.lstsq(x, x[:, 0], rcond=0.6)[0], X, "numpy.linalg.lstsq(rcond=...)"),
    "pinv": (lambda x: np.linalg.pinv(x, rcond=0.5), X, "numpy.linalg.pinv(rcond=...)"),
    "pinv rtol": (lambda x: np.linalg.pinv(x, rtol=0.5), X, "numpy.linalg.pinv(rtol=...)"),
    "root": (lambda x: np.sqrt(x, where=x > 0), X, "numpy.sqrt(where=...)"),
    "setdiff1d": (
        lambda v: np.setdiff1d(v, [1.0], assume_unique=True),
        np.array([1.0, 2.0, 2.0]),
        "numpy.setdiff1d(assume_unique=True)",
    ),
    "interp": (lambda v: np.interp(v, [0.0, 1.0], [1.0, 3.0], period=3.0), W, "numpy.interp(period=...)"),
    "polyfit": (lambda v: np.polyfit([0.0, 1, 2, 3], v, 1, w=[1.0, 2, 3, 4]), W, "numpy.polyfit(w=...)"),
    "polyint": (lambda v: np.polyint(v, k=3.0), W, "numpy.polyint(k=...)"),
    "unequal triangles": (lambda x: np.linalg.eigvalsh(x, UPLO="U"), X[:, :3], "UPLO='U'"),
    "out by position": (lambda x: np.round(x, 1, x.copy()), X, "numpy.round(out=...)"),
    "complex sum": (lambda x: np.sum(x * 1j, where=x > 0), X, "numpy.sum(where=...)"),
    "complex product": (lambda x: np.multiply(x * 1j, x, where=x > 0), X, "numpy.multiply"),
    "place into": (lambda x: np.argmax(x, 0, np.zeros(4, dtype=int)), X, "numpy.argmax(out=...)"),
    "fft into": (lambda v: np.fft.irfft(v, 4, -1, None, v.copy()), W, "numpy.fft.irfft(out=...)"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("make", [arithmetic, balls])
def test_what_is_not_honoured_is_refused_by_name(name: str, make: Any) -> None:
    function, array, words = REFUSED[name]
    with pytest.raises(NotUnderstood) as refusal:
        function(make(53).given(array))
    assert str(refusal.value).startswith("no limit can be derived for `")
    assert words in str(refusal.value)


def problem(folder: Path, line: str, array: np.ndarray) -> str:
    """Why a stage ``f(x)`` has no true value."""
    path = folder / "f.py"
    source = f"import numpy as np\nfrom scipy import special\ndef f(x):\n    {line}\n"
    path.write_text(source, encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, _ = host.truth(loaded, params, [array])
    return str(result["problems"].get("f", ""))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("return np.std(x, where=x > 0)", "numpy.std(where=...)"),
        ("return special.erf(x, where=x > 0)", "scipy.special.erf(where=...)"),
        ("return np.vectorize(abs, excluded=[1])(x)", "numpy.vectorize(excluded=...)"),
    ],
)
def test_the_reason_names_the_argument_and_the_line(line: str, what: str, tmp_path: Path) -> None:
    assert problem(tmp_path, line, X) == f"no limit can be derived for `{what}` (line 4 of f.py)"


CONSTANTS = {
    "x[0] * math.prod([x[0], 3.0], start=2.0)": 0.54,
    "math.hypot(x[0], 0.4, 1.2) * x": 1.3 * W,
    "math.log(x[0], 2) * x": np.log(0.3) / np.log(2.0) * W,
    "math.log(8.5, 2) * x": np.log(8.5) / np.log(2.0) * W,
    "math.hypot(1.0, 2.0, 4.0) * x": np.sqrt(21.0) * W,
    "np.round(2.675, 2) * x": 2.68 * W,
}


@pytest.mark.parametrize("line", list(CONSTANTS))
def test_functions_of_math_take_their_own_arguments(line: str, tmp_path: Path) -> None:
    path = tmp_path / "f.py"
    path.write_text(f"import math\nimport numpy as np\ndef f(x):\n    return {line}\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    result, (high, _, _, _, limit) = host.truth(loaded, params, [W])
    assert not result["problems"]
    expected = np.asarray(CONSTANTS[line])
    assert (np.abs(high - expected) <= 1e-15 * np.abs(expected) * 2).all()
    assert (limit < 1e-12).all()
    assert (np.abs(high - expected * (1 + 1e-9)) > limit).all()


def test_a_linspace_along_another_axis_has_that_axis(tmp_path: Path) -> None:
    line = "assert np.linspace(x, x + 1.0, 5, axis=1).shape == (4, 5); return np.sin(x)"
    assert problem(tmp_path, line, W) == ""


@pytest.mark.parametrize(
    ("line", "place"),
    [
        *(("x.item(5)", (1, 1)), ("x.item(1)", (0, 1)), ("x.item(-1)", (2, 3)), ("x.item(1, 2)", (1, 2))),
        ("x.item((1, 2))", (1, 2)),
        ("x.T.item(1)", (1, 0)),
        ("x[0].item(2)", (0, 2)),
        ("x[2, 1].item()", (2, 1)),
    ],
)
def test_an_item_is_the_one_that_numpy_counts(line: str, place: tuple[int, int]) -> None:
    for make in (arithmetic, balls):
        item = eval(line, {"x": make(53).given(X)})
        assert item.shape == ()
        assert float(item.nearest()) == X[place]
        assert item.weak


def test_too_few_indices_of_an_item_are_an_error() -> None:
    with pytest.raises(ValueError, match="incorrect number of indices"):
        arithmetic(53).given(np.ones((2, 2, 2))).item(0, 1)
