"""Large arrays are computed in a sample of their rows and columns; each stage has its own."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.oracle.sampling import MOST, counted, sample

pytest.importorskip("flint")

from harness.oracle import sampled, sampling
from harness.oracle.oracle_host import OracleHost, start
from tests.unit.oracle.stages_apart import apart


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
    return oracle_host, oracle_host.load(str(tmp_path / "case.py"), {}, {})[0]


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
    why = result["why"]["negative"]
    assert why.startswith("no limit can be derived for `negative` (line 10 of case.py): ")
    assert why.endswith("it has no true value: it is not a number, or a quotient by zero")
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


def truth_of(folder: Path, x: np.ndarray, *stages: str) -> tuple[dict[str, Any], list[np.ndarray]]:
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
    result, parts = oracle_host.truth(oracle_host.load(str(folder / "large.py"), {}, {})[0], params, [x])
    return result, list(parts)


@pytest.mark.parametrize("stages", [("scaled", "sums", "both", "ordered"), ("sums",), ("ordered",)])
def test_a_value_that_needs_too_many_numbers_is_not_told_and_the_others_are(
    tmp_path: Path, stages: tuple[str, ...]
) -> None:
    result, parts = truth_of(tmp_path, np.ones((5_000_000, 1)), *stages)
    why = "its true value needs 5,000,000 numbers of one array, and no more than 262,144 are computed"
    assert result["values"] == [name for name in stages if name == "scaled"]
    lines = {"sums": 5, "both": 6, "ordered": 7}
    problems = {
        name: f"no limit can be derived for `{name}` (line {lines[name]} of large.py): {why}"
        for name in stages
        if name != "scaled"
    }
    assert result["problems"] == problems
    if parts:
        assert parts[0].shape == (MOST, 1)
        assert (parts[0] == 3.5).all()


def test_so_many_numbers_are_computed(tmp_path: Path) -> None:
    result, parts = truth_of(tmp_path, np.full((200_000, 1), 0.5), "sums")
    assert result["values"] == ["sums"]
    assert parts[0].tolist() == [50_000.0]


def test_nothing_is_built_of_a_large_array_but_its_sample(tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=4_000_000)
    truth_of(tmp_path, x[:1000], "scaled")
    tracemalloc.start()
    try:
        result, parts = truth_of(tmp_path, x, "scaled")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result["values"] == ["scaled"]
    assert parts[0].shape == (MOST,)
    # Numbering the places would take as much as the array itself.
    assert peak < x.nbytes / 4


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
        "all_of_it": f"no limit can be derived for `all_of_it` (line 10 of apart.py): {why}",
        "unlimited": f"no limit can be derived for `unlimited` (line 13 of apart.py): {why}",
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
