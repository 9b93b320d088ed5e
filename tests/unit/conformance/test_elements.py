"""One array compared with another, on arrays made by hand."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.coarse import judge_coarse
from harness.conformance.elements import judge_arrays, misfit, without_limit
from harness.conformance.judge import judge_against
from harness.conformance.judgement import Judgement, in_every_sample
from harness.conformance.lookup import is_undecided
from harness.conformance.samples import judge_against_truth
from harness.model import Check, ErrorStats, Precision, Stage, Tolerance, Truth, Value, Verdict
from tests.unit.conformance.by_hand import truth, value
from tests.unit.conformance.two_stages import CHAINED, NEAR, SIZES, case, second_stage, subject


def test_arrays_that_have_no_type_of_integers_in_common() -> None:
    whole = value("i", dtype="int")
    ours, theirs = np.array([-1, 2]), np.array([2**63, 2], dtype=np.uint64)
    assert judge_arrays(ours, theirs, whole, NEAR, Precision.FLOAT64, {"n": 2}) == Judgement(
        verdict=Verdict.FAIL,
        reason="no integer type has both -1 to 2 and 2 to 9223372036854775808, what is expected",
        compared=2,
    )


def test_samples_of_another_dtype_are_not_passed_over_for_one_that_used_more_of_its_limit() -> None:
    arrays = {"s": np.array([1.0, 2.0], np.float32), "t": np.array([1.5, 2.0])}
    due = truth([1.0, 2.0], 1.0)
    judged = judge_against_truth(
        ("s", "t"),
        arrays.__getitem__,
        lambda _: due,
        value=value("b"),
        precision=Precision.FLOAT64,
        sizes=SIZES,
    )
    assert (judged.verdict, judged.worst_sample) == (Verdict.FAIL, "s")
    assert [(sample.sample, sample.verdict) for sample in judged.by_sample] == [
        ("s", Verdict.FAIL),
        ("t", Verdict.PASS),
    ]


def test_a_sample_that_breaks_at_the_second_look_has_no_verdict_of_the_first() -> None:
    looks: list[str] = []

    def actual(sample: str) -> Any:
        looks.append(sample)
        if looks.count(sample) > 1:
            raise ValueError("gone")
        return np.array([1.5 if sample == "t" else 1.0, 2.0])

    judged = judge_against_truth(
        ("s", "t"),
        actual,
        lambda _: truth([1.0, 2.0], 1.0),
        value=value("b"),
        precision=Precision.FLOAT64,
        sizes=SIZES,
    )
    assert (judged.verdict, judged.reason) == (Verdict.ERROR, "a fault in the harness: ValueError: gone")
    assert [sample.verdict for sample in judged.by_sample] == [Verdict.PASS, Verdict.ERROR]


@pytest.mark.parametrize("rule", [NEAR, Tolerance(rule="relative", value=1.0, reason="test")])
def test_of_empty_arrays_no_sample_passes(rule: Tolerance) -> None:
    only = case(stages=(Stage(name="two", inputs=("x",), outputs=(value("c", tolerance=rule),)),))
    of = msgspec.structs.replace(subject(only), sizes={"s": {"n": 0}, "t": {"n": 0}})
    nothing = second_stage("s", np.zeros(0)) | second_stage("t", np.zeros(0))
    (cell,) = judge_against(of, CHAINED, Check.REFERENCE, nothing, nothing)
    reason = "nothing was compared: every array is empty"
    assert (cell.verdict, cell.reason) == (Verdict.NOT_RUN, reason)
    assert cell.limit == (1.0 if rule is NEAR else 0.0)
    assert [(sample.verdict, sample.reason) for sample in cell.by_sample] == [(Verdict.NOT_RUN, reason)] * 2


@pytest.mark.parametrize("order", ["st", "ts"])
def test_what_has_no_numbers_is_worse_than_any_number(order: str) -> None:
    endless = ErrorStats(count=1, used=math.inf, max_ulp=math.inf)
    judgements = {
        "s": Judgement(verdict=Verdict.FAIL, stats=endless),
        "t": Judgement(verdict=Verdict.FAIL, reason="another shape"),
    }
    judged = in_every_sample(order, judgements.__getitem__)
    assert (judged.worst_sample, judged.reason) == ("t", "another shape")


def test_a_difference_of_exactly_the_coarse_limit_is_none() -> None:
    """In float32 half of the digits are 2**-12, of 1; what is wrong is the NaN."""
    ours = np.array([1 + 2.0**-12, np.nan], dtype=np.float32)
    judged = judge_coarse(
        ours,
        np.ones(2, dtype=np.float32),
        {},
        value=value("b"),
        reference="numpy",
        precision=Precision.FLOAT32,
        sizes={"n": 2},
    )
    assert (judged.verdict, judged.limit) == (Verdict.FAIL, 2.0**-12)
    wrong = "1 of 2 elements beyond the limit, first at [1]; NaN in 1 place on one side only"
    assert judged.reason == wrong


def test_a_dtype_that_does_not_fit_is_named_by_what_is_due() -> None:
    b = Value(name="b", shape=("n", 2), dtype="float")
    wide = np.zeros((3, 2))
    assert misfit(wide.astype(np.float32), b, Precision.BFLOAT16, {"n": 3}) is None
    said = "dtype float64 where bfloat16 is expected"
    assert (misfit(wide, b, Precision.BFLOAT16, {"n": 3}) or "").startswith(said)
    said = "dtype bfloat16 where float64 is expected"
    halves = np.zeros((3, 2), np.dtype([("bfloat16", "<u2")]))
    assert misfit(halves, b, Precision.FLOAT64, {"n": 3}) == said
    assert misfit(wide, b, Precision.FLOAT64, {"n": 4}) == "shape (3, 2) where (n=4, 2) is expected"
    assert misfit(wide[:, :1], b, Precision.FLOAT64, {}) == "shape (3, 1) where (n, 2) is expected"
    assert misfit(wide[0], b, Precision.FLOAT64, {}) == "shape (2) where (n, 2) is expected"


def test_how_many_elements_have_no_limit() -> None:
    assert without_limit(1, 3, "why") == "1 of 3 elements has no limit: why"
    assert without_limit(2, 3, "why") == "2 of 3 elements have no limit: why"


@pytest.mark.parametrize(
    ("undecided", "whole"),
    [([True], True), ([True, True], True), ([True, False], False), ([False], False), ([], False)],
)
def test_whether_all_of_an_output_is_undecided(undecided: list[bool], whole: bool) -> None:
    zeros = np.zeros(len(undecided))
    truth = Truth(high=zeros, low=zeros, limit=zeros, worst=0.0, undecided=np.array(undecided, bool))
    assert is_undecided(truth) is whole


def test_what_cannot_be_compared_with_says_why() -> None:
    b = Value(name="b", shape=("n",), dtype="float")
    judged = judge_arrays(np.zeros(3), np.zeros(2), b, 0.0, Precision.FLOAT64, {"n": 3})
    assert judged.verdict is Verdict.NOT_RUN
    assert judged.reason == "nothing to compare with: shape (2) where (n=3) is expected"
    assert judged.compared == 3


def test_what_is_left_out_is_not_counted_as_compared() -> None:
    b = Value(name="b", shape=("n",), dtype="float")
    judged = judge_arrays(np.zeros(5), np.zeros(5), b, 0.0, Precision.FLOAT64, {"n": 5}, 2)
    assert (judged.verdict, judged.compared) == (Verdict.PASS, 3)
