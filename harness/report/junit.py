"""A record as JUnit XML: one test case for each stage and implementation."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree import ElementTree as ET

from harness.model import Basis, Cell, Check, Mode, Outcome, Precision, Record, Verdict, outcome_of
from harness.model.outcome import JUDGED, NO_ANSWER, RunOutcome
from harness.report import sentence, view
from harness.report.text import case_label, figures, how, index, visible

HELD = 1 << 23
"""Bytes that are held in memory at most."""

_SKIPPED = frozenset({Verdict.XFAIL, Verdict.UNSUPPORTED, Verdict.NOT_RUN})


def render(record: Record) -> str:
    """Render a record.

    Parameters
    ----------
    record : Record
        A run, whole or not.

    Returns
    -------
    str
        ``testsuites``, with one ``testsuite`` for each case and precision, and one ``testcase`` for each of
        its stages and implementations. FAIL and XPASS are failures, ERROR and TIMEOUT errors; XFAIL,
        UNSUPPORTED and NOT_RUN are skipped, with the reason. So is an error that is the same in an earlier
        stage, as of a file that cannot be loaded. An outcome that no test case shows has one of
        its own: an error where the run is incomplete or has a fault, a failure where it complains. The
        properties of a suite have the outcome, and what was compared coarsely or not judged, and why.
    """
    return b"".join(pieces(record, [record])).decode()


def pieces(record: Record, parts: Iterable[Record]) -> Iterator[bytes]:
    """The same of a record whose cells come in parts, each of whole cases, by the names of these.

    What has been rendered waits in a temporary file, for the totals come before it.
    """
    run_outcome = outcome_of(record)
    totals = dict.fromkeys(("tests", "failures", "errors"), 0)
    with tempfile.SpooledTemporaryFile(max_size=HELD) as file:

        def put(suite: ET.Element) -> None:
            for name in totals:
                totals[name] += int(suite.attrib[name])
            ET.indent(suite, level=1)
            file.write(f"  {ET.tostring(suite, encoding='unicode')}\n".encode())

        for part in parts:
            for suite in _suites(part, run_outcome):
                put(suite)
        failed = bool(totals["failures"] or totals["errors"])
        if (of_run := _run(record, run_outcome, failed)) is not None:
            put(of_run)
        root = ET.Element("testsuites", name="harness")
        for name, count in totals.items():
            root.set(name, str(count))
        root.set("time", _seconds(record.footer.seconds if record.footer is not None else 0.0))
        opened = ET.tostring(root, encoding="unicode")
        yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
        if not file.tell():
            yield f"{opened}\n".encode()
            return
        yield f"{opened.removesuffix(' />')}>\n".encode()
        file.seek(0)
        while piece := file.read(HELD):
            yield piece
        yield b"</testsuites>\n"


def _suites(record: Record, run_outcome: RunOutcome) -> Iterator[ET.Element]:
    ordered = view.ordered(record)
    common = view.common_faults(ordered)
    suites: dict[tuple[str, Precision], dict[tuple[str, str], list[Cell]]] = {}
    for cell in ordered:
        cases = suites.setdefault((cell.case, cell.precision), {})
        cases.setdefault((cell.stage, cell.implementation), []).append(cell)
    for key, cases in suites.items():
        yield _suite(record, run_outcome, case_label(*key), cases, common)


def _suite(
    record: Record,
    run_outcome: RunOutcome,
    label: str,
    cases: dict[tuple[str, str], list[Cell]],
    common: Mapping[tuple[str, ...], tuple[str, ...]],
) -> ET.Element:
    tests = [_test(label, stage, who, cells, common) for (stage, who), cells in cases.items()]
    suite = _counted(record, label, tests)
    suite.insert(0, _properties(record, run_outcome, (cell for case in cases.values() for cell in case)))
    return suite


def _counted(record: Record, label: str, tests: Sequence[ET.Element]) -> ET.Element:
    suite = ET.Element("testsuite", name=visible(label), tests=str(len(tests)))
    for name, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(test.find(child) is not None for test in tests)))
    suite.set("time", _seconds(sum(float(test.attrib["time"]) for test in tests)))
    suite.set("timestamp", record.header.started[:19])
    suite.extend(tests)
    return suite


def _test(
    label: str,
    stage: str,
    who: str,
    cells: Sequence[Cell],
    common: Mapping[tuple[str, ...], tuple[str, ...]],
) -> ET.Element:
    worst = view.summary(cells).verdict
    spent = max((cell.seconds for cell in cells if cell.mode is Mode.CHAINED), default=0.0)
    test = ET.Element(
        "testcase",
        name=visible(f"{stage} [{who}]"),
        classname=visible(f"{label}.{who}"),
        time=_seconds(spent),
    )
    telling = [cell for cell in cells if cell.verdict is worst]
    failing = [cell for cell in cells if cell.verdict in view.FAILING]
    before = {common.get(view.fault_of(cell), (stage,))[0] for cell in failing}
    if failing and stage not in before:
        # A file that cannot be loaded is one fault, however many stages it has.
        said = f"{_message(telling[0])}; the same as in {', '.join(sorted(before))}, which has the error"
        ET.SubElement(test, "skipped", message=visible(said))
        return test
    if worst in view.FAILING:
        kind = "error" if worst in NO_ANSWER else "failure"
        child = ET.SubElement(test, kind, message=visible(_message(telling[0])), type=str(worst))
        child.text = visible("\n".join(_line(cell) for cell in cells if cell.verdict in view.FAILING))
    elif worst in _SKIPPED:
        ET.SubElement(test, "skipped", message=visible(_message(telling[0])))
    if worst not in _SKIPPED:
        lines = [_line(cell) for cell in cells if cell.stats is not None]
        if lines:
            ET.SubElement(test, "system-out").text = visible("\n".join(lines))
    return test


def _run(record: Record, run_outcome: RunOutcome, failed: bool) -> ET.Element | None:
    """Return a test case for the run's outcome, if no stage's test case shows it.

    ``failed`` says whether a test case failed already; an incomplete run is an error of its own.
    """
    complaints = record.footer.complaints if record.footer is not None else ()
    of_articles = sentence.articles_alone(record) and run_outcome.outcome is not Outcome.INCOMPLETE
    says_it = failed and run_outcome.outcome is not Outcome.INCOMPLETE and not complaints
    if run_outcome.outcome is Outcome.AGREEMENT or of_articles or says_it:
        return None
    test = ET.Element("testcase", name="run", classname="harness", time=_seconds(0.0))
    kind = "failure" if run_outcome.outcome is Outcome.DIVERGENCE else "error"
    message = f"{run_outcome.outcome}: {'; '.join(run_outcome.reasons)}"
    ET.SubElement(test, kind, message=visible(message), type=str(run_outcome.outcome))
    return _counted(record, "run", [test])


def _properties(record: Record, run_outcome: RunOutcome, cells: Iterable[Cell]) -> ET.Element:
    """The outcome of the run, and what in this suite was compared coarsely or not judged, and why."""
    element = ET.Element("properties")

    def add(name: str, value: str) -> None:
        ET.SubElement(element, "property", name=visible(name), value=visible(value))

    add("outcome", run_outcome.outcome)
    for words in sentence.left_out(record):
        add("chosen", words)
    for cell in cells:
        what = f"{cell.stage} [{cell.implementation}], {how(cell)}"
        if cell.basis is Basis.COARSE and cell.verdict in JUDGED:
            add(f"coarse: {what}", cell.weaker_because or "no limit is known")
        elif cell.verdict is Verdict.NOT_RUN:
            add(f"not judged: {what}", cell.reason or "no reason is given")
    return element


def _message(cell: Cell) -> str:
    named = f"{cell.verdict} {cell.divergence}".strip()
    why = cell.reason or figures(cell)
    return f"{named}: {why} ({how(cell)})"


def _line(cell: Cell) -> str:
    against = cell.against if cell.check is not Check.ORACLE else "the truth"
    parts = [
        f"{cell.verdict} {how(cell)}, against {against}",
        "inherited" if cell.inherited else "",
        cell.reason,
        figures(cell),
        f"look at {index(place)}"
        if cell.stats is not None and (place := view.place_of_error(cell.stats)) is not None
        else "",
    ]
    return "; ".join(filter(None, parts)) + (f"\n{cell.detail}" if cell.detail else "")


def _seconds(value: float) -> str:
    return f"{value if math.isfinite(value) and value > 0 else 0.0:.3f}"
