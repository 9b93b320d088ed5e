"""Elements that are undecided, or no numbers: what is judged of them, and what is not."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.coarse import judge_coarsely
from harness.conformance.judge import judge_truth
from harness.conformance.pairs import judge_pairs
from harness.conformance.strict import refuse_undecided
from harness.model import Failure, Mode, Precision, Stage, Value, Verdict
from tests.unit.conformance.by_hand import context
from tests.unit.conformance.one_fit import SIZES, case, fixture, observed, ones


def test_where_every_element_is_undecided_the_comparison_is_coarse() -> None:
    truths = {("s", "b"): ones(undecided=np.ones(3, bool), why="a comparison in line 7")}
    actual = observed(s=np.ones(3) + 1e-9)
    assert judge_truth(context(case()), Mode.CHAINED, actual, truths) == []
    (cell,) = judge_coarsely(
        context(case()), Mode.CHAINED, actual, observed(s=np.ones(3)), truths, fixture([1.0] * 3)
    )
    assert (cell.verdict, cell.weaker_because) == (Verdict.PASS, "a comparison in line 7")


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        ([-1.5, 3.5, 1.0], "NOT_RUN"),
        ([-1.6, 3.5, 1.0], "FAIL"),
        ([np.nan, 3.5, 1.0], "FAIL"),
        ([1, 3, 1], "FAIL"),
        ([1.0, 3.5], "FAIL"),
    ],
)
@pytest.mark.parametrize("who", ["numpy", "r"])
def test_where_the_branches_alone_bound_every_element_nobody_passes(
    ours: Any, verdict: str, who: str
) -> None:
    truths = {("s", "b"): ones(undecided=np.ones(3, bool), reach=np.full(3, 2.5), why="a tie in line 7")}
    expected = observed(s=np.zeros(3))
    assert (
        judge_coarsely(context(case()), Mode.CHAINED, observed(s=ours), expected, truths, fixture([1])) == []
    )
    (cell,) = judge_truth(context(case(), who), Mode.CHAINED, observed(s=ours), truths, expected)
    assert (cell.verdict, cell.by_sample[0].verdict) == (verdict, verdict)
    if verdict == "NOT_RUN":
        assert cell.reason == "no element could be decided: a tie in line 7"
        assert (cell.undecided, cell.elements, cell.limit, cell.by_sample[0].max_abs) == (3, 3, None, None)
        assert cell.stats is not None
        assert (cell.stats.max_abs, cell.stats.count) == (3.5, 3)


@pytest.mark.parametrize(
    ("number", "right"),
    [(-1.5, True), (-1.0, True), (2.75, True), (3.5, True), (-0.9, False), (1.0, False), (2.7, False)],
)
def test_a_number_between_the_ways_through_a_stage_is_on_no_branch(number: float, right: bool) -> None:
    why, gap = "a tie in line 7", np.array([[np.nan, -1.0, np.nan], [np.nan, 2.75, np.nan]])
    for decided, reach in ((True, np.nan), (False, 2.5)):
        undecided = ~np.array([decided, False, decided])
        truths = {
            ("s", "b"): ones(undecided=undecided, reach=np.array([reach, 2.5, reach]), gap=gap, why=why)
        }
        (cell,) = judge_truth(context(case()), Mode.CHAINED, observed(s=[1.0, number, 1.0]), truths)
        assert cell.verdict == ("FAIL" if not right else "PASS" if decided else "NOT_RUN")
        assert right or f"on no branch of {why} in 1 element, first at [1]" in cell.reason
        assert cell.stats is None or (cell.stats.beyond == 0) is right
    # Beside an element of which nothing is known, the comparison is coarse.
    reach = np.array([np.nan, 2.5, 2.5])
    truths = {("s", "b"): ones(undecided=np.ones(3, bool), reach=reach, gap=gap, why=why)}
    given = (observed(s=[1.0, number, 1.0]), observed(s=[1.0, 3.5, 1.0]), truths, fixture([1.0] * 3))
    (cell,) = judge_coarsely(context(case()), Mode.CHAINED, *given)
    assert cell.verdict == ("PASS" if right else "FAIL")
    both = {"r": observed(s=[1.0, 3.5, 1.0]), "torch": observed(s=[1.0, number, 1.0])}
    truths = {("s", "b"): ones(undecided=np.array([False, True, False]), reach=np.full(3, 2.5), gap=gap)}
    (pair,) = judge_pairs(case(), Precision.FLOAT64, SIZES, both, truths)
    assert pair.agree is right


def test_a_sample_of_which_nothing_is_decided_leaves_the_verdict_to_the_others() -> None:
    truths = {
        ("s", "b"): ones(undecided=np.ones(3, bool), reach=np.full(3, 2.5), why="a tie"),
        ("t", "b"): ones(),
    }
    right, other = np.ones(3), np.array([-1.5, 3.5, 1.0])
    for ours, verdict in ((right, "PASS"), (right + 0.5, "FAIL")):
        (cell,) = judge_truth(context(case()), Mode.CHAINED, observed(s=other, t=ours), truths)
        assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == ["NOT_RUN", verdict]
        assert (cell.verdict, cell.worst_sample, cell.undecided, cell.elements) == (verdict, "t", 3, 6)
        assert cell.reason.endswith("no element could be decided in sample s")
        both = {"numpy": observed(s=right, t=right), "r": observed(s=other, t=ours)}
        (pair,) = judge_pairs(case(), Precision.FLOAT64, SIZES, both, truths)
        assert pair.agree is (verdict == "PASS")


@pytest.mark.parametrize(
    ("ours", "verdict", "undecided"),
    [([3.5, 1.0, 1.0], "PASS", 1), ([3.6, 1.0, 1.0], "FAIL", 0), ([3.5, 1.1, 1.0], "FAIL", 1)],
)
def test_undecided_elements_without_bounds_are_compared_coarsely(
    ours: list[float], verdict: str, undecided: int
) -> None:
    # The first may be on either branch; of the others nothing is known.
    reach = np.array([2.5, np.nan, np.inf])
    truths = {("s", "b"): ones(undecided=np.ones(3, bool), reach=reach, why="a tie in line 7")}
    given = (observed(s=ours), observed(s=np.ones(3)), truths, fixture([1.0] * 3))
    (cell,) = judge_coarsely(context(case()), Mode.CHAINED, *given)
    assert (cell.verdict, cell.basis, cell.weaker_because) == (verdict, "coarse", "a tie in line 7")
    assert cell.undecided == undecided
    assert cell.stats is not None
    assert cell.stats.count == 3 - undecided


POLE = "it has no true value: it is not a number, or a quotient by zero"


@pytest.mark.parametrize(
    ("theirs", "ours", "verdict"),
    [
        (np.inf, np.inf, "PASS"),
        (np.inf, -np.inf, "PASS"),
        (np.inf, 42.0, "FAIL"),
        (np.inf, np.nan, "FAIL"),
        (np.nan, np.nan, "PASS"),
        (np.nan, 0.0, "FAIL"),
        (np.nan, np.inf, "FAIL"),
        (7.0, 42.0, "PASS"),
    ],
)
def test_what_exact_operands_make_no_number_is_none_in_any_language(
    theirs: float, ours: float, verdict: str
) -> None:
    value = Value(name="b", shape=("n",), nan=True)
    of = msgspec.structs.replace(case(), stages=(Stage(name="fit", inputs=("x",), outputs=(value,)),))
    undecided = np.array([False, True, False])
    truths = {("s", "b"): ones(undecided=undecided, reach=np.full(3, np.nan), why=POLE)}
    actual, expected = observed(s=[1.0, ours, 1.0]), observed(s=[1.0, theirs, 1.0])
    (cell,) = judge_truth(context(of), Mode.CHAINED, actual, truths, expected)
    assert (cell.verdict, cell.undecided) == (verdict, int(np.isfinite(theirs)))
    both = {"numpy": expected, "r": actual}
    (pair,) = judge_pairs(of, Precision.FLOAT64, SIZES, both, truths)
    assert pair.agree is (verdict == "PASS")
    # Where rounding may make it one, anything may stand there.
    tie = {("s", "b"): ones(undecided=undecided, reach=np.full(3, np.nan), why="a division, in line 3")}
    (cell,) = judge_truth(context(of), Mode.CHAINED, actual, tie, expected)
    assert (cell.verdict, cell.undecided) == ("PASS", 1)
    # Nothing but poles: the oracle has nothing to say, and the reference all.
    none = Failure(verdict=Verdict.NOT_RUN, reason=f"the oracle: {POLE} (line 5)")
    given = (actual, expected, {("s", "b"): none}, fixture([1.0] * 3))
    (cell,) = judge_coarsely(context(of), Mode.CHAINED, *given)
    assert cell.verdict == ("FAIL" if np.isfinite(theirs) else verdict)


def test_complex_poles_are_no_number_in_any_way() -> None:
    truths = {("s", "b"): ones(high=np.ones(3, complex), undecided=np.array([True, False, False]), why=POLE)}
    expected = observed(s=np.array([complex("nan+nanj"), 1, 1]))
    value = Value(name="b", shape=("n",), dtype="complex", nan=True)
    of = msgspec.structs.replace(case(), stages=(Stage(name="fit", inputs=("x",), outputs=(value,)),))
    for ours, verdict in ((complex(np.inf, 0), "PASS"), (complex("nan+nanj"), "PASS"), (42, "FAIL")):
        actual = observed(s=np.array([ours, 1, 1], complex))
        (cell,) = judge_truth(context(of), Mode.CHAINED, actual, truths, expected)
        assert cell.verdict == verdict


@pytest.mark.parametrize("wrong", [5.0, np.nan, np.inf, -0.0])
def test_undecided_elements_are_counted_and_not_judged(wrong: float) -> None:
    undecided = np.array([False, True, False])
    limit = np.array([1e-15, np.inf, 1e-15])
    truths = {("s", "b"): ones(undecided=undecided, limit=limit, why="argmax of a tie (line 3)")}
    (cell,) = judge_truth(context(case()), Mode.CHAINED, observed(s=[1.0, wrong, 1.0]), truths)
    assert (cell.verdict, cell.undecided, cell.limit) == (Verdict.PASS, 1, 1e-15)
    assert cell.reason == "1 element not judged: argmax of a tie (line 3)"
    assert cell.by_sample[0].undecided == 1
    assert cell.stats is not None
    assert (cell.stats.count, cell.stats.beyond, sum(cell.stats.ulp_histogram)) == (2, 0, 2)
    (off,) = judge_truth(context(case()), Mode.CHAINED, observed(s=[1.0, wrong, 1.1]), truths)
    assert (off.verdict, off.undecided) == (Verdict.FAIL, 1)
    assert off.reason.startswith("1 of 2 elements beyond the limit, first at [2]")
    assert off.stats is not None
    assert off.stats.mean_abs == pytest.approx(0.05)
    assert off.stats.rms == pytest.approx(0.1 / np.sqrt(2))


@pytest.mark.parametrize(
    ("reach", "ours", "right"),
    [
        (2.5, 3.5, True),
        (2.5, -1.5, True),
        (2.5, 3.6, False),
        (2.5, np.nan, False),
        (2.5, np.inf, False),
        (np.inf, 1e9, True),
        (np.inf, np.nan, False),
        (np.inf, -np.inf, False),
        (np.nan, np.nan, True),
        (np.nan, np.inf, True),
    ],
)
def test_an_undecided_element_is_where_a_branch_may_lead(reach: float, ours: float, right: bool) -> None:
    truths = {
        ("s", "b"): ones(
            undecided=np.array([False, True, False]),
            limit=np.array([1e-15, 0.0, 1e-15]),
            reach=np.array([np.nan, reach, np.nan]),
            why="a tie",
        )
    }
    (cell,) = judge_truth(context(case()), Mode.CHAINED, observed(s=[1.0, ours, 1.0]), truths)
    assert (cell.undecided, cell.elements, cell.weaker_because) == ((1, 3, "a tie") if right else (0, 0, ""))
    assert cell.stats is not None
    assert (cell.verdict, cell.stats.beyond) == (("PASS", 0) if right else ("FAIL", 1))
    assert right or "outside of the range that the branches span in 1 element, first at [1]" in cell.reason
    assert cell.limit == 1e-15
    both = {"r": observed(s=[1.0, 1.0, 1.0]), "torch": observed(s=[1.0, ours, 1.0])}
    (pair,) = judge_pairs(case(), Precision.FLOAT64, SIZES, both, truths)
    assert pair.agree is right


def test_strict_allows_no_undecided_elements() -> None:
    truths = {("s", "b"): ones(undecided=np.array([False, True, False]), why="a tie"), ("t", "b"): ones()}
    near = [1.0, 7.0, 1.0]
    (cell,) = judge_truth(context(case()), Mode.CHAINED, observed(s=near, t=np.ones(3)), truths)
    off = msgspec.structs.replace(cell, verdict=Verdict.FAIL)
    sound = msgspec.structs.replace(cell, undecided=0)
    refused, *kept = refuse_undecided([cell, off, sound])
    assert kept == [off, sound]
    assert (refused.verdict, refused.source) == ("NOT_RUN", "none")
    assert [(sample_verdict.sample, sample_verdict.verdict) for sample_verdict in refused.by_sample] == [
        ("s", "NOT_RUN"),
        ("t", "PASS"),
    ]
    assert refused.reason == "1 element not judged: a tie; --strict allows no undecided elements"
    known = tuple(
        msgspec.structs.replace(sample_verdict, verdict=Verdict.XFAIL) for sample_verdict in cell.by_sample
    )
    (refused,) = refuse_undecided(
        [msgspec.structs.replace(cell, verdict=Verdict.XFAIL, reason="known", by_sample=known)]
    )
    assert (refused.verdict, refused.reason) == ("NOT_RUN", "known; --strict allows no undecided elements")
    assert [(sample_verdict.sample, sample_verdict.verdict) for sample_verdict in refused.by_sample] == [
        ("s", "NOT_RUN"),
        ("t", "XFAIL"),
    ]


def test_pairs_are_not_compared_where_nothing_is_decided() -> None:
    undecided = np.array([False, True, False])
    truths = {("s", "b"): ones(undecided=undecided, limit=np.array([1e-15, np.inf, 1e-15]))}
    for last, agree in ((1.0, True), (1.1, False)):
        both = {"r": observed(s=[1.0, 2.0, 1.0]), "torch": observed(s=[1.0, np.nan, last])}
        (pair,) = judge_pairs(case(), Precision.FLOAT64, SIZES, both, truths)
        assert pair.agree is agree
    all_of_it = {("s", "b"): ones(undecided=np.ones(3, bool))}
    assert judge_pairs(case(), Precision.FLOAT64, SIZES, both, all_of_it) == []
