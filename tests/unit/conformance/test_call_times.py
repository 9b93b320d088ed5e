"""What a first call takes, and later ones: with NumPy alone."""

from pathlib import Path

import numpy as np

from harness.conformance.judging_context import spent_on
from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import CallTimes, Check, Failure, Mode, Observation, Source, Stage, Verdict
from harness.store.fixture_writer import write_fixture

CASE = """
[case]
name = "slow"
title = "slow at first"
origin = "here"
fixture = "slow"
precisions = ["float64"]

[inputs]
x = ["n"]

[[stage]]
name = "y"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "exact" }
"""

SLOW_AT_FIRST = """
import time

called = []


def y(x):
    if not called:
        time.sleep(0.5)
    called.append(x)
    return x
"""


def observation(seconds: float, first: bool | None, source: Source = Source.LIVE) -> Observation:
    return Observation(outputs={"y": np.ones(1)}, seconds=seconds, first=first, source=source)


def test_the_first_call_after_loading_is_apart_from_the_others(tmp_path: Path) -> None:
    case = tmp_path / "slow"
    case.mkdir()
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    (case / "slow.py").write_text(SLOW_AT_FIRST, encoding="utf-8")
    (case / "slow.second.py").write_text(SLOW_AT_FIRST, encoding="utf-8")
    write_fixture(
        tmp_path / "fixtures" / "slow",
        version=1,
        title="three samples",
        origin="here",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays={"x": np.arange(3.0)},
        samples={name: {"x": np.arange(3.0)} for name in ("one", "two", "three")},
        origins={"x": "here"},
    )
    record = run(make_plan(tmp_path), out=None)
    cells = [cell for cell in record.cells if cell.mode is Mode.CHAINED or cell.check is Check.REPEAT]
    assert {cell.implementation for cell in cells} == {"numpy", "numpy.second"}
    for cell in cells:
        assert cell.calls is not None
        first, later = cell.calls.first, cell.calls.later
        assert first is not None
        assert later is not None
        assert first >= 0.5 > later
        assert cell.seconds >= first


def test_the_median_is_of_later_calls_alone() -> None:
    stage = Stage(name="y", inputs=("x",), outputs=())
    samples = ("a", "b", "c", "d", "e")
    answers = {
        ("a", "y"): observation(8.0, True),
        ("b", "y"): observation(1.0, False),
        ("c", "y"): observation(3.0, False),
        ("d", "y"): observation(2.0, False),
        ("e", "y"): Failure(verdict=Verdict.ERROR, reason="no"),
    }
    spent = spent_on(answers, samples, stage)
    assert (spent.seconds, spent.calls) == (14.0, CallTimes(first=8.0, later=2.0))
    assert spent_on(answers, samples[:1], stage).calls == CallTimes(first=8.0)
    assert spent_on(answers, samples[4:], stage).calls is None


def test_what_was_replayed_has_no_calls() -> None:
    stage = Stage(name="y", inputs=("x",), outputs=())
    replayed = {("a", "y"): observation(0.0, None, Source.REPLAYED)}
    assert spent_on(replayed, ("a",), stage).calls is None
