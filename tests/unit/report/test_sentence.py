"""The verdict in a sentence."""

from collections.abc import Callable

import msgspec
import pytest

from harness.model import Cell, Footer, Record, Source
from harness.report import sentence

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


@pytest.mark.parametrize(
    ("verdicts", "state", "part"),
    [
        (("PASS", "PASS"), "agreement", "R and Torch compute the same thing in the one case"),
        (
            ("PASS", "FAIL"),
            "divergence",
            "Torch does not compute what is expected in four_word. Look first at the step K",
        ),
        (("PASS", "XPASS"), "divergence", "A known difference no longer shows: quirk."),
        (("PASS", "ERROR"), "failure", "Torch could not be judged in four_word"),
        (("NOT_RUN", "UNSUPPORTED"), "nothing", "Nothing was compared"),
    ],
)
def test_a_run_in_a_sentence(
    cell: MakeCell, record: MakeRecord, verdicts: tuple[str, str], state: str, part: str
) -> None:
    known = "quirk" if verdicts[1] == "XPASS" else ""
    found = sentence.verdict(
        record(cell("Q", verdicts[0]), cell("K", verdicts[1], "torch", divergence=known))
    )
    assert found.state == state
    assert part in found.text


def test_an_error_does_not_hide_a_divergence(cell: MakeCell, record: MakeRecord) -> None:
    found = sentence.verdict(record(cell("Q", "ERROR", "torch"), cell("K", "FAIL")))
    assert found.state == "failure"
    assert "Torch could not be judged" in found.text
    assert "the step K of four_word in R" in found.text


def test_partial_and_complaining_runs(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(cell("Q", "PASS"), footer=Footer(partial=False, complaints=("missing",)))
    assert sentence.verdict(whole).state == "failure"
    assert "Complaint: missing" in sentence.verdict(whole).notes
    assert sentence.verdict(msgspec.structs.replace(whole, footer=None)).state == "partial"


def test_what_is_known_is_a_note(cell: MakeCell, record: MakeRecord) -> None:
    found = sentence.verdict(record(cell("Q", "PASS"), cell("K", "XFAIL", divergence="quirk")))
    assert found.state == "agreement"
    assert "1 difference is known and explained: quirk." in found.notes


def test_live_replayed_and_not_run_are_counted_apart(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS"), cell("Q", "PASS", "torch", source=Source.REPLAYED), cell("Q", "NOT_RUN", "julia")
    )
    assert sentence.sources(run) == (
        "3 comparisons: 1 live (computed in this run), 1 replayed (from recordings), 1 not run."
    )
