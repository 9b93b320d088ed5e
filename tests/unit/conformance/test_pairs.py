"""Every two implementations, and who is off, field by field, on observations made by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.pairs import judge_consensus, judge_pairs
from harness.model import Consensus, Failure, Pair, Precision, Stage, Verdict
from tests.unit.conformance.by_hand import Observations, case_of, truth, value
from tests.unit.conformance.two_stages import CRASH, NEAR, SIZES, case, first_stage, second_stage


def test_a_pair_in_full() -> None:
    chained = {
        "numpy": first_stage("s", [1.0, 2.0], [1.0, 2.0]) | second_stage("s", [1.0, 2.0]),
        "r": first_stage("s", [1.0, 4.0], [1.0, 2.5]) | {("s", "two"): CRASH},
    }
    truths = {("s", "b"): truth([1.0, 2.0], 0.25)}
    of, near, lost = judge_pairs(case(), Precision.FLOAT64, SIZES, chained, truths)
    reason = "1 of 2 elements beyond the limit, first at [1]"
    assert of.stats is not None
    assert msgspec.structs.replace(of, stats=None) == Pair(
        case="toy",
        stage="a",
        precision=Precision.FLOAT64,
        left="numpy",
        right="r",
        agree=False,
        reason=reason,
    )
    assert near.stats is not None
    assert (near.stage, near.agree, near.reason, near.broken) == ("b", True, "", ())
    # Twice the limit of 0.25 is used up.
    assert (near.stats.used, near.stats.max_abs, near.stats.max_abs_index) == (1.0, 0.5, None)
    assert lost == Pair(
        case="toy",
        stage="c",
        precision=Precision.FLOAT64,
        left="numpy",
        right="r",
        agree=False,
        reason="it ended",
        broken=("r",),
    )


def test_a_pair_of_which_one_broke_in_one_sample_may_differ_in_another() -> None:
    late = Failure(verdict=Verdict.TIMEOUT, reason="late")
    sound = second_stage("s", [1.0, 2.0]) | second_stage("t", [1.0, 2.0])
    only = case(stages=(case().stages[1],))
    for ours, theirs, due in (
        (sound, sound | {("t", "two"): CRASH}, (False, "it ended", ("r",), 2)),
        (sound | {("t", "two"): CRASH}, sound, (False, "it ended", ("numpy",), 2)),
        (
            sound | {("s", "two"): late},
            sound | {("t", "two"): CRASH},
            (False, "late", ("numpy", "r"), None),
        ),
        (
            sound,
            second_stage("s", [1.0, 3.0]) | {("t", "two"): CRASH},
            (False, "1 of 2 elements beyond the limit, first at [1]", (), 2),
        ),
    ):
        (pair,) = judge_pairs(only, Precision.FLOAT64, SIZES, {"numpy": ours, "r": theirs}, {})
        count = None if pair.stats is None else pair.stats.count
        assert (pair.agree, pair.reason, pair.broken, count) == due


def test_a_wrong_answer_is_a_difference_and_nothing_broken() -> None:
    wrong = Failure(verdict=Verdict.FAIL, reason="no array")
    only = case(stages=(case().stages[1],))
    both: dict[str, Observations] = {"numpy": second_stage("s", [1.0, 2.0]), "r": {("s", "two"): wrong}}
    (pair,) = judge_pairs(only, Precision.FLOAT64, SIZES, both, {})
    assert (pair.agree, pair.broken, pair.stats) == (False, (), None)
    assert pair.reason == "nothing to compare with: no array"


@pytest.mark.parametrize(("far", "agree"), [(0.5, True), (50.0, False)])
def test_the_limit_of_an_undecided_element_is_nobodys(far: float, agree: bool) -> None:
    """Beyond the reach of every branch a number differs, whatever the limit would have been."""
    truths = {
        ("s", "b"): truth(
            [1.0, 2.0],
            [0.5, 100.0],
            undecided=np.array([False, True]),
            reach=np.array([np.nan, 1.0]),
            why="a tie",
        )
    }
    only = case(stages=(Stage(name="one", inputs=("x",), outputs=(value("a", tolerance=NEAR), value("b"))),))
    both = {
        "numpy": first_stage("s", [1.0, 1.0], [1.0, 2.0]),
        "r": first_stage("s", [1.0, 1.0], [1.0, 2.0 + far]),
    }
    _, pair = judge_pairs(only, Precision.FLOAT64, SIZES, both, truths)
    assert pair.agree is agree


@pytest.mark.parametrize(("far", "agree"), [(1.0, True), (1.25, False)])
def test_a_pair_is_of_the_samples_that_have_a_truth(far: float, agree: bool) -> None:
    both = {
        "p": first_stage("s", [1.0, 2.0], [1.0, 2.0]) | first_stage("t", [1.0, 2.0], [1.0, 2.0]),
        "q": first_stage("s", [1.0, 2.0], [1.0, 2.0 + far]) | first_stage("t", [1.0, 2.0], [9.0, 9.0]),
    }
    only = case_of(case().stages[0])
    lost = Failure(verdict=Verdict.NOT_RUN, reason="not understood")
    truths = {("s", "b"): truth([1.0, 2.0], 0.5), ("t", "b"): lost}
    (_, pair) = judge_pairs(only, Precision.FLOAT64, SIZES, both, truths)
    assert pair.stats is not None
    assert (pair.stage, pair.agree, pair.stats.count, pair.stats.max_abs) == ("b", agree, 2, far)
    # Who gives no answer where nobody has a truth is broken all the same.
    broken = both | {"q": both["q"] | {("t", "one"): CRASH}}
    (_, pair) = judge_pairs(only, Precision.FLOAT64, SIZES, broken, truths)
    assert (pair.agree, pair.broken) == (False, ("q",) if agree else ())


def test_derived_values_without_any_truth_are_no_pair() -> None:
    both = {
        name: first_stage("s", [1.0, 2.0], [1.0, 2.0]) | first_stage("t", [1.0, 2.0], [1.0, 2.0])
        for name in ("p", "q")
    }
    only = case(stages=(case().stages[0],))
    for truths, stages in (
        ({("s", "b"): Failure(verdict=Verdict.NOT_RUN, reason="not understood")}, ["a"]),
        ({(name, "b"): truth([1.0, 2.0], 0.5) for name in "st"}, ["a", "b"]),
        ({(name, "b"): truth([1.0, 2.0], 0.5, undecided=np.ones(2, bool)) for name in "st"}, ["a"]),
        (
            {
                (name, "b"): truth([1.0, 2.0], 0.5, undecided=np.ones(2, bool), reach=np.ones(2))
                for name in "st"
            },
            ["a"],
        ),
    ):
        pairs = judge_pairs(only, Precision.FLOAT64, SIZES, both, truths)
        assert [pair.stage for pair in pairs] == stages


def test_a_consensus_in_full() -> None:
    def pair(left: str, right: str, agree: bool, **more: Any) -> Pair:
        return Pair(
            case="toy",
            stage="a",
            precision=Precision.FLOAT64,
            left=left,
            right=right,
            agree=agree,
            **more,
        )

    pairs = [
        pair("numpy", "r", False),
        pair("numpy", "julia", False),
        pair("r", "julia", True),
        pair("numpy", "torch", False, broken=("torch",)),
        pair("r", "torch", False, broken=("torch",)),
        pair("julia", "torch", False, broken=("torch",)),
    ]
    assert judge_consensus(case(), Precision.FLOAT64, pairs, []) == [
        Consensus(
            case="toy",
            stage="a",
            precision=Precision.FLOAT64,
            clusters=(("r", "julia"), ("numpy",)),
            by_majority=("numpy",),
            by_oracle=(),
            reference_is_outlier=True,
            broken=("torch",),
        )
    ]
    # Broken in one sample, and different in another: it is in a group.
    pairs[3] = pair("numpy", "torch", False)
    (consensus,) = judge_consensus(case(), Precision.FLOAT64, pairs, [])
    assert (consensus.broken, consensus.clusters) == ((), (("r", "julia"), ("numpy",), ("torch",)))
    # Where all that were compared agree, there is nothing to say.
    assert judge_consensus(case(), Precision.FLOAT64, [pairs[4], pair("r", "julia", True)], []) == []
