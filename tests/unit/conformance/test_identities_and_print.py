"""Identities between outputs, and printed digits, on observations made by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.expect import expect_divergences
from harness.conformance.identities import judge_identities
from harness.conformance.judge import judge_against, judge_published
from harness.conformance.pairs import judge_pairs
from harness.conformance.sides import Sides
from harness.model import (
    Check,
    Failure,
    Identity,
    KnownDivergence,
    Mode,
    Precision,
    Published,
    Source,
    Tolerance,
    Truth,
    Verdict,
)
from tests.unit.conformance.by_hand import ONES, SIZES, ULPS, chain, context, known, observed, stated, truth

IDENTITY = Identity(id="i", left="a", right="b", tolerance=ULPS)


def identity_verdict(left: Any, right: Any, *divergences: KnownDivergence) -> Verdict:
    of = chain(stated("a"), stated("b"), identities=(IDENTITY,), known_divergences=divergences)
    chained = observed(a=left, b=right)
    cells = judge_identities(context(of), chained, {})
    (cell,) = expect_divergences("r", cells, Sides(case=of, chained=chained))
    return cell.verdict


def test_identities() -> None:
    divergence = known(identity="i")
    assert identity_verdict(ONES, ONES) is Verdict.PASS
    of = chain(stated("a"), stated("b"), identities=(IDENTITY,))
    (cell,) = judge_identities(context(of), observed(a=ONES, b=ONES), {})
    assert (cell.basis, cell.check, cell.source, cell.mode) == ("stated", "identity", "live", "chained")
    assert identity_verdict(ONES + 1, ONES) is Verdict.FAIL
    assert identity_verdict(ONES + 1, ONES, divergence) is Verdict.XFAIL
    assert identity_verdict(ONES, ONES, divergence) is Verdict.XPASS
    assert identity_verdict(Failure(verdict=Verdict.ERROR, reason=""), ONES, divergence) is Verdict.ERROR


TRUE = np.array([1.0, 2.0, 0.0])


def true_within(limit: float, **changes: Any) -> Truth:
    return truth(**{"high": TRUE, "limit": limit, "worst": 1.0, **changes})


@pytest.mark.parametrize(
    ("off", "verdict"),
    [(0.0, Verdict.PASS), (0.75, Verdict.PASS), (-0.75, Verdict.PASS), (0.8, Verdict.FAIL)],
)
def test_a_derived_identity_allows_the_sum_of_both_limits(off: float, verdict: Verdict) -> None:
    derived = Identity(id="i", left="a", right="b", tolerance=Tolerance(rule="derived"))
    of = chain(stated("a", tolerance=None), stated("b", tolerance=None), identities=(derived,))
    truths = {("default", "a"): true_within(0.5), ("default", "b"): true_within(0.25)}
    (cell,) = judge_identities(context(of), observed(a=TRUE + np.array([0, off, 0]), b=TRUE), truths)
    assert cell.verdict is verdict
    assert cell.limit == 0.75
    assert (cell.worst, cell.basis, cell.against) == (2.0, "derived", "b")
    assert cell.ulp_error is None
    assert cell.ulp_of_stage is None


def test_an_identity_is_not_judged_where_either_side_is_undecided() -> None:
    derived = Identity(id="i", left="a", right="b", tolerance=Tolerance(rule="derived"), meaning="equal")
    of = chain(stated("a", tolerance=None), stated("b", tolerance=None), identities=(derived,))
    left, right = np.array([True, False, False]), np.array([False, True, False])
    truths = {
        ("default", "a"): true_within(0.5, undecided=left, why="a tie"),
        ("default", "b"): true_within(0.5, undecided=right, why="a tie"),
    }
    (cell,) = judge_identities(context(of), observed(a=TRUE + np.array([9.0, 9.0, 0.5]), b=TRUE), truths)
    assert (cell.verdict, cell.undecided) == (Verdict.PASS, 2)
    assert cell.reason == "2 elements not judged: a tie"
    (cell,) = judge_identities(context(of), observed(a=TRUE + np.array([9.0, 9.0, 1.5]), b=TRUE), truths)
    assert cell.verdict is Verdict.FAIL
    assert cell.reason.startswith("i: 1 of 1 element beyond the limit, first at [2]")


@pytest.mark.parametrize(
    ("right", "truths", "reason"),
    [
        (TRUE, {"b": Failure(verdict=Verdict.NOT_RUN, reason="no oracle")}, "no oracle"),
        (TRUE, {"b": true_within(1.0, high=TRUE[:2])}, "it is float64 (3,) where float64 (2,) is expected"),
        (TRUE.astype(np.float32), {}, "it is float32 (3,) where float64 (3,) is expected"),
        (Failure(verdict=Verdict.ERROR, reason="it crashed"), {}, "it crashed"),
    ],
)
def test_a_derived_identity_is_not_judged_without_both_truths(right: Any, truths: Any, reason: str) -> None:
    derived = Identity(id="i", left="a", right="b", tolerance=Tolerance(rule="derived"))
    of = chain(stated("a", tolerance=None), stated("b", tolerance=None), identities=(derived,))
    due = {("default", name): truths.get(name, true_within(1.0)) for name in "ab"}
    (cell,) = judge_identities(context(of), observed(a=TRUE, b=right), due)
    assert cell.verdict is Verdict.NOT_RUN
    assert reason in cell.reason


def test_published_digits() -> None:
    printed = Published(stage="a", source="somebody", values=("1.00", "2.00", "3.00"))
    of = chain(stated("a"), published=(printed,))
    (good,) = judge_published(context(of), observed(a=[1.0, 2.004, 3.0]), "f")
    (bad,) = judge_published(context(of), observed(a=[1.0, 2.006, 3.0]), "f")
    assert (good.verdict, good.against) == (Verdict.PASS, "somebody")
    assert bad.verdict is Verdict.FAIL
    assert "[1] is 2.006, printed 2.00" in bad.reason


def test_what_gave_no_answer_printed_nothing() -> None:
    printed = Published(stage="a", source="s", values=("1",))
    of = chain(stated("a"), published=(printed,))
    crash = Failure(verdict=Verdict.ERROR, reason="it ended", detail="trace")
    (cell,) = judge_published(context(of), observed(a=crash), "f")
    assert (cell.verdict, cell.reason, cell.detail) == (Verdict.ERROR, "it ended", "trace")


def test_how_many_printed_numbers_were_held() -> None:
    printed = Published(stage="a", source="s", values=("1.00", "2.00", "3.00"))
    of = chain(stated("a"), published=(printed,))
    (good,) = judge_published(context(of), observed(a=[1.0, 2.0, 3.0]), "f")
    (bad,) = judge_published(context(of), observed(a=[1.0, 2.5, 3.5]), "f")
    (short,) = judge_published(context(of), observed(a=[1.0, 2.0]), "f")
    assert good.reason == "3 printed numbers"
    assert bad.reason.startswith("2 of 3 printed numbers differ, first: ")
    assert (short.verdict, short.check, short.mode) == ("FAIL", "published", "chained")
    assert judge_published(context(of), {}, "f") == []


def test_published_for_another_fixture_is_not_run() -> None:
    printed = Published(stage="a", source="s", values=("1",), fixture="*glove*")
    of = chain(stated("a"), published=(printed,))
    (cell,) = judge_published(context(of), observed(a=ONES), "sentiment+made_up")
    assert (cell.verdict, cell.source) == (Verdict.NOT_RUN, Source.NONE)


def test_digits_printed_for_a_sample_that_is_not_there_hide_no_others() -> None:
    elsewhere = Published(stage="a", source="first", values=("7.00",), sample="other")
    printed = Published(stage="a", source="second", values=("1.00", "2.00", "3.00"))
    of = chain(stated("a"), published=(elsewhere, printed))
    cells = judge_published(context(of), observed(a=[1.0, 2.0, 3.0]), "f")
    assert [(cell.against, cell.verdict) for cell in cells] == [("second", "PASS")]


def test_short_numbers_are_compared_by_their_own_digits() -> None:
    # Of 8 digits, 1.0 has the unit 2**-7, and the limit is 2 of them.
    for off, verdict in ((2, Verdict.PASS), (3, Verdict.FAIL)):
        of = chain(stated("a"))
        theirs = np.ones(3, np.float32)
        ours = theirs + np.float32(off * 2.0**-7)
        short = msgspec.structs.replace(context(of), precision=Precision.BFLOAT16)
        (cell,) = judge_against(short, Mode.CHAINED, Check.REFERENCE, observed(a=ours), observed(a=theirs))
        assert cell.stats is not None
        assert (cell.verdict, cell.stats.max_ulp) == (verdict, off)
        both = {"numpy": observed(a=theirs), "r": observed(a=ours)}
        (pair,) = judge_pairs(of, Precision.BFLOAT16, SIZES, both, {})
        assert pair.stats is not None
        assert (pair.agree, pair.stats.max_ulp) == (verdict is Verdict.PASS, off)
