"""Whole lines of the record, field by field, on observations made by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.coarse import judge_coarsely
from harness.conformance.identities import judge_identities
from harness.conformance.judge import blank_cells, judge_against, judge_calls, judge_published, judge_truth
from harness.conformance.judgement import Judgement
from harness.conformance.pairs import judge_pairs
from harness.conformance.samples import judge_printed
from harness.model import (
    Basis,
    Check,
    Failure,
    Fixture,
    Identity,
    Precision,
    Published,
    SampleVerdict,
    Source,
    Stage,
    Tolerance,
    Verdict,
)
from harness.oracle.unknown import NO_NUMBER
from tests.unit.conformance.by_hand import case_of, fixture_of, truth, value
from tests.unit.conformance.two_stages import (
    CHAINED,
    CRASH,
    ISOLATED,
    NEAR,
    SIZES,
    base,
    case,
    far,
    first_stage,
    second_stage,
    subject,
)


def test_against_the_reference() -> None:
    actual = first_stage("s", [1.5, 2.0], [0.0, 0.0]) | first_stage(
        "t", [1.0, 4.0], [0.0, 0.0], Source.REPLAYED, 0.25
    )
    due = first_stage("s", [1.0, 2.0], [0.0, 0.0], seconds=9.0) | first_stage("t", [1.0, 2.0], [0.0, 0.0])
    actual |= second_stage("s", [1.0, 0.0]) | second_stage("t", [1.0, 2.0])
    due |= second_stage("s", [1.0, -0.0]) | second_stage("t", [1.0, 2.0])
    first, second = judge_against(subject(), CHAINED, Check.REFERENCE, actual, due)
    assert first.stats is not None
    histogram = first.stats.ulp_histogram
    stats = msgspec.structs.replace(first.stats, ulp_histogram=())
    assert (histogram[0], sum(histogram)) == (1, 2)
    # Half of the limit in both samples: the larger ULP is the worse.
    assert stats == far(ulp_histogram=(), used=0.5)
    assert msgspec.structs.replace(first, stats=None) == base(
        source=Source.REPLAYED,
        limit=4.0,
        worst_sample="t",
        seconds=0.75,
        basis=Basis.STATED,
        by_sample=(
            SampleVerdict(sample="s", verdict=Verdict.PASS, used=0.5, max_abs=0.5),
            SampleVerdict(sample="t", verdict=Verdict.PASS, used=0.5, max_abs=2.0),
        ),
    )
    reason = "the sign of zero differs in 1 place, and the stage is exact"
    assert msgspec.structs.replace(second, stats=None) == base(
        stage="c",
        verdict=Verdict.FAIL,
        reason=reason,
        limit=0.0,
        worst_sample="s",
        seconds=0.25,
        basis=Basis.STATED,
        by_sample=(
            SampleVerdict(sample="s", verdict=Verdict.FAIL, reason=reason, used=0.0, max_abs=0.0),
            SampleVerdict(sample="t", verdict=Verdict.PASS, used=0.0, max_abs=0.0),
        ),
    )


def test_what_is_asked_twice_has_to_be_the_same_and_to_be_there_both_times() -> None:
    again = first_stage("s", [1.0, 2.0], [1.0, 2.0]) | second_stage("s", [3.0, 4.0])
    first = first_stage("s", [1.0, 2.0], [1.0, 4.0]) | {("s", "two"): CRASH}
    cells = judge_against(subject(who="numpy"), ISOLATED, Check.REPEAT, again, first)
    assert [(cell.stage, cell.verdict, cell.basis, cell.check, cell.mode) for cell in cells] == [
        ("a", Verdict.PASS, None, Check.REPEAT, ISOLATED),
        ("b", Verdict.FAIL, None, Check.REPEAT, ISOLATED),
        ("c", Verdict.ERROR, None, Check.REPEAT, ISOLATED),
    ]
    assert cells[1].reason == "1 of 2 elements beyond the limit, first at [1]"
    assert (cells[2].reason, cells[2].detail) == ("the first time: it ended", "trace")
    (*_, lost) = judge_against(
        subject(who="numpy"), ISOLATED, Check.REPEAT, again | {("s", "two"): CRASH}, first
    )
    assert (lost.verdict, lost.reason) == (Verdict.ERROR, "it ended")


def test_samples_that_the_reference_lacks_are_no_samples() -> None:
    actual = first_stage("s", [1.0, 2.0], [0.0, 0.0]) | first_stage("t", [9.0, 9.0], [0.0, 0.0])
    cell, missing = judge_against(
        subject(), CHAINED, Check.REFERENCE, actual, first_stage("s", [1.0, 2.0], [0.0, 0.0])
    )
    assert (cell.verdict, cell.samples, cell.seconds, cell.worst_sample) == (Verdict.PASS, 1, 0.5, "s")
    assert (missing.verdict, missing.source, missing.reason) == (
        Verdict.NOT_RUN,
        Source.NONE,
        "not observed",
    )


def test_against_the_truth() -> None:
    actual = first_stage("s", [0.0, 0.0], [1.0, 2.25]) | first_stage(
        "t", [0.0, 0.0], [1.25, 2.0], seconds=0.25
    )
    truths = {("s", "b"): truth([1.0, 2.0], [0.5, 1.0]), ("t", "b"): truth([1.0, 2.0], [0.5, 2.0], worst=9.0)}
    (cell,) = judge_truth(subject(), ISOLATED, actual, truths)
    assert cell.stats is not None
    assert (cell.stats.count, cell.stats.max_abs, cell.stats.used) == (2, 0.25, 0.5)
    assert msgspec.structs.replace(cell, stats=None) == base(
        stage="b",
        mode=ISOLATED,
        check=Check.ORACLE,
        against="truth",
        limit=2.0,
        worst=9.0,
        # 0.25 in the last places of 1, and, of the stage, of 2.
        ulp_error=2.0**50,
        ulp_of_stage=2.0**49,
        worst_sample="t",
        seconds=0.75,
        basis=Basis.DERIVED,
        by_sample=(
            SampleVerdict(sample="s", verdict=Verdict.PASS, used=0.25, max_abs=0.25),
            SampleVerdict(sample="t", verdict=Verdict.PASS, used=0.5, max_abs=0.25),
        ),
    )


@pytest.mark.parametrize(("b", "verdict"), [([1.25, 2.0], "PASS"), ([1.75, 2.0], "FAIL")])
def test_a_sample_of_the_reference_without_a_truth_leaves_the_others_their_limits(
    b: list[float], verdict: str
) -> None:
    actual = first_stage("s", [0.0, 0.0], [7.0, 7.0]) | first_stage("t", [0.0, 0.0], b)
    truths = {
        ("s", "b"): Failure(verdict=Verdict.NOT_RUN, reason="not understood"),
        ("t", "b"): truth([1.0, 2.0], [0.5, 2.0]),
    }
    why = "nothing to compare with: not understood"
    (cell,) = judge_truth(subject(who="numpy"), ISOLATED, actual, truths, actual)
    assert (cell.verdict, cell.limit, cell.worst, cell.samples) == (verdict, 2.0, 3.0, 2)
    assert cell.reason.endswith(f"{why}, in sample s")
    assert [(part.sample, part.verdict, part.used) for part in cell.by_sample] == [
        ("s", "NOT_RUN", None),
        ("t", verdict, (b[0] - 1.0) / 0.5),
    ]
    assert cell.by_sample[0].reason == why
    # Another implementation is compared with the reference there, coarsely.
    (cell,) = judge_truth(subject(), ISOLATED, actual, truths, actual)
    assert [part.sample for part in cell.by_sample] == ["t"]
    # What gave no answer is a fault, whatever is known.
    (cell,) = judge_truth(subject(who="numpy"), ISOLATED, actual | {("s", "one"): CRASH}, truths, actual)
    assert (cell.verdict, [part.verdict for part in cell.by_sample]) == ("ERROR", ["ERROR", verdict])


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [([np.nan, np.nan], "PASS"), ([np.nan, 1.0], "FAIL"), ([1.0, 2.0], "FAIL"), ([np.inf, np.nan], "FAIL")],
)
def test_a_sample_that_is_nan_alone_is_held_against_the_reference(ours: list[float], verdict: str) -> None:
    outputs = (value("a", tolerance=NEAR), value("b", nan=True))
    of = case_of(Stage(name="one", inputs=("x",), outputs=outputs))
    theirs = first_stage("s", [0.0, 0.0], [np.nan, np.nan]) | first_stage("t", [0.0, 0.0], [1.0, 2.0])
    actual = first_stage("s", [0.0, 0.0], ours) | first_stage("t", [0.0, 0.0], [1.25, 2.0])
    nothing = truth([0.0, 0.0], 0.0, undecided=np.ones(2, bool), unlimited=np.ones(2, bool), why=NO_NUMBER)
    truths = {("s", "b"): nothing, ("t", "b"): truth([1.0, 2.0], 0.5)}
    for who in ("r", "numpy"):
        (cell,) = judge_truth(subject(of, who=who), CHAINED, actual, truths, theirs)
        assert [part.verdict for part in cell.by_sample] == [verdict, "PASS"]
        assert (cell.verdict, cell.undecided) == (verdict, 0)
    assert judge_coarsely(subject(of), CHAINED, actual, theirs, truths, fixture()) == []
    (_, pair) = judge_pairs(of, Precision.FLOAT64, SIZES, {"numpy": theirs, "r": actual}, truths)
    assert pair.agree is (verdict == "PASS")


def test_where_nothing_is_decided_the_distance_to_the_reference_is_told_and_nothing_judged() -> None:
    actual, theirs = first_stage("s", [0.0, 0.0], [1.0, 4.0]), first_stage("s", [0.0, 0.0], [1.0, 2.0])
    marked = truth([1.0, 2.0], 0.0, undecided=np.ones(2, bool), reach=np.full(2, 5.0), why="a tie")
    (cell,) = judge_truth(subject(), CHAINED, actual, {("s", "b"): marked}, theirs)
    assert cell.stats is not None
    assert msgspec.structs.replace(cell.stats, ulp_histogram=()) == far(ulp_histogram=())
    assert (cell.verdict, cell.source, cell.undecided, cell.elements) == (
        Verdict.NOT_RUN,
        Source.NONE,
        2,
        2,
    )
    assert (cell.reason, cell.weaker_because) == ("no element could be decided: a tie", "a tie")
    # Of the reference itself, or of another shape or dtype, there is no distance.
    for ours, other in (
        (actual, actual),
        (first_stage("s", [0.0, 0.0], np.array([1.0, 4.0])), first_stage("s", [0.0, 0.0], [1.0, 2.0, 3.0])),
        (actual, first_stage("s", [0.0, 0.0], np.array([1.0, 2.0], np.float32))),
        (actual, {("s", "one"): CRASH}),
    ):
        (cell,) = judge_truth(subject(), CHAINED, ours, {("s", "b"): marked}, other)
        assert (cell.verdict, cell.stats) == (Verdict.NOT_RUN, None)


def test_an_identity_that_is_stated() -> None:
    same = Identity(id="i", left="a", right="b", tolerance=NEAR, meaning="both are x")
    chained = first_stage("s", [1.0, 4.0], [1.0, 2.0]) | first_stage("t", [1.0, 2.0], [1.0, 2.0])
    (cell,) = judge_identities(subject(case(identities=(same,))), chained, {})
    reason = "1 of 2 elements beyond the limit, first at [1]"
    assert msgspec.structs.replace(cell, stats=None) == base(
        check=Check.IDENTITY,
        against="b",
        verdict=Verdict.FAIL,
        reason=f"i: {reason}",
        limit=1.0,
        worst_sample="s",
        basis=Basis.STATED,
        by_sample=(
            SampleVerdict(sample="s", verdict=Verdict.FAIL, reason=reason, used=2.0, max_abs=2.0, beyond=1),
            SampleVerdict(sample="t", verdict=Verdict.PASS, used=0.0, max_abs=0.0),
        ),
    )
    bare = msgspec.structs.replace(same, meaning="")
    (cell,) = judge_identities(subject(case(identities=(bare,))), chained, {})
    assert cell.reason == reason
    (cell,) = judge_identities(
        subject(case(identities=(same,))), first_stage("t", [1.0, 2.0], [1.0, 2.0]), {}
    )
    assert (cell.verdict, cell.reason, cell.samples) == (Verdict.PASS, "", 1)


def test_an_identity_that_is_derived() -> None:
    derived = Identity(id="i", left="a", right="b", tolerance=Tolerance(rule="derived"))
    of = subject(case(identities=(derived,)))
    truths = {
        ("s", "a"): truth([1.0, 2.0], [0.5, 0.25], worst=1.0, why="one"),
        ("s", "b"): truth([1.0, 2.0], [0.25, 0.75], worst=2.5, why="other"),
    }
    (cell,) = judge_identities(of, first_stage("s", [1.75, 2.5], [1.0, 2.0]), truths)
    assert msgspec.structs.replace(cell, stats=None) == base(
        check=Check.IDENTITY,
        against="b",
        limit=1.0,
        worst=3.5,
        worst_sample="s",
        samples=1,
        basis=Basis.DERIVED,
        by_sample=(SampleVerdict(sample="s", verdict=Verdict.PASS, used=1.0, max_abs=0.75),),
    )
    marks = {
        ("s", "a"): truth([1.0, 2.0], 0.5, undecided=np.array([True, False]), why="one"),
        ("s", "b"): truth([1.0, 2.0], 0.5, why="one"),
    }
    (cell,) = judge_identities(of, first_stage("s", [9.0, 2.5], [1.0, 2.0]), marks)
    assert (cell.verdict, cell.undecided, cell.elements) == (Verdict.PASS, 1, 2)
    assert cell.reason == "1 element not judged: one"
    assert cell.weaker_because == "one"
    lost = {("t", name): Failure(verdict=Verdict.NOT_RUN, reason="not understood") for name in "ab"}
    both = first_stage("s", [1.75, 2.5], [1.0, 2.0]) | first_stage("t", [1.0, 2.0], [9.0, 9.0])
    (cell,) = judge_identities(of, both, truths | lost)
    assert (cell.verdict, cell.limit, cell.samples) == (Verdict.PASS, 1.0, 2)
    assert cell.reason == "nothing to compare with: not understood, in sample t"
    assert [part.verdict for part in cell.by_sample] == ["PASS", "NOT_RUN"]
    off = first_stage("s", [1.75, 3.5], [1.0, 2.0]) | first_stage("t", [1.0, 2.0], [9.0, 9.0])
    (cell,) = judge_identities(of, off, truths | lost)
    assert [part.verdict for part in cell.by_sample] == ["FAIL", "NOT_RUN"]
    for name in "ab":
        short = truths | {("s", name): truth([1.0], 0.5)}
        (cell,) = judge_identities(of, first_stage("s", [1.75, 2.5], [1.0, 2.0]), short)
        assert cell.verdict is Verdict.NOT_RUN


def test_an_identity_of_complex_numbers() -> None:
    derived = Identity(id="i", left="a", right="b", tolerance=Tolerance(rule="derived"))
    stage = Stage(
        name="one", inputs=("x",), outputs=(value("a", dtype="complex"), value("b", dtype="complex"))
    )
    of = subject(case(stages=(stage,), identities=(derived,)))
    truths = {("s", name): truth([1.0 + 0j, 2j], 0.5) for name in "ab"}
    for off, verdict in ((1.0, Verdict.PASS), (1.25, Verdict.FAIL)):
        (cell,) = judge_identities(of, first_stage("s", [1.0 + off * 1j, 2j], [1.0 + 0j, 2j]), truths)
        assert (cell.verdict, cell.limit) == (verdict, 1.0)


def test_what_was_printed() -> None:
    printed = Published(stage="c", source="a book", values=("1.00", "2.00"), sample="t")
    elsewhere = Published(stage="c", source="a page", values=("9.00", "9.00"), sample="s", fixture="g*")
    of = subject(case(published=(printed, elsewhere)))
    chained = second_stage("s", [5.0, 6.0]) | second_stage("t", [1.0, 2.001])
    good, other = judge_published(of, chained, "f")
    assert good == base(
        stage="c",
        check=Check.PUBLISHED,
        against="a book",
        reason="2 printed numbers",
        worst_sample="t",
        samples=1,
        by_sample=(SampleVerdict(sample="t", verdict=Verdict.PASS, reason="2 printed numbers"),),
    )
    assert other == base(
        stage="c",
        check=Check.PUBLISHED,
        against="a page",
        source=Source.NONE,
        verdict=Verdict.NOT_RUN,
        reason="printed for g*, this is f",
        samples=0,
    )
    assert [cell.verdict for cell in judge_published(of, chained, "glove")] == [
        Verdict.PASS,
        Verdict.FAIL,
    ]


def test_how_many_printed_numbers_were_compared() -> None:
    def judged(values: tuple[str, ...], actual: Any, **more: Any) -> Judgement:
        return judge_printed(actual, Published(stage="c", source="a book", values=values, **more))

    actual = np.array([1.0, 2.0, 0.1])
    assert judged(("1.0", "...", "0.1"), actual) == Judgement(
        verdict=Verdict.PASS, reason="2 printed numbers", compared=2
    )
    assert judged(("1.0", "2.5", "0.1"), actual) == Judgement(
        verdict=Verdict.FAIL,
        reason="1 of 3 printed numbers differ, first: [1] is 2.0, printed 2.5",
        compared=3,
    )
    wrong = judged(("1.0", "2.0"), actual)
    assert (wrong.verdict, wrong.compared, bool(wrong.reason)) == (Verdict.FAIL, 3, True)
    assert judged(("1.0",), CRASH) == Judgement(verdict=Verdict.ERROR, reason="it ended", detail="trace")
    # Two decimals, of which trailing zeros were dropped, and the shortest digits of a float32.
    short = ("1", "2", "0.1")
    assert judged(short, actual + 0.04).verdict is Verdict.PASS
    assert judged(short, actual + 0.04, decimals=2).verdict is Verdict.FAIL
    assert judged(short, actual + 0.004, decimals=2).verdict is Verdict.PASS
    assert judged(("1.0", "2.0", "0.1"), actual + 0.0001).verdict is Verdict.PASS
    assert judged(("1.0", "2.0", "0.1"), actual + 0.0001, float32=True).verdict is Verdict.FAIL
    assert judged(("1.0", "2.0", "0.1"), actual, float32=True).verdict is Verdict.PASS


def test_what_broke_in_the_first_calls() -> None:
    late = Failure(verdict=Verdict.TIMEOUT, reason="late", detail="60 s")
    chained = first_stage("s", [1.0, 2.0], [1.0, 2.0], Source.REPLAYED) | {("t", "one"): late}
    chained |= second_stage("s", [1.0, 2.0]) | second_stage("t", [1.0, 2.0])
    cells = judge_calls(subject(who="numpy"), chained)
    assert cells == [
        base(
            stage=name,
            implementation="numpy",
            language="NUMPY",
            check=Check.REPEAT,
            source=Source.REPLAYED,
            verdict=Verdict.TIMEOUT,
            reason="late",
            worst_sample="t",
            samples=1,
            detail="60 s",
            by_sample=(SampleVerdict(sample="t", verdict=Verdict.TIMEOUT, reason="late"),),
        )
        for name in "ab"
    ]


@pytest.mark.parametrize("verdict", [Verdict.NOT_RUN, Verdict.ERROR])
def test_blank_cells(verdict: Any) -> None:
    failure = Failure(verdict=verdict, reason="why", detail="more")
    due = [
        base(
            stage=stage,
            mode=mode,
            check=check,
            against=against,
            source=Source.NONE,
            verdict=verdict,
            reason="why",
            detail="more",
            samples=0,
        )
        for mode in (CHAINED, ISOLATED)
        for stage, check, against in (
            ("a", Check.REFERENCE, "numpy"),
            ("b", Check.ORACLE, "truth"),
            ("c", Check.REFERENCE, "numpy"),
        )
    ]
    assert blank_cells(subject(), failure) == due
    modes = [ISOLATED] if verdict is Verdict.NOT_RUN else [ISOLATED, CHAINED]
    expected = [
        *[(mode, Check.ORACLE, "b", "truth") for mode in (CHAINED, ISOLATED)],
        *[(mode, Check.REPEAT, stage, "numpy") for mode in modes for stage in "abc"],
    ]
    cells = blank_cells(subject(who="numpy"), failure)
    assert [(cell.mode, cell.check, cell.stage, cell.against) for cell in cells] == expected


def fixture(x: Any = (1.0, 1.0)) -> Fixture:
    return fixture_of({"s": {}, "t": {}}, x=x)


def test_a_coarse_comparison() -> None:
    unknown = {
        ("s", "b"): Failure(verdict=Verdict.NOT_RUN, reason="no limit (line 5)"),
        ("t", "b"): Failure(verdict=Verdict.NOT_RUN, reason="no limit (line 6)"),
    }
    actual = first_stage("s", [0.0, 0.0], [1.0, 2.0]) | first_stage(
        "t", [0.0, 0.0], [1.0, 4.0], Source.REPLAYED, 0.25
    )
    theirs = first_stage("s", [0.0, 0.0], [1.0, 2.0]) | first_stage("t", [0.0, 0.0], [1.0, 2.0])
    (cell,) = judge_coarsely(subject(), ISOLATED, actual, theirs, unknown, fixture())
    assert cell.stats is not None
    # √(2**-53) of the largest value, 2.
    limit = 2.0 * 2.0**-26.5
    assert cell.limit == pytest.approx(limit, rel=1e-15)
    used = cell.stats.used
    assert used == pytest.approx(2.0 / limit)
    reason = (
        "differs from numpy by up to 1 of its largest value; no limit is known here, and a problem that is"
        " ill-conditioned may be the reason; 1 of 2 elements beyond the limit, first at [1]"
    )
    assert msgspec.structs.replace(cell, stats=None, limit=None) == base(
        stage="b",
        mode=ISOLATED,
        source=Source.REPLAYED,
        verdict=Verdict.FAIL,
        reason=reason,
        worst_sample="t",
        seconds=0.75,
        basis=Basis.COARSE,
        weaker_because="no limit (line 5); no limit (line 6)",
        by_sample=(
            SampleVerdict(sample="s", verdict=Verdict.PASS, used=0.0, max_abs=0.0),
            SampleVerdict(sample="t", verdict=Verdict.FAIL, reason=reason, used=used, max_abs=2.0, beyond=1),
        ),
    )
