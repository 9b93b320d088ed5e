"""The verdict in a sentence."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from harness.model import (
    Basis,
    Cell,
    Check,
    Consensus,
    ErrorStats,
    Footer,
    Mode,
    Outcome,
    Precision,
    Record,
    Source,
)
from harness.model.article import Examined, Finding
from harness.report import badge, sentence

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


@pytest.mark.parametrize(
    ("verdicts", "outcome", "text"),
    [
        (
            ("PASS", "PASS"),
            "AGREEMENT",
            "R and Torch compute the same thing in the one case: 2 comparisons are within their limits.",
        ),
        (
            ("PASS", "FAIL"),
            "DIVERGENCE",
            "Torch does not compute what is expected in four_word. Look first at the stage K of four_word in"
            " Torch: it is too far from what numpy computes.",
        ),
        (
            ("PASS", "XPASS"),
            "DIVERGENCE",
            "A known divergence no longer shows: quirk. Remove it from case.toml, or find out what changed.",
        ),
        (
            ("PASS", "ERROR"),
            "FAULT",
            "Torch could not be judged in four_word: 1 comparison ended in an error or ran out of time.",
        ),
        (
            ("PASS", "NOT_RUN"),
            "INCOMPLETE",
            "What was compared agrees, but not everything was compared: torch: K of four_word in float64 was"
            " not compared: no limit is known (line 12 of lsq.py). 1 cell not judged:"
            " no limit is known (line 12 of lsq.py).",
        ),
        (
            ("NOT_RUN", "UNSUPPORTED"),
            "INCOMPLETE",
            "Nothing was compared: this run says nothing. Torch has no float64: left out of 1 cell. 1 cell"
            " not judged: no reason is given.",
        ),
    ],
)
def test_a_run_in_a_sentence(
    cell: MakeCell, record: MakeRecord, verdicts: tuple[str, str], outcome: str, text: str
) -> None:
    known = "quirk" if verdicts[1] == "XPASS" else ""
    why = "no limit is known (line 12 of lsq.py)" if verdicts == ("PASS", "NOT_RUN") else ""
    verdict = sentence.verdict(
        record(cell("Q", verdicts[0]), cell("K", verdicts[1], "torch", divergence=known, reason=why))
    )
    assert verdict.outcome == outcome
    assert verdict.text == text


def test_an_error_does_not_hide_a_divergence(cell: MakeCell, record: MakeRecord) -> None:
    verdict = sentence.verdict(record(cell("Q", "ERROR", "torch"), cell("K", "FAIL")))
    assert verdict.outcome is Outcome.FAULT
    assert "Torch could not be judged" in verdict.text
    assert "the stage K of four_word in R" in verdict.text


def test_partial_and_complaining_runs(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(cell("Q", "PASS"), footer=Footer(partial=False, complaints=("'x' matches nothing",)))
    verdict = sentence.verdict(whole)
    assert (verdict.outcome, verdict.text) == (
        "DIVERGENCE",
        "What was compared agrees, but: 'x' matches nothing.",
    )
    assert "'x' matches nothing" in verdict.notes
    verdict = sentence.verdict(msgspec.structs.replace(whole, footer=None))
    assert verdict.outcome is Outcome.INCOMPLETE
    assert verdict.text == "This run did not end (it has no last line): what follows is only a part."


def test_a_fault_of_the_harness_alone(cell: MakeCell, record: MakeRecord) -> None:
    footer = Footer(partial=False, complaints=("a fault in the harness: KeyError: 'x'",))
    verdict = sentence.verdict(record(cell("Q", "PASS"), footer=footer))
    assert (verdict.outcome, verdict.text) == (
        "FAULT",
        "This run has a fault: a fault in the harness: KeyError: 'x'.",
    )


def test_a_missing_runtime_is_named_and_its_cells_need_no_reason(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS"), cell("Q", "NOT_RUN", "julia", reason="no julia here"))
    verdict = sentence.verdict(run)
    assert (verdict.outcome, verdict.text) == (
        "AGREEMENT",
        "R computes what is expected in the one case: 1 comparison is within its limit. Julia is missing here"
        " and was not compared.",
    )
    assert verdict.notes == ("Julia was not run live: no julia here.",)


def test_a_required_runtime_that_is_missing(cell: MakeCell, record: MakeRecord) -> None:
    footer = Footer(partial=False, complaints=("required runtime missing: julia: no julia here",))
    run = record(cell("Q", "PASS"), cell("Q", "NOT_RUN", "julia", reason="no julia here"), footer=footer)
    assert sentence.verdict(run).text == (
        "What was compared agrees, but not everything was compared: required runtime missing: julia: no julia"
        " here. There is 1 more below. Julia is missing here and was not compared."
    )
    off = record(cell("Q", "FAIL"), footer=footer)
    assert sentence.verdict(off).text.startswith("1 comparison failed, and not everything was compared: ")


COARSE: dict[str, Any] = {
    "basis": Basis.COARSE,
    "weaker_because": "no limit can be derived for numpy.linalg.lstsq (line 12 of lsq.py)",
    "stats": ErrorStats(count=4, max_abs=42.0, max_rel=7.0, max_ulp=1e17, beyond=4),
    "limit": 1e-8,
}


def test_what_was_compared_coarsely_only_stands_in_the_sentence(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("solve", "PASS", **COARSE), cell("rank", "PASS", **COARSE), cell("Q", "PASS"))
    assert sentence.verdict(run).text == (
        "R computes what is expected in the one case: 3 comparisons are within their limits. 2 stages were"
        " compared coarsely only: no limit can be derived for numpy.linalg.lstsq (line 12 of lsq.py)."
    )


def test_a_reason_of_coarse_and_unjudged_cells_is_told_once(cell: MakeCell, record: MakeRecord) -> None:
    why = str(COARSE["weaker_because"])
    unjudged = cell("solve", "NOT_RUN", reason=f"nothing to compare with: {why}")
    other = cell("solve", "NOT_RUN", reason="nothing to compare with: it is empty")
    wrong = cell("Q", "FAIL", "torch")
    text = sentence.verdict(record(cell("solve", "PASS", **COARSE), wrong, unjudged, unjudged, other)).text
    assert text.count(why) == 1
    assert "2 cells not judged for the same reason." in text
    assert "1 cell not judged: nothing to compare with: it is empty." in text


def test_an_agreement_that_is_all_coarse_says_how_rough_it_is(cell: MakeCell, record: MakeRecord) -> None:
    cells = [cell("solve", "PASS", implementation=name, **COARSE) for name in ("r", "torch")]
    agrees = sentence.verdict(record(*cells)).text
    assert agrees.startswith("Torch and R agree roughly, to half of their digits, in the one case: 2 ")
    beside = record(*cells, cell("Q", "PASS", basis=Basis.DERIVED))
    assert "compute the same thing" in sentence.verdict(beside).text


def test_a_coarse_difference_accuses_nobody(cell: MakeCell, record: MakeRecord) -> None:
    verdict = sentence.verdict(record(cell("solve", "FAIL", **COARSE)))
    assert verdict.outcome is Outcome.DIVERGENCE
    assert verdict.text.startswith(
        "R and numpy differ in four_word. Look first at the stage solve of four_word: they are further apart"
        " than even a coarse limit allows (max abs 42, max rel 7, 1e+17 ULP; limit 1e-08 (coarse)). Who is"
        " off does not follow from it: the problem may be ill-conditioned."
    )
    stats = ErrorStats(count=4, max_abs=1e-12)
    strict = cell(
        "solve", "FAIL", **COARSE | {"stats": stats}, reason="coarse, which --strict does not allow"
    )
    assert sentence.verdict(record(strict)).text.startswith(
        "R and numpy were compared coarsely only in four_word. Look first at the stage solve of four_word:"
        " coarse, which --strict does not allow."
    )
    long = msgspec.structs.replace(strict, reason="x" * 500)
    assert f"of four_word: {'x' * 399}…." in sentence.verdict(record(long)).text
    lacks = msgspec.structs.replace(strict, stats=None, reason="there is no exported function solve")
    assert sentence.verdict(record(lacks)).text.startswith(
        "R does not compute what is expected in four_word. Look first at the stage solve of four_word: there"
        " is no exported function solve."
    )
    bare = msgspec.structs.replace(strict, stats=None, reason="")
    assert "than even a coarse limit allows. Who is off" in sentence.verdict(record(bare)).text
    proved = sentence.verdict(record(cell("solve", "FAIL", **COARSE), cell("Q", "FAIL", "torch"))).text
    assert proved.startswith("Torch does not compute what is expected in four_word.")
    assert "more case" not in proved


def test_every_case_that_fails_is_counted_coarse_or_not(cell: MakeCell, record: MakeRecord) -> None:
    coarse = [cell("solve", "FAIL", case=name, **COARSE) for name in ("partly", "other")]
    sound = [cell("Q", "PASS", case=name) for name in ("partly", "other", "fine")]
    proved = [cell("Q", "FAIL", "torch"), cell("solve", "FAIL", **COARSE)]
    text = sentence.verdict(record(*proved, *sound, coarse[0])).text
    assert text.startswith(
        "Torch does not compute what is expected in 1 of 4 cases. Look first at the stage Q of"
    )
    assert (
        " In 1 more case (partly) R and numpy differ by more than a coarse limit allows, which does not prove"
        " who is off."
    ) in text
    assert (
        " In 2 more cases (other, partly) R and numpy differ "
        in sentence.verdict(record(*proved, *sound, *coarse)).text
    )


def test_an_agreement_names_the_known_divergences_of_stages(cell: MakeCell, record: MakeRecord) -> None:
    cells = [cell("Q", "PASS"), cell("Q", "PASS", "torch")]
    text = sentence.verdict(record(*cells, cell("K", "XFAIL", divergence="a"))).text
    assert text.startswith("Torch and R agree but for 1 known divergence (a) in the one case: 2 comparisons ")
    several = [cell(name, "XFAIL", divergence=name) for name in "abcde"]
    text = sentence.verdict(record(*cells, *several)).text
    assert text.startswith(
        "Torch and R agree but for 5 known divergences (a, b, c and 2 more) in the one case: "
    )
    assert "compute the same thing" not in text
    missing = cell("V", "NOT_RUN", reason="no limit")
    text = sentence.verdict(record(*cells, *several, missing)).text
    assert text.startswith(
        "What was compared agrees but for 5 known divergences (a, b, c and 2 more), but not everything was"
        " compared: "
    )


def test_an_identity_that_does_not_hold_is_within_one_implementation(
    cell: MakeCell, record: MakeRecord
) -> None:
    cells = [cell("Q", "PASS"), cell("Q", "PASS", "torch")]
    off = [cell("Q", "XFAIL", name, divergence="a", check=Check.IDENTITY) for name in ("r", "torch")]
    text = sentence.verdict(record(*cells, *off)).text
    assert text == (
        "Torch and R compute the same thing in the one case: 2 comparisons are within their limits."
        " 1 identity does not hold, as is known (a)."
    )


@pytest.mark.parametrize(
    "passes",
    [{"mode": Mode.ISOLATED}, {"check": Check.IDENTITY}, {"check": Check.REPEAT}],
    ids=["isolated", "identity", "repeat"],
)
def test_who_passes_in_nothing_that_is_compared_with_others_agrees_with_nobody(
    cell: MakeCell, record: MakeRecord, passes: dict[str, Any]
) -> None:
    off = [cell("K", "XFAIL", "torch", divergence="a"), cell("K", "PASS", "torch", **passes)]
    run = record(cell("Q", "PASS"), cell("Q", "PASS", "julia"), *off)
    text = sentence.verdict(run).text
    assert text.startswith("R and Julia compute the same thing in the one case: ")
    assert text.endswith(" Torch differs as is known (a).")
    assert badge.message(run) == "2 implementations, 1 cases, 1 known"


def test_what_is_known_is_a_note(cell: MakeCell, record: MakeRecord) -> None:
    verdict = sentence.verdict(record(cell("Q", "PASS"), cell("K", "XFAIL", divergence="quirk")))
    assert verdict.outcome is Outcome.AGREEMENT
    assert "1 difference is known and explained: quirk." in verdict.notes


def test_what_was_compared_of_a_runtime_whose_isolated_snapshots_are_refused(
    cell: MakeCell, record: MakeRecord
) -> None:
    why = {"reason": "snapshot refused: the reference's source file has changed since 2026-11-22"}
    run = record(
        cell("Q", "PASS", source=Source.REPLAYED, check=Check.ORACLE),
        cell("Q", "NOT_RUN", mode=Mode.ISOLATED, **why),
        absent=(),
    )
    text = sentence.verdict(run).text
    assert text.endswith(
        " R was replayed from snapshots, not run. R was not compared on the reference's inputs: snapshot"
        " refused: the reference's source file has changed since 2026-11-22."
    )
    # Of another implementation nothing was compared.
    both = record(*run.cells, cell("Q", "NOT_RUN", "torch", **why), absent=())
    assert sentence.verdict(both).text.endswith(
        " Torch was not compared, and R was not compared on the reference's inputs: snapshot refused: the"
        " reference's source file has changed since 2026-11-22."
    )


def test_a_reference_that_is_alone_is_the_odd_one_out(cell: MakeCell, record: MakeRecord) -> None:
    def told(*clusters: tuple[str, ...], by_majority: tuple[str, ...], **more: Any) -> str:
        consensus = Consensus(
            case="four_word",
            stage="Q",
            precision=Precision.FLOAT64,
            clusters=clusters,
            by_majority=by_majority,
        )
        cells = [cell("Q", "PASS", "numpy", check=Check.REPEAT), cell("Q", "FAIL", **more)]
        cells.append(cell("Q", "FAIL", "torch", **more))
        run = msgspec.structs.replace(record(*cells, absent=()), consensus=(consensus,))
        return sentence.verdict(run).text

    odd = "The reference is the odd one out: at the stage Q of four_word Numpy is alone against R and Torch."
    alone = told(("r", "torch"), ("numpy",), by_majority=("numpy",))
    assert alone == f"Torch, R and Numpy differ in four_word. {odd}"
    coarse = told(("r", "torch"), ("numpy",), by_majority=("numpy",), basis=Basis.COARSE)
    assert coarse.startswith("Torch, R and numpy differ in four_word. Look first at")
    assert odd in coarse
    # True values decide whatever a majority says, and without one nobody is odd.
    for text in (
        told(("r", "torch"), ("numpy",), by_majority=("numpy",), check=Check.ORACLE, against="truth"),
        told(("numpy",), ("r",), ("torch",), by_majority=()),
        told(("numpy", "r.b", "r.c"), ("r", "torch"), by_majority=("r", "torch")),
    ):
        assert text.startswith("Torch and R do not compute what is expected in four_word.")
        assert "odd one out" not in text


def test_live_replayed_and_not_run_are_counted_apart(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS"), cell("Q", "PASS", "torch", source=Source.REPLAYED), cell("Q", "NOT_RUN", "julia")
    )
    assert sentence.sources(run) == (
        "3 comparisons: 1 live (computed in this run), 1 replayed (from snapshots), 1 not run."
    )


@pytest.mark.parametrize(
    ("check", "against", "why"),
    [
        ("reference", "numpy", "it is too far from what numpy computes"),
        ("oracle", "truth", "it is too far from the true value"),
        ("repeat", "numpy", "it is not what it was the first time"),
        ("identity", "K", "it is too far from K, which mathematics says is equal"),
        ("published", "an article", "it would not print the digits of an article"),
    ],
)
def test_what_a_difference_is(cell: MakeCell, record: MakeRecord, check: str, against: str, why: str) -> None:
    stats = ErrorStats(count=4, beyond=2, nan_mismatch=1)
    off = cell("Q", "FAIL", check=check, against=against, reason="far", stats=stats)
    run = record(off, cell("K", "PASS", case="other"))
    assert sentence.verdict(run).text == (
        "R does not compute what is expected in 1 of 2 cases. Look first at the stage Q of four_word in R:"
        f" {why}."
    )


@pytest.mark.parametrize(
    "stats",
    [
        None,
        ErrorStats(count=4, beyond=3, nan_mismatch=1, inf_mismatch=2),
        ErrorStats(count=4, nan_both=4),
        ErrorStats(count=4, zero_sign_mismatch=1),
    ],
)
@pytest.mark.parametrize("check", ["reference", "oracle", "repeat", "identity"])
def test_what_is_no_distance_is_said_as_it_is(
    cell: MakeCell, record: MakeRecord, check: str, stats: ErrorStats | None
) -> None:
    off = cell("Q", "FAIL", check=check, reason="what is wrong", stats=stats)
    assert sentence.verdict(record(off)).text.endswith("the stage Q of four_word in R: what is wrong.")


def test_several_are_off(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL"), cell("Q", "FAIL", "torch"), cell("Q", "FAIL", "torch.second"))
    assert sentence.verdict(run).text.startswith(
        "Torch, torch.second and R do not compute what is expected in four_word. Look first at the stage Q of"
    )


def test_what_could_not_be_judged_names_three_cases_and_counts_the_rest(
    cell: MakeCell, record: MakeRecord
) -> None:
    def text(n: int) -> str:
        return sentence.verdict(record(*(cell("Q", "TIMEOUT", case=f"c{place}") for place in range(n)))).text

    assert text(1) == "R could not be judged in c0: 1 comparison ended in an error or ran out of time."
    assert text(3).startswith("R could not be judged in c0, c1, c2: 3 comparisons ended")
    assert text(5).startswith("R could not be judged in c0, c1, c2 and 2 more: 5 comparisons ended")


def test_a_known_difference_that_no_longer_shows(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "XPASS", divergence="quirk"), cell("K", "XPASS"))
    gone = (
        "Known divergences no longer show: quirk and K. Remove them from case.toml, or find out what changed."
    )
    assert sentence.verdict(run).text == gone
    assert [note for note in sentence.verdict(run).notes if "differ" in note] == []
    run = record(cell("Q", "XPASS", divergence="quirk"), cell("K", "XPASS"), cell("V", "FAIL"))
    text = sentence.verdict(run).text
    assert text.startswith("R does not compute what is expected")
    assert text.endswith(gone)


def test_eight_reasons_are_notes_and_the_rest_is_counted(cell: MakeCell, record: MakeRecord) -> None:
    def notes(n: int) -> list[str]:
        complaints = tuple(f"complaint {place}" for place in range(n))
        run = record(cell("Q", "PASS"), footer=Footer(partial=False, complaints=complaints), absent=())
        return list(sentence.verdict(run).notes)

    assert notes(8) == [f"complaint {place}" for place in range(8)]
    assert notes(10) == [*(f"complaint {place}" for place in range(8)), "And 2 more reasons."]


def test_what_is_wrong_in_articles_alone_is_no_note_of_the_run(
    record: MakeRecord, document: Callable[..., Examined], finding: Callable[..., Finding]
) -> None:
    verdict = sentence.verdict(record(documents=(document(findings=(finding(),)),)))
    assert (verdict.outcome, verdict.text) == (
        "DIVERGENCE",
        "Published articles were run, and compared with what they print.",
    )
    assert verdict.notes == ("Julia was not run live: no julia here.",)


def test_no_cell_at_all(record: MakeRecord) -> None:
    assert sentence.sources(record()) == "No implementation was compared."
