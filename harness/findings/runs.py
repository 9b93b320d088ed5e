"""The runs that detectors read, and the sessions in which they run experiments."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from harness.documents.cell_numbers import by_numbers, repeated
from harness.documents.engine import RunSettings, execute_document, session_setting
from harness.documents.model import Chunk, Document
from harness.documents.patch import DocumentSpec, apply_patches
from harness.documents.results import ChunkRun, Execution
from harness.documents.track import RUNTIMES
from harness.documents.tracks import is_script
from harness.errors import WorkerStartFailed, WorkerTimeout
from harness.findings.carried import changes_what_it_reads
from harness.findings.knowledge import Knowledge
from harness.findings.made_once import made_once
from harness.model import Absent, Cell
from harness.model.article import Answer, Finding, Kind, Severity
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Limits, Sandbox
from harness.sessions.sandboxed_session import SandboxedSession
from harness.sessions.session import Evaluated
from harness.store.temporary import temporary_folder

T = TypeVar("T")

LONG = 5.0
"""Seconds after which a chunk is too slow to be run again by a detector that runs it many times."""

_QUICK = 60.0
"""Seconds of a run that is made again for each number of times that cells may have run."""


class DocumentRuns:
    """A document, how it is run, and its runs; each run is made when it is first needed.

    Parameters
    ----------
    document : Document
        From `parse_document`.
    registry, sandbox : Registry, Sandbox
        Where, and in what, its code runs.
    plan : Plan
        Of the run that is reported, with patches and captures.
    knowledge : Knowledge, optional
        What is known of this document.
    specs, suite : tuple of DocumentSpec, Path
        The cases that it belongs to, and where they are.
    """

    def __init__(
        self,
        document: Document,
        *,
        registry: Registry,
        sandbox: Sandbox,
        plan: RunSettings,
        knowledge: Knowledge | None = None,
        specs: tuple[DocumentSpec, ...] = (),
        suite: Path | None = None,
    ) -> None:
        self.document = document
        self.registry = registry
        self.sandbox = sandbox
        self.plan = plan
        self.knowledge = knowledge or Knowledge(file=document.path.name)
        self.specs = specs
        self.suite = suite
        self.unchecked: list[str] = []
        self.until = 0.0
        self.made: dict[str, Any] = {}
        self._made: dict[Hashable, Any] = {}
        self._parts: list[DocumentRuns] = []

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Call ``make`` once for a key, and keep its result for all detectors."""
        if key not in self._made:
            self._made[key] = make()
        made: T = self._made[key]
        return made

    @made_once
    def published(self) -> Execution:
        """The run as published; values are captured here if there is nothing to patch."""
        captures = () if self.plan.patches else self.plan.captures
        return self._run(msgspec.structs.replace(self.plan, patches=(), captures=captures))

    @made_once
    def again(self) -> Execution:
        """A second run as published, in fresh sessions, without captures."""
        return self._run(self._as_published())

    @property
    def has_run_again(self) -> bool:
        """Whether the second run has been made."""
        return "again" in self.__dict__

    @made_once
    def elsewhere(self) -> Execution:
        """A run as published whose numeric libraries round in another order, as on another machine."""
        return self._run(self._as_published(plain_kernels=True))

    @made_once
    def by_numbers(self) -> Execution | None:
        """A notebook's run with its cells in the order of their numbers; None where they stand in it."""
        document = by_numbers(self.document)
        if document is None:
            return None
        return execute_document(
            document,
            registry=self.registry,
            sandbox=self.sandbox,
            trust=True,
            plan=self._as_published(),
        )

    @made_once
    def patched(self) -> Execution:
        """The run with the known patches, if there are any, and the captures."""
        if not self.plan.patches:
            return self.published
        return self._run(msgspec.structs.replace(self.plan, lost=self.published.lost))

    @made_once
    def other_mode(self) -> Execution:
        """The run as published, as a script if the other was at a prompt, and the other way round."""
        mode = "prompt" if self.plan.mode == "script" else "script"
        return self._run(self._as_published(mode=mode))

    @made_once
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the captured values, judged stage by stage; none outside of a suite.

        Raises
        ------
        CaseError
            A capture does not fit its case.
        """
        if self.suite is None or not any(spec.capture for spec in self.specs):
            return ()
        # Judging imports as much again as all the rest: few documents have values that are captured.
        from harness.documents.capture import judge_captures

        return tuple(judge_captures(self.patched, self.specs, suite=self.suite, glove=self.plan.glove))

    def repeated(self, times: int) -> Execution | None:
        """A notebook's run in which cells that change what they read run more than once.

        Parameters
        ----------
        times : int
            How many times more, where as many numbers are missing before a cell's own; the last result
            counts.
        """
        cells = [chunk.index for chunk in self.document.chunks if changes_what_it_reads(chunk)]
        document = repeated(self.document, cells, times)
        if document is None or self.published.seconds > _QUICK:
            return None
        plan = self._as_published()
        run = execute_document(document, registry=self.registry, sandbox=self.sandbox, trust=True, plan=plan)
        last = {chunk.index: chunk for chunk in run.chunks}
        return msgspec.structs.replace(run, document=self.document, chunks=tuple(last.values()))

    def without(self, chunk: Chunk, line: int, end_line: int) -> Execution | None:
        """The run as published, but for one statement that is left out; None where a run takes long.

        Parameters
        ----------
        chunk : Chunk
            One of the document's.
        line, end_line : int
            The statement's lines in its code, counted from 1.
        """
        if self.published.seconds > _QUICK:
            return None
        lines = chunk.code.split("\n")
        nothing = "nothing" if chunk.language == "julia" else "None"
        lines[line - 1 : end_line] = [nothing, *[""] * (end_line - line)]
        return self.with_code({chunk.index: "\n".join(lines)})

    def with_code(self, codes: Mapping[int, str]) -> Execution | None:
        """The run as published, but for other code in some chunks, by their indices; None if none is made."""
        chunks = (
            msgspec.structs.replace(part, code=codes.get(part.index, part.code))
            for part in self.document.chunks
        )
        document = msgspec.structs.replace(self.document, chunks=tuple(chunks))
        plan = self._as_published()
        run = execute_document(document, registry=self.registry, sandbox=self.sandbox, trust=True, plan=plan)
        return msgspec.structs.replace(run, document=self.document)

    def alone(self, document: Document) -> DocumentRuns | None:
        """The runs of the document with other code in its chunks; those that were made of it are kept."""
        runs = DocumentRuns(document, registry=self.registry, sandbox=self.sandbox, plan=self._as_published())
        same = next((part for part in self._parts if part.document == document), None)
        if same is None:
            self._parts.append(runs)
        else:
            runs.made = same.made
        return runs

    def _as_published(self, **changes: Any) -> RunSettings:
        """The plan without patches and captures; what ended the first run's sessions is left out."""
        plan = msgspec.structs.replace(self.plan, patches=(), captures=(), lost=self.published.lost)
        return msgspec.structs.replace(plan, **changes)

    def _run(self, plan: RunSettings) -> Execution:
        return execute_document(
            self.document, registry=self.registry, sandbox=self.sandbox, trust=True, plan=plan
        )

    def languages(self) -> tuple[str, ...]:
        """Languages of which at least one chunk ran."""
        return tuple(dict.fromkeys(run.language for run in self.published.chunks if run.ran))

    def ran(self, language: str, *, sound: bool = False) -> list[Chunk]:
        """Chunks of a language that ran in the patched run; only those without an error, if ``sound``."""
        runs = {run.index: run for run in self.patched.chunks if run.ran}
        return [
            chunk
            for chunk in self.document.chunks
            if chunk.language == language
            and chunk.index in runs
            and not (sound and runs[chunk.index].error is not None)
        ]

    def seconds(self, chunk: Chunk) -> float:
        """How long the chunk took, at most, in a run."""
        times = [run.left.seconds for run in self.patched.chunks if run.index == chunk.index and run.left]
        return max(times, default=0.0)

    def code(self, chunk: Chunk) -> str:
        """The chunk's code after the known patches."""
        return apply_patches(self.document, chunk, self.plan.patches)[0]

    def finding(
        self,
        chunk: Chunk,
        kind: Kind,
        severity: Severity,
        evidence: str,
        consequence: str,
        *,
        line: int | None = None,
        row: int = 0,
        smallest: str = "",
        answer: Answer | None = None,
        follows: tuple[str, ...] = (),
        source: str = "",
    ) -> Finding:
        """A finding in this document; ``row`` is the line of the chunk's code, counted from 1."""
        where = ""
        if chunk.cell:
            where = f"cell {chunk.cell}"
            where += f" (In [{chunk.execution_count}])" if chunk.execution_count is not None else ""
            where += f", line {row + chunk.skipped}" if row else ""
        elif is_script(chunk):
            line, where = chunk.line, f"{chunk.source}, line {line}" if line else ""
        return Finding(
            document=self.document.path.name,
            line=line or chunk.line,
            where=where,
            answer=answer,
            follows=follows,
            source=source,
            language=chunk.language,
            chunk=chunk.index,
            kind=kind,
            severity=severity,
            evidence=evidence,
            consequence=consequence,
            smallest=smallest,
        )

    @contextlib.contextmanager
    def session(
        self, language: str, *, without: Iterable[str] = (), seconds: float = 60.0
    ) -> Iterator[Trial]:
        """A fresh session of one language.

        Parameters
        ----------
        language : str
            One of `languages`.
        without : iterable of str
            Stand-ins that it does not get.
        seconds : float
            Limit for one evaluation.

        Raises
        ------
        WorkerError, ImplementationError
            It cannot be started.
        WorkerTimeout
            The time for experiments is up.
        """
        if self.until and time.monotonic() > self.until:
            raise WorkerTimeout("the time for experiments was up (--seconds)")
        runtime = RUNTIMES[language]
        launch = self.registry.session(runtime)
        if isinstance(launch, Absent):
            raise WorkerStartFailed(launch.reason)
        given = self.plan.limits
        limits = msgspec.structs.replace(given, chunk_seconds=min(seconds, given.chunk_seconds))
        assert isinstance(limits, Limits)
        plan = msgspec.structs.replace(self.plan, limits=limits)
        with temporary_folder() as folder:
            setting = session_setting(self.document, language, plan, self.sandbox, folder)
            left = tuple(name for name in setting.stand_ins if name not in set(without))
            setting = msgspec.structs.replace(setting, stand_ins=left)
            with SandboxedSession(runtime, launch, setting) as session:
                yield Trial(self, session)


class Trial:
    """One session in which a detector evaluates chunks of the document, and code of its own."""

    def __init__(self, runs: DocumentRuns, session: SandboxedSession) -> None:
        self._runs = runs
        self.session = session

    def chunk(self, chunk: Chunk, code: str | None = None) -> Evaluated:
        """Evaluate a chunk, or other code in its place."""
        text = self._runs.code(chunk) if code is None else code
        name = self._runs.document.path.name
        return self.session.eval(text, file=name, line=max(1, chunk.code_line), keep_going=chunk.error)

    def code(self, text: str) -> Evaluated:
        """Evaluate code of the harness."""
        return self.session.eval(text, file="<harness>", line=1)

    def all(self, chunks: Iterable[Chunk], change: Callable[[Chunk], str | None] = lambda _: None) -> None:
        """Evaluate chunks, failing ones too; ``change`` may give other code for some."""
        for chunk in chunks:
            if self.session.ended:
                return
            self.chunk(chunk, change(chunk))


def same_place(runs: Iterable[ChunkRun]) -> dict[tuple[int, str], ChunkRun]:
    """Return runs by chunk and track, to compare two executions."""
    return {(run.index, run.track): run for run in runs}


def first_line(text: str, longest: int = 300) -> str:
    """The first line of a message, cut where it is long."""
    line = next((splitline.strip() for splitline in text.splitlines() if splitline.strip()), "")
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
