"""Stages of a case that the document computes, compared with the reference or the true values."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from harness.documents.model import Chunk
from harness.documents.patch import FILE, Capture, find_chunk
from harness.findings.runs import DocumentRuns
from harness.model import Cell, Verdict
from harness.model.article import Finding, Kind, Severity
from harness.report.commands import place


def stages_off_the_reference(runs: DocumentRuns) -> Iterator[Finding]:
    """A finding for the first stage of each case that fails in the document, with the others of that case."""
    for spec in runs.specs:
        for capture in spec.capture:
            name = f"published.{capture.language}"
            failed = [
                cell
                for cell in runs.cells
                if cell.case == spec.case
                and cell.implementation == name
                and cell.stage.split(".")[0] in capture.values
                and cell.verdict is Verdict.FAIL
            ]
            if failed:
                yield _finding(runs, capture, failed)


def _finding(runs: DocumentRuns, capture: Capture, failed: list[Cell]) -> Finding:
    first = failed[0]
    far = f"; up to {first.stats.max_abs:.3g} off" if first.stats is not None else ""
    stages = ", ".join(dict.fromkeys(cell.stage for cell in failed))
    return runs.finding(
        _chunk(runs, capture),
        Kind.DEPARTS,
        Severity.WRONG,
        f"of the case {first.case}, {len(failed)} comparisons fail ({stages}); {first.stage}: "
        f"{first.reason}{far}",
        "an implementation of what the document describes gives other numbers",
        smallest=shlex.join(["harness", "show", first.case, first.stage, *place(first)]),
        source=f"{first.case}/{FILE}",
    )


def _chunk(runs: DocumentRuns, capture: Capture) -> Chunk:
    if capture.after is not None:
        return find_chunk(runs.document, capture.after, language=capture.language)
    return [chunk for chunk in runs.document.chunks if chunk.language == capture.language][-1]
