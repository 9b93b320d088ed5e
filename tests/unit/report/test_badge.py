"""Badges."""

import json
from collections.abc import Callable
from xml.etree import ElementTree as ET

import msgspec
import pytest

from harness.model import Basis, Cell, Check, Footer, Record
from harness.model.article import Examined
from harness.report import badge

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


@pytest.mark.parametrize(
    ("verdicts", "message", "colour"),
    [
        (("PASS", "PASS"), "2 implementations, 1 cases", "brightgreen"),
        (("PASS", "XFAIL"), "1 implementations, 1 cases, 1 known", "brightgreen"),
        (("PASS", "FAIL"), "1 of 2 failing", "red"),
        (("PASS", "XPASS"), "1 of 2 failing", "red"),
        (("PASS", "ERROR"), "1 of 2 failing", "orange"),
        (("NOT_RUN", "NOT_RUN"), "nothing compared", "lightgrey"),
        (("PASS", "NOT_RUN"), "incomplete", "lightgrey"),
    ],
)
def test_endpoint_and_picture_say_the_same(
    cell: MakeCell, record: MakeRecord, verdicts: tuple[str, str], message: str, colour: str
) -> None:
    run = record(cell("Q", verdicts[0]), cell("K", verdicts[1], "torch"))
    endpoint = json.loads(badge.endpoint(run))
    assert endpoint == {"schemaVersion": 1, "label": "conformance", "message": message, "color": colour}
    root = ET.fromstring(badge.picture(run))
    assert root.get("aria-label") == f"conformance: {message}"
    assert message in [element.text for element in root.iter() if element.tag.endswith("text")]


@pytest.mark.parametrize(
    ("complaint", "message", "colour"),
    [
        ("required runtime missing: julia: no julia", "a required runtime is missing", "lightgrey"),
        ("required runtime not compared: r, in toy", "a required runtime was not compared", "lightgrey"),
        ("known divergence 'x' matches nothing", "divergence", "red"),
        ("a fault in the harness: KeyError", "fault", "orange"),
    ],
)
def test_a_complaint_is_never_green(
    cell: MakeCell, record: MakeRecord, complaint: str, message: str, colour: str
) -> None:
    run = record(cell("Q", "PASS"), footer=Footer(partial=False, complaints=(complaint,)))
    endpoint = json.loads(badge.endpoint(run))
    assert (endpoint["message"], endpoint["color"]) == (message, colour)


def test_a_partial_run(cell: MakeCell, record: MakeRecord) -> None:
    whole = msgspec.structs.replace(record(cell("Q", "PASS")), footer=None)
    assert badge.message(whole) == "partial run"
    assert json.loads(badge.endpoint(whole))["color"] == "lightgrey"
    assert "#555555" in badge.picture(whole)


def test_what_was_compared_coarsely_only_is_counted(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS", basis=Basis.COARSE), cell("K", "PASS"))
    assert badge.message(run) == "1 implementations, 1 cases, 1 coarse"


def test_a_whole_picture(cell: MakeCell, record: MakeRecord) -> None:
    # 12 + 7 times 11 and 26 letters: 89 and 194.
    text = ' fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"'
    assert badge.picture(record(cell("Q", "PASS"), cell("Q", "PASS", "torch"))) == (
        '<svg xmlns="http://www.w3.org/2000/svg" width="283" height="20" role="img"'
        ' aria-label="conformance: 2 implementations, 1 cases">'
        "<title>conformance: 2 implementations, 1 cases</title>"
        '<rect width="89" height="20" fill="#444"/>'
        '<rect x="89" width="194" height="20" fill="#1b7a35"/>'
        f'<text x="44.5" y="14"{text} textLength="77">conformance</text>'
        f'<text x="186" y="14"{text} textLength="182">2 implementations, 1 cases</text>'
        "</svg>\n"
    )
    assert json.loads(badge.endpoint(record(cell("Q", "PASS")))) == {
        "schemaVersion": 1,
        "label": "conformance",
        "message": "1 implementations, 1 cases",
        "color": "brightgreen",
    }


@pytest.mark.parametrize(
    ("verdict", "fill"),
    [("PASS", "#1b7a35"), ("FAIL", "#b3261e"), ("ERROR", "#8a4b00"), ("NOT_RUN", "#555555")],
)
def test_the_colour_of_a_picture_is_that_of_the_outcome(
    cell: MakeCell, record: MakeRecord, verdict: str, fill: str
) -> None:
    root = ET.fromstring(badge.picture(record(cell("Q", verdict))))
    assert [element.get("fill") for element in root if element.tag.endswith("rect")] == ["#444", fill]


def test_undecided_elements_and_articles_are_counted(
    cell: MakeCell, published: MakeCell, record: MakeRecord, document: Callable[..., Examined]
) -> None:
    run = record(cell("Q", "PASS", check=Check.ORACLE, undecided=3), published("Q"))
    assert badge.message(run) == "1 implementations, 1 cases, 3 undecided"
    assert badge.message(record(published("Q"), published("Q", language="Julia"))) == (
        "2 implementations, 1 cases"
    )
    assert badge.message(record(documents=(document(),))) == "1 article, 0 wrong"
