"""Where no limit is known, the reference is what an implementation is compared with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from harness.conformance.coarse import judge_coarsely, refuse_coarse, refuse_undecided
from harness.conformance.expect import expect_divergences, mark_inherited
from harness.conformance.judge import judge_truth
from harness.conformance.judging_context import JudgingContext
from harness.conformance.pairs import judge_consensus, judge_pairs
from harness.conformance.sides import Sides
from harness.model import (
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Fixture,
    Implementation,
    KnownDivergence,
    Mode,
    Observation,
    Precision,
    Stage,
    Truth,
    Value,
    Verdict,
)
from harness.numerics.tolerance import coarse_limit, rounding_floor

Floats = npt.NDArray[np.float64]
UNKNOWN = Failure(verdict=Verdict.NOT_RUN, reason="the oracle: np.linalg.lstsq is not understood (line 5)")
SIZES = {sample: {"n": 3} for sample in ("s", "t")}


def case(kind: str = "float", **more: Any) -> Case:
    value = Value(name="b", shape=("n",), dtype=kind)  # type: ignore[arg-type]
    return Case(
        name="toy",
        title="",
        origin="",
        fixture="f",
        inputs=(Value(name="x", shape=("n",)),),
        stages=(Stage(name="fit", inputs=("x",), outputs=(value,)),),
        **more,
    )


def subject(of: Case, who: str = "r", precision: Precision = Precision.FLOAT64) -> JudgingContext:
    implementation = Implementation(id=who, runtime=who, language=who, path=Path("x"))
    return JudgingContext(case=of, implementation=implementation, precision=precision, sizes=SIZES)


def observed(**samples: Any) -> dict[tuple[str, str], Observation | Failure]:
    return {
        (sample, "fit"): array
        if isinstance(array, Failure)
        else Observation(outputs={"b": np.asarray(array)}, seconds=0.5)
        for sample, array in samples.items()
    }


def fixture(x: Any) -> Fixture:
    return Fixture(
        name="f",
        version=1,
        sha256="",
        origin="",
        licence="",
        shared={"x": np.asarray(x)},
        samples={"s": {}, "t": {}},
    )


def judge(ours: Any, theirs: Any, *, x: Any = (1.0, 1.0, 1.0), of: Case | None = None, **more: Any) -> Cell:
    (cell,) = judge_coarsely(
        subject(of or case(), **more),
        Mode.CHAINED,
        observed(s=ours),
        observed(s=theirs),
        {("s", "b"): UNKNOWN},
        fixture(x),
    )
    return cell


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
        ([1.0, np.nan, 4.0], "NaN in 1 places on one side only"),
        ([1.0, np.inf, 4.0], "infinities differ in 1 places"),
        ([1.0, 2.0], "shape (2) where (n=3) is due"),
        (np.array([1, 2, 4]), "dtype int64 where float64 is due"),
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


def test_the_limits_in_numbers() -> None:
    assert coarse_limit(np.array([1.0, -8.0, np.nan, np.inf]), Precision.FLOAT64) == 8 * 2.0**-26.5
    assert coarse_limit(np.array([4.0], np.float32), Precision.FLOAT32) == 4 * 2.0**-12
    assert coarse_limit(np.array([3 + 4j]), Precision.FLOAT64) == 5 * 2.0**-26.5
    assert coarse_limit(np.array([7]), Precision.FLOAT64) == 0.0
    assert coarse_limit(np.array([]), Precision.FLOAT64) == 0.0
    assert rounding_floor([np.full((2, 5), 4.0), np.array([9.0])], Precision.FLOAT64) == 5 * 81 * 2.0**-53
    assert rounding_floor([np.array([0.5, np.inf])], Precision.FLOAT32) == 2 * 0.5 * 2.0**-24
    assert rounding_floor([], Precision.FLOAT64) == 0.0


def test_nothing_of_the_reference_is_nothing_to_compare_with() -> None:
    cell = judge([1.0, 1.0, 1.0], Failure(verdict=Verdict.ERROR, reason="singular"))
    assert (cell.verdict, cell.reason) == (Verdict.NOT_RUN, "nothing to compare with: singular")
    assert judge(Failure(verdict=Verdict.ERROR, reason="mine"), [1.0, 1.0, 1.0]).verdict is Verdict.ERROR


def truth(**more: Any) -> Truth:
    zeros = np.zeros(3)
    return Truth(**{"high": np.ones(3), "low": zeros, "limit": zeros + 1e-15, "worst": 1e-15, **more})


def test_samples_with_a_truth_are_held_to_it_and_the_others_coarsely() -> None:
    near = np.ones(3) + 1e-12
    truths = {("s", "b"): truth(), ("t", "b"): UNKNOWN}
    actual, expected = observed(s=near, t=near), observed(s=np.ones(3), t=np.ones(3))
    (exact,) = judge_truth(subject(case()), Mode.CHAINED, actual, truths)
    assert (exact.verdict, exact.basis, exact.samples) == (Verdict.FAIL, Basis.DERIVED, 1)
    (coarse,) = judge_coarsely(subject(case()), Mode.CHAINED, actual, expected, truths, fixture([1.0] * 3))
    assert (coarse.verdict, coarse.basis, coarse.samples) == (Verdict.PASS, Basis.COARSE, 1)
    assert [sample_verdict.sample for sample_verdict in coarse.by_sample] == ["t"]


def test_the_reference_is_not_held_against_itself() -> None:
    (cell,) = judge_truth(
        subject(case(), "numpy"), Mode.CHAINED, observed(s=np.ones(3)), {("s", "b"): UNKNOWN}
    )
    assert cell.verdict is Verdict.NOT_RUN
    assert "not understood (line 5)" in cell.reason


def test_where_every_element_is_undecided_the_comparison_is_coarse() -> None:
    truths = {("s", "b"): truth(undecided=np.ones(3, bool), why="a comparison in line 7")}
    actual = observed(s=np.ones(3) + 1e-9)
    assert judge_truth(subject(case()), Mode.CHAINED, actual, truths) == []
    (cell,) = judge_coarsely(
        subject(case()), Mode.CHAINED, actual, observed(s=np.ones(3)), truths, fixture([1.0] * 3)
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
    truths = {("s", "b"): truth(undecided=np.ones(3, bool), reach=np.full(3, 2.5), why="a tie in line 7")}
    expected = observed(s=np.zeros(3))
    assert (
        judge_coarsely(subject(case()), Mode.CHAINED, observed(s=ours), expected, truths, fixture([1])) == []
    )
    (cell,) = judge_truth(subject(case(), who), Mode.CHAINED, observed(s=ours), truths, expected)
    assert (cell.verdict, cell.by_sample[0].verdict) == (verdict, verdict)
    if verdict == "NOT_RUN":
        assert cell.reason == "no element could be decided: a tie in line 7"
        assert (cell.undecided, cell.elements, cell.limit, cell.by_sample[0].max_abs) == (3, 3, None, None)
        assert cell.stats is not None
        assert (cell.stats.max_abs, cell.stats.count) == (3.5, 3)


def test_a_sample_of_which_nothing_is_decided_leaves_the_verdict_to_the_others() -> None:
    truths = {
        ("s", "b"): truth(undecided=np.ones(3, bool), reach=np.full(3, 2.5), why="a tie"),
        ("t", "b"): truth(),
    }
    right, other = np.ones(3), np.array([-1.5, 3.5, 1.0])
    for ours, verdict in ((right, "PASS"), (right + 0.5, "FAIL")):
        (cell,) = judge_truth(subject(case()), Mode.CHAINED, observed(s=other, t=ours), truths)
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
    truths = {("s", "b"): truth(undecided=np.ones(3, bool), reach=reach, why="a tie in line 7")}
    given = (observed(s=ours), observed(s=np.ones(3)), truths, fixture([1.0] * 3))
    (cell,) = judge_coarsely(subject(case()), Mode.CHAINED, *given)
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
    truths = {("s", "b"): truth(undecided=undecided, reach=np.full(3, np.nan), why=POLE)}
    actual, expected = observed(s=[1.0, ours, 1.0]), observed(s=[1.0, theirs, 1.0])
    (cell,) = judge_truth(subject(of), Mode.CHAINED, actual, truths, expected)
    assert (cell.verdict, cell.undecided) == (verdict, int(np.isfinite(theirs)))
    both = {"numpy": expected, "r": actual}
    (pair,) = judge_pairs(of, Precision.FLOAT64, SIZES, both, truths)
    assert pair.agree is (verdict == "PASS")
    # Where rounding may make it one, anything may stand there.
    tie = {("s", "b"): truth(undecided=undecided, reach=np.full(3, np.nan), why="a division, in line 3")}
    (cell,) = judge_truth(subject(of), Mode.CHAINED, actual, tie, expected)
    assert (cell.verdict, cell.undecided) == ("PASS", 1)
    # Nothing but poles: the oracle has nothing to say, and the reference all.
    none = Failure(verdict=Verdict.NOT_RUN, reason=f"the oracle: {POLE} (line 5)")
    given = (actual, expected, {("s", "b"): none}, fixture([1.0] * 3))
    (cell,) = judge_coarsely(subject(of), Mode.CHAINED, *given)
    assert cell.verdict == ("FAIL" if np.isfinite(theirs) else verdict)


def test_complex_poles_are_no_number_in_any_way() -> None:
    truths = {("s", "b"): truth(high=np.ones(3, complex), undecided=np.array([True, False, False]), why=POLE)}
    expected = observed(s=np.array([complex("nan+nanj"), 1, 1]))
    value = Value(name="b", shape=("n",), dtype="complex", nan=True)
    of = msgspec.structs.replace(case(), stages=(Stage(name="fit", inputs=("x",), outputs=(value,)),))
    for ours, verdict in ((complex(np.inf, 0), "PASS"), (complex("nan+nanj"), "PASS"), (42, "FAIL")):
        actual = observed(s=np.array([ours, 1, 1], complex))
        (cell,) = judge_truth(subject(of), Mode.CHAINED, actual, truths, expected)
        assert cell.verdict == verdict


@pytest.mark.parametrize("wrong", [5.0, np.nan, np.inf, -0.0])
def test_undecided_elements_are_counted_and_not_judged(wrong: float) -> None:
    undecided = np.array([False, True, False])
    limit = np.array([1e-15, np.inf, 1e-15])
    truths = {("s", "b"): truth(undecided=undecided, limit=limit, why="argmax of a tie (line 3)")}
    (cell,) = judge_truth(subject(case()), Mode.CHAINED, observed(s=[1.0, wrong, 1.0]), truths)
    assert (cell.verdict, cell.undecided, cell.limit) == (Verdict.PASS, 1, 1e-15)
    assert cell.reason == "1 element not judged: argmax of a tie (line 3)"
    assert cell.by_sample[0].undecided == 1
    assert cell.stats is not None
    assert (cell.stats.count, cell.stats.beyond, sum(cell.stats.ulp_histogram)) == (2, 0, 2)
    (off,) = judge_truth(subject(case()), Mode.CHAINED, observed(s=[1.0, wrong, 1.1]), truths)
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
        ("s", "b"): truth(
            undecided=np.array([False, True, False]),
            limit=np.array([1e-15, 0.0, 1e-15]),
            reach=np.array([np.nan, reach, np.nan]),
            why="a tie",
        )
    }
    (cell,) = judge_truth(subject(case()), Mode.CHAINED, observed(s=[1.0, ours, 1.0]), truths)
    assert (cell.undecided, cell.elements, cell.weaker_because) == ((1, 3, "a tie") if right else (0, 0, ""))
    assert cell.stats is not None
    assert (cell.verdict, cell.stats.beyond) == (("PASS", 0) if right else ("FAIL", 1))
    assert right or "outside of the range that the branches span in 1 element, first at [1]" in cell.reason
    assert cell.limit == 1e-15
    both = {"r": observed(s=[1.0, 1.0, 1.0]), "torch": observed(s=[1.0, ours, 1.0])}
    (pair,) = judge_pairs(case(), Precision.FLOAT64, SIZES, both, truths)
    assert pair.agree is right


def test_strict_allows_no_undecided_elements() -> None:
    truths = {("s", "b"): truth(undecided=np.array([False, True, False]), why="a tie"), ("t", "b"): truth()}
    near = [1.0, 7.0, 1.0]
    (cell,) = judge_truth(subject(case()), Mode.CHAINED, observed(s=near, t=np.ones(3)), truths)
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
    truths = {("s", "b"): truth(undecided=undecided, limit=np.array([1e-15, np.inf, 1e-15]))}
    for last, agree in ((1.0, True), (1.1, False)):
        both = {"r": observed(s=[1.0, 2.0, 1.0]), "torch": observed(s=[1.0, np.nan, last])}
        (pair,) = judge_pairs(case(), Precision.FLOAT64, SIZES, both, truths)
        assert pair.agree is agree
    all_of_it = {("s", "b"): truth(undecided=np.ones(3, bool))}
    assert judge_pairs(case(), Precision.FLOAT64, SIZES, both, all_of_it) == []


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
    truths = {(sample, "b"): truth(high=np.array([1.0, 2.0, 4.0])) for sample in ("s", "t")}
    right = np.array([1.0, 2.0, 4.0])
    # Off by 2 ULP of 1, which is half an ULP of the largest value.
    actual = observed(s=right + np.array([2.0**-51, 0.0, 0.0]), t=right)
    (cell,) = judge_truth(subject(case()), Mode.CHAINED, actual, truths)
    assert (cell.ulp_error, cell.ulp_of_stage) == (2.0, 0.5)
    assert (cell.worst, cell.worst_sample, cell.samples, cell.seconds) == (1e-15, "s", 2, 1.0)
    assert (cell.check, cell.against, cell.basis, cell.source) == ("oracle", "truth", "derived", "live")


def test_an_oracle_that_was_not_asked_is_the_reason() -> None:
    (cell,) = judge_truth(subject(case(), "numpy"), Mode.CHAINED, observed(s=np.ones(3)), {})
    assert (cell.verdict, cell.reason) == ("NOT_RUN", "nothing to compare with: the oracle was not asked")
    nowhere = truth(undecided=np.ones(3, bool))
    (cell,) = judge_truth(
        subject(case(), "numpy"), Mode.CHAINED, observed(s=np.ones(3)), {("s", "b"): nowhere}
    )
    assert cell.reason == "nothing to compare with: no element's true value is decided"


def test_an_error_in_one_sample_hides_no_difference_in_another() -> None:
    truths = {("s", "b"): truth(), ("t", "b"): truth()}
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
    truths = {("s", "b"): truth(undecided=np.array([False, True, False]))}
    both = {"r": observed(s=narrow), "torch": observed(s=narrow)}
    (pair,) = judge_pairs(case(), Precision.FLOAT32, SIZES, both, truths)
    assert (pair.agree, pair.reason) == (True, "")


def test_of_which_part_the_true_values_are_is_said() -> None:
    truths = {("s", "b"): truth(sample="64 of 100 rows"), ("t", "b"): truth(sample="64 of 200 rows")}
    for ours, begin in ((1.0, ""), (1.5, "3 of 3 elements beyond the limit, first at [0]; ")):
        actual = observed(s=np.full(3, ours), t=np.ones(3))
        (cell,) = judge_truth(subject(case()), Mode.CHAINED, actual, truths)
        assert cell.reason == (
            f"{begin}true values of 64 of 100 rows, 64 of 200 rows; elsewhere the reference's"
        )


FREE = Failure(verdict=Verdict.NOT_RUN, reason="the signs of the vectors of numpy.linalg.qr are free")


@pytest.mark.parametrize(
    ("ours", "verdict", "words"),
    [
        ([1.0, 2.0, -3.0], Verdict.PASS, ""),
        ([-1.0, -2.0, 3.0], Verdict.NOT_RUN, ""),
        ([-1.0, np.nan, 3.0], Verdict.FAIL, "NaN in 1 places"),
        ([1.0, 2.0], Verdict.FAIL, "shape"),
    ],
)
def test_other_signs_are_no_difference_where_signs_are_free(
    ours: list[float], verdict: Verdict, words: str
) -> None:
    theirs = observed(s=[1.0, 2.0, -3.0])
    given = (subject(case()), Mode.CHAINED, observed(s=ours), theirs)
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
