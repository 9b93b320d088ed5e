"""Outputs that are compared up to a sign, an order or names: nothing else is hidden."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.coarse import judge_coarsely
from harness.conformance.expected import expected_values, judge_expected
from harness.conformance.judge import judge_against, judge_truth
from harness.conformance.judged_view import judged_view, view_of_pairs, with_notes
from harness.conformance.observe import Job
from harness.conformance.pairs import judge_pairs
from harness.model import (
    Array,
    Case,
    Cell,
    Check,
    Expected,
    Failure,
    Mode,
    Precision,
    Tolerance,
    Truth,
    UpTo,
    Verdict,
)
from tests.unit.conformance.by_hand import (
    chain,
    context,
    fixture_of,
    implementation,
    observed,
    truth,
    value,
)

NEAR = Tolerance(rule="absolute", value=1e-9, reason="test")
E = np.array([[1.0, 2.0], [3.0, -4.0], [0.5, 6.0]])
FIXTURE = fixture_of({"default": {"e": E}}, x=np.ones(3))
SIZES = {"default": {"n": 3}}


def case_of(up_to: UpTo, rule: Tolerance | None = NEAR, **changes: Any) -> Case:
    shaped = {"shape": ("n", 2), "tolerance": rule, "up_to": up_to, **changes}
    return chain(value("a", **shaped))


def judged(case: Case, ours: Any, theirs: Any, known: Truth | None = None) -> list[Cell]:
    truths = {} if known is None else {("default", "a"): known}
    view = judged_view(context(case), observed(a=ours), observed(a=theirs), truths)
    cells = judge_against(view.subject, Mode.CHAINED, Check.REFERENCE, view.actual, view.expected)
    cells += judge_truth(view.subject, Mode.CHAINED, view.actual, view.truths, view.expected)
    if known is None:
        cells += judge_coarsely(view.subject, Mode.CHAINED, view.actual, view.expected, {}, FIXTURE)
    return with_notes(cells, {Mode.CHAINED: view.notes})


SIGNS = np.array([1.0, -1.0])
ORDER = [2, 0, 1]


@pytest.mark.parametrize(
    ("up_to", "ours"), [("sign of columns", E * SIGNS), ("sign", -E), ("permutation of rows", E[ORDER])]
)
@pytest.mark.parametrize("rule", [NEAR, None, Tolerance(rule="exact")])
@pytest.mark.parametrize("known", [True, False])
def test_the_same_up_to_it_passes_by_every_kind_of_limit(
    up_to: UpTo, ours: Array, rule: Tolerance | None, known: bool
) -> None:
    due = truth(E, 1e-12) if known and rule is None else None
    (cell,) = judged(case_of(up_to, rule), ours, E, due)
    assert (cell.verdict, cell.reason) == (Verdict.PASS, f"up to {up_to}")
    without = msgspec.structs.replace(value("a", shape=("n", 2), tolerance=rule))
    assert judged(chain(without), ours, E, due)[0].verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("ours", "reason"),
    [
        (E * SIGNS + [[0.0, 1e-6], [0, 0], [0, 0]], "1 of 6 elements beyond the limit, first at [0, 1]"),
        (np.where(E == 6.0, np.nan, -E), "NaN in 1 place on one side only"),
        (E[:2] * SIGNS, "shape (2, 2) where (n=3, 2) is expected"),
        ((E * SIGNS).astype(np.float32), "dtype float32 where float64 is expected"),
        (np.array([1, 2, 3]), "dtype int64 where float64 is expected"),
        (E[:, ::-1].copy(), "beyond the limit"),
        (Failure(verdict=Verdict.FAIL, reason="no function"), "no function"),
    ],
)
@pytest.mark.parametrize("rule", [NEAR, None])
def test_nothing_else_is_hidden(ours: Any, reason: str, rule: Tolerance | None) -> None:
    due = truth(E, 1e-9) if rule is None else None
    (cell,) = judged(case_of("sign of columns", rule), ours, E, due)
    assert cell.verdict is Verdict.FAIL
    assert reason in cell.reason


def test_limits_go_with_the_elements_that_they_are_of() -> None:
    limits = np.array([[1e-3, 1e-3], [1e-6, 1e-6], [1e-9, 1e-9]])
    for row, verdict in ((2, Verdict.PASS), (1, Verdict.FAIL)):
        ours = E[[2, 1, 0]].copy()
        ours[row] += 1e-5
        assert judged(case_of("permutation of rows", None), ours, E, truth(E, limits))[0].verdict is verdict


def test_labels_are_those_of_nobody() -> None:
    case = chain(value("a", dtype="int", tolerance=Tolerance(rule="exact"), up_to="labels"))
    assert judged(case, np.array([5, 2, 5]), np.array([0, 1, 0]))[0].verdict is Verdict.PASS
    assert judged(case, np.array([5, 2, 2]), np.array([0, 1, 0]))[0].verdict is Verdict.FAIL
    assert judged(case, np.array([5, 5, 5]), np.array([0, 1, 0]))[0].verdict is Verdict.FAIL


def test_what_cannot_be_paired_is_not_judged() -> None:
    case = chain(value("a", shape=("m", 2), tolerance=NEAR, up_to="permutation of rows"))
    (cell,) = judged(case, np.zeros((1001, 2)), np.zeros((1001, 2)))
    assert cell.verdict is Verdict.NOT_RUN
    assert "several are nearest to the same one" in cell.reason


def test_two_implementations_and_data_are_compared_up_to_it_too() -> None:
    case = case_of("sign of columns", expected=Expected(array="e", tolerance=NEAR))
    for off, agree in ((0.0, True), (1e-6, False)):
        ours = {"numpy": observed(a=E), "r": observed(a=-E), "julia": observed(a=E * SIGNS + off)}
        view = view_of_pairs(case, Precision.FLOAT64, SIZES, FIXTURE, ours, {})
        pairs = judge_pairs(view[0], Precision.FLOAT64, SIZES, view[1], view[2])
        assert {(p.left, p.right): p.agree for p in pairs} == {
            ("numpy", "r"): True,
            ("numpy", "julia"): agree,
            ("r", "julia"): agree,
        }
        job = Job(case=case, fixture=FIXTURE, implementation=implementation("r"), precision=Precision.FLOAT64)
        data = expected_values(case, job, ours["julia"])
        (cell,) = judge_expected(context(case), ours["julia"], FIXTURE, data)
        assert cell.verdict is (Verdict.PASS if agree else Verdict.FAIL)
