"""Limits that are relative to other values, horizons, and rules of several patterns of samples."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.coarse import judge_coarsely
from harness.conformance.judge import judge_against, judge_truth
from harness.conformance.judged_view import JudgedView, judged_view, limited, view_of_pairs, with_notes
from harness.conformance.oracle_request import stated_limits
from harness.conformance.pairs import judge_pairs
from harness.model import (
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Mode,
    Precision,
    SampleTolerance,
    Stage,
    Tolerance,
    Truth,
    Verdict,
)
from tests.unit.conformance.by_hand import (
    Observations,
    case_of,
    context,
    fixture_of,
    observed,
    stated,
    truth,
    value,
)

NORM = Tolerance(rule="norm", value=0.01, of="x", reason="backward stable")
HORIZON = Tolerance(rule="absolute", value=0.5, horizon=2, reason="chaos")
FIXTURE = fixture_of({"default": {}, "s": {}}, x=[1.0, -100.0, 2.0])


def two(tolerance: Tolerance | None, **changes: Any) -> Case:
    """From x come a and b."""
    return case_of(
        Stage(name="a", inputs=("x",), outputs=(stated("a"),)),
        Stage(name="b", inputs=("a",), outputs=(value("b", tolerance=tolerance, **changes),)),
    )


def view_of(
    case: Case, actual: Observations, expected: Observations, truths: dict[Any, Any] | None = None
) -> JudgedView:
    subject = limited(context(case), FIXTURE, actual, expected)
    return judged_view(subject, actual, expected, truths or {})


def judged(case: Case, actual: Observations, expected: Observations) -> Cell:
    """The cell of b."""
    view = view_of(case, actual, expected)
    cells = judge_against(view.subject, Mode.CHAINED, Check.REFERENCE, view.actual, view.expected)
    (cell,) = (cell for cell in with_notes(cells, {Mode.CHAINED: view.notes}) if cell.stage == "b")
    return cell


def both(sample: str = "default", **arrays: Any) -> Observations:
    return observed(sample, **{"a": np.ones(3), **arrays})


def test_a_case_without_such_rules_is_judged_as_it_is() -> None:
    case, ours, theirs, truths = two(None), both(b=np.ones(3)), both(b=np.ones(3)), {("s", "b"): None}
    subject = context(case)
    assert limited(subject, FIXTURE, ours, theirs) is subject
    view = judged_view(subject, ours, theirs, truths)  # type: ignore[arg-type]
    assert (view.subject, view.actual, view.expected, view.truths) == (subject, ours, theirs, truths)
    assert view.subject is subject
    assert view.actual is ours


def test_a_norm_is_that_of_the_named_input() -> None:
    due = both(b=np.zeros(3))
    cell = judged(two(NORM), both(b=[0.0, 1.0, 0.0]), due)
    assert (cell.verdict, cell.limit) == (Verdict.PASS, 1.0)
    cell = judged(two(NORM), both(b=[0.0, 1.0625, 0.0]), due)
    assert (cell.verdict, cell.reason) == (Verdict.FAIL, "1 of 3 elements beyond the limit, first at [1]")


def test_a_norm_of_an_output_is_that_of_the_reference_and_not_of_who_is_judged() -> None:
    rule = msgspec.structs.replace(NORM, of="a")
    ours, theirs = both(a=np.full(3, 1e6), b=np.full(3, 0.5)), both(a=np.full(3, 2.0), b=np.zeros(3))
    assert judged(two(rule), ours, theirs).limit == 0.02
    assert judged(two(rule), ours, theirs).verdict is Verdict.FAIL


def test_without_what_a_norm_is_of_nothing_is_compared() -> None:
    rule = msgspec.structs.replace(NORM, of="a")
    lost = both(a=Failure(verdict=Verdict.ERROR, reason="gone"), b=np.zeros(3))
    cell = judged(two(rule), both(b=np.zeros(3)), lost)
    assert (cell.verdict, cell.reason) == (
        Verdict.NOT_RUN,
        "nothing to compare with: its limit is relative to a, which is not there",
    )


def test_two_implementations_are_compared_by_the_norm_of_the_reference() -> None:
    case = msgspec.structs.replace(two(msgspec.structs.replace(NORM, of="a")), reference="numpy")
    chained = {
        "numpy": both(a=np.full(3, 2.0), b=np.zeros(3)),
        "r": both(a=np.full(3, 1e9), b=[0, 0.03, 0.0]),
    }
    sizes = {"default": {"n": 3}, "s": {"n": 3}}
    view = view_of_pairs(case, Precision.FLOAT64, sizes, FIXTURE, chained, {})
    pairs = judge_pairs(view[0], Precision.FLOAT64, sizes, view[1], view[2])
    assert {pair.stage: pair.agree for pair in pairs} == {"a": False, "b": False}
    near = {**chained, "r": both(a=np.full(3, 2.0), b=[0, 0.02, 0.0])}
    view = view_of_pairs(case, Precision.FLOAT64, sizes, FIXTURE, near, {})
    pairs = judge_pairs(view[0], Precision.FLOAT64, sizes, view[1], view[2])
    assert all(pair.agree for pair in pairs)


def test_without_the_reference_no_two_are_compared_by_a_norm_of_its_values() -> None:
    case = msgspec.structs.replace(two(msgspec.structs.replace(NORM, of="a")), reference="numpy")
    chained = {"r": both(b=np.zeros(3)), "julia": both(b=np.zeros(3))}
    sizes = {"default": {"n": 3}, "s": {"n": 3}}
    view = view_of_pairs(case, Precision.FLOAT64, sizes, FIXTURE, chained, {})
    pairs = judge_pairs(view[0], Precision.FLOAT64, sizes, view[1], view[2])
    assert {pair.stage: pair.broken for pair in pairs} == {"a": (), "b": ("r", "julia")}


@pytest.mark.parametrize(
    ("sample", "off", "verdict"),
    [
        ("default", 0.05, Verdict.FAIL),
        ("long_1", 0.05, Verdict.PASS),
        ("long_1", 0.2, Verdict.FAIL),
        ("short", 0.05, Verdict.FAIL),
    ],
)
def test_the_first_pattern_of_samples_that_matches_holds(sample: str, off: float, verdict: Verdict) -> None:
    rule = Tolerance(
        rule="ulp",
        value=1,
        reason="test",
        by_sample=(
            SampleTolerance(samples="short", rule="exact"),
            SampleTolerance(samples="long_*", rule="relative", value=0.1, reason="grows"),
            SampleTolerance(samples="*", rule="digits", digits=9, reason="rest"),
        ),
    )
    given = msgspec.structs.replace(context(two(rule)), sizes={sample: {"n": 3}})
    ours, theirs = both(sample, b=np.ones(3) + off), both(sample, b=np.ones(3))
    _, cell = judge_against(given, Mode.CHAINED, Check.REFERENCE, ours, theirs)
    assert cell.verdict is verdict


def test_beyond_the_horizon_other_numbers_are_shown_and_not_judged() -> None:
    due = both(b=[1.0, 2.0, 3.0])
    cell = judged(two(HORIZON), both(b=[1.0, 2.25, 99.0]), due)
    assert cell.verdict is Verdict.PASS
    assert cell.reason == "1 of 3 elements are beyond the horizon and not judged: up to 96 apart"
    assert cell.stats is not None
    assert (cell.stats.count, cell.stats.max_abs, cell.stats.used) == (2, 0.25, 0.5)
    cell = judged(two(HORIZON), both(b=[1.0, 2.75, 3.0]), due)
    assert (cell.verdict, cell.stats.first_beyond if cell.stats is not None else None) == (Verdict.FAIL, (1,))


@pytest.mark.parametrize(
    ("ours", "reason"),
    [
        ([1.0, 2.0, np.nan], "beyond the horizon, NaN or infinity in 1 element where a number is expected"),
        ([1.0, 2.0, np.inf], "beyond the horizon, NaN or infinity in 1 element where a number is expected"),
        ([1.0, 2.0], "shape (2) where (n=3) is expected"),
        (np.ones(3, np.float32), "dtype float32 where float64 is expected"),
    ],
)
def test_a_horizon_hides_nothing_else(ours: Any, reason: str) -> None:
    cell = judged(two(HORIZON), both(b=ours), both(b=[1.0, 2.0, 3.0]))
    assert cell.verdict is Verdict.FAIL
    assert cell.reason.startswith(reason)


def test_where_the_reference_is_no_number_beyond_the_horizon_anything_may_stand() -> None:
    assert judged(two(HORIZON), both(b=[1.0, 2.0, 7.0]), both(b=[1.0, 2.0, np.inf])).verdict is Verdict.PASS
    may_be_nan = two(HORIZON, nan=True)
    assert judged(may_be_nan, both(b=[1.0, 2.0, np.nan]), both(b=[1.0, 2.0, 3.0])).verdict is Verdict.PASS


def test_true_values_are_cut_off_at_the_horizon() -> None:
    case = two(Tolerance(rule="derived", horizon=2, reason="chaos"))
    high = [1.0, 2.0, 3.0]
    lost = truth(high, [0.5, 0.5, 0.0], undecided=np.array([False, False, True]), why="a horizon")
    truths = {("default", "b"): lost}
    for last, verdict in ((2.25, Verdict.PASS), (2.75, Verdict.FAIL)):
        ours, theirs = both(b=[1.0, last, 9.0]), both(b=high)
        view = view_of(case, ours, theirs, truths)
        (cell,) = judge_truth(view.subject, Mode.CHAINED, view.actual, view.truths, view.expected)
        assert (cell.stage, cell.verdict, cell.undecided) == ("b", verdict, 0)
        assert (
            judge_coarsely(view.subject, Mode.CHAINED, view.actual, view.expected, view.truths, FIXTURE) == []
        )
    (kept,) = view.truths.values()
    assert isinstance(kept, Truth)
    assert (kept.high.tolist(), kept.undecided) == ([1.0, 2.0], None)


def test_what_is_compared_coarsely_has_a_horizon_too() -> None:
    case = two(Tolerance(rule="derived", horizon=2, reason="chaos"))
    unknown = {("default", "b"): Failure(verdict=Verdict.NOT_RUN, reason="no limit")}
    for second, verdict in ((2.0 + 1e-9, Verdict.PASS), (2.5, Verdict.FAIL)):
        ours, theirs = both(b=[1.0, second, 9.0]), both(b=[1.0, 2.0, 3.0])
        view = view_of(case, ours, theirs, unknown)
        (cell,) = judge_coarsely(view.subject, Mode.CHAINED, view.actual, view.expected, view.truths, FIXTURE)
        assert (cell.verdict, cell.basis) == (verdict, Basis.COARSE)


def test_two_implementations_are_compared_up_to_the_horizon() -> None:
    case = msgspec.structs.replace(two(HORIZON), reference="numpy")
    sizes = {"default": {"n": 3}}
    for second, agree in ((2.0, True), (3.0, False)):
        chained = {"numpy": both(b=[1.0, 2.0, 3.0]), "r": both(b=[1.0, second, 9.0])}
        view = view_of_pairs(case, Precision.FLOAT64, sizes, FIXTURE, chained, {})
        pairs = judge_pairs(view[0], Precision.FLOAT64, sizes, view[1], view[2])
        assert {pair.stage: pair.agree for pair in pairs} == {"a": True, "b": agree}


def test_what_follows_from_a_stage_is_given_its_norm_and_horizon() -> None:
    taken = {"a": np.array([1.0, 2.0, 3.0]), "b": np.array([4.0, 5.0, 6.0])}
    rules = {"a": msgspec.structs.replace(NORM, of="x"), "b": HORIZON}
    case = case_of(
        *(
            Stage(name=name, inputs=("x",), outputs=(value(name, tolerance=rule),))
            for name, rule in rules.items()
        )
    )
    limits = stated_limits(
        case, Precision.FLOAT64, "default", taken, frozenset(), {**taken, "x": np.array([50.0])}
    )
    assert {name: limit.tolist() for name, limit in limits.items()} == {
        "a": [0.5, 0.5, 0.5],
        "b": [0.5, 0.5, 12.0],
    }
