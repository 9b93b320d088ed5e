"""What a whole run comes to."""

from typing import Any

import msgspec
import pytest

from harness.conformance.complaints import Compared
from harness.model import (
    Absent,
    Basis,
    Case,
    Cell,
    Check,
    ErrorStats,
    Footer,
    Header,
    Mode,
    Outcome,
    Precision,
    Record,
    SampleVerdict,
    Source,
    Stage,
    Value,
    Verdict,
    outcome_of,
)
from harness.model.article import Examined, Finding, Kind, Severity

CASE = Case(
    name="toy",
    title="t",
    origin="o",
    fixture="f",
    inputs=(Value(name="x", shape=()),),
    stages=tuple(Stage(name=name, inputs=("x",), outputs=(Value(name=name, shape=()),)) for name in "ab"),
)
ENDED = Footer(partial=False)
PARTIAL = Footer(partial=True, reason="stopped")
MISSING = Footer(partial=False, complaints=("required runtime missing: julia: no julia here",))
COMPLAINT = Footer(partial=False, complaints=("known divergence 'x' matches nothing",))
FAULT = Footer(partial=False, complaints=("a fault in the harness: ValueError: no pairs",))
WRONG = Finding(
    document="a.md",
    line=7,
    language="r",
    chunk=0,
    kind=Kind.CHUNK_FAILS,
    severity=Severity.WRONG,
    evidence="e",
    consequence="c",
)


def cell(stage: str, verdict: str, implementation: str = "r", **more: Any) -> Cell:
    defaults: dict[str, Any] = {
        "case": "toy",
        "language": "?",
        "mode": Mode.CHAINED,
        "precision": Precision.FLOAT64,
        "check": Check.REFERENCE,
        "against": "numpy",
        "source": Source.LIVE,
    }
    return Cell(stage=stage, implementation=implementation, verdict=Verdict(verdict), **defaults | more)


def repeat(stage: str) -> Cell:
    return cell(stage, "PASS", "numpy", mode=Mode.ISOLATED, check=Check.REPEAT)


def truth(stage: str, verdict: str = "PASS", implementation: str = "r", **more: Any) -> Cell:
    return cell(stage, verdict, implementation, check=Check.ORACLE, against="truth", **more)


def record(
    *cells: Cell, footer: Footer | None = ENDED, cases: tuple[Case, ...] = (CASE,), **more: Any
) -> Record:
    header = Header(
        schema=3,
        harness="0.1.0",
        protocol=1,
        started="",
        suite="",
        python="",
        platform="",
        cpu="",
        cores=2,
        locale="",
        absent=(Absent(runtime="julia", language="Julia", reason="no julia here"),),
        cases=cases,
    )
    return Record(header=header, cells=cells, pairs=(), footer=footer, **more)


BOTH = (cell("a", "PASS"), cell("b", "PASS"))


@pytest.mark.parametrize(
    ("more", "footer", "outcome", "code"),
    [
        ([], ENDED, Outcome.AGREEMENT, 0),
        (["XFAIL"], ENDED, Outcome.AGREEMENT, 0),
        (["FAIL"], ENDED, Outcome.DIVERGENCE, 1),
        (["XPASS"], ENDED, Outcome.DIVERGENCE, 1),
        ([], COMPLAINT, Outcome.DIVERGENCE, 1),
        (["FAIL", "ERROR"], ENDED, Outcome.FAULT, 4),
        (["TIMEOUT"], COMPLAINT, Outcome.FAULT, 4),
        ([], FAULT, Outcome.FAULT, 4),
        ([], MISSING, Outcome.INCOMPLETE, 3),
        (["FAIL", "ERROR"], MISSING, Outcome.INCOMPLETE, 3),
        (["FAIL", "ERROR"], PARTIAL, Outcome.INCOMPLETE, 130),
        ([], None, Outcome.INCOMPLETE, 130),
    ],
)
def test_the_first_that_holds(more: list[str], footer: Footer | None, outcome: Outcome, code: int) -> None:
    others = [cell("a", verdict, f"r.{place}", mode=Mode.ISOLATED) for place, verdict in enumerate(more)]
    others += [cell(stage, "PASS", other.implementation) for other in others for stage in "ab"]
    run_outcome = outcome_of(record(*BOTH, *others, footer=footer))
    assert (run_outcome.outcome, run_outcome.exit_code) == (outcome, code)
    assert bool(run_outcome.reasons) is (code != 0)


def test_what_does_not_count_as_a_comparison() -> None:
    # Repetition, isolated stages and identities: nobody was held, chained, against anybody.
    cells = [repeat(stage) for stage in "ab"]
    cells += [cell(stage, "PASS", mode=Mode.ISOLATED) for stage in "ab"]
    cells += [cell(stage, "PASS", check=Check.IDENTITY, against="b") for stage in "ab"]
    cells += [truth(stage, "NOT_RUN", reason="not understood") for stage in "ab"]
    run_outcome = outcome_of(record(*cells))
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 5)
    assert run_outcome.reasons == (
        "numpy: a of toy in float64 and 1 more were compared with nothing but themselves",
        "r: a of toy in float64 and 1 more were not compared: not understood",
    )


@pytest.mark.parametrize("left_out", [0, 1])
def test_one_output_that_is_missing_is_enough(left_out: int) -> None:
    assert outcome_of(record(*BOTH)).exit_code == 0
    assert outcome_of(record(BOTH[1 - left_out])).exit_code == 5
    bare = msgspec.structs.replace(BOTH[left_out], verdict=Verdict.NOT_RUN, reason="why")
    run_outcome = outcome_of(record(BOTH[1 - left_out], bare))
    assert run_outcome.exit_code == 5
    assert run_outcome.reasons[0].endswith(": why")


def test_the_reference_is_compared_by_another_held_against_it_or_by_the_truth() -> None:
    alone = [repeat(stage) for stage in "ab"]
    assert outcome_of(record(*alone)).exit_code == 5
    assert outcome_of(record(*alone, *BOTH)).exit_code == 0
    assert outcome_of(record(*alone, *(truth(stage, "PASS", "numpy") for stage in "ab"))).exit_code == 0
    # Others that were compared with the truth say nothing of the reference.
    assert outcome_of(record(*alone, *(truth(stage) for stage in "ab"))).exit_code == 5


@pytest.mark.parametrize(
    "change", [{"precision": Precision.FLOAT32}, {"verdict": Verdict.NOT_RUN}, {"mode": Mode.ISOLATED}]
)
def test_what_says_nothing_of_the_reference(change: dict[str, Any]) -> None:
    alone = [repeat(stage) for stage in "ab"]
    # Others are compared, by digits in print, so that only the reference is left.
    printed = [cell(stage, "PASS", check=Check.PUBLISHED, against="p") for stage in "ab"]
    printed += [msgspec.structs.replace(original, precision=Precision.FLOAT32) for original in printed]
    others = [msgspec.structs.replace(original, **change) for original in BOTH]
    run_outcome = outcome_of(record(*alone, *printed, *others))
    assert run_outcome.exit_code == 5
    assert run_outcome.reasons == (
        "numpy: a of toy in float64 and 1 more were compared with nothing but themselves",
    )


def test_coarse_and_published_comparisons_count() -> None:
    coarse = cell("a", "PASS", basis=Basis.COARSE, weaker_because="python-flint is not installed")
    printed = cell("b", "PASS", check=Check.PUBLISHED, against="an article")
    assert outcome_of(record(coarse, printed)).exit_code == 0


def test_samples_that_were_not_compared_beside_those_that_were() -> None:
    rest = cell("a", "NOT_RUN", reason="zero up to rounding")
    assert outcome_of(record(truth("a"), BOTH[1])).exit_code == 0
    assert outcome_of(record(truth("a"), rest, BOTH[1])).exit_code == 5


def test_a_sample_that_nobody_compares_is_missed_beside_those_that_pass() -> None:
    def parts(**verdicts: str) -> tuple[SampleVerdict, ...]:
        return tuple(SampleVerdict(sample=name, verdict=Verdict(text)) for name, text in verdicts.items())

    ours = truth("a", by_sample=parts(s="PASS", t="NOT_RUN"), reason="nothing to compare with, in sample t")
    run_outcome = outcome_of(record(ours, BOTH[1]))
    assert run_outcome.exit_code == 5
    assert run_outcome.reasons == (
        "r: a of toy in float64 was not compared: nothing to compare with, in sample t",
    )
    # Coarsely is enough, of the one or, where it is the reference, of another.
    coarse = cell("a", "PASS", basis=Basis.COARSE, by_sample=parts(t="PASS"))
    assert outcome_of(record(ours, coarse, BOTH[1])).exit_code == 0
    lost = msgspec.structs.replace(coarse, verdict=Verdict.NOT_RUN, by_sample=parts(t="NOT_RUN"))
    assert outcome_of(record(ours, lost, BOTH[1])).exit_code == 5
    # An element that is undecided was looked at.
    undecided = SampleVerdict(sample="t", verdict=Verdict.NOT_RUN, undecided=1)
    tie = truth("a", by_sample=(*parts(s="PASS"), undecided))
    assert outcome_of(record(tie, BOTH[1])).exit_code == 0


def test_a_missing_runtime_and_precision_are_allowed_and_named() -> None:
    gone = [cell(stage, "NOT_RUN", "julia", reason="no julia here") for stage in "ab"]
    other = [cell(stage, "UNSUPPORTED", precision=Precision.FLOAT32, reason="no float32") for stage in "ab"]
    run_outcome = outcome_of(record(*BOTH, *gone, *other))
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.AGREEMENT, 0)
    assert run_outcome.reasons == ("julia was not run: no julia here", "r was not run in float32: no float32")
    # A runtime that is there has no such excuse.
    here = [msgspec.structs.replace(original, implementation="torch") for original in gone]
    assert outcome_of(record(*BOTH, *here)).exit_code == 5


def test_a_file_in_none_of_its_cases_precisions_was_not_compared() -> None:
    lacks = "toy.onnx is in float32, and has no float64"
    lost = [cell(stage, "UNSUPPORTED", "onnx", reason=lacks) for stage in "ab"]
    run_outcome = outcome_of(record(*BOTH, *lost))
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 5)
    assert run_outcome.reasons == (
        f"onnx: nothing of toy was compared: {lacks}: write or export it in float64, or name its own"
        " precision under precisions in case.toml",
    )
    # In one of them it was compared; or the other one was not chosen.
    both = msgspec.structs.replace(CASE, precisions=(Precision.FLOAT64, Precision.FLOAT32))
    there = [cell(stage, "PASS", "onnx", precision=Precision.FLOAT32) for stage in "ab"]
    for cells in ([*lost, *there], lost):
        run_outcome = outcome_of(record(*BOTH, *cells, cases=(both,)))
        assert run_outcome.exit_code == 0
        assert run_outcome.reasons == (f"onnx was not run in float64: {lacks}",)
    # The runtime lacks it, and no file could have it.
    none = [cell(stage, "UNSUPPORTED", "onnx", reason="onnx has no float64") for stage in "ab"]
    assert outcome_of(record(*BOTH, *none)).exit_code == 0


def test_what_is_replayed_for_a_missing_runtime_has_to_be_whole() -> None:
    half = [
        cell("a", "PASS", "julia", source=Source.REPLAYED),
        cell("b", "NOT_RUN", "julia", reason="not observed"),
    ]
    assert outcome_of(record(*BOTH, *half)).exit_code == 5


@pytest.mark.parametrize(
    ("absent", "reason", "code"),
    [
        ("no julia here", "no julia here; there is no snapshot", 0),
        ("no julia here", "snapshot refused: its source has changed", 5),
        ("no julia here; replayed: Julia 1.5.3, 2026-01-01", "no julia here; there is no snapshot", 5),
        ("not started: every runtime is replayed", "snapshot refused: its source has changed", 5),
        ("not started: every runtime is replayed", "not started: every runtime is replayed; no snapshot", 5),
    ],
)
def test_a_snapshot_that_is_refused_or_absent_is_no_missing_runtime(
    absent: str, reason: str, code: int
) -> None:
    whole = record(*BOTH, *(cell(stage, "NOT_RUN", "julia", reason=reason) for stage in "ab"))
    runtime = Absent(runtime="julia", language="Julia", reason=absent)
    header = msgspec.structs.replace(whole.header, absent=(runtime,))
    run_outcome = outcome_of(msgspec.structs.replace(whole, header=header))
    assert run_outcome.exit_code == code
    assert any(reason in line for line in run_outcome.reasons)


def test_a_run_of_missing_runtimes_alone_says_nothing() -> None:
    gone = [cell(stage, "NOT_RUN", "julia", reason="no julia here") for stage in "ab"]
    run_outcome = outcome_of(record(*gone))
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 5)
    assert run_outcome.reasons == ("nothing was compared", "julia was not run: no julia here")
    assert outcome_of(record()).exit_code == 5


def test_the_articles_own_code_is_never_missed_but_may_be_off() -> None:
    def theirs(verdict: str) -> Cell:
        return cell("a", verdict, "published.r")

    assert outcome_of(record(*BOTH, theirs("NOT_RUN"))).exit_code == 0
    assert outcome_of(record(*BOTH, cell("a", "NOT_RUN", "published.r.second"))).exit_code == 0
    assert outcome_of(record(*BOTH, theirs("FAIL"))).exit_code == 1
    assert outcome_of(record(*BOTH, theirs("ERROR"))).exit_code == 4
    # Where nothing else was run, theirs is what was compared.
    assert outcome_of(record(theirs("PASS"))).exit_code == 0
    assert outcome_of(record(theirs("NOT_RUN"))).exit_code == 5


@pytest.mark.parametrize(
    ("more", "code"), [({}, 0), ({"findings": (WRONG,)}, 1), ({"failure": "no memory"}, 4)]
)
def test_a_record_of_documents_alone(more: dict[str, Any], code: int) -> None:
    documents = (Examined(document="a.md", **more),)
    assert outcome_of(record(documents=documents)).exit_code == code
    # Beside a suite, what is wrong with an article does not fail the run.
    assert outcome_of(record(*BOTH, documents=documents)).exit_code == 0


def test_many_failures_of_one_cause_are_one_reason() -> None:
    cells = [
        cell(f"s{place}", "FAIL", reason="too far", stats=ErrorStats(count=1, beyond=1))
        for place in range(1000)
    ]
    run_outcome = outcome_of(record(*BOTH, *cells))
    assert run_outcome.reasons == ("r: s0 of toy in float64 and 999 more differ: too far",)


def test_a_record_of_an_older_schema_names_no_case() -> None:
    assert outcome_of(record(*BOTH, cases=())).exit_code == 0
    assert outcome_of(record(BOTH[0], repeat("c"), cases=())).exit_code == 5


@pytest.mark.parametrize("verdict", ["PASS", "FAIL", "XFAIL", "XPASS"])
def test_whatever_a_comparison_comes_to_there_was_one(verdict: str) -> None:
    run_outcome = outcome_of(record(BOTH[0], cell("b", verdict)))
    assert not [reason for reason in run_outcome.reasons if "with nothing but" in reason]
    printed = cell("b", verdict, check=Check.PUBLISHED, against="p")
    assert not [
        reason for reason in outcome_of(record(BOTH[0], printed)).reasons if "with nothing but" in reason
    ]


@pytest.mark.parametrize("verdict", ["ERROR", "TIMEOUT"])
def test_what_gave_no_answer_is_not_said_twice(verdict: str) -> None:
    run_outcome = outcome_of(record(BOTH[0], cell("b", verdict, reason="it ended")))
    assert run_outcome.reasons == ("r: b of toy in float64 gave no answer: it ended",)


def test_a_missing_runtime_that_is_unsupported_elsewhere_is_left_out() -> None:
    gone = [cell("a", "NOT_RUN", "julia", reason="no julia here"), cell("b", "UNSUPPORTED", "julia")]
    run_outcome = outcome_of(record(*BOTH, *gone))
    assert (run_outcome.outcome, run_outcome.reasons) == ("AGREEMENT", ("julia was not run: no julia here",))


def test_every_reason_stands_in_the_order_of_its_weight() -> None:
    footer = Footer(
        partial=True,
        reason="stopped",
        complaints=(
            "known divergence 'x' matches nothing",
            "worker failed: r: it hung",
            "a fault in the harness: ValueError: no pairs",
            "required runtime missing: julia: no julia here",
        ),
    )
    cells = (
        cell("a", "FAIL", reason="too far"),
        cell("b", "ERROR", "torch", reason="it crashed"),
        cell("a", "PASS", "torch"),
        cell("a", "NOT_RUN", "julia", reason="no julia here"),
    )
    run_outcome = outcome_of(record(*cells, footer=footer))
    assert run_outcome.reasons == (
        "the run did not end: stopped",
        "required runtime missing: julia: no julia here",
        "worker failed: r: it hung",
        "a fault in the harness: ValueError: no pairs",
        "torch: b of toy in float64 gave no answer: it crashed",
        "known divergence 'x' matches nothing",
        "r: a of toy in float64 is wrong: too far",
        "r: b of toy in float64 was compared with nothing but itself",
        "julia was not run: no julia here",
    )
    worker = Footer(partial=False, complaints=("worker failed: r: it hung",))
    assert (outcome_of(record(*BOTH, footer=worker)).outcome) == "FAULT"


def test_a_document_that_could_not_be_run_says_why_and_one_that_is_wrong_says_where() -> None:
    run_outcome = outcome_of(
        record(
            documents=(
                Examined(document="a.md", problem="not UTF-8"),
                Examined(document="b.md", failure="no memory"),
                Examined(document="c.md", findings=(WRONG,)),
            )
        )
    )
    assert run_outcome.reasons == (
        "a.md could not be run: not UTF-8",
        "b.md could not be run: no memory",
        "c.md is wrong in line 7",
    )


@pytest.mark.parametrize(
    ("footer", "reason"),
    [
        (None, "it has no last line"),
        (Footer(partial=True), "it has no last line"),
        (PARTIAL, "stopped"),
    ],
)
def test_a_run_that_did_not_end_says_why(footer: Footer | None, reason: str) -> None:
    assert outcome_of(record(*BOTH, footer=footer)).reasons == (f"the run did not end: {reason}",)


def test_a_reason_is_said_once_for_all_cases() -> None:
    gone = [cell("a", "NOT_RUN", "julia", case=case, reason="no julia here") for case in ("toy", "other")]
    assert outcome_of(record(*BOTH, *gone)).reasons == ("julia was not run: no julia here",)


@pytest.mark.parametrize(
    "change", [{"mode": Mode.ISOLATED}, {"check": Check.IDENTITY}, {"check": Check.REPEAT}]
)
def test_an_output_with_no_other_cell_than_this_was_compared_with_nothing(change: dict[str, Any]) -> None:
    assert outcome_of(record(BOTH[0], cell("b", "PASS", **change))).exit_code == 5


def test_what_was_judged_gives_no_reason_why_an_output_was_not() -> None:
    noted = msgspec.structs.replace(repeat("a"), reason="a note")
    run_outcome = outcome_of(record(noted, cases=()))
    assert run_outcome.reasons == ("numpy: a of toy in float64 was compared with nothing but itself",)
    elsewhere = cell("c", "NOT_RUN", reason="of another output")
    run_outcome = outcome_of(record(*BOTH[:1], elsewhere))
    assert run_outcome.reasons == ("r: b of toy in float64 was compared with nothing but itself",)


def test_one_cell_is_enough_to_be_left_out() -> None:
    other = cell("a", "UNSUPPORTED", precision=Precision.FLOAT32, reason="no float32")
    gone = cell("a", "NOT_RUN", "julia", reason="no julia here")
    assert outcome_of(record(*BOTH, other, gone)).reasons == (
        "r was not run in float32: no float32",
        "julia was not run: no julia here",
    )


def test_one_is_said_of_one_and_what_is_wrong_is_no_difference() -> None:
    far = cell("a", "FAIL", reason="too far", stats=ErrorStats(count=1, beyond=1))
    shape = cell("b", "FAIL", reason="shape (2) where (3) is expected")
    printed = cell("a", "FAIL", "torch", check=Check.PUBLISHED, reason="2 of 2 printed numbers differ")
    more = [msgspec.structs.replace(shape, stage=name, implementation="torch") for name in "ab"]
    assert outcome_of(record(far, shape, printed, *more)).reasons[:4] == (
        "r: a of toy in float64 differs: too far",
        "torch: a of toy in float64 differs: 2 of 2 printed numbers differ",
        "r: b of toy in float64 is wrong: shape (2) where (3) is expected",
        "torch: a of toy in float64 and 1 more are wrong: shape (2) where (3) is expected",
    )


def test_a_required_runtime_that_was_not_compared() -> None:
    footer = Footer(partial=False, complaints=("required runtime not compared: r, in toy: r has no float32",))
    run_outcome = outcome_of(record(*BOTH, cell("a", "FAIL", "torch"), footer=footer))
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 3)
    assert run_outcome.reasons[0] == "required runtime not compared: r, in toy: r has no float32"


@pytest.mark.parametrize(
    ("given", "of_r", "of_numpy"),
    [
        (cell("a", "PASS"), True, True),
        (cell("a", "FAIL"), True, True),
        (cell("a", "PASS", "r.second"), True, True),
        (truth("a"), True, False),
        (truth("a", "PASS", "numpy"), False, True),
        (cell("a", "PASS", check=Check.PUBLISHED, against="p"), True, False),
        (cell("a", "PASS", mode=Mode.ISOLATED), False, False),
        (cell("a", "UNSUPPORTED"), False, False),
        (cell("a", "NOT_RUN"), False, False),
        (cell("a", "PASS", check=Check.IDENTITY, against="b"), False, False),
        (repeat("a"), False, False),
        (cell("a", "PASS", "numpy", check=Check.REPEAT), False, False),
        (cell("a", "PASS", case="other"), False, False),
    ],
)
def test_of_which_runtime_something_was_compared(given: Cell, of_r: bool, of_numpy: bool) -> None:
    compared = Compared(("r", "numpy"))
    compared.add(given)
    assert (("toy", "r") in compared.compared) is of_r
    assert (("toy", "numpy") in compared.compared) is of_numpy


@pytest.mark.parametrize(
    ("part", "others", "code"),
    [("s", ["s", "t"], 0), ("s", ["t"], 5), ("", ["s", "t"], 5)],
)
def test_a_part_of_a_sample_that_is_not_judged_leaves_the_rest_compared(
    part: str, others: list[str], code: int
) -> None:
    samples = tuple(SampleVerdict(sample=sample, verdict=Verdict.PASS) for sample in others)
    open_one = SampleVerdict(sample=part, verdict=Verdict.NOT_RUN)
    run = record(
        *(truth(stage, "PASS", who, by_sample=samples) for stage in "ab" for who in ("numpy", "r")),
        cell("a", "NOT_RUN", basis=Basis.COARSE, by_sample=(open_one,) if part else ()),
    )
    assert outcome_of(run).exit_code == code
