"""Whole lines of the record, field by field, on observations made by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.coarse import judge_coarse, judge_coarsely
from harness.conformance.elements import judge_arrays, misfit, without_limit
from harness.conformance.identities import judge_identities
from harness.conformance.judge import (
    blank_cells,
    judge_against,
    judge_calls,
    judge_published,
    judge_truth,
)
from harness.conformance.judgement import Judgement, in_every_sample
from harness.conformance.judging_context import JudgingContext
from harness.conformance.lookup import is_undecided
from harness.conformance.pairs import judge_consensus, judge_pairs
from harness.conformance.samples import judge_against_truth, judge_printed
from harness.model import (
    Basis,
    Case,
    Cell,
    Check,
    Consensus,
    ErrorStats,
    Failure,
    Fixture,
    Identity,
    Implementation,
    Mode,
    Observation,
    Pair,
    Precision,
    Published,
    SampleVerdict,
    Source,
    Stage,
    Tolerance,
    Truth,
    Value,
    Verdict,
    Wider,
)

NEAR = Tolerance(
    rule="absolute", value=1.0, reason="test", wider=Wider(samples="t", value=4.0, reason="test")
)
SIZES = {"s": {"n": 2}, "t": {"n": 2}}
CHAINED, ISOLATED = Mode.CHAINED, Mode.ISOLATED
CRASH = Failure(verdict=Verdict.ERROR, reason="it ended", detail="trace")
Observations = dict[tuple[str, str], Observation | Failure]


def value(name: str, **changes: Any) -> Value:
    return Value(**{"name": name, "shape": ("n",), **changes})


def case(**changes: Any) -> Case:
    """The stage one has the outputs a (stated) and b (derived); two has c (exact)."""
    return Case(
        **{
            "name": "toy",
            "title": "",
            "origin": "",
            "fixture": "f",
            "inputs": (value("x"),),
            "stages": (
                Stage(name="one", inputs=("x",), outputs=(value("a", tolerance=NEAR), value("b"))),
                Stage(name="two", inputs=("a",), outputs=(value("c", tolerance=Tolerance(rule="exact")),)),
            ),
            **changes,
        }
    )


def subject(
    of: Case | None = None, who: str = "r", precision: Precision = Precision.FLOAT64
) -> JudgingContext:
    implementation = Implementation(id=who, runtime=who, language=who.upper(), path=Path("toy"))
    return JudgingContext(case=of or case(), implementation=implementation, precision=precision, sizes=SIZES)


def first_stage(
    sample: str, a: Any, b: Any, source: Source = Source.LIVE, seconds: float = 0.5
) -> Observations:
    """What the first stage returned for a sample."""
    outputs = {"a": np.array(a), "b": np.array(b)}
    return {(sample, "one"): Observation(outputs=outputs, seconds=seconds, source=source)}


def second_stage(sample: str, c: Any) -> Observations:
    return {(sample, "two"): Observation(outputs={"c": np.array(c)}, seconds=0.125)}


def truth(high: Any, limit: Any, **changes: Any) -> Truth:
    high = np.array(high)
    return Truth(
        **{
            "high": high,
            "low": np.zeros(high.shape),
            "limit": np.broadcast_to(np.asarray(limit), high.shape).astype(np.float64),
            "worst": 3.0,
            **changes,
        }
    )


def base(**changes: Any) -> Cell:
    return Cell(
        **{
            "case": "toy",
            "stage": "a",
            "implementation": "r",
            "language": "R",
            "mode": CHAINED,
            "precision": Precision.FLOAT64,
            "check": Check.REFERENCE,
            "against": "numpy",
            "source": Source.LIVE,
            "verdict": Verdict.PASS,
            "samples": 2,
            **changes,
        }
    )


# From 1 to 2, and from 2 to 4, there are 2**52 numbers.
STEPS = 2.0**52


def far(count: int = 2, **changes: Any) -> ErrorStats:
    """The errors of [1, 4] where [1, 2] is due."""
    histogram = [1] + [0] * 52 + [1]
    return ErrorStats(
        **{
            "count": count,
            "max_abs": 2.0,
            "max_abs_index": (1,),
            "max_rel": 1.0,
            "max_rel_index": (1,),
            "max_ulp": STEPS,
            "max_ulp_index": (1,),
            "mean_abs": 1.0,
            "rms": math.sqrt(2.0),
            "ulp_histogram": tuple(histogram),
            **changes,
        }
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
    reason = "the sign of zero differs in 1 places, and the stage is exact"
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
    return Fixture(
        name="f",
        version=1,
        sha256="",
        origin="",
        licence="",
        shared={"x": np.array(x)},
        samples={"s": {}, "t": {}},
    )


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


# Every two


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


def test_derived_values_of_which_a_sample_has_no_truth_are_no_pair() -> None:
    both = {
        name: first_stage("s", [1.0, 2.0], [1.0, 2.0]) | first_stage("t", [1.0, 2.0], [1.0, 2.0])
        for name in ("p", "q")
    }
    only = case(stages=(case().stages[0],))
    for truths, stages in (
        ({("s", "b"): truth([1.0, 2.0], 0.5)}, ["a"]),
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


# One array


def test_arrays_that_have_no_type_of_integers_in_common() -> None:
    whole = value("i", dtype="int")
    ours, theirs = np.array([-1, 2]), np.array([2**63, 2], dtype=np.uint64)
    assert judge_arrays(ours, theirs, whole, NEAR, Precision.FLOAT64, {"n": 2}) == Judgement(
        verdict=Verdict.FAIL,
        reason="no integer type has both -1 to 2 and 2 to 9223372036854775808, what is due",
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
    wrong = "1 of 2 elements beyond the limit, first at [1]; NaN in 1 places on one side only"
    assert judged.reason == wrong


def test_a_dtype_that_does_not_fit_is_named_by_what_is_due() -> None:
    b = Value(name="b", shape=("n", 2), dtype="float")
    wide = np.zeros((3, 2))
    assert misfit(wide.astype(np.float32), b, Precision.BFLOAT16, {"n": 3}) is None
    said = "dtype float64 where bfloat16 is due"
    assert (misfit(wide, b, Precision.BFLOAT16, {"n": 3}) or "").startswith(said)
    said = "dtype bfloat16 where float64 is due"
    halves = np.zeros((3, 2), np.dtype([("bfloat16", "<u2")]))
    assert misfit(halves, b, Precision.FLOAT64, {"n": 3}) == said
    assert misfit(wide, b, Precision.FLOAT64, {"n": 4}) == "shape (3, 2) where (n=4, 2) is due"
    assert misfit(wide[:, :1], b, Precision.FLOAT64, {}) == "shape (3, 1) where (n, 2) is due"
    assert misfit(wide[0], b, Precision.FLOAT64, {}) == "shape (2) where (n, 2) is due"


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
    assert judged.reason == "nothing to compare with: shape (2) where (n=3) is due"
    assert judged.compared == 3


def test_what_is_left_out_is_not_counted_as_compared() -> None:
    b = Value(name="b", shape=("n",), dtype="float")
    judged = judge_arrays(np.zeros(5), np.zeros(5), b, 0.0, Precision.FLOAT64, {"n": 5}, 2)
    assert (judged.verdict, judged.compared) == (Verdict.PASS, 3)
