"""Examines several documents and records their cells and findings."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from harness.cores import cores
from harness.documents.engine import RunSettings
from harness.documents.parse import KINDS, is_rendered
from harness.documents.patch import load_document_specs
from harness.errors import HarnessError, UsageError
from harness.findings.examine import QUICK, Detector, Examination, examine, fault
from harness.findings.knowledge import load_knowledge
from harness.model import Cell, Examined, Footer, Record
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Sandbox
from harness.store.suites import current_folder


class _Stopped(Exception):
    """The run was interrupted: no result of the document is needed any more."""


OnStep = Callable[[Path, str], None]


def find_documents(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the documents that are named, and those in the folders that are named, by name.

    Raises
    ------
    UsageError
        A path is not there, or a folder holds no document.
    """
    documents: list[Path] = []
    for path in paths:
        if path.is_dir():
            # A folder's README describes it, and a page that was made of a document shows nothing else.
            inside = [
                file
                for file in sorted(path.iterdir())
                if file.suffix.lower() in KINDS and file.is_file() and file.stem.lower() != "readme"
                if not is_rendered(file)
            ]
            if not inside:
                raise UsageError("no document in this folder", path=path, advice=f"known: {', '.join(KINDS)}")
            documents += inside
        elif path.exists():
            documents.append(path)
        else:
            raise UsageError("no such document", path=path)
    return tuple(dict.fromkeys(documents))


def examine_all(
    paths: Sequence[Path],
    *,
    sandbox: Sandbox,
    plan: RunSettings,
    suite: Path | None,
    detectors: Sequence[Detector] = QUICK,
    seconds: float = 600.0,
    on_step: OnStep = lambda _path, _step: None,
) -> Iterator[Examination]:
    """Run documents, as many at a time as there are cores, and say what is wrong with each.

    Parameters
    ----------
    paths : sequence of Path
        From `find_documents`; that they may be run has been agreed on.
    sandbox : Sandbox
        From `find_sandbox`.
    plan : Plan
        How they are run.
    suite : Path or None
        The folder of the cases that know of documents; outside of any suite nothing is known of them.
    detectors : sequence of callable
        What is looked for.
    seconds : float
        Time for the experiments on each document.
    on_step : callable
        Called with a document and the step it is at, from several threads.

    Yields
    ------
    Examination
        In the order of ``paths``. An interrupt is raised after those that are complete.
    """
    folder = suite or current_folder()
    stop = threading.Event()
    quick = set(detectors) <= set(QUICK)
    specs = load_document_specs(folder) if suite is not None else ()
    knowledge = load_knowledge(folder)
    registry = Registry.load(folder)

    def examine_one(path: Path) -> Examination:
        try:
            examination = run_one(path)
        except (_Stopped, HarnessError):
            raise
        except Exception as error:
            # A fault of this harness ends one document: the others are run.
            return Examination(examined=Examined(document=path.name, failure=fault(error)))
        examined = examination.examined
        if not quick or examined.problem:
            return examination
        unchecked = (
            *examined.unchecked,
            "faults that only further runs show: harness documents --deep looks for them",
        )
        return msgspec.structs.replace(
            examination, examined=msgspec.structs.replace(examined, unchecked=unchecked)
        )

    def run_one(path: Path) -> Examination:
        return examine(
            path,
            registry=registry,
            sandbox=sandbox,
            plan=msgspec.structs.replace(plan, stop=stop),
            specs=specs,
            knowledge=knowledge,
            suite=suite,
            detectors=detectors,
            seconds=seconds,
            on_step=lambda step: report_step(path, step),
        )

    def report_step(path: Path, step: str) -> None:
        if stop.is_set():
            raise _Stopped
        on_step(path, step)

    with ThreadPoolExecutor(cores()) as pool:
        waiting = deque(pool.submit(examine_one, path) for path in paths)
        try:
            while waiting:
                examination = waiting[0].result()
                waiting.popleft()
                yield examination
        except KeyboardInterrupt:
            stop.set()
            yield from (future.result() for future in waiting if future.done() and not future.exception())
            raise
        finally:
            # After an interrupt, documents may still be running.
            stop.set()
            pool.shutdown(cancel_futures=True)


def lines(examinations: Iterable[Examination], cases: Iterable[str]) -> Iterator[Cell | Examined]:
    """Yield the record lines of documents: the cells of these cases, then the document."""
    wanted = frozenset(cases)
    for examination in examinations:
        yield from (cell for cell in examination.cells if cell.case in wanted)
        yield examination.examined


def write_record(
    examinations: Sequence[Examination],
    *,
    suite: Path | None,
    out: Path,
    seconds: float,
    interrupted: str = "",
) -> Record:
    """Write a record of documents alone, and read it back.

    Parameters
    ----------
    examinations : sequence of Examination
        From `examine_all`.
    suite : Path or None
        The folder of the cases that they were compared with.
    out : Path
        The folder for it.
    seconds : float
        How long the examinations took.
    interrupted : str
        What ended them before all were made: the record is partial.

    Raises
    ------
    RecordError
        It cannot be written, or two documents give the same cells: copies under one name.
    """
    # Documents are examined without what writes records, and most are not recorded.
    from harness.conformance.machine import called, describe_machine, now
    from harness.model.case import without_print
    from harness.store.cases import load_case
    from harness.store.record import FILE, RecordWriter, read_record

    cells = (cell for examination in examinations for cell in examination.cells)
    names = {cell.case for cell in cells}
    cases = [load_case(suite / name) for name in sorted(names)] if suite is not None else []
    header = describe_machine(
        suite=called(suite) if suite is not None else "",
        started=now(),
        runtimes={},
        absent=(),
        fixtures={},
        cases=tuple(without_print(case) for case in cases),
    )
    with RecordWriter(out / FILE) as writer:
        writer.header(header)
        for line in lines(examinations, names):
            writer.write(line)
        writer.footer(Footer(partial=bool(interrupted), reason=interrupted, seconds=seconds))
    return read_record(out / FILE)
