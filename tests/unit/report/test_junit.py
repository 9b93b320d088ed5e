"""JUnit XML, compared with what its schema allows."""

import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model import Basis, Cell, Check, ErrorStats, Footer, Mode, Precision, Record, Source, Verdict
from harness.model.article import Examined, Finding
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
    "properties": set(),
    "property": {"name", "value"},
}
CHILDREN = {
    "testsuites": ("testsuite",),
    "properties": ("property",),
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
    (case,) = (element for element in root.iter("testcase") if element.get("name") == name)
    return case


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
    children = {part.tag for part in case} - {"system-out"}
    assert children == (set() if child is None else {child})
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
    assert [element.get("name") for element in root.iter("testcase")] == ["Q [r]", "K [torch]"]
    assert {element.get("classname") for element in root.iter("testcase")} == {
        "four_word.r",
        "four_word.torch",
    }
    assert case_of(root, "Q [r]").find("failure") is not None


def test_times_are_of_the_slowest_chained_check_and_add_up(cell: MakeCell, record: MakeRecord) -> None:
    cells = (
        cell("Q", "PASS", seconds=0.25),
        cell("Q", "PASS", check="published", seconds=0.5),
        cell("Q", "PASS", mode=Mode.ISOLATED, seconds=4.0),
        cell("K", "PASS", seconds=1.125),
        cell("V", "PASS", mode=Mode.ISOLATED, seconds=2.0),
        cell("V", "FAIL"),
        cell("W", "PASS", mode=Mode.ISOLATED, seconds=2.0),
    )
    root = valid(junit.render(record(*cells, footer=Footer(partial=False, seconds=12.3456))))
    assert [(element.get("name"), element.get("time")) for element in root.iter("testcase")] == [
        ("Q [r]", "0.500"),
        ("K [r]", "1.125"),
        ("V [r]", "0.000"),
        ("W [r]", "0.000"),
    ]
    assert [suite.get("time") for suite in root] == ["1.625"]
    assert [suite.get("timestamp") for suite in root] == ["2026-01-01T00:00:00"]
    assert root.get("time") == "12.346"


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0, -0.0])
def test_a_time_that_is_none_is_zero(cell: MakeCell, record: MakeRecord, seconds: float) -> None:
    root = valid(junit.render(record(cell("Q", "PASS", seconds=seconds))))
    assert case_of(root, "Q [r]").get("time") == "0.000"


def test_precisions_are_suites_of_their_own(cell: MakeCell, record: MakeRecord) -> None:
    root = valid(junit.render(record(cell("Q", "PASS"), cell("Q", "PASS", precision="float32"))))
    assert [suite.get("name") for suite in root] == ["four_word", "four_word float32"]


def test_precisions_and_suites_have_the_outcome(cell: MakeCell, record: MakeRecord) -> None:
    root = valid(junit.render(record(cell("Q", "PASS"), cell("Q", "PASS", precision="float32"))))
    assert [(element.get("name"), element.get("value")) for element in root.iter("property")] == [
        ("outcome", "AGREEMENT"),
        ("outcome", "AGREEMENT"),
    ]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "0", "0")


def test_what_was_coarse_or_not_judged_is_a_property(cell: MakeCell, record: MakeRecord) -> None:
    why = "no limit can be derived for numpy.linalg.lstsq (line 12 of lsq.py)"
    stats = ErrorStats(count=4, max_abs=0.5, max_rel=0.25, max_ulp=2)
    coarse = cell("solve", "PASS", basis=Basis.COARSE, weaker_because=why, stats=stats, limit=1e-8)
    root = valid(junit.render(record(coarse, cell("Q", "NOT_RUN", reason="no julia"))))
    assert [(element.get("name"), element.get("value")) for element in root.iter("property")] == [
        ("outcome", "INCOMPLETE"),
        ("coarse: solve [r], chained, float64, reference", why),
        ("not judged: Q [r], chained, float64, reference", "no julia"),
    ]
    assert "limit 1e-08 (coarse)" in (case_of(root, "solve [r]").findtext("system-out") or "")


def test_an_incomplete_run_is_an_error_though_no_stage_fails(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS"), cell("K", "NOT_RUN", reason="no limit"))
    root = valid(junit.render(run))
    assert (root.get("failures"), root.get("errors")) == ("0", "1")
    error = case_of(root, "run").find("error")
    assert error is not None
    assert (error.get("type"), error.get("message")) == (
        "INCOMPLETE",
        "INCOMPLETE: r: K of four_word in float64 was not compared: no limit",
    )


@pytest.mark.parametrize(
    ("complaint", "child", "outcome"),
    [
        ("required runtime missing: julia: none", "error", "INCOMPLETE"),
        ("a fault in the harness: KeyError", "error", "FAULT"),
        ("known divergence 'x' matches nothing", "failure", "DIVERGENCE"),
    ],
)
def test_what_is_wrong_with_the_run_is_told(
    cell: MakeCell, record: MakeRecord, complaint: str, child: str, outcome: str
) -> None:
    run = record(cell("Q", "PASS"), footer=Footer(partial=False, complaints=(complaint,)))
    element = case_of(valid(junit.render(run)), "run").find(child)
    assert element is not None
    assert element.get("message") == f"{outcome}: {complaint}"


def test_a_run_that_did_not_end_or_has_no_cells_is_an_error(cell: MakeCell, record: MakeRecord) -> None:
    partial = msgspec.structs.replace(record(cell("Q", "PASS")), footer=None)
    for run, message in (
        (partial, "INCOMPLETE: the run did not end: it has no last line"),
        (record(), "INCOMPLETE: nothing was compared"),
    ):
        root = valid(junit.render(run))
        error = case_of(root, "run").find("error")
        assert error is not None
        assert error.get("message") == message
        assert root.get("time") == ("0.000" if run.footer is None else "1.500")


@pytest.mark.parametrize("verdict", ["FAIL", "XPASS", "ERROR", "TIMEOUT"])
def test_what_a_stage_tells_is_not_told_twice(cell: MakeCell, record: MakeRecord, verdict: str) -> None:
    root = valid(junit.render(record(cell("Q", verdict))))
    assert [element.get("name") for element in root.iter("testcase")] == ["Q [r]"]


def test_a_whole_report(cell: MakeCell, record: MakeRecord) -> None:
    stats = ErrorStats(
        count=4, max_abs=2.0, max_rel=0.5, max_ulp=3.0, beyond=1, max_abs_index=(0, 3), first_beyond=(0, 1)
    )
    run = record(
        cell("Q", "PASS", stats=ErrorStats(count=4), limit=0.25, seconds=0.5),
        cell("Q", "PASS", check=Check.ORACLE, against="truth", stats=ErrorStats(count=4)),
        cell("K", "FAIL", reason="1 of 4 beyond", stats=stats, limit=0.25, detail="where it was"),
        cell("K", "FAIL", mode=Mode.ISOLATED, reason="2 of 4 beyond"),
        cell("K", "PASS", check=Check.PUBLISHED, against="an article"),
        cell("V", "FAIL", inherited=True),
        cell("V", "XFAIL", "torch", divergence="quirk", reason="known"),
        cell("a", "PASS", basis=Basis.COARSE),
        cell("b", "NOT_RUN", "torch"),
        footer=Footer(partial=False, seconds=1.5, complaints=("known divergence 'x' matches nothing",)),
    )
    assert junit.render(run).splitlines() == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="harness" tests="7" failures="3" errors="0" time="1.500">',
        '  <testsuite name="four_word" tests="6" failures="2" errors="0" skipped="2" time="0.500"'
        ' timestamp="2026-01-01T00:00:00">',
        "    <properties>",
        '      <property name="outcome" value="DIVERGENCE" />',
        '      <property name="coarse: a [r], chained, float64, reference" value="no limit is known" />',
        '      <property name="not judged: b [torch], chained, float64, reference" value="no reason is'
        ' given" />',
        "    </properties>",
        '    <testcase name="Q [r]" classname="four_word.r" time="0.500">',
        "      <system-out>PASS chained, float64, reference, against numpy; max abs 0, max rel 0, 0 ULP;"
        " limit 0.25",
        "PASS chained, float64, oracle, against the truth; max abs 0, max rel 0, 0 ULP</system-out>",
        "    </testcase>",
        '    <testcase name="K [r]" classname="four_word.r" time="0.000">',
        '      <failure message="FAIL: 1 of 4 beyond (chained, float64, reference)" type="FAIL">FAIL'
        " chained, float64, reference, against numpy; 1 of 4 beyond; max abs 2 at [0, 3], max rel 0.5, 3"
        " ULP; limit 0.25; look at [0, 1]",
        "where it was",
        "FAIL isolated, float64, reference, against numpy; 2 of 4 beyond</failure>",
        "      <system-out>FAIL chained, float64, reference, against numpy; 1 of 4 beyond; max abs 2 at"
        " [0, 3], max rel 0.5, 3 ULP; limit 0.25; look at [0, 1]",
        "where it was</system-out>",
        "    </testcase>",
        '    <testcase name="V [torch]" classname="four_word.torch" time="0.000">',
        '      <skipped message="XFAIL quirk: known (chained, float64, reference)" />',
        "    </testcase>",
        '    <testcase name="V [r]" classname="four_word.r" time="0.000">',
        '      <failure message="FAIL:  (chained, float64, reference)" type="FAIL">FAIL chained,'
        " float64, reference, against numpy; inherited</failure>",
        "    </testcase>",
        '    <testcase name="a [r]" classname="four_word.r" time="0.000" />',
        '    <testcase name="b [torch]" classname="four_word.torch" time="0.000">',
        '      <skipped message="NOT_RUN:  (chained, float64, reference)" />',
        "    </testcase>",
        "  </testsuite>",
        '  <testsuite name="run" tests="1" failures="1" errors="0" skipped="0" time="0.000"'
        ' timestamp="2026-01-01T00:00:00">',
        '    <testcase name="run" classname="harness" time="0.000">',
        "      <failure message=\"DIVERGENCE: known divergence 'x' matches nothing; r: K of four_word in"
        " float64 differs: 1 of 4 beyond; r: K of four_word in float64 is wrong: 2 of 4 beyond; r: V of"
        " four_word in float64 is wrong; torch: b of four_word in float64 was compared with nothing but"
        ' itself" type="DIVERGENCE" />',
        "    </testcase>",
        "  </testsuite>",
        "</testsuites>",
    ]


def test_articles_alone_are_no_test_of_their_own_unless_the_run_did_not_end(
    record: MakeRecord, document: Callable[..., Examined], finding: Callable[..., Finding]
) -> None:
    wrong = record(documents=(document("a.md", findings=(finding(),)),))
    assert list(valid(junit.render(wrong))) == []
    partial = msgspec.structs.replace(wrong, footer=None)
    (suite,) = valid(junit.render(partial))
    assert suite.get("name") == "run"


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
    test = junit._test(words, words, words, [stage], {})
    again = ET.fromstring(ET.tostring(test, encoding="unicode"))
    # A parser turns line ends and, in attributes, tabs into other white space.
    assert again.get("name", "").split() == f"{text.visible(words)} [{text.visible(words)}]".split()
    failure = again.find("failure")
    assert failure is not None
    assert " ".join(text.visible(words).split()) in " ".join((failure.text or "").split())


def test_a_file_that_cannot_be_loaded_is_one_error(cell: MakeCell, record: MakeRecord) -> None:
    why = "SyntaxError: invalid syntax (line 3)"
    cells = [cell(stage, "ERROR", "r.broken", reason=why) for stage in ("Q", "K")]
    # One stage of another is no fault of several.
    root = valid(junit.render(record(*cells, cell("Q", "PASS", "r"), cell("K", "ERROR", "r", reason=why))))
    assert (root.attrib["errors"], root.attrib["failures"]) == ("2", "0")
    children = {test.attrib["name"]: {part.tag for part in test} for test in root.iter("testcase")}
    assert children == {
        "Q [r.broken]": {"error"},
        "K [r.broken]": {"skipped"},
        "Q [r]": set(),
        "K [r]": {"error"},
    }
    skipped = case_of(root, "K [r.broken]").find("skipped")
    assert skipped is not None
    assert "the same as in Q, which has the error" in skipped.attrib["message"]
