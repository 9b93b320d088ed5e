"""JUnit XML, held against what its schema allows."""

import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model import Cell, Check, ErrorStats, Footer, Mode, Precision, Record, Source, Verdict
from harness.report import junit, text

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]

# Attributes and children, in their order, of the schema that Jenkins, GitLab and others read.
ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "disabled", "errors"},
    "testsuite": {
        "name",
        "tests",
        "failures",
        "errors",
        "time",
        "skipped",
        "timestamp",
        "hostname",
        "id",
        "package",
    },
    "testcase": {"name", "classname", "time", "status", "assertions"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
    "system-out": set(),
}
CHILDREN = {
    "testsuites": ("testsuite",),
    "testsuite": ("properties", "testcase", "system-out", "system-err"),
    "testcase": ("skipped", "error", "failure", "system-out", "system-err"),
}
REQUIRED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name", "classname"}}


def valid(written: str) -> ET.Element:
    root = ET.fromstring(written)
    assert root.tag == "testsuites"
    for element in root.iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag]
        assert REQUIRED.get(element.tag, set()) <= set(element.attrib)
        places = [CHILDREN.get(element.tag, ()).index(child.tag) for child in element]
        assert places == sorted(places)
        for name in ("tests", "failures", "errors", "skipped"):
            assert re.fullmatch(r"\d+", element.get(name, "0"))
        assert re.fullmatch(r"\d+\.\d{3}", element.get("time", "0.000"))
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases)
        for name, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(name, "")) == sum(case.find(child) is not None for case in cases)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp", ""))
    for name in ("tests", "failures", "errors"):
        assert int(root.get(name, "")) == sum(int(suite.get(name, "")) for suite in root)
    return root


def case_of(root: ET.Element, name: str) -> ET.Element:
    (found,) = (one for one in root.iter("testcase") if one.get("name") == name)
    return found


@pytest.mark.parametrize(
    ("verdict", "child"),
    [
        ("PASS", None),
        ("FAIL", "failure"),
        ("XPASS", "failure"),
        ("ERROR", "error"),
        ("TIMEOUT", "error"),
        ("XFAIL", "skipped"),
        ("UNSUPPORTED", "skipped"),
        ("NOT_RUN", "skipped"),
    ],
)
def test_every_verdict_has_its_element(
    cell: MakeCell, record: MakeRecord, verdict: str, child: str | None
) -> None:
    stats = ErrorStats(count=4, max_abs=0.5, max_ulp=3)
    more = {"stats": stats, "limit": 0.25} if child in {None, "failure"} else {}
    root = valid(junit.render(record(cell("Q", "PASS", "numpy"), cell("Q", verdict, reason="why", **more))))
    case = case_of(root, "Q [r]")
    found = {one.tag for one in case} - {"system-out"}
    assert found == (set() if child is None else {child})
    if child is not None:
        element = case.find(child)
        assert element is not None
        assert "why" in element.get("message", "")
        assert verdict in element.get("message", "")
    if child == "failure":
        assert element is not None
        assert "max abs 0.5" in (element.text or "")


def test_one_test_case_for_each_stage_and_implementation(cell: MakeCell, record: MakeRecord) -> None:
    cells = (
        cell("Q", "PASS"),
        cell("Q", "FAIL", against="a book", check="published"),
        cell("K", "PASS", "torch"),
    )
    root = valid(junit.render(record(*cells)))
    assert [one.get("name") for one in root.iter("testcase")] == ["Q [r]", "K [torch]"]
    assert {one.get("classname") for one in root.iter("testcase")} == {"four_word.r", "four_word.torch"}
    assert case_of(root, "Q [r]").find("failure") is not None


def test_precisions_are_suites_of_their_own(cell: MakeCell, record: MakeRecord) -> None:
    root = valid(junit.render(record(cell("Q", "PASS"), cell("Q", "PASS", precision="float32"))))
    assert [suite.get("name") for suite in root] == ["four_word", "four_word float32"]


def test_what_is_wrong_with_the_run_is_an_error(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(cell("Q", "PASS"), footer=Footer(partial=False, complaints=("a runtime is missing",)))
    error = case_of(valid(junit.render(whole)), "run").find("error")
    assert error is not None
    assert error.get("message") == "a runtime is missing"
    partial = msgspec.structs.replace(whole, footer=None)
    error = case_of(valid(junit.render(partial)), "run").find("error")
    assert error is not None
    assert "did not end" in error.get("message", "")
    error = case_of(valid(junit.render(record())), "run").find("error")
    assert error is not None
    assert error.get("message") == "nothing was compared"


@given(st.text(max_size=30))
def test_any_text_makes_valid_xml(words: str) -> None:
    stage = Cell(
        case=words,
        stage=words,
        implementation=words,
        language=words,
        mode=Mode.CHAINED,
        precision=Precision.FLOAT64,
        check=Check.REFERENCE,
        against=words,
        source=Source.LIVE,
        verdict=Verdict.FAIL,
        reason=words,
        detail=words,
        seconds=float("nan"),
    )
    test = junit._test(words, words, words, [stage])
    again = ET.fromstring(ET.tostring(test, encoding="unicode"))
    # A parser turns line ends and, in attributes, tabs into other white space.
    assert again.get("name", "").split() == f"{text.visible(words)} [{text.visible(words)}]".split()
    failure = again.find("failure")
    assert failure is not None
    assert " ".join(text.visible(words).split()) in " ".join((failure.text or "").split())
