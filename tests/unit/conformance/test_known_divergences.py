"""Differences that are known, and what follows from them, on observations made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.expect import expect_divergences, mark_inherited
from harness.conformance.judge import judge_against, judge_truth
from harness.conformance.own_inputs import OwnComparison, OwnInputs
from harness.conformance.sides import Sides
from harness.model import (
    Basis,
    Cell,
    Check,
    Failure,
    KnownDivergence,
    Mode,
    Precision,
    SampleVerdict,
    Source,
    Verdict,
)
from tests.unit.conformance.by_hand import ONES, chain, context, judge, known, observed, stated
from tests.unit.conformance.test_identities_and_print import true_within


def on_own_inputs(verdict: Verdict, reason: str = "") -> OwnInputs:
    """What the comparison with the reference, on an implementation's own inputs, comes to."""
    judged = OwnComparison(verdict=verdict, reason=reason, basis=Basis.STATED)
    return lambda name, samples: dict.fromkeys(samples, judged)


def test_what_is_off_from_the_truth_can_be_known_and_inherited() -> None:
    of = chain(
        stated("a", tolerance=None), stated("b", tolerance=None), known_divergences=(known(stage="a"),)
    )
    truths = {("default", name): true_within(1e-9, high=ONES, low=ONES * 0) for name in "ab"}
    off, right = observed(a=ONES + 1, b=ONES + 1), observed(a=ONES + 1, b=ONES)
    cells = mark_inherited(
        [
            *judge_truth(context(of), Mode.CHAINED, off, truths),
            *judge_truth(context(of), Mode.ISOLATED, right, truths),
        ]
    )
    assert [cell.inherited for cell in cells] == [False, True, False, False]
    sides = Sides(case=of, chained=off, isolated=right, chained_truths=truths, isolated_truths=truths)
    explained = expect_divergences("r", cells, sides, on_own_inputs(Verdict.PASS))
    assert [cell.verdict for cell in explained] == ["XFAIL", "XFAIL", "XFAIL", "PASS"]


def expected_cells(
    divergence: KnownDivergence,
    a: Any,
    b: Any,
    isolated_b: Any,
    verdict: Verdict = Verdict.PASS,
    why: str = "",
) -> list[Cell]:
    of = chain(stated("a"), stated("b"), known_divergences=(divergence,))
    reference = observed(a=ONES, b=ONES)
    chained, isolated = observed(a=a, b=b), observed(a=a, b=isolated_b)
    cells = mark_inherited(
        [
            *judge_against(context(of), Mode.CHAINED, Check.REFERENCE, chained, reference),
            *judge_against(context(of), Mode.ISOLATED, Check.REFERENCE, isolated, reference),
        ]
    )
    sides = Sides(case=of, chained=chained, isolated=isolated, reference=reference, upstream=reference)
    return expect_divergences("r", cells, sides, on_own_inputs(verdict, why))


def test_known_divergence_covers_its_stage_and_what_inherits_from_it() -> None:
    cells = expected_cells(known(stage="a", implementation="r"), ONES + 1, ONES + 1, ONES)
    assert [cell.verdict for cell in cells] == [Verdict.XFAIL, Verdict.XFAIL, Verdict.XFAIL, Verdict.PASS]


def test_known_divergence_does_not_cover_a_fault_of_another_stage() -> None:
    cells = expected_cells(known(stage="a", implementation="r"), ONES + 1, ONES + 1, ONES + 1)
    assert [cell.verdict for cell in cells] == [Verdict.XFAIL, Verdict.FAIL, Verdict.XFAIL, Verdict.FAIL]


def test_known_divergence_of_another_implementation_covers_nothing() -> None:
    cells = expected_cells(known(stage="a", implementation="julia"), ONES + 1, ONES, ONES)
    assert Verdict.XFAIL not in {cell.verdict for cell in cells}


def test_known_divergence_that_no_longer_shows() -> None:
    cells = expected_cells(known(stage="a"), ONES, ONES, ONES)
    assert [cell.verdict for cell in cells] == [Verdict.XPASS, Verdict.PASS, Verdict.XPASS, Verdict.PASS]
    assert [cell.divergence for cell in cells] == ["k", "", "k", ""]


def test_a_known_divergence_that_shows_in_one_precision_alone_has_ended_in_the_other() -> None:
    of = chain(stated("a"), known_divergences=(known(stage="a"),))
    double = context(of)
    single = msgspec.structs.replace(double, precision=Precision.FLOAT32)
    narrow = ONES.astype(np.float32)
    cells = [
        *judge_against(double, Mode.CHAINED, Check.REFERENCE, observed(a=ONES + 1), observed(a=ONES)),
        *judge_against(single, Mode.CHAINED, Check.REFERENCE, observed(a=narrow), observed(a=narrow)),
    ]
    explained = expect_divergences(
        "r", cells, Sides(case=of, chained=observed(a=ONES + 1), reference=observed(a=ONES))
    )
    assert [cell.verdict for cell in explained] == [Verdict.XFAIL, Verdict.XPASS]


@pytest.mark.parametrize("verdict", [Verdict.ERROR, Verdict.TIMEOUT])
def test_a_crash_never_satisfies_a_known_divergence(verdict: Any) -> None:
    crash = Failure(verdict=verdict, reason="why")
    cells = expected_cells(known(stage="a"), crash, ONES, ONES)
    assert cells[0].verdict is verdict


@pytest.mark.parametrize(
    ("a", "reason"),
    [
        (ONES + 1.5000001, "larger than known divergence 'k' allows: 1.5 where at most 1.5 (absolute)"),
        (ONES + 10, "larger than known divergence 'k' allows: 10 where at most 1.5 (absolute)"),
        (ONES + 0.25, "smaller than known divergence 'k' says: 0.25 where at least 0.5 (absolute)"),
        ([2.0, np.nan, 2.0], "is a difference of finite numbers, and this is not; 3 of 3 elements beyond"),
        ([2.0, np.inf, 2.0], "is a difference of finite numbers, and this is not; 3 of 3 elements beyond"),
        ([2.0, 2.0], "and this is not; shape (2) where (n=3) is expected"),
        ([2, 2, 2], "and this is not; dtype int64 where float64 is expected"),
        (Failure(verdict=Verdict.FAIL, reason="there is no function a"), "not; there is no function a"),
    ],
)
def test_a_known_divergence_covers_nothing_but_what_was_measured(a: Any, reason: str) -> None:
    cells = expected_cells(known(stage="a"), a, ONES + 1, ONES)
    assert [cell.verdict for cell in cells] == [Verdict.FAIL, Verdict.FAIL, Verdict.FAIL, Verdict.PASS]
    assert reason in cells[0].reason
    assert "known divergence" not in cells[1].reason


def test_a_known_divergence_says_its_size_and_what_follows_from_it() -> None:
    cells = expected_cells(known(stage="a"), ONES + 1, ONES + 1, ONES)
    assert cells[0].reason.endswith("; absolute 1, known to be 0.5 to 1.5")
    assert cells[1].reason.endswith(
        "; follows from known divergence 'k' of a: on its own inputs numpy gives the same within the stated"
        " tolerance"
    )
    # What follows must be numbers as well.
    cells = expected_cells(known(stage="a"), ONES + 1, [1.0, np.nan, 1.0], ONES)
    assert [cell.verdict for cell in cells] == [Verdict.XFAIL, Verdict.FAIL, Verdict.XFAIL, Verdict.PASS]


def test_what_is_more_than_inherited_is_not_known() -> None:
    cells = expected_cells(known(stage="a"), ONES + 1, ONES + 9, ONES, Verdict.FAIL, "numpy gives 2")
    assert [cell.verdict for cell in cells] == ["XFAIL", "FAIL", "XFAIL", "PASS"]
    assert cells[1].reason == (
        "more than what it inherits from known divergence 'k' of a: on its own inputs numpy gives 2;"
        " 3 of 3 elements beyond the limit, first at [0]"
    )
    assert (cells[1].divergence, cells[1].inherited) == ("", False)


def test_what_cannot_be_shown_to_inherit_is_not_judged() -> None:
    cells = expected_cells(known(stage="a"), ONES + 1, ONES + 9, ONES, Verdict.NOT_RUN, "no numpy here")
    assert [cell.verdict for cell in cells] == ["XFAIL", "NOT_RUN", "XFAIL", "PASS"]
    assert (
        cells[1].reason == "that it follows from known divergence 'k' of a could not be shown: no numpy here"
    )
    assert (cells[1].divergence, cells[1].inherited, cells[1].source) == ("", False, Source.NONE)


def test_without_a_reference_nothing_is_shown_to_inherit() -> None:
    of = chain(stated("a"), stated("b"), known_divergences=(known(stage="a"),))
    reference = observed(a=ONES, b=ONES)
    chained, isolated = observed(a=ONES + 1, b=ONES + 1), observed(a=ONES + 1, b=ONES)
    cells = mark_inherited(
        [
            *judge_against(context(of), Mode.CHAINED, Check.REFERENCE, chained, reference),
            *judge_against(context(of), Mode.ISOLATED, Check.REFERENCE, isolated, reference),
        ]
    )
    sides = Sides(case=of, chained=chained, isolated=isolated, reference=reference, upstream=reference)
    explained = expect_divergences("r", cells, sides)
    assert [cell.verdict for cell in explained] == ["XFAIL", "NOT_RUN", "XFAIL", "PASS"]
    assert explained[1].reason.endswith("could not be shown: there is no reference to call")


def test_the_reference_is_called_for_what_may_inherit_alone() -> None:
    def never(name: str, samples: Sequence[str]) -> dict[str, OwnComparison]:
        raise AssertionError(name)

    of = chain(stated("a"), stated("b"), known_divergences=(known(stage="a"),))
    reference = observed(a=ONES, b=ONES)
    for a, b, isolated_b in [
        (ONES, ONES, ONES),
        (ONES + 1, ONES, ONES),
        (ONES + 9, ONES + 9, ONES),
        (ONES + 1, ONES + 9, ONES + 9),
        (ONES + 1, [np.nan, 1.0, 1.0], ONES),
    ]:
        chained, isolated = observed(a=a, b=b), observed(a=a, b=isolated_b)
        cells = mark_inherited(
            [
                *judge_against(context(of), Mode.CHAINED, Check.REFERENCE, chained, reference),
                *judge_against(context(of), Mode.ISOLATED, Check.REFERENCE, isolated, reference),
            ]
        )
        sides = Sides(case=of, chained=chained, isolated=isolated, reference=reference, upstream=reference)
        explained = expect_divergences("r", cells, sides, never)
        assert explained[1].divergence == ""


@pytest.mark.parametrize("of_b", ["FAIL", "PASS"])
def test_what_follows_from_an_unknown_difference_does_not_follow_from_a_known_one(of_b: Any) -> None:
    def judged(name: str, samples: Sequence[str]) -> dict[str, OwnComparison]:
        verdict = Verdict(of_b) if name == "b" else Verdict.PASS
        return dict.fromkeys(samples, OwnComparison(verdict=verdict))

    of = chain(stated("a"), stated("b"), stated("c"), known_divergences=(known(stage="a"),))
    reference = observed(a=ONES, b=ONES, c=ONES)
    chained, isolated = observed(a=ONES + 1, b=ONES + 9, c=ONES + 9), observed(a=ONES + 1, b=ONES, c=ONES)
    cells = mark_inherited(
        [
            *judge_against(context(of), Mode.CHAINED, Check.REFERENCE, chained, reference),
            *judge_against(context(of), Mode.ISOLATED, Check.REFERENCE, isolated, reference),
        ]
    )
    sides = Sides(case=of, chained=chained, isolated=isolated, reference=reference, upstream=reference)
    # The order in which cells come is no order of stages.
    for given in (cells, cells[::-1]):
        explained = {
            cell.stage: cell
            for cell in expect_divergences("r", given, sides, judged)
            if cell.mode is Mode.CHAINED
        }
        left = "XFAIL" if of_b == "PASS" else "FAIL"
        assert [explained[name].verdict for name in "abc"] == ["XFAIL", left, left]
        assert explained["c"].inherited


@pytest.mark.parametrize(
    ("elements", "verdict", "reason"),
    [
        (None, "XFAIL", ""),
        ((2, 2), "XFAIL", ""),
        ((1, 3), "XFAIL", ""),
        ((1, 1), "FAIL", "more elements than known divergence 'k' allows: 2 where at most 1; 2 of 3"),
        ((3, 3), "FAIL", "fewer elements than known divergence 'k' says: 2 where at least 3; 2 of 3"),
    ],
)
def test_a_known_divergence_may_say_in_how_many_elements_it_is(
    elements: Any, verdict: str, reason: str
) -> None:
    cells = expected_cells(known(stage="a", elements=elements), [2.0, 2.0, 1.0], ONES + 1, ONES)
    # What follows is known where its source is.
    assert [cell.verdict for cell in cells] == [verdict, verdict, verdict, "PASS"]
    assert cells[0].reason.startswith(reason or "2 of 3 elements")


@pytest.mark.parametrize("samples", [("*",), ("s", "t"), ("[st]",)])
def test_a_known_divergence_may_say_of_which_samples_it_is(samples: tuple[str, ...]) -> None:
    assert two_samples(1.0, 1.25, samples=samples).verdict is Verdict.XFAIL


def test_a_sample_of_which_a_known_divergence_is_not_known() -> None:
    cell = two_samples(1.0, 1.25, samples=("s",))
    assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == ["XFAIL", "FAIL"]
    assert cell.verdict is Verdict.FAIL
    assert cell.reason.startswith("t: known divergence 'k' is not known of sample t")


def test_a_known_divergence_of_other_samples_has_not_ended() -> None:
    assert two_samples(0.0, 0.0, samples=("u",)).verdict is Verdict.PASS
    assert two_samples(0.0, 0.0, samples=("u", "t")).verdict is Verdict.XPASS


def test_a_known_divergence_has_ended_in_a_sample_that_it_names() -> None:
    cell = two_samples(1.0, 0.0, samples=("s", "t"))
    assert (cell.verdict, cell.divergence) == (Verdict.XPASS, "k")
    assert cell.reason == "known divergence 'k' no longer shows in sample t; it ends when: never"
    assert [s.verdict for s in cell.by_sample] == [Verdict.XFAIL, Verdict.XPASS]
    # A pattern says which samples may show it.
    assert two_samples(1.0, 0.0, samples=("*",)).verdict is Verdict.XFAIL
    assert two_samples(1.0, 0.0, samples=("s",)).verdict is Verdict.XFAIL


def test_the_reason_of_a_cell_of_one_sample_names_none() -> None:
    cells = expected_cells(known(stage="a"), ONES + 10, ONES, ONES)
    assert cells[0].reason == (
        "larger than known divergence 'k' allows: 10 where at most 1.5 (absolute); 3 of 3 elements beyond the"
        " limit, first at [0]"
    )


@pytest.mark.parametrize("off", [0.5, 1.5])
def test_the_ends_of_the_range_belong_to_it(off: float) -> None:
    assert expected_cells(known(stage="a"), ONES + off, ONES, ONES)[0].verdict is Verdict.XFAIL


def test_a_stage_that_is_off_chained_alone_has_not_healed() -> None:
    of = chain(stated("a"), known_divergences=(known(stage="a"),))
    reference = observed(a=ONES)
    cells = [
        *judge_against(context(of), Mode.CHAINED, Check.REFERENCE, observed(a=ONES + 1), reference),
        *judge_against(context(of), Mode.ISOLATED, Check.REFERENCE, reference, reference),
    ]
    sides = Sides(
        case=of, chained=observed(a=ONES + 1), isolated=reference, reference=reference, upstream=reference
    )
    explained = expect_divergences("r", cells, sides)
    assert [cell.verdict for cell in explained] == [Verdict.XFAIL, Verdict.PASS]


def test_another_stage_that_is_off_keeps_nothing_from_healing() -> None:
    cells = expected_cells(known(stage="a"), ONES, ONES + 9, ONES + 9)
    assert [cell.verdict for cell in cells] == [Verdict.XPASS, Verdict.FAIL, Verdict.XPASS, Verdict.FAIL]
    assert cells[0].reason == "known divergence 'k' no longer shows; it ends when: never"


def test_a_known_divergence_of_an_older_record_covers_nothing() -> None:
    old = known(stage="a", measure=None, at_least=None, at_most=None)
    cells = expected_cells(old, ONES + 1, ONES, ONES)
    assert [cell.verdict for cell in cells] == [Verdict.FAIL, Verdict.PASS, Verdict.FAIL, Verdict.PASS]


def two_samples(s: float, t: float, **changes: Any) -> Cell:
    """A cell of two samples, off by so much; a known divergence allows 0.5 to 1.5."""
    of = chain(stated("a"), known_divergences=(known(stage="a", **changes),))
    cell = judge(ONES + s, ONES)
    sample_verdicts = tuple(
        SampleVerdict(sample=name, verdict=Verdict.FAIL if off else Verdict.PASS, max_abs=off)
        for name, off in (("s", s), ("t", t))
    )
    cell = msgspec.structs.replace(cell, by_sample=sample_verdicts, worst_sample="s", samples=2)
    chained = observed("s", a=ONES + s) | observed("t", a=ONES + t)
    reference = observed("s", a=ONES) | observed("t", a=ONES)
    (samples,) = expect_divergences("r", [cell], Sides(case=of, chained=chained, reference=reference))
    return samples


def test_every_sample_has_to_be_within_the_range() -> None:
    cell = two_samples(1.0, 1.25)
    assert (cell.verdict, cell.divergence) == (Verdict.XFAIL, "k")
    assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == [Verdict.XFAIL, Verdict.XFAIL]
    cell = two_samples(1.0, 0.0)
    assert cell.verdict is Verdict.XFAIL
    assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == [Verdict.XFAIL, Verdict.PASS]
    cell = two_samples(1.0, 2.0)
    assert (cell.verdict, cell.divergence) == (Verdict.FAIL, "")
    assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == [Verdict.XFAIL, Verdict.FAIL]
    assert cell.reason.startswith("t: larger than known divergence 'k' allows: 2 where at most 1.5")
