"""Badges."""

import json
from collections.abc import Callable
from xml.etree import ElementTree as ET

import msgspec
import pytest

from harness.model import Cell, Footer, Record
from harness.report import badge

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


@pytest.mark.parametrize(
    ("verdicts", "message", "colour"),
    [
        (("PASS", "PASS"), "2 implementations, 1 cases", "brightgreen"),
        (("PASS", "XFAIL"), "2 implementations, 1 cases, 1 known", "brightgreen"),
        (("PASS", "FAIL"), "1 of 2 failing", "red"),
        (("PASS", "XPASS"), "1 of 2 failing", "red"),
        (("PASS", "ERROR"), "1 of 2 failing", "orange"),
        (("NOT_RUN", "NOT_RUN"), "nothing compared", "lightgrey"),
    ],
)
def test_endpoint_and_picture_say_the_same(
    cell: MakeCell, record: MakeRecord, verdicts: tuple[str, str], message: str, colour: str
) -> None:
    run = record(cell("Q", verdicts[0]), cell("K", verdicts[1], "torch"))
    found = json.loads(badge.endpoint(run))
    assert found == {"schemaVersion": 1, "label": "conformance", "message": message, "color": colour}
    root = ET.fromstring(badge.picture(run))
    assert root.get("aria-label") == f"conformance: {message}"
    assert message in [one.text for one in root.iter() if one.tag.endswith("text")]


def test_a_partial_run_and_a_complaint(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(cell("Q", "PASS"), footer=Footer(partial=False, complaints=("no julia",)))
    assert badge.message(whole) == "incomplete"
    assert badge.message(msgspec.structs.replace(whole, footer=None)) == "partial run"
