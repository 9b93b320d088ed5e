"""The observer that answers from snapshots, on snapshots written by hand: no worker runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.observe import AbsentObserver, Job
from harness.conformance.plan import Plan, make_plan
from harness.conformance.replay import Library, Replay
from harness.conformance.run import run
from harness.model import Failure, Mode, Observation, Observed, Precision, RuntimeInfo, Source, Verdict
from harness.store.fixture_writer import write_fixture
from harness.store.snapshots import Head, write_snapshot

CASE = """
[case]
name = "toy"
title = "Twice"
origin = "made up"
fixture = "toy"
precisions = ["float64", "float32"]

[inputs]
x = ["n"]

[[stage]]
name = "a"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "exact" }

[[stage]]
name = "b"
inputs = ["a"]
shape = ["n"]
tolerance = { rule = "exact" }
"""
X = {"s": np.array([1.0, 2.0]), "t": np.array([3.0])}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    case = tmp_path / "suite" / "toy"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    (case / "toy.py").write_text("reference\n", encoding="utf-8")
    (case / "toy.R").write_text("other\n", encoding="utf-8")
    write_fixture(
        tmp_path / "suite" / "fixtures" / "toy",
        version=1,
        title="t",
        origin="o",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays={f"{sample}/x": array for sample, array in X.items()},
        origins={f"{sample}/x": "o" for sample in X},
        samples=tuple(X),
    )
    return tmp_path / "suite"


def observed(a: float, b: float, dtype: str = "float64") -> Observed:
    return {
        (sample, stage): Observation(outputs={stage: (x * factor).astype(dtype)}, seconds=1.0)
        for stage, factor in (("a", a), ("b", b))
        for sample, x in X.items()
    }


def job(plan: Plan, name: str, precision: Precision = Precision.FLOAT64) -> Job:
    (planned,) = plan.cases
    (implementation,) = (candidate for candidate in planned.hosted if candidate.id == name)
    return Job(case=planned.case, fixture=planned.fixture, implementation=implementation, precision=precision)


def put(plan: Plan, name: str, chained: Observed, isolated: Observed, base: Observed) -> None:
    of = job(plan, name)
    library = Library(plan)
    head = Head(
        format=0,
        case="toy",
        implementation=name,
        precision=of.precision,
        fixture="toy",
        made_from=library.now(plan.cases[0], of.implementation),
        runtime=RuntimeInfo(runtime=name, language=name, version="9", dtypes=("float64",)),
        cpu="",
        harness="",
        recorded="2026-01-02",
        values="",
        base="",
    )
    path = library.path(of.case, of.implementation, of.precision)
    write_snapshot(path, head, chained, isolated, base)


REFERENCE, OTHER, ALONE = observed(2, 4), observed(2, 5), observed(2, 4.5)


@pytest.fixture
def plan(suite: Path) -> Plan:
    plan = make_plan(suite)
    put(plan, "numpy", REFERENCE, REFERENCE, {})
    put(plan, "r", OTHER, ALONE, REFERENCE)
    return plan


def replay(plan: Plan) -> Replay:
    return Replay(runtime="r", reason="no R here", library=Library(plan))


def values(of: Observed) -> dict[Any, Any]:
    return {
        key: observation.outputs[key[1]].tolist()
        for key, observation in of.items()
        if isinstance(observation, Observation)
    }


def test_what_was_recorded_is_what_is_observed(plan: Plan) -> None:
    replayed, of = replay(plan), job(plan, "r")
    assert replayed.refusal(of) is None
    assert values(replayed.chained(of)) == values(OTHER)
    assert values(replayed.isolated(of, {}, None)) == values(ALONE)
    for observation in replayed.chained(of).values():
        assert isinstance(observation, Observation)
        assert (observation.source, observation.seconds) == (Source.REPLAYED, 0.0)


def test_isolated_stages_are_held_against_the_reference_that_fed_them(plan: Plan) -> None:
    replayed, of = replay(plan), job(plan, "r")
    assert replayed.refusal(of) is None
    live = observed(20, 40)
    assert values(replayed.upstream(of, live)) == values(REFERENCE)


def test_only_the_samples_that_are_asked_for_come(plan: Plan, suite: Path) -> None:
    fewer = make_plan(suite, samples=("t",))
    replayed, of = replay(fewer), job(fewer, "r")
    assert replayed.refusal(of) is None
    for observations in (replayed.chained(of), replayed.isolated(of, {}, None), replayed.upstream(of, {})):
        assert {sample for sample, _ in observations} == {"t"}


def test_a_precision_that_the_runtime_lacked_is_unsupported(plan: Plan) -> None:
    refusal = replay(plan).refusal(job(plan, "r", Precision.FLOAT32))
    assert refusal == Failure(verdict=Verdict.UNSUPPORTED, reason="r has no float32")


def test_a_precision_that_was_not_recorded_is_not_run(plan: Plan) -> None:
    path = Library(plan).path(plan.cases[0].case, job(plan, "r").implementation, Precision.FLOAT64)
    path.unlink()
    refusal = replay(plan).refusal(job(plan, "r", Precision.FLOAT32))
    assert refusal == Failure(verdict=Verdict.NOT_RUN, reason="no R here; there is no snapshot")


def test_a_fixture_with_other_bits_is_refused(plan: Plan) -> None:
    (planned,) = plan.cases
    fixture = msgspec.structs.replace(planned.fixture, sha256="0" * 64)
    changed = msgspec.structs.replace(plan, cases=(msgspec.structs.replace(planned, fixture=fixture),))
    refusal = replay(changed).refusal(job(changed, "r"))
    assert refusal is not None
    assert refusal.reason == "snapshot refused: the fixture has changed since 2026-01-02"


def test_a_reference_recorded_again_refuses_what_counts_from_it(plan: Plan) -> None:
    again = observed(3, 4)
    put(plan, "numpy", again, again, {})
    refusal = replay(plan).refusal(job(plan, "r"))
    assert refusal is not None
    assert refusal.verdict is Verdict.NOT_RUN
    assert "a snapshot of the reference that has been replaced" in refusal.reason


def test_a_whole_run_from_snapshots_judges_each_mode_by_its_own_reference(plan: Plan) -> None:
    record = run(plan, out=None, replay="always")
    cells = {
        (cell.implementation, cell.mode, cell.stage): cell
        for cell in record.cells
        if cell.precision is Precision.FLOAT64
    }
    assert cells["r", Mode.CHAINED, "a"].verdict is Verdict.PASS
    for mode, largest in ((Mode.CHAINED, 3.0), (Mode.ISOLATED, 1.5)):
        cell = cells["r", mode, "b"]
        assert (cell.verdict, cell.source) == (Verdict.FAIL, Source.REPLAYED)
        assert cell.stats is not None
        assert cell.stats.max_abs == largest
    assert {absent.runtime for absent in record.header.absent} >= {"numpy", "r"}
    assert not record.header.runtimes.keys() & {"numpy", "r"}


def test_a_runtime_that_is_missing_answers_nothing(plan: Plan) -> None:
    absent_observer, of = AbsentObserver(runtime="r", reason="no R here"), job(plan, "r")
    refusal = absent_observer.refusal(of)
    assert refusal == Failure(verdict=Verdict.NOT_RUN, reason="no R here")
    assert absent_observer.chained(of) == absent_observer.isolated(of, {}, None) == {}
    assert of.failed(refusal).keys() == REFERENCE.keys()
