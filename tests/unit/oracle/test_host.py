"""What the oracle tells of a file's stages."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle import oracle_host
from harness.oracle.oracle_host import OracleHost, start
from harness.workers.loop import WorkerFault

SOURCE = """
import numpy as np

def third(x): return x / 3
def part(x): return (x + 0.25) / 11
def total(third): return third.sum(axis=0)
def both(x): return x.T, (x * x).mean(axis=0)
def rows(tokens, x): return x[tokens]
def masked(x): return np.where(np.tri(2, dtype=bool), x, type(x.flat[0])(-np.inf))
def over_zero(x): return x / (third(x) * 3 - x)
def vanishes(x): return x / 3 + x / 7 - x * 10 / 21
def nothing(x): return x / 3 - x / 3
def squared(x): return nothing(x) * nothing(x)
def product(x): return nothing(x) @ nothing(x)
def size(x): return np.abs(nothing(x))
def positive(x): return np.maximum(type(x.flat[0])(0), nothing(x))
def nan(x): return np.log(x - 10)
def fails(x): raise ValueError("no good")
calls = []
def shapes(x):
    calls.append(x)
    return x if len(calls) == 1 and "Balls" in type(x).__name__ else x[:1]
def scalar(x): return (x * x).sum()
def in_bits(x):
    import flint
    return x * flint.ctx.prec
def largest(x): return np.maximum(x, x.T).max(axis=0) - np.minimum(x, 1).min()
"""
X = np.array([[1.0, 2.0], [3.0, 5.0]])


@pytest.fixture
def host(tmp_path: Path) -> tuple[OracleHost, Any]:
    path = tmp_path / "case.py"
    path.write_text(SOURCE, encoding="utf-8")
    oracle_host = start()
    loaded, problems = oracle_host.load(str(path), {"third": 1, "rows": 2}, {})
    assert problems == []
    return oracle_host, loaded


def ask(
    host: tuple[OracleHost, Any], *stages: tuple[str, tuple[str, ...]], **more: Any
) -> tuple[dict[str, list[np.ndarray]], dict[str, str]]:
    outputs = {"both": ["left", "right"]}
    params: dict[str, Any] = {
        "names": ["x", "tokens"],
        "stages": [
            {"name": name, "inputs": inputs, "outputs": outputs.get(name, [name])} for name, inputs in stages
        ],
        "feed": True,
        "bits": 53,
        "balls": False,
        **more,
    }
    params.setdefault("wanted", [name for stage in params["stages"] for name in stage["outputs"]])
    arrays = [X, np.array([1, 0, 1])][: len(params["names"])]
    result, parts = host[0].truth(host[1], params, arrays)
    assert len(parts) == 5 * len(result["values"])
    return {name: parts[5 * n : 5 * n + 5] for n, name in enumerate(result["values"])}, result["problems"]


def test_true_values_have_more_digits_than_float64(host: tuple[OracleHost, Any]) -> None:
    arrays, problems = ask(host, ("third", ("x",)))
    assert problems == {}
    high, low, radius, worst, limit = arrays["third"]
    for at in np.ndindex(X.shape):
        exact = Fraction(X[at]) / 3
        away = abs(Fraction(high[at]) + Fraction(low[at]) - exact)
        assert away <= Fraction(radius[at])
        assert radius[at] <= 2.0**-100 * high[at]
        assert limit[at] == pytest.approx(2 * 2.0**-53 * high[at])
    np.testing.assert_array_equal(worst, limit)


def test_single_precision_has_limits_of_its_own(host: tuple[OracleHost, Any]) -> None:
    double, _ = ask(host, ("third", ("x",)))
    single, _ = ask(host, ("third", ("x",)), bits=24)
    np.testing.assert_array_equal(single["third"][0], double["third"][0])
    np.testing.assert_allclose(single["third"][4], double["third"][4] * 2.0**29)


def test_chained_stages_take_true_values_and_isolated_ones_the_arrays(host: tuple[OracleHost, Any]) -> None:
    stages = (("third", ("x",)), ("total", ("third",)))
    chained, _ = ask(host, *stages)
    assert np.all(chained["total"][4] > chained["third"][4].sum(axis=0) * 0.99)
    lonely, problems = ask(host, *stages, feed=False)
    assert set(lonely) == {"third"}
    assert problems == {"total": "there is no true value of third"}


def test_several_outputs_and_only_those_that_are_wanted(host: tuple[OracleHost, Any]) -> None:
    arrays, _ = ask(host, ("both", ("x",)), wanted=["right"])
    assert set(arrays) == {"right"}
    np.testing.assert_array_equal(arrays["right"][0], [5.0, 14.5])


def test_selected_rows_are_exact(host: tuple[OracleHost, Any]) -> None:
    arrays, _ = ask(host, ("rows", ("tokens", "x")))
    high, *rest = arrays["rows"]
    np.testing.assert_array_equal(high, X[[1, 0, 1]])
    assert not any(part.any() for part in rest)


def test_a_value_that_vanishes_is_zero(host: tuple[OracleHost, Any]) -> None:
    arrays, problems = ask(host, ("vanishes", ("x",)))
    assert problems == {}
    high, low, radius, _, limit = arrays["vanishes"]
    assert not high.any()
    assert not low.any()
    assert (radius > 0).all()
    assert (radius < 1e-60).all()
    assert (limit > 1e-17).all()


@pytest.mark.parametrize("stage", ["squared", "product", "size", "positive"])
def test_what_follows_from_a_value_that_vanishes_has_a_limit(
    host: tuple[OracleHost, Any], stage: str
) -> None:
    """Whatever is zero because rounded values cancel is not zero to the last bit in every implementation."""
    arrays, problems = ask(host, (stage, ("x",)))
    assert problems == {}
    high, low, _, _, limit = arrays[stage]
    assert not high.any()
    assert not low.any()
    left = X * (1.0 / 3.0) - X / 3.0
    left[0, 1], left[1, 0] = 2.0**-54, 2.0**-53
    others = {
        "squared": left * left,
        "product": left @ left,
        "size": np.abs(left),
        "positive": np.maximum(0.0, left),
    }
    assert others[stage].any()
    assert (others[stage] <= limit).all()
    assert (limit <= 2000 * others[stage].max()).all()


def test_infinities_are_exact(host: tuple[OracleHost, Any]) -> None:
    arrays, _ = ask(host, ("masked", ("x",)), balls=True)
    high, *rest = arrays["masked"]
    np.testing.assert_array_equal(high, [[1.0, -np.inf], [3.0, 5.0]])
    assert not any(part.any() for part in rest)


def test_scalars_and_extremes(host: tuple[OracleHost, Any]) -> None:
    arrays, problems = ask(host, ("scalar", ("x",)), ("largest", ("x",)), balls=True)
    assert problems == {}
    assert arrays["scalar"][0].shape == ()
    assert arrays["scalar"][0] == 39.0
    np.testing.assert_array_equal(arrays["largest"][0], [2.0, 4.0])


NO = "no limit can be derived for `{}` (line {} of case.py)"


@pytest.mark.parametrize(
    ("stage", "reason"),
    [
        ("fails", "no good"),
        ("shapes", "its shape is (2, 2) or (1, 2)"),
        ("absent", "there is no function absent"),
        ("rows", "cannot take the stage's 1 inputs"),
    ],
)
def test_why_there_is_no_true_value(host: tuple[OracleHost, Any], stage: str, reason: str) -> None:
    arrays, problems = ask(host, (stage, ("x",)), ("third", ("x",)))
    assert set(arrays) == {"third"}
    assert set(problems) == {stage}
    assert reason in problems[stage]


def test_an_output_that_is_nan_alone_has_no_decided_element(host: tuple[OracleHost, Any]) -> None:
    arrays, problems = ask(host, ("nan", ("x",)))
    assert problems == {}
    *_, limit = arrays["nan"]
    assert np.isnan(limit).all()


def test_a_true_value_that_is_not_known_well_enough_is_not_told(
    host: tuple[OracleHost, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle_host, "TRUE_BITS", 60)
    monkeypatch.setattr(oracle_host, "MOST_BITS", 60)
    arrays, problems = ask(host, ("third", ("x",)), ("part", ("x",)))
    # One third of 3 is known exactly.
    np.testing.assert_array_equal(np.isnan(arrays["third"][4]), [[True, True], [False, True]])
    assert problems == {"part": f"{NO.format('part', 5)}: 60 bits do not tell its true value"}
    monkeypatch.setattr(oracle_host, "MOST_BITS", 256)
    arrays, problems = ask(host, ("third", ("x",)), ("part", ("x",)), seconds=30.0)
    assert problems == {}
    assert np.isfinite(arrays["part"][4]).all()


def test_true_values_have_256_bits(host: tuple[OracleHost, Any]) -> None:
    arrays, _ = ask(host, ("in_bits", ("x",)))
    np.testing.assert_array_equal(arrays["in_bits"][0], [[256.0, 512.0], [768.0, 1280.0]])


@pytest.mark.parametrize(("seconds", "cut"), [(12.0, True), (30.0, False)])
def test_the_first_evaluation_counts(
    host: tuple[OracleHost, Any], monkeypatch: pytest.MonkeyPatch, seconds: float, cut: bool
) -> None:
    """It takes 6 s by this clock, and true values with twice the bits may take 9."""
    monkeypatch.setattr(oracle_host, "TRUE_BITS", 60)
    evaluations: list[object] = []
    evaluated = oracle_host._Question._evaluated

    def counting(*args: Any) -> Any:
        evaluations.append(args)
        return evaluated(*args)

    monkeypatch.setattr(oracle_host._Question, "_evaluated", counting)
    monkeypatch.setattr(oracle_host, "time", SimpleNamespace(thread_time=lambda: 3.0 * len(evaluations)))
    params = {
        "names": ["x"],
        "stages": [{"name": "third", "inputs": ["x"], "outputs": ["third"]}],
        "wanted": ["third"],
        "feed": True,
        "bits": 53,
        "balls": False,
        "seconds": seconds,
    }
    answer, _ = host[0].truth(host[1], params, [X])
    assert answer["cut"] is cut
    assert answer["spent"] == (6.0 if cut else 9.0)


def test_where_the_time_for_more_bits_is_spent_the_answer_says_so(
    host: tuple[OracleHost, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle_host, "TRUE_BITS", 60)
    params = {
        "names": ["x"],
        "stages": [{"name": name, "inputs": ["x"], "outputs": [name]} for name in ("third", "part")],
        "wanted": ["third", "part"],
        "feed": True,
        "bits": 53,
        "balls": False,
    }
    cut, _ = host[0].truth(host[1], params | {"seconds": 0.0}, [X])
    assert cut["cut"]
    assert cut["spent"] < 1.0
    assert cut["why"] == {
        "third": f"{NO.format('third', 4)}: 60 bits do not tell its true value; "
        "the processor time for more bits is spent"
    }
    assert cut["problems"] == {
        "part": f"{NO.format('part', 5)}: 60 bits do not tell its true value; "
        "the processor time for more bits is spent"
    }
    whole, _ = host[0].truth(host[1], params | {"seconds": 30.0}, [X])
    assert not whole["cut"]
    assert 0 < whole["spent"] < 30.0
    assert (whole["why"], whole["problems"]) == ({}, {})


def test_balls_widen_the_worst_case_at_most(host: tuple[OracleHost, Any]) -> None:
    stages = (("third", ("x",)), ("total", ("third",)))
    without, _ = ask(host, *stages)
    with_balls, _ = ask(host, *stages, balls=True)
    for name in ("third", "total"):
        assert (with_balls[name][3] >= without[name][3]).all()
        assert (with_balls[name][3] <= 2.1 * without[name][3]).all()
        np.testing.assert_array_equal(with_balls[name][4], without[name][4])


def test_it_runs_no_stage_and_has_no_precision(host: tuple[OracleHost, Any]) -> None:
    with pytest.raises(WorkerFault, match="asked for the truth"):
        host[0].call(host[1], "third", [X], 1)
    facts = host[0].describe()
    assert facts["dtypes"] == []
    assert facts["libraries"]["python-flint"]
