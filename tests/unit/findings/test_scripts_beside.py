"""A script beside a document: findings name its file, and detectors that share a session leave it out."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from harness.documents.model import Chunk, Document
from harness.findings.runs import DocumentRuns
from harness.findings.track import Track
from harness.model.article import Kind, Severity

SHOWN = Chunk(index=0, line=3, end_line=5, code_line=4, language="python", code="x = 1")
SCRIPT = Chunk(
    index=1, line=9, end_line=12, code_line=1, language="python", code="y = 2", track="b.py", source="b.py"
)


def test_a_finding_names_the_line_of_the_script() -> None:
    document = Document(path=Path("a.rst"), kind="markdown", title="", chunks=(SHOWN, SCRIPT))
    nothing: Any = None
    runs = DocumentRuns(document, registry=nothing, sandbox=nothing, plan=nothing)

    def place(chunk: Chunk, line: int | None) -> tuple[int, str]:
        found = runs.finding(chunk, Kind.PROSE, Severity.NOTE, "", "", line=line)
        return found.line, found.place

    assert place(SCRIPT, 1) == (9, "b.py, line 1")
    assert place(SCRIPT, None) == (9, "line 9")
    assert place(SHOWN, 4) == (4, "line 4")
    assert place(msgspec.structs.replace(SCRIPT, track=""), 1) == (1, "line 1")


def test_detectors_leave_scripts_out() -> None:
    runs: Any = SimpleNamespace(ran=lambda *_, **__: [SHOWN, SCRIPT], code=lambda chunk: chunk.code)
    assert Track(runs, "python").chunks == [SHOWN]
