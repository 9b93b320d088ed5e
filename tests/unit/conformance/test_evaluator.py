"""From what was observed to lines of the record, on observations made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.conformance import evaluator as evaluator_module
from harness.conformance.evaluator import Evaluator, OracleAnswer
from harness.model import (
    Basis,
    Check,
    Failure,
    Identity,
    KnownDivergence,
    Mode,
    Observation,
    Published,
    Tolerance,
    Verdict,
)
from tests.unit.conformance.finished_units import (
    CHAINED,
    FLOAT32,
    FLOAT64,
    ISOLATED,
    NEAR,
    ONE,
    case,
    cells,
    item,
    judge,
    kinds,
    near,
    observed,
    one_of,
    plan,
    planned,
)


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
    answer = OracleAnswer(chained={("s", "b"): near(2.5, 1.0)}, isolated={("s", "b"): near(2.375, 1.0)})
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
    marked = {("s", "b"): near(2.0, 0.5, undecided=np.array([False, True]), why="a branch")}
    answer = OracleAnswer(chained=marked, isolated=marked)
    for strict, verdict in ((False, Verdict.PASS), (True, Verdict.NOT_RUN)):
        lines = Evaluator(plan(of), lambda _: None, strict=strict).judge(item(of, "numpy", ONE), answer)
        assert one_of(lines, Check.ORACLE, CHAINED, "b").verdict is verdict
        assert one_of(lines, Check.REPEAT, ISOLATED, "b").verdict is Verdict.PASS


def test_an_identity_is_held_to_the_limits_of_its_own_truth() -> None:
    of = case(identities=(Identity(id="i", left="b", right="b", tolerance=Tolerance(rule="derived")),))
    planned_case = planned("numpy", of=of)
    answer = OracleAnswer(
        chained={("s", "b"): near(2.0, 0.5)},
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
    answer = OracleAnswer(chained={("s", "b"): near(1.0, 0.5)}, isolated={("s", "b"): near(5.0, 0.5)})
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
