"""A second run of a document is made where its answer depends on it, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.documents.engine import RunSettings
from harness.documents.model import Document
from harness.documents.results import Execution
from harness.findings import answers
from harness.findings.answers import judged
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Sandbox
from tests.unit.findings.made_runs import Ran, chunk, left


class RanOnce(Ran):
    """Runs of which the second has not been made."""

    made_again = False

    @property
    def again(self) -> Execution:  # type: ignore[override]
        """The second run, which is counted."""
        self.made_again = True
        again: Execution = self.__dict__["again"]
        return again


def ran(code: str, published: str, printed: str) -> tuple[Answer, bool]:
    chunks = [chunk(0, code, output=published), *(chunk(n, f"{n}", output=f"{n}\n") for n in range(1, 12))]
    runs = RanOnce(chunks, [left(printed), *(left(f"{n}\n") for n in range(1, 12))])
    return judged(runs).blocks[0].answer, runs.made_again


def test_what_a_package_may_give_otherwise_needs_no_second_run() -> None:
    code = "import shapely\nshapely.area(shapely.box(0, 0, 2, 3))"
    assert ran(code, "[4, 5]\n", "[8, 9]\n") == (Answer.HERE, False)


def test_what_is_drawn_without_a_seed_needs_no_second_run() -> None:
    code = "import numpy as np\nnp.random.rand(2)"
    assert ran(code, "array([0.1, 0.2])\n", "array([0.3, 0.4])\n") == (Answer.NOBODY, False)


def test_an_accusation_needs_one() -> None:
    assert ran("20 + 2", "18\n", "22\n") == (Answer.WRONG, True)


def test_what_is_no_accusation_alone_is_not_run_alone_again(monkeypatch: pytest.MonkeyPatch) -> None:
    presumed = answers._accusation
    monkeypatch.setattr(
        answers, "_accusation", lambda runs, *given: None if runs in parts else presumed(runs, *given)
    )
    parts: list[Any] = []

    def alone(document: Document) -> RanOnce:
        parts.append(RanOnce(list(document.chunks), [left(), left("[1] TRUE\n"), *map(left, [""] * 7)]))
        return parts[-1]

    chunks = [chunk(0, "x <- rnorm(9)", "r"), chunk(1, "all(x < 99)", "r", output="[1] FALSE\n")]
    chunks += [chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n") for n in range(2, 9)]
    right = [left(f"[1] {n + 1}\n") for n in range(2, 9)]
    judged(Ran(chunks, [left(), left("[1] TRUE\n"), *right], alone=alone))
    assert [part.made_again for part in parts] == [False]


def test_a_part_of_a_document_is_run_once_whoever_asks() -> None:
    document = Document(path=Path("a.md"), kind="markdown", title="A", chunks=(chunk(0, "1 + 1"),))
    whole = DocumentRuns(
        document, registry=Registry({}, Path()), sandbox=Sandbox(kind="none"), plan=RunSettings()
    )
    whole.__dict__["published"] = Ran([chunk(0, "1 + 1")], [left("2\n")]).published
    first = whole.alone(document)
    first.made["published"] = whole.published
    assert whole.alone(msgspec.structs.replace(document)).published is whole.published
    assert not whole.alone(msgspec.structs.replace(document, chunks=(chunk(0, "1 + 2"),))).made
