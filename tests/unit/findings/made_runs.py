"""Runs of a document that are over, made of what its chunks would return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from harness.documents.engine import RunSettings
from harness.documents.model import Chunk, Document, OutputBlock
from harness.documents.patch import Patch, Place
from harness.documents.results import ChunkRun, Execution
from harness.findings.answers import judged
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer, Kind, Severity
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Sandbox
from harness.sessions.session import CodeError, Evaluated


def chunk(index: int, code: str, language: str = "python", output: str = "", **given: Any) -> Chunk:
    line = 10 * index + 1
    blocks = (OutputBlock(line=line + 5, text=output),) if output else ()
    return Chunk(
        index=index, line=line, end_line=line + 4, code_line=line + 1, language=language, code=code,
        output=blocks, **given,
    )  # fmt: skip


def left(text: str = "", error: str = "", line: int | None = None, seconds: float = 0.1) -> Evaluated:
    problem = CodeError(message=error, kind="Error", line=line) if error else None
    return Evaluated(text=text, messages="", error=problem, seconds=seconds)


def executed(
    document: Document, results: list[Evaluated], patched: dict[int, str] | None = None
) -> Execution:
    runs = tuple(
        ChunkRun(
            index=chunk.index,
            line=chunk.line,
            language=chunk.language,
            left=evaluated,
            patched=((patched or {})[chunk.index],) if chunk.index in (patched or {}) else (),
        )
        for chunk, evaluated in zip(document.chunks, results, strict=True)
    )
    return Execution(
        document=document, mode="prompt", chunks=runs, tracks=(), captured={}, sandbox="", seconds=1.0
    )


class Ran(DocumentRuns):
    """Runs that are over."""

    def __init__(
        self,
        chunks: list[Chunk],
        published: list[Evaluated],
        patched: list[Evaluated] | None = None,
        other_mode: list[Evaluated] | None = None,
        change: dict[int, str] | None = None,
        again: list[Evaluated] | None = None,
        elsewhere: list[Evaluated] | None = None,
        once_more: list[Evaluated] | None = None,
        without: dict[int, list[Evaluated]] | None = None,
        kind: Literal["markdown", "notebook"] = "markdown",
        alone: Callable[[Document], DocumentRuns] | None = None,
        with_other_code: list[Evaluated] | None = None,
    ) -> None:
        document = Document(path=Path("a.md"), kind=kind, title="A", chunks=tuple(chunks))
        patches = tuple(
            Patch(id=name, chunk=Place(index=index), find="x", replace="y", reason="known")
            for index, name in (change or {}).items()
        )
        super().__init__(
            document,
            registry=Registry({}, Path()),
            sandbox=Sandbox(kind="none"),
            plan=RunSettings(patches=patches),
        )
        self.__dict__["published"] = executed(document, published)
        self.__dict__["again"] = executed(document, again or published)
        self.__dict__["elsewhere"] = executed(document, elsewhere or published)
        self._once_more = once_more
        self._alone = alone
        self._with_other_code = with_other_code
        self._without = without or {}
        self.__dict__["patched"] = (
            executed(document, patched, change) if patched is not None else self.__dict__["published"]
        )
        self.__dict__["other_mode"] = executed(document, other_mode or published)

    def repeated(self, times: int) -> Execution | None:
        """What cells return that were run once more; nothing of those that were run more often."""
        return executed(self.document, self._once_more) if self._once_more and times == 1 else None

    def alone(self, document: Document) -> DocumentRuns | None:
        """What a part of the document returns; nothing where that is not known."""
        return self._alone(document) if self._alone is not None else None

    def with_code(self, codes: Mapping[int, str]) -> Execution:
        """What the chunks return with other code in some; what is published where that is not known."""
        shown = [left("".join(block.text for block in chunk.output)) for chunk in self.document.chunks]
        return executed(self.document, self._with_other_code or shown)

    def without(self, chunk: Chunk, line: int, end_line: int) -> Execution | None:
        """What the chunks return where a statement of one is left out; nothing where that is not known."""
        results = self._without.get(chunk.index)
        return executed(self.document, results) if results is not None else None


def answers(runs: Ran) -> list[Answer]:
    return [block.answer for block in judged(runs).blocks]


def said(
    code: str,
    published: str,
    printed: str,
    *,
    language: str = "python",
    rest: tuple[str, str] = ("print(1 + 1)", "2\n"),
    right: int = 12,
    here: int = 0,
    stated: str = "3.7.6",
    folder: Path = Path(),
    **given: str,
) -> Answer | None:
    """What is said of an output beside others, of which some are reproduced and in some a version differs."""
    chunks = [chunk(0, code, language, output=published, **given)]
    results = [left(printed)]
    for _ in range(right):
        chunks.append(chunk(len(chunks), rest[0], language, output=rest[1]))
        results.append(left(rest[1]))
    for _ in range(here):
        chunks.append(chunk(len(chunks), "print(repr(q))", language, output="<Q of 1>\n"))
        results.append(left("Q one thing\n"))

    def alone(document: Document) -> DocumentRuns | None:
        if len(document.chunks) != len(chunks):
            return None  # other code is tried of it
        return with_version(Ran(list(document.chunks), [left(printed), *map(left, [""] * (len(chunks) - 1))]))

    def with_version(runs: Ran) -> Ran:
        runs.document = msgspec.structs.replace(
            runs.document, written_for={language: stated} if stated else {}, path=folder / "a.md"
        )
        return runs

    return judged(with_version(Ran(chunks, results, alone=alone))).blocks[0].answer


def kinds(findings: Any) -> list[tuple[int, Kind, Severity]]:
    return [(finding.line, finding.kind, finding.severity) for finding in findings]
