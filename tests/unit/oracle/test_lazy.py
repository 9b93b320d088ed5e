"""What is computed in some places is what would be there if everything were."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.oracle.backward_slice import evaluate
from harness.oracle.lazy import Lazy
from harness.oracle.sampling import MOST, Places, counted, everything, pick, sample

pytest.importorskip("flint")

from harness.oracle import sampled, sampling
from harness.oracle.oracle_host import OracleHost, start

ROWS = np.array([1, 4])
COLUMNS = np.array([0, 2, 5])


def number(value: float, like: Any) -> Any:
    return type(like.flat[0])(value)


def softmax(scores: Any, axis: int = -1) -> Any:
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "attention": lambda q, k: softmax(q @ k.T / np.sqrt(number(3.0, q))),
    "columns first": lambda q, k: softmax(q @ k.T, axis=0).T,
    "scale by size": lambda q, k: q @ k.T / np.sqrt(number(float(q.size), q)),
    "sums": lambda q, k: np.sum(q, axis=1, keepdims=True) - np.max(k, axis=1),
    "outer": lambda q, k: np.outer(q[:, 0], k[:, 1]),
    "stacked": lambda q, k: np.vstack([q.T, k.T]) * 2.0,
    "shapes": lambda q, k: (q.reshape(3, 6) - k.swapaxes(0, 1)).transpose() ** 2,
    "spread": lambda q, k: (
        q.std(axis=1, ddof=1)[:, None] * np.var(k, axis=0) + np.linalg.norm(q, axis=1)[:, None]
    ),
    "keeping": lambda q, k: np.sort(q, axis=0) + k.cumsum(axis=1) - np.median(k, axis=1, keepdims=True),
    "sliced": lambda q, k: (q[:, None, :2] * k[-1, 1:])[:, 0] + q[::2, 1:].sum(axis=0),
    "whole rows": lambda q, k: q[2] * k[..., :] - np.cumsum(q).reshape(6, 3)[::-1],
    "places": lambda q, k: q.argmax(axis=1)[:, None] + k.argmin(axis=0) * 1.0,
    "products": lambda q, k: q.prod(axis=1, keepdims=True) * k.cumprod(axis=0) * np.multiply.reduce(k),
    "twice": lambda q, k: (lambda e: softmax(e) * e + e.T)(q @ k.T),
    "in place": lambda q, k: _in_place(q, k),
}


def _in_place(q: Any, k: Any) -> Any:
    e = q @ k.T
    e -= e.max(axis=1, keepdims=True)
    e /= number(2.0, q)
    return e


def lazily(function: Callable[..., Any], places: Places | None, **arrays: np.ndarray) -> np.ndarray:
    made = function(*(Lazy.given(name, array.shape) for name, array in arrays.items()))
    wanted = everything(made.shape) if places is None else places
    given = lambda name, asked: pick(arrays[name], everything(arrays[name].shape), asked)  # noqa: E731
    return np.asarray(evaluate({"made": (made, wanted)}, given, np.float64, no_total)["made"])


def no_total(*_: Any) -> Any:
    raise AssertionError("so few numbers are added as they are")


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_places_of_a_result_are_those_of_the_whole(name: str) -> None:
    draw = np.random.default_rng(1)
    arrays = {"q": draw.normal(size=(6, 3)), "k": draw.normal(size=(6, 3))}
    whole = FUNCTIONS[name](*(array.copy() for array in arrays.values()))
    np.testing.assert_allclose(lazily(FUNCTIONS[name], None, **arrays), whole, rtol=1e-14)
    columns = COLUMNS[: np.searchsorted(COLUMNS, whole.shape[1])]
    part = lazily(FUNCTIONS[name], (ROWS, columns), **arrays)
    np.testing.assert_allclose(part, whole[np.ix_(ROWS, columns)], rtol=1e-14)


def test_no_more_is_computed_than_is_needed() -> None:
    asked: dict[str, Places] = {}
    q, k = Lazy.given("q", (6, 3)), Lazy.given("k", (6, 3))

    def given(name: str, places: Places) -> np.ndarray:
        asked[name] = places
        return pick(np.ones((6, 3)), (None, None), places)

    weights = softmax(q @ k.T)
    assert evaluate({"w": (weights, (ROWS, COLUMNS))}, given, np.float64, no_total)["w"].shape == (2, 3)
    rows, array = asked["q"]
    assert rows is not None
    assert (rows.tolist(), array) == ([1, 4], None)
    assert asked["k"] == (None, None)


def test_what_is_wanted_in_several_places_is_computed_once_in_all_of_them() -> None:
    calls = []
    x = Lazy.given("x", (6, 6))
    root = np.sqrt(x)

    def given(name: str, places: Places) -> np.ndarray:
        calls.append(places)
        return pick(np.arange(36.0).reshape(6, 6), (None, None), places)

    upper, other = (np.array([0, 3]), None), (np.array([3, 5]), None)
    parts = evaluate({"a": (root * 1.0, upper), "b": (root * 2.0, other)}, given, np.float64, no_total)
    assert len(calls) == 1
    assert calls[0][0] is not None
    assert calls[0][0].tolist() == [0, 3, 5]
    assert np.array_equal(parts["a"][1] * 2.0, parts["b"][0])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q: np.array([q, q]),
        lambda q: q.astype(int),
        lambda q: np.split(q, 2),
        lambda q: np.add(q, q, out=np.zeros((6, 3))),
        lambda q: q > 0,
        lambda q: q + np.ones(3),
        lambda q: bool(q),
    ],
)
def test_what_cannot_be_written_down_is_refused(wrong: Callable[..., Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        wrong(Lazy.given("q", (6, 3)))


def test_a_sample_is_the_same_for_equal_lengths_and_says_what_it_is() -> None:
    rows, columns = sample((4096, 4096))
    assert rows is not None
    assert columns is not None
    assert np.array_equal(rows, columns)
    assert len(np.unique(rows)) == MOST
    assert rows.max() < 4096
    assert sample((3, 64, 51)) == (None, None, None)
    assert counted((4096, 51)) == "64 of 4096 rows"
    assert counted((2, 300, 70)) == "64 of 300 rows and 64 of 70 columns"
    assert counted((300,)) == "64 of 300 elements"
    assert counted((4, 4)) == ""


SOURCE = """
import numpy as np

def number(value, like): return type(like.flat[0])(value)
def scores(Q, K): return Q @ K.T / np.sqrt(number(K.shape[1], K))
def weights(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
def output(weights, V): return weights @ V
def negative(Q, K): return np.log(Q @ K.T - 1000.0)
def ordered(V): return np.spacing(V)
"""
STAGES = (
    ("scores", ("Q", "K")),
    ("weights", ("scores",)),
    ("output", ("weights", "V")),
)
ROUGH = 2.0
"""How far apart two estimates of a probable error from 32 draws may be."""


@pytest.fixture
def host(tmp_path: Path) -> tuple[OracleHost, Any]:
    (tmp_path / "case.py").write_text(SOURCE, encoding="utf-8")
    oracle_host = start()
    return oracle_host, oracle_host.load(str(tmp_path / "case.py"), {})[0]


def truth(
    host: tuple[OracleHost, Any], n: int, *stages: tuple[str, tuple[str, ...]], **more: Any
) -> dict[str, list[np.ndarray]]:
    draw = np.random.default_rng(2)
    arrays = [draw.normal(size=(n, 5)) for _ in range(3)]
    params = {
        "names": ["Q", "K", "V"],
        "stages": [{"name": name, "inputs": inputs, "outputs": [name]} for name, inputs in stages],
        "wanted": [name for name, _ in stages],
        "feed": True,
        "bits": 53,
        "balls": True,
        **more,
    }
    result, parts = host[0].truth(host[1], params, arrays)
    assert not result["problems"]
    return {name: list(parts[5 * i : 5 * i + 5]) for i, name in enumerate(result["values"])}


def test_a_sample_of_a_large_graph_is_what_the_whole_has_there(
    host: tuple[OracleHost, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = truth(host, 300, *STAGES)
    monkeypatch.setattr(sampled, "LARGE", 10**9)
    whole = truth(host, 300, *STAGES)
    assert whole["weights"][0].shape == (300, 300)
    for name, columns in (("scores", 300), ("weights", 300), ("output", 5)):
        places = [np.arange(5) if array is None else array for array in sample((300, columns))]
        inside = np.ix_(*places)
        high, low, _, worst, limit = drawn[name]
        there = [part[inside] for part in whole[name]]
        assert high.shape == (MOST, min(MOST, columns))
        assert np.array_equal(high, there[0])
        np.testing.assert_allclose(low, there[1], rtol=0, atol=2.0**-100 * np.abs(high).max())
        np.testing.assert_allclose(worst, there[3], rtol=1e-6)
        assert (limit <= ROUGH * there[4]).all()
        assert (there[4] <= ROUGH * limit).all()


def test_a_small_graph_is_computed_as_ever(host: tuple[OracleHost, Any], monkeypatch: Any) -> None:
    assert sampled.LARGE == sampling.LARGE
    drawn = truth(host, 80, *STAGES)
    monkeypatch.setattr("harness.oracle.oracle_host.sampled", lambda *_: sampled.Sampled())
    for name, parts in truth(host, 80, *STAGES).items():
        assert parts[0].shape == (80, 80 if name != "output" else 5)
        for array, other in zip(parts, drawn[name], strict=True):
            assert array.tobytes() == other.tobytes()


def test_what_has_no_true_value_is_named_and_the_rest_is_told(host: tuple[OracleHost, Any]) -> None:
    params: dict[str, Any] = {
        "names": ["Q", "K"],
        "stages": [
            {"name": name, "inputs": ["Q", "K"], "outputs": [name]} for name in ("negative", "scores")
        ],
        "wanted": ["negative", "scores"],
        "feed": False,
        "bits": 53,
        "balls": False,
    }
    result, parts = host[0].truth(host[1], params, [np.ones((300, 3))] * 2)
    assert (result["values"], result["problems"]) == (["negative", "scores"], {})
    assert list(result["why"]) == ["negative"]
    assert (
        "it has no true value: it is not a number, or a quotient by zero (negative, line 10 of case.py)"
        in (result["why"]["negative"])
    )
    assert np.isnan(parts[4]).all()
    assert parts[5].shape == (MOST, MOST)
    assert np.isfinite(parts[9]).all()


def test_what_cannot_be_computed_in_part_is_computed_as_ever(host: tuple[OracleHost, Any]) -> None:
    params: dict[str, Any] = {
        "names": ["V"],
        "stages": [{"name": "ordered", "inputs": ["V"], "outputs": ["ordered"]}],
        "wanted": ["ordered"],
        "feed": True,
        "bits": 53,
        "balls": False,
    }
    result, _ = host[0].truth(host[1], params, [np.ones((300, 300))])
    reason = "no limit can be derived for `numpy.spacing` (line 11 of case.py)"
    assert result["problems"] == {"ordered": reason}


LARGE = """
import numpy as np

def scaled(x): return x * 2.5 + 1.0
def sums(x): return (x * x).sum(axis=0)
def both(x): return x - (x * x).sum(axis=0)
def ordered(x): return np.sort(x, axis=0)
"""


def told_of(folder: Path, x: np.ndarray, *stages: str) -> tuple[dict[str, Any], list[np.ndarray]]:
    (folder / "large.py").write_text(LARGE, encoding="utf-8")
    oracle_host = start()
    params: dict[str, Any] = {
        "names": ["x"],
        "stages": [{"name": name, "inputs": ["x"], "outputs": [name]} for name in stages],
        "wanted": list(stages),
        "feed": False,
        "bits": 53,
        "balls": False,
    }
    result, parts = oracle_host.truth(oracle_host.load(str(folder / "large.py"), {})[0], params, [x])
    return result, list(parts)


@pytest.mark.parametrize("stages", [("scaled", "sums", "both", "ordered"), ("sums",), ("ordered",)])
def test_a_value_that_needs_too_many_numbers_is_not_told_and_the_others_are(
    tmp_path: Path, stages: tuple[str, ...]
) -> None:
    result, parts = told_of(tmp_path, np.ones((5_000_000, 1)), *stages)
    why = "its true value needs 5,000,000 numbers of one array, and no more than 262,144 are computed"
    assert result["values"] == [name for name in stages if name == "scaled"]
    lines = {"sums": 5, "both": 6, "ordered": 7}
    problems = {
        name: f"{why} ({name}, line {lines[name]} of large.py)" for name in stages if name != "scaled"
    }
    assert result["problems"] == problems
    if parts:
        assert parts[0].shape == (MOST, 1)
        assert (parts[0] == 3.5).all()


def test_so_many_numbers_are_computed(tmp_path: Path) -> None:
    result, parts = told_of(tmp_path, np.full((200_000, 1), 0.5), "sums")
    assert result["values"] == ["sums"]
    assert parts[0].tolist() == [50_000.0]


def test_nothing_is_built_of_a_large_array_but_its_sample(tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=4_000_000)
    told_of(tmp_path, x[:1000], "scaled")
    tracemalloc.start()
    try:
        result, parts = told_of(tmp_path, x, "scaled")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result["values"] == ["scaled"]
    assert parts[0].shape == (MOST,)
    # Numbering the places would take as much as the array itself.
    assert peak < x.nbytes / 4


APART = """
import numpy as np

def rows(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
def columns(x): return x - x.mean(axis=0)
def spread(x): return x.std(axis=1, ddof=1)
def length(x): return np.linalg.norm(x, axis=1)
def all_of_it(x): return np.sqrt(x * x).sum()
def total(x): return x.sum()
def centred(x): return x - x.mean()
def unlimited(x): return np.spacing(x)
def follows(rows, all_of_it): return rows * all_of_it
def after(rows): return np.log(rows)
"""


def apart(folder: Path, x: np.ndarray, feed: bool = False, **stages: list[str]) -> tuple[Any, dict[str, Any]]:
    (folder / "apart.py").write_text(APART, encoding="utf-8")
    host = start()
    params: dict[str, Any] = {
        "names": ["x"],
        "stages": [{"name": name, "inputs": taken, "outputs": [name]} for name, taken in stages.items()],
        "wanted": list(stages),
        "feed": feed,
        "bits": 53,
        "balls": True,
    }
    result, parts = host.truth(host.load(str(folder / "apart.py"), {})[0], params, [x])
    return result, {name: parts[5 * k : 5 * k + 5] for k, name in enumerate(result["values"])}


@pytest.fixture(scope="module")
def large() -> np.ndarray:
    return np.random.default_rng(12).normal(size=(600, 500))


def test_one_stage_that_needs_too_many_numbers_leaves_the_others_their_samples(
    tmp_path: Path, large: np.ndarray
) -> None:
    stages = {name: ["x"] for name in ("rows", "all_of_it", "columns", "unlimited", "spread")}
    result, values = apart(tmp_path, large, **stages)
    why = "its true value needs 300,000 numbers of one array, and no more than 262,144 are computed"
    assert result["problems"] == {
        "all_of_it": f"{why} (all_of_it, line 10 of apart.py)",
        "unlimited": f"{why} (unlimited, line 13 of apart.py)",
    }
    places, across = (sample((600,))[0], sample((500,))[0])
    e = np.exp(large - large.max(axis=1, keepdims=True))
    computed_values = {
        "rows": (e / e.sum(axis=1, keepdims=True))[places][:, across],
        "columns": (large - large.mean(axis=0))[places][:, across],
        "spread": large.std(axis=1, ddof=1)[places],
    }
    assert values.keys() == computed_values.keys()
    for name, computed in computed_values.items():
        high, low, radius, _, limit = values[name]
        assert (np.abs(computed - high - low) <= limit).all()
        assert (limit < 1e-12).all()
        assert (radius < limit / 1024).all()
        # A fault of some units in the last place is beyond the limit of some elements.
        assert (np.abs(computed * (1 + 1e-12) - high) > limit).any()


def test_only_what_follows_from_a_stage_without_a_value_has_none(tmp_path: Path, large: np.ndarray) -> None:
    result, values = apart(
        tmp_path,
        large,
        feed=True,
        rows=["x"],
        all_of_it=["x"],
        follows=["rows", "all_of_it"],
        after=["rows"],
    )
    assert list(values) == ["rows", "after"]
    assert result["problems"].keys() == {"all_of_it", "follows"}


@pytest.mark.parametrize(("stage", "line"), [("spread", 8), ("length", 9)])
def test_rows_of_a_large_matrix_need_no_others(
    tmp_path: Path, large: np.ndarray, stage: str, line: int
) -> None:
    result, values = apart(tmp_path, large, **{stage: ["x"]})
    assert result["problems"] == {}
    assert values[stage][0].shape == (MOST,)


def test_the_sum_of_many_given_numbers_is_exact(tmp_path: Path) -> None:
    # The sum of these is 2^-60 (700 * 500 / 2) exactly; added one by one, most of it is lost.
    x = np.full((700, 500), 2.0**-60)
    x[:, ::2] = 1.0
    x[::2, ::2] = -1.0
    result, values = apart(tmp_path, x, total=["x"], centred=["x"])
    assert result["problems"] == {}
    high, low, radius, worst, _ = values["total"]
    assert (float(high), float(low)) == (175_000 * 2.0**-60, 0.0)
    assert radius <= 2.0**-1000
    assert abs(float(x.sum()) - high) <= worst
    places, across = sample((700, 500))
    assert places is not None
    assert across is not None
    there = x[places][:, across] - 2.0**-61
    assert np.array_equal(values["centred"][0], there)


def test_sums_of_five_million_numbers_have_true_values_and_the_limit_that_is_proven(tmp_path: Path) -> None:
    x = np.random.default_rng(7).uniform(0.1, 1.0, size=(500_000, 10))
    x[0, 0] = -np.float64(2.0**40)
    result, values = apart(tmp_path, x, total=["x"], centred=["x"], columns=["x"])
    assert result["problems"] == {}
    high, low, radius, worst, limit = (float(part) for part in values["total"])
    exact = math.fsum(x.ravel())
    assert (high, low + exact) == (exact, pytest.approx(exact, rel=1e-15))
    assert radius < 2.0**-200
    proven = x.size * 2.0**-53 * float(np.abs(x).sum())
    assert proven * 0.999 < limit == worst < proven * 1.001
    # Half of the digits are compared otherwise: a number that is left out is found.
    assert abs(float(x.sum()) - high) <= limit
    assert abs(float(np.delete(x.ravel(), 0).sum()) - high) > limit
    means, _, _, _, off = values["columns"]
    across = sample((500_000, 10))[0]
    assert across is not None
    assert (np.abs(x[across] - x.mean(axis=0) - means) <= off).all()
    assert off.max() < 500_000 * 2.0**-53 * 2.0**41 / 500_000 * 2


def test_as_many_numbers_of_a_shorter_format_have_none(tmp_path: Path) -> None:
    """The limit would be wider than the coarse one."""
    path = tmp_path / "apart.py"
    path.write_text(APART, encoding="utf-8")
    host = start()
    x = np.random.default_rng(7).uniform(0.1, 1.0, size=5_000_000).astype(np.float32)
    params: dict[str, Any] = {
        "names": ["x"],
        "stages": [{"name": "total", "inputs": ["x"], "outputs": ["total"]}],
        "wanted": ["total"],
        "feed": True,
        "bits": 24,
        "balls": False,
    }
    result, _ = host.truth(host.load(str(path), {})[0], params, [x])
    assert "needs 5,000,000 numbers" in result["problems"]["total"]


@pytest.mark.parametrize("number", [np.inf, np.nan, 1.7e308])
def test_such_sums_of_what_is_not_finite_or_too_large_have_none(tmp_path: Path, number: float) -> None:
    x = np.full(4_500_000, 0.5)
    x[-1] = number
    result, values = apart(tmp_path, x, total=["x"])
    assert values == {}
    assert "needs 4,500,000 numbers" in result["problems"]["total"]


def test_blocks_of_any_content_add_up_exactly() -> None:
    from fractions import Fraction

    from harness.oracle.balls import precision, split
    from harness.oracle.totals import sums

    rng = np.random.default_rng(5)
    rows = [
        rng.normal(size=70_000) * 2.0 ** rng.integers(-1070, 900, 70_000),
        np.full(70_000, 5e-324),
        np.repeat([1.0, -1.0, 2.0**-1074], [40_000, 29_999, 1]),
        np.zeros(70_000),
        np.full(70_000, 2.0**1004),
    ]
    for row in rows:
        with precision(256):
            high, low, radius = split(sums(row, (0,), False).exact)
        exact = sum(map(Fraction, row.tolist()))
        assert abs(exact - Fraction(float(high)) - Fraction(float(low))) <= Fraction(float(radius))
        assert radius <= 2.0**-100 * abs(high)


def test_the_sum_of_numbers_of_many_magnitudes_is_within_its_radius() -> None:
    from fractions import Fraction

    from harness.oracle.balls import precision, split
    from harness.oracle.totals import sums

    x = np.random.default_rng(3).normal(size=(2, 50)) * 2.0 ** np.linspace(-900, 900, 50)
    with precision(256):
        known = sums(x, (1,), False)
        high, low, radius = split(known.exact)
    assert known.exact.shape == (2,)
    for k in range(2):
        exact = sum(map(Fraction, x[k].tolist()))
        assert abs(exact - Fraction(high[k]) - Fraction(low[k])) <= Fraction(radius[k])
        assert radius[k] <= 2.0**-100 * abs(high[k])
