"""Lines of the record about what was refused, about every two, and about the reference itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.conformance import evaluator as evaluator_module
from harness.conformance.evaluator import Evaluator, OracleAnswer, Progress
from harness.model import Check, Consensus, Exhibit, Failure, Observation, Pair, Stage, Value, Verdict
from tests.unit.conformance.finished_units import (
    CHAINED,
    FLOAT32,
    FLOAT64,
    NEAR,
    ONE,
    Observations,
    case,
    cells,
    item,
    judge,
    kinds,
    known,
    near,
    observed,
    plan,
    planned,
)

GONE = Failure(verdict=Verdict.NOT_RUN, reason="no R here")


BROKEN = Failure(verdict=Verdict.ERROR, reason="it does not load")


def test_what_was_refused_has_blank_cells_and_nothing_else() -> None:
    of = planned("numpy", "r", "julia")
    evaluator, (_, two, _) = judge(
        of,
        item(of, "numpy", ONE),
        item(of, "r", {}, {}, ONE, ONE, refusal=GONE),
        item(of, "julia", ONE),
    )
    assert kinds(two) == [
        ("reference", "chained", "a", "NOT_RUN"),
        ("oracle", "chained", "b", "NOT_RUN"),
        ("reference", "isolated", "a", "NOT_RUN"),
        ("oracle", "isolated", "b", "NOT_RUN"),
    ]
    assert {cell.reason for cell in cells(two)} == {"no R here"}
    assert len(two) == 4
    assert {(pair.left, pair.right) for pair in evaluator.pairs} == {("numpy", "julia")}


@pytest.mark.parametrize(
    ("isolated", "chained", "said"),
    [
        (ONE, ONE, []),
        (observed(a=1.0, b=3.0), ONE, [("repeat", "isolated", "b", "FAIL")]),
        (
            observed(a=1.0, b=Failure(verdict=Verdict.TIMEOUT, reason="late")),
            ONE,
            [("repeat", "isolated", "b", "TIMEOUT")],
        ),
        (
            ONE,
            observed(a=BROKEN, b=2.0),
            [("repeat", "isolated", "a", "ERROR"), ("repeat", "chained", "a", "ERROR")],
        ),
    ],
    ids=["sound", "another", "late", "broken"],
)
def test_of_a_reference_that_nobody_asked_for_only_what_is_broken_is_said(
    isolated: Observations, chained: Observations, said: list[tuple[str, ...]]
) -> None:
    of = planned("r", "julia")
    evaluator, (lines, _, last) = judge(
        of, item(of, "numpy", chained, isolated), item(of, "r", ONE), item(of, "julia", ONE)
    )
    actual = kinds(lines)
    assert [kind for kind in actual if kind[3] in ("FAIL", "TIMEOUT")] == [
        kind for kind in said if kind[3] in ("FAIL", "TIMEOUT")
    ]
    assert {kind[1] for kind in actual if kind[3] == "ERROR"} == {
        kind[1] for kind in said if kind[3] == "ERROR"
    }
    assert len(actual) == len(lines)
    assert bool(actual) == bool(said)
    assert [(pair.left, pair.right) for pair in last if isinstance(pair, Pair)] == [("r", "julia")] * 2
    assert not evaluator.exhibits or {exhibit.implementation for exhibit in evaluator.exhibits} == {
        "r",
        "julia",
    }


def test_a_reference_that_nobody_asked_for_and_that_was_refused_is_said_where_it_is_broken() -> None:
    of = planned("r")
    for refusal, said in ((GONE, []), (BROKEN, ["ERROR"] * 6)):
        _, (lines,) = judge(of, item(of, "numpy", {}, refusal=refusal))
        assert [verdict for *_, verdict in kinds(lines)] == said


def test_nobody_else_is_asked_twice() -> None:
    of = planned("numpy", "r")
    _, (lines,) = judge(of, item(of, "r", ONE, observed(a=2.0, b=2.25), ONE, ONE))
    assert "repeat" not in {check for check, *_ in kinds(lines)}


def test_every_two_are_compared_once_all_are_there_in_the_order_of_the_plan() -> None:
    of = planned("numpy", "r", "julia")
    evaluator, (first, second, third) = judge(
        of,
        item(of, "julia", observed(a=1.0, b=2.375)),
        item(of, "numpy", ONE),
        item(of, "r", observed(a=4.0, b=3.25)),
    )
    assert not [line for line in (*first, *second) if isinstance(line, Pair | Consensus)]
    pairs = [line for line in third if isinstance(line, Pair)]
    assert [(pair.left, pair.right, pair.stage, pair.agree) for pair in pairs] == [
        ("numpy", "r", "a", True),
        # Two limits of 0.5 are 1.0.
        ("numpy", "r", "b", False),
        ("numpy", "julia", "a", True),
        ("numpy", "julia", "b", True),
        ("r", "julia", "a", True),
        ("r", "julia", "b", True),
    ]
    assert [pair.stats.max_abs for pair in pairs if pair.stats is not None] == [
        *(3.0, 1.25, 0.0, 0.375, 3.0, 0.875)
    ]
    assert {(pair.case, pair.precision) for pair in pairs} == {("toy", FLOAT64)}
    consensus = [line for line in third if isinstance(line, Consensus)]
    assert [(entry.case, entry.stage, entry.by_oracle) for entry in consensus] == [("toy", "b", ("r",))]
    assert third[-7:] == [*pairs, *consensus]
    assert evaluator.pairs == pairs
    assert evaluator.consensus == consensus
    assert evaluator.cells == [*cells(first), *cells(second), *cells(third)]


def test_each_precision_and_case_is_compared_by_itself() -> None:
    first = planned("numpy", "r", precisions=(FLOAT64, FLOAT32))
    second = planned("numpy", "r", of=case(name="other"))
    single = {
        key: Observation(outputs={key[1]: observation.outputs[key[1]].astype(np.float32)}, seconds=1.0)
        for key, observation in ONE.items()
        if isinstance(observation, Observation)
    }
    far = observed(a=1.0, b=7.0)
    seen: list[Progress] = []
    evaluator = Evaluator(plan(first, second), seen.append)
    order = [
        (item(first, "numpy", ONE), 0),
        (item(second, "numpy", ONE), 0),
        (item(first, "numpy", single, precision=FLOAT32), 0),
        (item(first, "r", single, precision=FLOAT32), 2),
        (item(second, "r", far), 2),
        (item(first, "r", ONE), 2),
    ]
    for unit, due in order:
        lines = evaluator.judge(unit, known())
        assert len([line for line in lines if isinstance(line, Pair)]) == due
    assert [(pair.case, pair.precision, pair.stage, pair.agree) for pair in evaluator.pairs] == [
        ("toy", FLOAT32, "a", True),
        ("toy", FLOAT32, "b", True),
        ("other", FLOAT64, "a", True),
        ("other", FLOAT64, "b", False),
        ("toy", FLOAT64, "a", True),
        ("toy", FLOAT64, "b", True),
    ]
    assert [(entry.case, entry.by_oracle) for entry in evaluator.consensus] == [("other", ("r",))]
    assert [
        (progress.done, progress.total, progress.case, progress.implementation, progress.waiting)
        for progress in seen
    ] == [
        (1, 6, "toy", "numpy", ""),
        (2, 6, "other", "numpy", ""),
        (3, 6, "toy", "numpy", ""),
        (4, 6, "toy", "r", ""),
        (5, 6, "other", "r", ""),
        (6, 6, "toy", "r", ""),
    ]


def test_only_cells_of_the_same_case_and_precision_say_who_is_wrong() -> None:
    first = planned("numpy", "r", precisions=(FLOAT64, FLOAT32))
    second = planned("numpy", "r", of=case(name="other"))
    evaluator = Evaluator(plan(first, second), lambda _: None)

    def single(value: float) -> Observations:
        return observed(a=np.ones(2, np.float32), b=np.full(2, value, np.float32))

    for name, number in (("numpy", 7.0), ("r", 2.0)):
        evaluator.judge(item(first, name, single(number), precision=FLOAT32), known())
    for of in (first, second):
        for name, number in (("numpy", 2.0), ("r", 7.0 if of is first else 2.0)):
            evaluator.judge(item(of, name, observed(a=30.0 if name == "r" else 1.0, b=number)), known())
    assert [(entry.case, entry.precision, entry.stage, entry.by_oracle) for entry in evaluator.consensus] == [
        ("toy", FLOAT32, "b", ("numpy",)),
        ("toy", FLOAT64, "a", ()),
        ("toy", FLOAT64, "b", ("r",)),
        ("other", FLOAT64, "a", ()),
    ]


def test_what_is_shown_stands_before_the_cells() -> None:
    of = planned("numpy", "r")
    evaluator, (first, second) = judge(of, item(of, "numpy", ONE), item(of, "r", observed(a=3.0, b=2.0)))
    shown = [line for line in (*first, *second) if isinstance(line, Exhibit)]
    assert [(exhibit.implementation, exhibit.values) for exhibit in shown] == [
        ("numpy", (1.0, 1.0)),
        ("r", (3.0, 3.0)),
    ]
    assert (first[0], second[0]) == tuple(shown)
    assert evaluator.exhibits == shown


def test_where_nothing_can_be_shown_the_run_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("gone")

    monkeypatch.setattr(evaluator_module, "exhibits", fails)
    of = planned("numpy")
    evaluator, (lines,) = judge(of, item(of, "numpy", ONE))
    assert len(cells(lines)) == len(lines) == 4
    assert evaluator.faults == ["a fault in the harness: KeyError: 'gone'"]
    assert evaluator.exhibits == []


def test_waiting_is_said_and_counts_nothing() -> None:
    of = planned("numpy", "r", precisions=(FLOAT64, FLOAT32))
    seen: list[Progress] = []
    evaluator = Evaluator(plan(of), seen.append)
    evaluator.wait(item(of, "r", ONE, precision=FLOAT32))
    assert seen == [
        Progress(
            done=0,
            total=4,
            case="toy",
            implementation="r",
            waiting="waiting for the true values of toy in float32",
            precision="float32",
        )
    ]


def test_the_seconds_of_judging_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 12.5, 100.0, 101.0])
    monkeypatch.setattr("harness.conformance.evaluator.time.perf_counter", lambda: next(clock))
    of = planned("numpy", "r")
    evaluator, _ = judge(of, item(of, "numpy", ONE), item(of, "r", ONE))
    assert evaluator.busy_seconds == 3.5


def test_a_run_begins_with_nothing() -> None:
    evaluator = Evaluator(plan(planned("numpy", "r")), lambda _: None)
    assert (evaluator.done, evaluator.total, evaluator.busy_seconds) == (0, 2, 0.0)
    assert evaluator.strict is False
    assert [evaluator.faults, evaluator.cells, evaluator.pairs, evaluator.consensus] == [[], [], [], []]


BAD_ARRAYS = {
    "NaN": (np.array([1.0, np.nan]), "NaN in 1 place where the case expects none"),
    "dtype": (np.array([1, 1]), "dtype int64 where float64 is expected"),
    "shape": (np.ones(3), "shape (3) where (n=2) is expected"),
}


@pytest.mark.parametrize(("bad", "why"), BAD_ARRAYS.values(), ids=BAD_ARRAYS)
@pytest.mark.parametrize("decided", [True, False], ids=["truth", "coarse"])
def test_nobody_is_judged_by_what_the_reference_itself_gets_wrong(
    bad: np.ndarray[Any, Any], why: str, decided: bool
) -> None:
    """The others are far from the invalid values, and from what the reference computes from them."""
    of = planned("numpy", "r")
    wrong = observed(a=bad, b=bad)
    truths = {("s", "b"): near(50.0, 0.5)}
    answer = (
        OracleAnswer(chained=truths, isolated=truths) if decided else OracleAnswer(chained={}, isolated={})
    )
    evaluator = Evaluator(plan(of), lambda _: None)
    ours = evaluator.judge(item(of, "numpy", wrong), answer)
    lines = evaluator.judge(item(of, "r", observed(a=40.0, b=50.0), observed(a=40.0, b=bad), wrong), answer)
    assert ("repeat", "isolated", "a", "FAIL") in kinds(ours)
    for cell in cells(lines):
        if (cell.check, cell.mode) == (Check.ORACLE, CHAINED):
            assert cell.verdict is Verdict.PASS
        else:
            assert cell.verdict is Verdict.NOT_RUN, cell
            assert f"numpy fails in a: {why}" in cell.reason
    assert len(cells(lines)) == 4


def test_what_is_wrong_in_one_sample_or_is_allowed_leaves_the_rest_judged() -> None:
    nan = np.array([1.0, np.nan])
    a = Value(name="a", shape=("n",), tolerance=NEAR, nan=True)
    b = Value(name="b", shape=("n",), tolerance=NEAR)
    stages = (Stage(name="a", inputs=("x",), outputs=(a,)), Stage(name="b", inputs=("a",), outputs=(b,)))
    of = planned("numpy", "r", of=case(stages=stages))
    both = observed(a=nan, b=2.0)
    assert {cell.verdict for cell in cells(judge(of, item(of, "r", both))[1][0])} == {Verdict.PASS}
    reference = {
        **observed(a=1.0, b=2.0),
        **{("t", name): result for (_, name), result in observed(a=1, b=nan).items()},
    }
    actual = {
        **observed(a=1.0, b=2.0),
        **{("t", name): result for (_, name), result in observed(a=1, b=9).items()},
    }
    evaluator = Evaluator(plan(of), lambda _: None)
    evaluator.sizes["toy"]["t"] = evaluator.sizes["toy"]["s"]
    lines = evaluator.judge(item(of, "r", actual, reference=reference), OracleAnswer(chained={}, isolated={}))
    by_sample = {
        (cell.stage, sample_verdict.sample): sample_verdict.verdict
        for cell in cells(lines)
        if cell.mode is CHAINED
        for sample_verdict in cell.by_sample
    }
    assert by_sample == {
        ("a", "s"): Verdict.PASS,
        ("a", "t"): Verdict.PASS,
        ("b", "s"): Verdict.PASS,
        ("b", "t"): Verdict.NOT_RUN,
    }
