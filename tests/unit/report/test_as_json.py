"""The object that ``--json`` prints."""

import json
from collections.abc import Callable

import pytest

from harness.model import Cell, ErrorStats, Footer, Record
from harness.report import as_json

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]

KEYS = [
    "case",
    "stage",
    "implementation",
    "language",
    "mode",
    "source",
    "verdict",
    "max_abs",
    "max_rel",
    "max_ulp",
    "reason",
]


def test_object_has_the_documented_keys(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS", stats=ErrorStats(count=1, max_abs=1.0, max_rel=0.5, max_ulp=2)),
        cell("K", "NOT_RUN", "julia"),
    )
    found = json.loads(as_json.dumps(as_json.record_object(run)))
    assert list(found)[:5] == ["schema", "summary", "cells", "runtimes", "first_divergence"]
    assert found["summary"]["PASS"] == found["summary"]["NOT_RUN"] == 1
    q, k = found["cells"]
    assert list(q)[: len(KEYS)] == KEYS
    assert (q["mode"], q["source"], q["verdict"]) == ("chained", "live", "PASS")
    assert (q["max_abs"], q["max_rel"], q["max_ulp"]) == (1.0, 0.5, 2)
    assert (k["source"], k["max_abs"]) == ("none", None)


def test_runtimes_say_what_ran_and_what_is_missing(cell: MakeCell, record: MakeRecord) -> None:
    runtimes = as_json.record_object(record(cell("Q", "PASS")))["runtimes"]
    assert runtimes["machine"]["cpu"] == "a CPU"
    assert (runtimes["r"]["version"], runtimes["r"]["hosting"]) == ("1.2.3", "by r")
    assert runtimes["julia"] == {"missing": "no julia here"}


def test_first_divergence(cell: MakeCell, record: MakeRecord) -> None:
    stats = ErrorStats(count=4, max_abs=2.0, beyond=1, first_beyond=(0, 3))
    run = record(cell("Q", "PASS"), cell("K", "FAIL", stats=stats, worst_sample="s1"))
    first = as_json.record_object(run)["first_divergence"]
    assert (first["case"], first["stage"], first["implementation"]) == ("four_word", "K", "r")
    assert (first["sample"], first["index"]) == ("s1", [0, 3])
    assert as_json.record_object(record(cell("Q", "PASS")))["first_divergence"] is None


def test_partial_and_complaints(cell: MakeCell, record: MakeRecord) -> None:
    found = as_json.record_object(record(cell("Q", "PASS"), footer=Footer(partial=True, complaints=("c",))))
    assert (found["partial"], found["complaints"]) == (True, ["c"])
    assert (found["outcome"], found["exit_code"]) == ("INCOMPLETE", 130)
    assert found["reasons"] == ["the run did not end: it has no last line", "c"]


@pytest.mark.parametrize(("value", "text"), [("inf", "Infinity"), ("-inf", "-Infinity"), ("nan", "NaN")])
def test_what_json_has_no_number_for_is_a_text(value: str, text: str) -> None:
    assert as_json.dumps({"a": [float(value)]}) == f'{{"a": ["{text}"]}}'


def test_dumps_keeps_every_digit_and_is_ascii() -> None:
    value = 0.1 + 0.2
    text = as_json.dumps({"√": value})
    assert text.isascii()
    assert json.loads(text) == {"√": value}


def test_comparison_object_has_all_of_the_statistics() -> None:
    stats = ErrorStats(count=3, max_abs=1.0, max_abs_index=(2,), ulp_histogram=(1, 2))
    found = json.loads(as_json.dumps(as_json.comparison_object({"x": stats})))
    assert set(found["arrays"]["x"]) == set(ErrorStats.__struct_fields__)
    assert found["arrays"]["x"]["max_abs_index"] == [2]
