"""Where no limit is known, the reference is what an implementation is compared with."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from harness.conformance.coarse import judge_coarsely
from harness.conformance.expect import expect_divergences, mark_inherited
from harness.conformance.judge import judge_truth
from harness.conformance.pairs import judge_consensus, judge_pairs
from harness.conformance.sides import Sides
from harness.conformance.strict import refuse_coarse
from harness.model import Basis, Check, Failure, KnownDivergence, Mode, Precision, Verdict
from harness.numerics.tolerance import coarse_limit, rounding_floor
from tests.unit.conformance.by_hand import context
from tests.unit.conformance.one_fit import SIZES, UNKNOWN, case, fixture, judge, observed, ones

Floats = npt.NDArray[np.float64]


@pytest.mark.parametrize(
    ("precision", "inside", "outside"), [("float64", 1.0e-8, 1.1e-8), ("float32", 2.4e-4, 2.5e-4)]
)
def test_half_of_the_digits_of_the_largest_value(precision: str, inside: float, outside: float) -> None:
    theirs = np.array([0.001, -1000.0, 3.0], dtype=precision)
    for far, verdict in ((inside, Verdict.PASS), (outside, Verdict.FAIL)):
        ours = theirs.copy()
        ours[1] += 1000.0 * far
        cell = judge(ours, theirs, precision=Precision(precision))
        assert cell.verdict is verdict
        assert cell.basis is Basis.COARSE
        assert (cell.check, cell.against) == (Check.REFERENCE, "numpy")
        assert cell.weaker_because == "the oracle: np.linalg.lstsq is not understood (line 5)"
        assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == [verdict]


def test_a_failure_says_how_much_and_that_conditioning_may_be_why_and_blames_nobody() -> None:
    cell = judge([42.0, 42.0, 42.0], [1.0, 2.0, 4.0])
    assert cell.verdict is Verdict.FAIL
    assert cell.reason.startswith("differs from numpy by up to 10 of its largest value")
    assert "ill-conditioned may be the reason" in cell.reason
    assert "3 of 3 elements beyond the limit" in cell.reason


@pytest.mark.parametrize(
    ("ours", "words"),
    [
        ([1.0, np.nan, 4.0], "NaN in 1 place on one side only"),
        ([1.0, np.inf, 4.0], "infinities differ in 1 place"),
        ([1.0, 2.0], "shape (2) where (n=3) is expected"),
        (np.array([1, 2, 4]), "dtype int64 where float64 is expected"),
    ],
)
def test_what_no_rounding_explains(ours: Any, words: str) -> None:
    cell = judge(ours, [1.0, 2.0, 4.0])
    assert cell.verdict is Verdict.FAIL
    assert words in cell.reason


def test_infinities_of_the_reference_are_no_scale() -> None:
    assert judge([np.inf, 1.0, 1.0], [np.inf, 1.0, 1.0]).verdict is Verdict.PASS
    assert judge([np.inf, 1.0, 1.1], [np.inf, 1.0, 1.0]).verdict is Verdict.FAIL


@pytest.mark.parametrize(("kind", "wrong"), [("int", [1, 2, 4]), ("bool", [True, True, True])])
def test_whole_numbers_and_booleans_are_exact(kind: str, wrong: Any) -> None:
    right = np.array([1, 2, 3]) if kind == "int" else np.array([True, False, True])
    assert judge(right, right, of=case(kind)).verdict is Verdict.PASS
    assert judge(np.array(wrong), right, of=case(kind)).verdict is Verdict.FAIL


def test_an_output_that_is_zero_but_for_rounding_is_not_judged() -> None:
    # A residual of a sum of three numbers of about 1000: at most 3 u 1000² = 3.3e-10.
    x = [1000.0, -900.0, 1.0]
    noise = [1e-13, -2e-13, 0.0]
    cell = judge([0.0, 0.0, 0.0], noise, x=x)
    assert cell.verdict is Verdict.NOT_RUN
    assert "state a tolerance" in cell.reason
    assert judge(noise, noise, x=x).verdict is Verdict.PASS
    assert judge([4e-10, 0.0, 0.0], noise, x=x).verdict is Verdict.FAIL
    assert judge([np.nan, 0.0, 0.0], noise, x=x).verdict is Verdict.FAIL
    assert judge([np.inf, 0.0, 0.0], noise, x=x).verdict is Verdict.FAIL
    assert judge([np.inf, 1e-10, 0.0], noise, x=x).verdict is Verdict.FAIL
    assert judge([np.nan, 1e-10, 0.0], noise, x=x).verdict is Verdict.FAIL
    assert judge([np.nan, 1e-10, 0.0], [np.nan, *noise[1:]], x=x).verdict is Verdict.FAIL
    # 3 u 1024² is 3 / 2^33, and counts as explained.
    edge = 3 / 2.0**33
    assert judge([edge, 0.0, 0.0], [0.0, 0.0, 0.0], x=[1024.0, 0.0, 0.0]).verdict is Verdict.NOT_RUN
    over = float(np.nextafter(edge, 1.0))
    assert judge([over, 0.0, 0.0], [0.0, 0.0, 0.0], x=[1024.0, 0.0, 0.0]).verdict is Verdict.FAIL
    # Small values of small inputs are values.
    assert judge([0.0, 0.0, 0.0], noise, x=[1e-13, 1e-13, 1e-13]).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("x", "right", "wrong"),
    [
        ([1.7e18, 1.6e18, 1.5e18], [3.4e18, 3.2e18, 3.0e18], [5.1e18, 4.8e18, 4.5e18]),
        ([1e6, 2e6, 3e6], [0.2, 0.5, 1.0], [0.2, 0.5, 0.9]),
        ([1e154, 1e200, 1e300], [1e154, 1e200, 1e300], [1e154, 1e200, 2e300]),
    ],
)
def test_values_are_not_zero_but_for_rounding_because_their_inputs_are_large_or_many(
    x: list[float], right: list[float], wrong: list[float]
) -> None:
    assert judge(right, right, x=x * 1_000).verdict is Verdict.PASS
    assert judge(wrong, right, x=x * 1_000).verdict is Verdict.FAIL


def test_a_slight_difference_that_rounding_of_products_explains_is_not_judged() -> None:
    # Residuals of normal equations: 450 from inputs of 500,000, of which rounding leaves 3 u M² = 8e-5.
    x, right = [5e5, 4e5, 3e5], [450.0, -200.0, 10.0]
    assert judge([450.0 + 1.2e-5, -200.0, 10.0], right, x=x).verdict is Verdict.NOT_RUN
    assert judge([450.0 + 1.0e-4, -200.0, 10.0], right, x=x).verdict is Verdict.FAIL
    # A quarter of the digits of 45,000 is 4.6; half of those of the inputs is 5.3.
    assert judge([45004.0, 200.0, 10.0], [45000.0, 200.0, 10.0], x=[5e8, 4e8, 3e8]).verdict is Verdict.NOT_RUN
    assert judge([45005.0, 200.0, 10.0], [45000.0, 200.0, 10.0], x=[5e8, 4e8, 3e8]).verdict is Verdict.FAIL


def test_the_limits_in_numbers() -> None:
    assert coarse_limit(np.array([1.0, -8.0, np.nan, np.inf]), Precision.FLOAT64) == 8 * 2.0**-26.5
    assert coarse_limit(np.array([4.0], np.float32), Precision.FLOAT32) == 4 * 2.0**-12
    assert coarse_limit(np.array([3 + 4j]), Precision.FLOAT64) == 5 * 2.0**-26.5
    assert coarse_limit(np.array([7]), Precision.FLOAT64) == 0.0
    assert coarse_limit(np.array([]), Precision.FLOAT64) == 0.0
    assert rounding_floor([np.full((2, 5), 4.0), np.array([9.0])], Precision.FLOAT64) == 5 * 81 * 2.0**-53
    assert rounding_floor([np.array([0.5, np.inf])], Precision.FLOAT32) == 2 * 0.5 * 2.0**-24
    assert rounding_floor([], Precision.FLOAT64) == 0.0
    # No more than half of the digits of the inputs.
    assert rounding_floor([np.array([2.0**60])], Precision.FLOAT64) == 2.0**60 * 2.0**-26.5
    assert rounding_floor([np.full(4096, 2.0**8)], Precision.FLOAT32) == 2.0**8 * 2.0**-12


def test_nothing_of_the_reference_is_nothing_to_compare_with() -> None:
    cell = judge([1.0, 1.0, 1.0], Failure(verdict=Verdict.ERROR, reason="singular"))
    assert (cell.verdict, cell.reason) == (Verdict.NOT_RUN, "nothing to compare with: singular")
    assert judge(Failure(verdict=Verdict.ERROR, reason="mine"), [1.0, 1.0, 1.0]).verdict is Verdict.ERROR


def test_samples_with_a_truth_are_held_to_it_and_the_others_coarsely() -> None:
    near = np.ones(3) + 1e-12
    truths = {("s", "b"): ones(), ("t", "b"): UNKNOWN}
    actual, expected = observed(s=near, t=near), observed(s=np.ones(3), t=np.ones(3))
    (exact,) = judge_truth(context(case()), Mode.CHAINED, actual, truths)
    assert (exact.verdict, exact.basis, exact.samples) == (Verdict.FAIL, Basis.DERIVED, 1)
    (coarse,) = judge_coarsely(context(case()), Mode.CHAINED, actual, expected, truths, fixture([1.0] * 3))
    assert (coarse.verdict, coarse.basis, coarse.samples) == (Verdict.PASS, Basis.COARSE, 1)
    assert [sample_verdict.sample for sample_verdict in coarse.by_sample] == ["t"]


def test_the_reference_is_not_held_against_itself() -> None:
    (cell,) = judge_truth(
        context(case(), "numpy"), Mode.CHAINED, observed(s=np.ones(3)), {("s", "b"): UNKNOWN}
    )
    assert cell.verdict is Verdict.NOT_RUN
    assert "not understood (line 5)" in cell.reason


def test_a_coarse_failure_says_of_nobody_that_he_is_off() -> None:
    truths = {("s", "b"): UNKNOWN}
    both = {"numpy": observed(s=np.ones(3)), "r": observed(s=np.full(3, 42.0))}
    cell = judge([42.0] * 3, [1.0] * 3)
    pairs = judge_pairs(case(), Precision.FLOAT64, SIZES, both, truths)
    assert judge_consensus(case(), Precision.FLOAT64, pairs, [cell]) == []


def test_a_known_divergence_that_a_coarse_comparison_cannot_see_has_not_gone() -> None:
    known = KnownDivergence(
        id="k",
        cause="c",
        evidence="e",
        ends_when="w",
        stage="b",
        measure="absolute",
        at_least=0.5,
        at_most=2.0,
    )
    of = case(known_divergences=(known,))
    right = [1.0, 2.0, 3.0]
    for ours, verdict in ((right, Verdict.PASS), ([1.0, 2.0, 4.0], Verdict.XFAIL)):
        sides = Sides(case=of, chained=observed(s=ours), reference=observed(s=right))
        (cell,) = expect_divergences("r", mark_inherited([judge(ours, right)]), sides)
        assert (cell.verdict, cell.by_sample[0].verdict) == (verdict, verdict)


def test_strict_fails_every_coarse_comparison_and_nothing_else() -> None:
    coarse = judge([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    derived = msgspec.structs.replace(coarse, basis=Basis.DERIVED)
    none = msgspec.structs.replace(coarse, verdict=Verdict.NOT_RUN, reason="gone")
    refused, kept, still = refuse_coarse([coarse, derived, none])
    assert (refused.verdict, refused.by_sample[0].verdict) == (Verdict.FAIL, Verdict.FAIL)
    assert refused.reason == "compared coarsely only, which --strict does not allow"
    assert (kept, still) == (derived, none)


def test_what_strict_fails_keeps_why_and_covers_nothing() -> None:
    coarse = judge([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    sample = msgspec.structs.replace(coarse.by_sample[0], reason="near")
    lost = msgspec.structs.replace(sample, sample="t", verdict=Verdict.NOT_RUN, reason="gone")
    known = msgspec.structs.replace(
        coarse,
        verdict=Verdict.XFAIL,
        divergence="k",
        inherited=True,
        reason="known",
        by_sample=(sample, msgspec.structs.replace(sample, verdict=Verdict.XFAIL), lost),
    )
    (refused,) = refuse_coarse([known])
    assert (refused.verdict, refused.divergence, refused.inherited) == (Verdict.FAIL, "", False)
    assert refused.reason == "compared coarsely only, which --strict does not allow; known"
    assert [(sample_verdict.verdict, sample_verdict.reason) for sample_verdict in refused.by_sample] == [
        ("FAIL", "compared coarsely only, which --strict does not allow; near"),
        ("FAIL", "compared coarsely only, which --strict does not allow; near"),
        ("NOT_RUN", "gone"),
    ]


def test_the_cell_of_a_truth_has_all_that_was_found() -> None:
    truths = {(sample, "b"): ones(high=np.array([1.0, 2.0, 4.0])) for sample in ("s", "t")}
    right = np.array([1.0, 2.0, 4.0])
    # Off by 2 ULP of 1, which is half an ULP of the largest value.
    actual = observed(s=right + np.array([2.0**-51, 0.0, 0.0]), t=right)
    (cell,) = judge_truth(context(case()), Mode.CHAINED, actual, truths)
    assert (cell.ulp_error, cell.ulp_of_stage) == (2.0, 0.5)
    assert (cell.worst, cell.worst_sample, cell.samples, cell.seconds) == (1e-15, "s", 2, 1.0)
    assert (cell.check, cell.against, cell.basis, cell.source) == ("oracle", "truth", "derived", "live")


def test_an_oracle_that_was_not_asked_is_the_reason() -> None:
    (cell,) = judge_truth(context(case(), "numpy"), Mode.CHAINED, observed(s=np.ones(3)), {})
    assert (cell.verdict, cell.reason) == ("NOT_RUN", "nothing to compare with: the oracle was not asked")
    nowhere = ones(undecided=np.ones(3, bool))
    (cell,) = judge_truth(
        context(case(), "numpy"), Mode.CHAINED, observed(s=np.ones(3)), {("s", "b"): nowhere}
    )
    assert cell.reason == "nothing to compare with: no element's true value is decided"


def test_an_error_in_one_sample_hides_no_difference_in_another() -> None:
    truths = {("s", "b"): ones(), ("t", "b"): ones()}
    error = Failure(verdict=Verdict.ERROR, reason="it raised")
    for last, broken, reason in ((1.0, ("torch",), "it raised"), (1.5, (), "3 of 3 elements")):
        both = {
            "r": observed(s=np.ones(3), t=np.ones(3)),
            "torch": observed(s=error, t=np.full(3, last)),
        }
        (pair,) = judge_pairs(case(), Precision.FLOAT64, SIZES, both, truths)
        assert (pair.agree, pair.broken) == (False, broken)
        assert pair.reason.startswith(reason)
        assert pair.stats is not None
        assert pair.stats.max_abs == last - 1.0


def test_pairs_in_single_precision_are_compared_beside_undecided_elements() -> None:
    narrow = np.ones(3, np.float32)
    truths = {("s", "b"): ones(undecided=np.array([False, True, False]))}
    both = {"r": observed(s=narrow), "torch": observed(s=narrow)}
    (pair,) = judge_pairs(case(), Precision.FLOAT32, SIZES, both, truths)
    assert (pair.agree, pair.reason) == (True, "")


def test_of_which_part_the_true_values_are_is_said() -> None:
    truths = {("s", "b"): ones(sample="64 of 100 rows"), ("t", "b"): ones(sample="64 of 200 rows")}
    for ours, begin in ((1.0, ""), (1.5, "3 of 3 elements beyond the limit, first at [0]; ")):
        actual = observed(s=np.full(3, ours), t=np.ones(3))
        (cell,) = judge_truth(context(case()), Mode.CHAINED, actual, truths)
        assert cell.reason == (
            f"{begin}true values of 64 of 100 rows, 64 of 200 rows; elsewhere the reference's"
        )


FREE = Failure(verdict=Verdict.NOT_RUN, reason="the signs of the vectors of numpy.linalg.qr are free")


@pytest.mark.parametrize(
    ("ours", "verdict", "words"),
    [
        ([1.0, 2.0, -3.0], Verdict.PASS, ""),
        ([-1.0, -2.0, 3.0], Verdict.NOT_RUN, ""),
        ([-1.0, np.nan, 3.0], Verdict.FAIL, "NaN in 1 place"),
        ([1.0, 2.0], Verdict.FAIL, "shape"),
    ],
)
def test_other_signs_are_no_difference_where_signs_are_free(
    ours: list[float], verdict: Verdict, words: str
) -> None:
    theirs = observed(s=[1.0, 2.0, -3.0])
    given = (context(case()), Mode.CHAINED, observed(s=ours), theirs)
    (cell,) = judge_coarsely(*given, {("s", "b"): FREE}, fixture([1.0, 1.0, 1.0]))
    assert cell.verdict is verdict
    assert words in cell.reason
    if verdict is Verdict.NOT_RUN:
        assert cell.reason == (
            "differs, and signs of vectors are free: compare what does not depend on them, such as |R| or "
            "Q @ Q.T, in a stage of its own, or state a tolerance"
        )
    (other,) = judge_coarsely(*given, {("s", "b"): UNKNOWN}, fixture([1.0, 1.0, 1.0]))
    assert other.verdict is (Verdict.PASS if verdict is Verdict.PASS else Verdict.FAIL)
