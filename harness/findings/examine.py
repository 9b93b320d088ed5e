"""From a document to its verdict: run it, apply every detector, and go on when one cannot be applied."""

from __future__ import annotations

import contextlib
import hashlib
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from harness.documents.engine import RunSettings
from harness.documents.parse import parse_document
from harness.documents.patch import DocumentSpec, specs_for
from harness.documents.results import ChunkRun, counts
from harness.errors import DocumentError, HarnessError
from harness.findings.answers import judged, published_outputs
from harness.findings.failures import silent_after_errors
from harness.findings.knowledge import Knowledge, knowledge_for
from harness.findings.mathematics import departs_from_its_mathematics, wrong_gradients
from harness.findings.runs import DocumentRuns, first_line
from harness.findings.stages import stages_off_the_reference
from harness.findings.training import training_diverges
from harness.model import Cell, Examined
from harness.model.article import ChunkLine, Finding
from harness.model.outcome import HARNESS_FAULT
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Sandbox


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """A document with its findings, and the cells of its captured values."""

    examined: Examined
    cells: tuple[Cell, ...] = ()


Detector = Callable[[DocumentRuns], Iterable[Finding]]

OF_ONE_RUN: tuple[Detector, ...] = (
    published_outputs,
    training_diverges,
    stages_off_the_reference,
)
"""The detectors that need no other run than the document's own, and a second one where something differs."""

QUICK: tuple[Detector, ...] = (
    *OF_ONE_RUN,
    silent_after_errors,
    departs_from_its_mathematics,
    wrong_gradients,
)
"""Those, and the detectors that know of a document what a case's files say of it."""


def examine(
    path: Path,
    *,
    registry: Registry,
    sandbox: Sandbox,
    plan: RunSettings,
    specs: Iterable[DocumentSpec] = (),
    knowledge: Iterable[Knowledge] = (),
    suite: Path | None = None,
    detectors: Iterable[Detector] = QUICK,
    seconds: float = 600.0,
    on_step: Callable[[str], None] = lambda _: None,
) -> Examination:
    """Run a document, and say what is wrong with it.

    Parameters
    ----------
    path : Path
        The document.
    registry, sandbox : Registry, Sandbox
        Where, and in what, its code runs; that it may be run has been agreed on.
    plan : Plan
        How it is run; its patches and captures are replaced by those of ``specs``.
    specs : iterable of DocumentSpec
        The cases' documents.
    knowledge : iterable of Knowledge
        The cases' probes.
    suite : Path, optional
        Where the cases are.
    detectors : iterable of callable
        What is looked for.
    seconds : float
        Time for the experiments; what is found until then is kept.
    on_step : callable
        Called with each step as it begins.

    Returns
    -------
    Examination
        ``examined`` has a ``problem`` where it cannot be read, a ``failure`` where the harness itself failed.
    """
    begun = time.perf_counter()
    try:
        on_step("reading")
        document = parse_document(path)
    except DocumentError as error:
        return Examination(examined=Examined(document=path.name, problem=str(error)))
    known = specs_for(document, specs)
    plan = msgspec.structs.replace(
        plan,
        patches=tuple({patch.id: patch for spec in known for patch in spec.patch}.values()),
        captures=tuple(capture for spec in known for capture in spec.capture),
    )
    runs = DocumentRuns(
        document,
        registry=registry,
        sandbox=sandbox,
        plan=plan,
        knowledge=knowledge_for(document, knowledge),
        specs=known,
        suite=suite,
    )
    examined = Examined(
        document=path.name,
        title=document.title,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        notes=tuple(f"line {note.line}: {note.text}" for note in document.notes),
    )
    try:
        on_step("running it")
        examined = _described(examined, runs)
    except HarnessError as error:
        failed = msgspec.structs.replace(examined, failure=str(error), seconds=time.perf_counter() - begun)
        return Examination(examined=failed)
    findings: list[Finding] = []
    for detector in detectors:
        name = detector.__name__.replace("_", " ")
        on_step(name)
        if detector not in QUICK and not runs.until:
            runs.until = time.monotonic() + seconds
        try:
            # One by one: what is found before the time is up is kept.
            for finding in detector(runs):
                findings.append(finding)
        except HarnessError as error:
            runs.unchecked.append(f"{name}: {first_line(str(error))}")
        except Exception as error:
            # A fault of this harness in one detector: what the others find is kept.
            runs.unchecked.append(f"{name}: {fault(error)}")
    findings.sort(key=lambda finding: (finding.line, finding.kind))
    cells: tuple[Cell, ...] = ()
    # The detector that judges them has reported the reason already.
    with contextlib.suppress(HarnessError):
        cells = runs.cells
    examined = msgspec.structs.replace(
        examined,
        findings=tuple(findings),
        unchecked=tuple(runs.unchecked),
        seconds=time.perf_counter() - begun,
    )
    return Examination(examined=examined, cells=cells)


def fault(error: Exception) -> str:
    """Return what is said of an error that is the harness's own."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    return f"{HARNESS_FAULT}{type(error).__name__}: {error} ({where}); please report it"


def _described(examined: Examined, runs: DocumentRuns) -> Examined:
    execution, said = runs.published, judged(runs)
    patches = {patch.id: patch.reason for patch in runs.plan.patches}
    return msgspec.structs.replace(
        examined,
        counts=counts(execution),
        notes=(*examined.notes, *execution.left_out),
        chunks=tuple(_chunk_line(run) for run in execution.chunks),
        blocks=said.blocks,
        suspects=said.suspects,
        unread=tuple(f"line {unread.line}: {unread.why}" for unread in runs.document.unread),
        runtimes={
            _track(track.language, track.track): f"{track.runtime.language} {track.runtime.version}"
            for track in execution.tracks
            if track.runtime is not None
        },
        stand_ins={name: what for track in execution.tracks for name, what in track.stand_ins.items()},
        patches=patches,
        missing=dict(_missing(runs)),
        sandbox=execution.sandbox,
        code_seconds=sum(run.left.seconds for run in execution.chunks if run.left is not None),
        run_seconds=execution.seconds,
    )


def _missing(runs: DocumentRuns) -> Iterator[tuple[str, str]]:
    for track in runs.published.tracks:
        why = track.missing or (f"its session ended: {track.ended}" if track.ended else "")
        if why:
            yield _track(track.language, track.track), why


def _track(language: str, track: str) -> str:
    return f"{language} ({track})" if track else language


def _chunk_line(run: ChunkRun) -> ChunkLine:
    if run.left is None:
        outcome = f"not run: {run.skipped}"
    elif run.error is not None:
        outcome = f"fails: {first_line(run.error.message)}"
    else:
        outcome = "ran"
    return ChunkLine(
        line=run.line,
        language=run.language,
        track=run.track,
        outcome=outcome,
        seconds=run.left.seconds if run.left is not None else 0.0,
        plots=run.left.plots if run.left is not None else (),
        patched=run.patched,
        stand_ins=run.stand_ins,
    )
