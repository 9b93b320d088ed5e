"""The object that ``--json`` prints."""

import json
from collections.abc import Callable

import msgspec
import pytest

from harness.model import Cell, Consensus, ErrorStats, Footer, Mode, Precision, Record
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
    content = json.loads(as_json.dumps(as_json.record_object(run)))
    assert list(content)[:5] == ["schema", "summary", "cells", "runtimes", "first_divergence"]
    assert content["summary"]["PASS"] == content["summary"]["NOT_RUN"] == 1
    q, k = content["cells"]
    assert list(q)[: len(KEYS)] == KEYS
    assert (q["mode"], q["source"], q["verdict"]) == ("chained", "live", "PASS")
    assert (q["max_abs"], q["max_rel"], q["max_ulp"]) == (1.0, 0.5, 2)
    assert (k["source"], k["max_abs"]) == ("none", None)


def test_every_key_of_a_cell(cell: MakeCell) -> None:
    stats = ErrorStats(count=4, max_abs=2.0, max_rel=0.5, max_ulp=3.0, used=8.0, beyond=1)
    entry = as_json.cell_object(
        cell(
            "Q",
            "FAIL",
            stats=stats,
            limit=0.25,
            ulp_error=1.5,
            worst_sample="s1",
            inherited=True,
            reason="too far",
            undecided=2,
            elements=9,
            basis="stated",
            weaker_because="why",
            divergence="quirk",
        )
    )
    assert entry == {
        "case": "four_word",
        "stage": "Q",
        "implementation": "r",
        "language": "R",
        "mode": "chained",
        "source": "live",
        "verdict": "FAIL",
        "max_abs": 2.0,
        "max_rel": 0.5,
        "max_ulp": 3.0,
        "reason": "too far",
        "precision": "float64",
        "check": "reference",
        "ulp_error": 1.5,
        "limit": 0.25,
        "used": 8.0,
        "sample": "s1",
        "against": "numpy",
        "divergence": "quirk",
        "inherited": True,
        "basis": "stated",
        "weaker_because": "why",
        "undecided": 2,
        "elements": 9,
        "by_sample": [],
    }
    none = as_json.cell_object(cell("Q", "NOT_RUN"))
    assert [none[key] for key in ("max_abs", "max_rel", "max_ulp", "used", "limit")] == [None] * 5


def test_the_header_s_machine_and_the_rest_of_a_record(cell: MakeCell, record: MakeRecord) -> None:
    consensus = Consensus(
        case="four_word",
        stage="Q",
        precision=Precision.FLOAT64,
        clusters=(("numpy",), ("r",)),
        by_majority=(),
        by_oracle=("r",),
        reference_is_outlier=False,
    )
    run = msgspec.structs.replace(record(cell("Q", "FAIL", reason="too far")), consensus=(consensus,))
    content = as_json.record_object(run)
    assert content["schema"] == 1
    assert content["runtimes"]["machine"] == {
        "harness": "0.1.0",
        "python": "3.11.2",
        "platform": "Linux",
        "cpu": "a CPU",
        "cores": 2,
    }
    assert content["consensus"][0]["by_oracle"] == ("r",)
    assert (content["outcome"], content["exit_code"], content["partial"]) == ("DIVERGENCE", 1, False)
    assert content["reasons"] == ["r: Q of four_word in float64 is wrong: too far"]
    assert (content["complaints"], content["documents"]) == ([], [])
    unended = as_json.record_object(msgspec.structs.replace(run, footer=None))
    assert (unended["partial"], unended["complaints"]) == (True, [])


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
    assert first["isolated"] is None
    apart = record(cell("Q", "FAIL"), cell("Q", "PASS", mode=Mode.ISOLATED))
    first = as_json.record_object(apart)["first_divergence"]
    assert (first["isolated"], first["index"]) == ("PASS", None)
    assert as_json.record_object(record(cell("Q", "PASS")))["first_divergence"] is None


def test_partial_and_complaints(cell: MakeCell, record: MakeRecord) -> None:
    content = as_json.record_object(record(cell("Q", "PASS"), footer=Footer(partial=True, complaints=("c",))))
    assert (content["partial"], content["complaints"]) == (True, ["c"])
    assert (content["outcome"], content["exit_code"]) == ("INCOMPLETE", 130)
    assert content["reasons"] == ["the run did not end: it has no last line", "c"]


@pytest.mark.parametrize(("value", "text"), [("inf", "Infinity"), ("-inf", "-Infinity"), ("nan", "NaN")])
def test_what_json_has_no_number_for_is_a_text(value: str, text: str) -> None:
    assert as_json.dumps({"a": [float(value)]}) == f'{{"a": ["{text}"]}}'


def test_a_key_that_json_has_no_number_for_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json.dumps({float("nan"): 1})


def test_dumps_keeps_every_digit_and_is_ascii() -> None:
    value = 0.1 + 0.2
    text = as_json.dumps({"√": value})
    assert text.isascii()
    assert json.loads(text) == {"√": value}


def test_comparison_object_has_all_of_the_statistics() -> None:
    stats = ErrorStats(count=3, max_abs=1.0, max_abs_index=(2,), ulp_histogram=(1, 2))
    content = json.loads(as_json.dumps(as_json.comparison_object({"x": stats})))
    assert list(content) == ["schema", "arrays"]
    assert content["schema"] == 1
    assert set(content["arrays"]["x"]) == set(ErrorStats.__struct_fields__)
    assert content["arrays"]["x"]["max_abs_index"] == [2]
