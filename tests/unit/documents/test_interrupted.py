"""An interrupt while documents are examined: those that are complete are not lost."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

from harness.documents.engine import RunSettings
from harness.findings import articles
from harness.findings.articles import examine_all
from harness.sessions.sandbox import Sandbox


def test_documents_that_are_complete_come_before_the_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(articles, "cores", lambda: 2)
    paths = [tmp_path / f"{name}.md" for name in "abc"]
    for path in paths:
        path.write_text("# Only words\n", encoding="utf-8")
    ends = threading.Event()

    def on_step(path: Path, _: str) -> None:
        if path.stem == "c":
            # One thread keeps the first document: the other has ended the second before it takes this one.
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        if path.stem in "ac":
            ends.wait(60)

    sandbox = Sandbox(kind="none", unsandboxed=True)
    examinations = examine_all(paths, sandbox=sandbox, plan=RunSettings(), suite=None, on_step=on_step)
    came: list[str] = []

    def take() -> None:
        for examination in examinations:
            came.append(examination.examined.document)
            ends.set()

    with pytest.raises(KeyboardInterrupt):
        take()
    assert came == ["b.md"]
