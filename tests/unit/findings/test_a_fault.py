"""A fault of one detector: what the others find of the document is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.documents.engine import RunSettings
from harness.findings.examine import examine
from harness.findings.runs import DocumentRuns
from harness.model.article import Finding, Kind, Severity
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Sandbox
from tests.unit.findings.made_runs import chunk


def broken_detector(runs: DocumentRuns) -> Iterator[Finding]:
    raise ArithmeticError("too many digits")


def other_detector(runs: DocumentRuns) -> Iterator[Finding]:
    yield runs.finding(chunk(0, "x"), Kind.RANDOMNESS, Severity.NOTE, "seen", "kept")


def test_a_fault_of_one_detector_keeps_what_the_others_find(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A\n\nNo code.\n", encoding="utf-8")
    examined = examine(
        path,
        registry=Registry({}, Path()),
        sandbox=Sandbox(kind="none"),
        plan=RunSettings(),
        detectors=[broken_detector, other_detector],
    ).examined
    assert not examined.failure
    assert [finding.evidence for finding in examined.findings] == ["seen"]
    (said,) = examined.unchecked
    assert said.startswith(
        "broken detector: a fault in the harness: ArithmeticError: too many digits (test_a_fault"
    )
