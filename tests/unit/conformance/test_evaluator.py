"""From what was observed to lines of the record, on observations made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.conformance import evaluator as evaluator_module
from harness.conformance.evaluator import Evaluator, OracleAnswer, Progress
from harness.conformance.gather import FinishedUnit
from harness.conformance.plan import Plan, PlannedCase
from harness.model import (
    Basis,
    Case,
    Cell,
    Check,
    Consensus,
    Exhibit,
    Failure,
    Fixture,
    Identity,
    Implementation,
    KnownDivergence,
    Mode,
    Observation,
    Pair,
    Precision,
    Published,
    Stage,
    Tolerance,
    Truth,
    Value,
    Verdict,
)
from harness.runtimes.registry import Registry
from harness.store.beside import FilesBeside

CHAINED, ISOLATED = Mode.CHAINED, Mode.ISOLATED
FLOAT64, FLOAT32 = Precision.FLOAT64, Precision.FLOAT32
NEAR = Tolerance(rule="absolute", value=10.0, reason="test")
Observations = Mapping[tuple[str, str], Observation | Failure]


def observed(**values: Any) -> Observations:
    """Of the stages a (stated) and b (derived), an array, a failure, or a number for all elements."""
    return {
        ("s", name): result
        if isinstance(result, Failure)
        else Observation(
            outputs={name: np.full(2, float(result)) if np.ndim(result) == 0 else result}, seconds=1.0
        )
        for name, result in values.items()
    }


def truth(value: float, limit: float, **changes: Any) -> Truth:
    return Truth(
        **{
            "high": np.full(2, value),
            "low": np.zeros(2),
            "limit": np.full(2, limit),
            "worst": 2 * limit,
            **changes,
        }
    )


def case(**changes: Any) -> Case:
    a = Value(name="a", shape=("n",), tolerance=NEAR, show="curve")
    b = Value(name="b", shape=("n",))
    return Case(
        **{
            "name": "toy",
            "title": "",
            "origin": "",
            "fixture": "f",
            "inputs": (Value(name="x", shape=("n",)),),
            "stages": (
                Stage(name="a", inputs=("x",), outputs=(a,)),
                Stage(name="b", inputs=("a",), outputs=(b,)),
            ),
            **changes,
        }
    )


def implementation(name: str) -> Implementation:
    return Implementation(id=name, runtime=name, language=name.upper(), path=Path(f"toy.{name}"))


def planned(
    *names: str, of: Case | None = None, precisions: tuple[Precision, ...] = (FLOAT64,)
) -> PlannedCase:
    of = of or case()
    return PlannedCase(
        folder=Path(of.name),
        case=of,
        fixture=Fixture(
            name="f",
            version=1,
            sha256="0",
            origin="",
            licence="",
            shared={"x": np.ones(2)},
            samples={"s": {}},
        ),
        reference=implementation("numpy"),
        implementations=tuple(map(implementation, names)),
        precisions=precisions,
        beside=FilesBeside(Path(), ()),
    )


def plan(*cases: PlannedCase) -> Plan:
    return Plan(suite=Path(), registry=Registry({}, Path()), cases=cases)


def item(
    of: PlannedCase,
    name: str,
    chained: Observations,
    isolated: Observations | None = None,
    reference: Observations | None = None,
    upstream: Observations | None = None,
    *,
    precision: Precision = FLOAT64,
    refusal: Failure | None = None,
) -> FinishedUnit:
    """By default all four observations are the same."""
    reference = chained if reference is None else reference
    return FinishedUnit(
        planned=of,
        implementation=implementation(name),
        precision=precision,
        refusal=refusal,
        chained=chained,
        isolated=chained if isolated is None else isolated,
        reference=reference,
        upstream=reference if upstream is None else upstream,
    )


def known(value: float = 2.0, limit: float = 0.5) -> OracleAnswer:
    truths = {("s", "b"): truth(value, limit)}
    return OracleAnswer(chained=truths, isolated=truths)


def cells(lines: list[Any]) -> list[Cell]:
    return [line for line in lines if isinstance(line, Cell)]


def kinds(lines: list[Any]) -> list[tuple[str, str, str, str]]:
    return [(str(cell.check), str(cell.mode), cell.stage, str(cell.verdict)) for cell in cells(lines)]


ONE = observed(a=1.0, b=2.0)


def one_of(lines: list[Any], check: Check, mode: Mode, stage: str) -> Cell:
    (selected,) = (
        cell for cell in cells(lines) if (cell.check, cell.mode, cell.stage) == (check, mode, stage)
    )
    return selected


def judge(of: PlannedCase, *items: FinishedUnit, **options: Any) -> tuple[Evaluator, list[list[Any]]]:
    evaluator = Evaluator(plan(of), lambda _: None, **options)
    return evaluator, [evaluator.judge(unit, known()) for unit in items]


def test_the_reference_is_asked_twice_and_held_against_the_truth_and_the_print() -> None:
    printed = Published(stage="a", source="a book", values=("1.0", "1.0"), sample="s")
    same = Identity(id="i", left="a", right="a", tolerance=NEAR)
    of = planned("numpy", of=case(published=(printed,), identities=(same,)))
    _, (lines,) = judge(of, item(of, "numpy", ONE))
    assert kinds(lines) == [
        ("repeat", "isolated", "a", "PASS"),
        ("repeat", "isolated", "b", "PASS"),
        ("oracle", "chained", "b", "PASS"),
        ("oracle", "isolated", "b", "PASS"),
        ("identity", "chained", "a", "PASS"),
        ("published", "chained", "a", "PASS"),
    ]
    assert {(cell.case, cell.implementation, cell.language) for cell in cells(lines)} == {
        ("toy", "numpy", "NUMPY")
    }


def test_others_are_held_against_the_reference_the_truth_and_the_print() -> None:
    printed = Published(stage="a", source="a book", values=("1.0", "1.0"), sample="s")
    same = Identity(id="i", left="a", right="a", tolerance=NEAR)
    of = planned("numpy", "r", of=case(published=(printed,), identities=(same,)))
    _, (_, lines) = judge(of, item(of, "numpy", ONE), item(of, "r", ONE))
    assert kinds(lines) == [
        ("reference", "chained", "a", "PASS"),
        ("reference", "isolated", "a", "PASS"),
        ("oracle", "chained", "b", "PASS"),
        ("oracle", "isolated", "b", "PASS"),
        ("identity", "chained", "a", "PASS"),
        ("published", "chained", "a", "PASS"),
    ]


def test_each_mode_is_compared_with_what_is_its_own() -> None:
    of = planned("numpy", "r")
    chained, isolated = observed(a=1.0, b=2.0), observed(a=1.5, b=2.25)
    reference, upstream = observed(a=3.0, b=9.0), observed(a=5.5, b=9.0)
    answer = OracleAnswer(chained={("s", "b"): truth(2.5, 1.0)}, isolated={("s", "b"): truth(2.375, 1.0)})
    evaluator = Evaluator(plan(of), lambda _: None)
    lines = evaluator.judge(item(of, "r", chained, isolated, reference, upstream), answer)
    errors = {
        (str(cell.check), str(cell.mode)): cell.stats.max_abs
        for cell in cells(lines)
        if cell.stats is not None
    }
    assert errors == {
        ("reference", "chained"): 2.0,
        ("reference", "isolated"): 4.0,
        ("oracle", "chained"): 0.5,
        ("oracle", "isolated"): 0.125,
    }


def test_where_the_truth_is_not_known_each_mode_has_a_coarse_comparison_of_its_own() -> None:
    of = planned("numpy", "r")
    unknown = {
        mode: {("s", "b"): Failure(verdict=Verdict.NOT_RUN, reason=f"no limit {mode}")} for mode in Mode
    }
    answer = OracleAnswer(chained=unknown[CHAINED], isolated=unknown[ISOLATED])
    chained, isolated = observed(a=1.0, b=1.0), observed(a=1.0, b=1 + 2.0**-40)
    reference, upstream = observed(a=1.0, b=1 + 2.0**-41), observed(a=1.0, b=1 + 3 * 2.0**-40)
    for strict, verdict in ((False, "PASS"), (True, "FAIL")):
        evaluator = Evaluator(plan(of), lambda _: None, strict=strict)
        lines = evaluator.judge(item(of, "r", chained, isolated, reference, upstream), answer)
        assert kinds(lines) == [
            ("reference", "chained", "a", "PASS"),
            ("reference", "isolated", "a", "PASS"),
            ("reference", "chained", "b", verdict),
            ("reference", "isolated", "b", verdict),
        ]
        for mode, error in ((CHAINED, 2.0**-41), (ISOLATED, 2.0**-39)):
            cell = one_of(lines, Check.REFERENCE, mode, "b")
            assert cell.stats is not None
            assert cell.stats.max_abs == error
            assert (cell.basis, cell.weaker_because) == (Basis.COARSE, f"no limit {mode}")


def test_without_an_answer_of_the_oracle_a_derived_value_is_compared_coarsely() -> None:
    of = planned("numpy", "r")
    lines = Evaluator(plan(of), lambda _: None).judge(item(of, "r", ONE))
    cell = one_of(lines, Check.REFERENCE, ISOLATED, "b")
    assert (cell.verdict, cell.basis) == (Verdict.PASS, Basis.COARSE)
    assert cell.weaker_because == "the oracle was not asked"


def test_strict_leaves_undecided_elements_without_a_verdict() -> None:
    of = planned("numpy")
    marked = {("s", "b"): truth(2.0, 0.5, undecided=np.array([False, True]), why="a branch")}
    answer = OracleAnswer(chained=marked, isolated=marked)
    for strict, verdict in ((False, Verdict.PASS), (True, Verdict.NOT_RUN)):
        lines = Evaluator(plan(of), lambda _: None, strict=strict).judge(item(of, "numpy", ONE), answer)
        assert one_of(lines, Check.ORACLE, CHAINED, "b").verdict is verdict
        assert one_of(lines, Check.REPEAT, ISOLATED, "b").verdict is Verdict.PASS


def test_an_identity_is_held_to_the_limits_of_its_own_truth() -> None:
    of = case(identities=(Identity(id="i", left="b", right="b", tolerance=Tolerance(rule="derived")),))
    planned_case = planned("numpy", of=of)
    answer = OracleAnswer(
        chained={("s", "b"): truth(2.0, 0.5)},
        isolated={("s", "b"): Failure(verdict=Verdict.NOT_RUN, reason="not there")},
    )
    lines = Evaluator(plan(planned_case), lambda _: None).judge(item(planned_case, "numpy", ONE), answer)
    cell = one_of(lines, Check.IDENTITY, CHAINED, "b")
    assert (cell.verdict, cell.limit, cell.worst) == (Verdict.PASS, 1.0, 2.0)


def test_what_fails_chained_alone_is_inherited() -> None:
    of = planned("numpy", "r")
    far = observed(a=1.0, b=7.0)
    _, (lines,) = judge(of, item(of, "r", far, ONE, ONE, ONE))
    cell = one_of(lines, Check.ORACLE, CHAINED, "b")
    assert (cell.verdict, cell.inherited) == (Verdict.FAIL, True)


def quirk(**changes: Any) -> KnownDivergence:
    return KnownDivergence(
        **{
            "id": "quirk",
            "cause": "",
            "evidence": "",
            "ends_when": "it ends",
            "stage": "a",
            "implementation": "r",
            "measure": "absolute",
            "at_least": 19.0,
            "at_most": 31.0,
            **changes,
        }
    )


def test_a_difference_that_is_known_is_measured_in_its_own_mode() -> None:
    of = planned("numpy", "r", of=case(known_divergences=(quirk(),)))
    chained, isolated = observed(a=21.0, b=2.0), observed(a=35.0, b=2.0)
    reference, upstream = observed(a=1.0, b=2.0), observed(a=5.0, b=2.0)
    _, (lines,) = judge(of, item(of, "r", chained, isolated, reference, upstream))
    for mode, size in ((CHAINED, "20"), (ISOLATED, "30")):
        cell = one_of(lines, Check.REFERENCE, mode, "a")
        assert (cell.verdict, cell.divergence) == (Verdict.XFAIL, "quirk")
        assert f"absolute {size}, known to be 19 to 31" in cell.reason
    _, (lines,) = judge(of, item(of, "numpy", chained, isolated, reference, upstream))
    assert "XFAIL" not in {cell.verdict for cell in cells(lines)}


def test_a_known_difference_from_the_truth_is_measured_against_that_of_its_mode() -> None:
    sharp = quirk(stage="b", at_least=0.9, at_most=3.1)
    of = planned("numpy", "r", of=case(known_divergences=(sharp,)))
    answer = OracleAnswer(chained={("s", "b"): truth(1.0, 0.5)}, isolated={("s", "b"): truth(5.0, 0.5)})
    lines = Evaluator(plan(of), lambda _: None).judge(item(of, "r", ONE), answer)
    for mode, size in ((CHAINED, "1"), (ISOLATED, "3")):
        cell = one_of(lines, Check.ORACLE, mode, "b")
        assert (cell.verdict, cell.divergence) == (Verdict.XFAIL, "quirk")
        assert f"absolute {size}, known to be 0.9 to 3.1" in cell.reason


def test_where_known_differences_cannot_be_explained_all_stand_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise ValueError("ragged")

    monkeypatch.setattr(evaluator_module, "expect_divergences", fails)
    of = planned("numpy", "r", of=case(known_divergences=(quirk(),)))
    evaluator, (lines,) = judge(of, item(of, "r", observed(a=21.0, b=2.0), ONE, ONE, ONE))
    cell = one_of(lines, Check.REFERENCE, CHAINED, "a")
    assert (cell.verdict, cell.inherited) == (Verdict.FAIL, True)
    assert evaluator.faults == ["a fault in the harness: ValueError: ragged"]


def test_the_print_is_of_float64() -> None:
    printed = Published(stage="a", source="a book", values=("1.0", "1.0"), sample="s")
    of = planned("numpy", of=case(published=(printed,)), precisions=(FLOAT64, FLOAT32))
    single = {
        key: Observation(outputs={key[1]: observation.outputs[key[1]].astype(np.float32)}, seconds=1.0)
        for key, observation in ONE.items()
        if isinstance(observation, Observation)
    }
    _, (lines, more) = judge(of, item(of, "numpy", ONE), item(of, "numpy", single, precision=FLOAT32))
    assert one_of(lines, Check.PUBLISHED, CHAINED, "a").verdict is Verdict.PASS
    assert [check for check, *_ in kinds(more)] == ["repeat", "repeat", "oracle", "oracle"]
    assert {cell.verdict for cell in cells(more)} == {Verdict.PASS}
    assert {cell.precision for cell in cells(more)} == {FLOAT32}


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

    for name, value in (("numpy", 7.0), ("r", 2.0)):
        evaluator.judge(item(first, name, single(value), precision=FLOAT32), known())
    for of in (first, second):
        for name, value in (("numpy", 2.0), ("r", 7.0 if of is first else 2.0)):
            evaluator.judge(item(of, name, observed(a=30.0 if name == "r" else 1.0, b=value)), known())
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
    "dtype": (np.array([1, 1]), "dtype int64 where float64 is due"),
    "shape": (np.ones(3), "shape (3) where (n=2) is due"),
}


@pytest.mark.parametrize(("bad", "why"), BAD_ARRAYS.values(), ids=BAD_ARRAYS)
@pytest.mark.parametrize("decided", [True, False], ids=["truth", "coarse"])
def test_nobody_is_judged_by_what_the_reference_itself_gets_wrong(
    bad: np.ndarray[Any, Any], why: str, decided: bool
) -> None:
    """The others are far from the invalid values, and from what the reference computes from them."""
    of = planned("numpy", "r")
    wrong = observed(a=bad, b=bad)
    truths = {("s", "b"): truth(50.0, 0.5)}
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
