"""A whole run: start the workers, observe, judge, write down."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from harness.conformance.evaluator import Evaluator, Progress
from harness.conformance.gather import gather
from harness.conformance.live import LiveHost, workers
from harness.conformance.logs import FOLDER as LOGS
from harness.conformance.machine import called, describe_machine
from harness.conformance.observe import AbsentObserver, Observer
from harness.conformance.oracle import OracleClient, asks, oracle, with_truth
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.replay import Library, Replay
from harness.errors import UsageError
from harness.model import Absent, Cell, Examined, Footer, Header, Record, Verdict, runtime_of
from harness.model.outcome import (
    MISSING,
    NOT_COMPARED,
    NOT_STARTED,
    REPLAYED,
    WORKER_FAULT,
    was_compared,
)
from harness.runtimes.oracle import ID as ORACLE
from harness.runtimes.oracle import find_oracle, oracle_info
from harness.runtimes.provision.machine import cache_folder
from harness.store.record import RecordWriter, counts_of

FILE = "results.jsonl"
"""A record's name in its folder."""

JUDGING = "judging"
"""Beside the runtimes in ``Footer.busy``: the seconds in which values were compared."""

_BROKEN = frozenset({Verdict.ERROR, Verdict.TIMEOUT})

Replaying = Literal["missing", "always", "never"]
"""Which runtimes are answered from the snapshots: those that are missing, all, or none."""


def run(
    plan: Plan,
    *,
    out: Path | None,
    require: tuple[str, ...] = (),
    replay: Replaying = "never",
    strict: bool = False,
    others: Iterable[Cell | Examined] = (),
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Record:
    """Run a plan.

    Parameters
    ----------
    plan : Plan
        What to run.
    out : Path or None
        The folder that ``results.jsonl`` is written to; nothing is written if None.
    require : tuple of str
        Ids of runtimes whose absence is a complaint, whether or not they are replayed; and so it is where
        nothing of theirs was compared, in any case that has an implementation in them.
    replay : {"missing", "always", "never"}
        Which runtimes are answered from the snapshots beside the fixtures.
    strict : bool
        Whether what can be compared coarsely only fails.
    others : iterable of Cell and Examined
        What stands in the record after the plan's results; it is asked for when those are done.
    on_progress : callable
        Called from the calling thread, after every implementation of a case, and while it waits for true
        values.

    Returns
    -------
    Record
        All verdicts; ``footer.partial`` if the run was interrupted from the keyboard.

    Raises
    ------
    UsageError
        If ``require`` names a runtime that the suite does not know.
    """
    known = [*plan.registry.specs, ORACLE]
    unknown = [name for name in require if name not in known]
    if unknown:
        raise UsageError(
            f"--require: unknown runtime {', '.join(unknown)}", advice=f"there are: {', '.join(known)}"
        )
    begun = time.perf_counter()
    named = dict.fromkeys(name for name in [*plan.runtimes, *require] if name != ORACLE)
    needed = () if replay == "always" else named
    stop = threading.Event()
    complete: list[Record] = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(_kept(complete))
        writer = None if out is None else stack.enter_context(RecordWriter(out / FILE))
        logs = None if out is None else out / LOGS
        hosts, absent = stack.enter_context(workers(plan.registry, needed, stop, logs=logs))
        if replay == "always":
            absent |= {name: _not_started(plan, name) for name in named}
        observers, absent = _observers(plan, hosts, absent, replay)
        launch = find_oracle()
        if isinstance(launch, Absent) and (asks(plan) or ORACLE in require):
            absent[ORACLE] = launch
        oracle_client = stack.enter_context(oracle(launch, cache_folder(os.environ), stop))
        header = _header(plan, hosts, absent, oracle_client)
        evaluator = Evaluator(plan, on_progress, strict=strict)
        if writer is not None:
            writer.header(header)
        interrupted = ""
        cells, documents = evaluator.cells, list[Examined]()
        try:
            for item, oracle_answer in with_truth(
                gather(plan, observers, stop), oracle_client, evaluator.wait
            ):
                for line in evaluator.judge(item, oracle_answer):
                    if writer is not None:
                        writer.write(line)
            for other in others:
                if writer is not None:
                    writer.write(other)
                if isinstance(other, Examined):
                    documents.append(other)
                else:
                    cells.append(other)
        except KeyboardInterrupt as error:
            interrupted = str(error) or "interrupted from the keyboard"
            stop.set()
        footer = Footer(
            partial=bool(interrupted),
            reason=interrupted,
            seconds=time.perf_counter() - begun,
            counts=counts_of(cells),
            start_up={name: host.start_seconds for name, host in hosts.items()} | oracle_client.start_up,
            busy={name: host.busy_seconds for name, host in hosts.items()}
            | oracle_client.busy
            | {JUDGING: evaluator.busy_seconds},
            complaints=(
                *_complaints(require, hosts, absent),
                *(() if interrupted else _not_compared(plan, require, absent, cells)),
                *dict.fromkeys(evaluator.faults),
            ),
        )
        if writer is not None:
            writer.footer(footer)
        complete.append(
            Record(
                header=header,
                cells=tuple(cells),
                pairs=tuple(evaluator.pairs),
                footer=footer,
                consensus=tuple(evaluator.consensus),
                exhibits=tuple(evaluator.exhibits),
                documents=tuple(documents),
            )
        )
    return complete[0]


@contextlib.contextmanager
def _kept(complete: list[Record]) -> Iterator[None]:
    """An interrupt while the workers end takes nothing from a run whose record is complete."""
    try:
        yield
    except KeyboardInterrupt:
        if not complete:
            raise


def _complaints(
    require: tuple[str, ...], hosts: Mapping[str, LiveHost], absent: Mapping[str, Absent]
) -> Iterator[str]:
    """What is wrong with the run and stands in no cell."""
    for name in require:
        if name in absent:
            yield f"{MISSING}{name}: {absent[name].reason}"
        elif name in hosts and (failure := hosts[name].failure) is not None:
            yield f"{WORKER_FAULT}{name}: {failure.reason}"
    for host in hosts.values():
        host.notice()
        yield from host.complaints


def _not_compared(
    plan: Plan, require: tuple[str, ...], absent: Mapping[str, Absent], cells: Sequence[Cell]
) -> Iterator[str]:
    """Required runtimes that are there, and of which nothing was compared."""
    faulty = {cell.case for cell in cells if cell.verdict in _BROKEN}
    for name in require:
        if name in absent or name == ORACLE:
            continue
        cases = [
            planned_case.case.name
            for planned_case in plan.cases
            if any(item.runtime == name for item in planned_case.implementations)
        ]
        if not cases:
            yield f"{NOT_COMPARED}{name}: no chosen case has an implementation in it"
        # A fault says by itself that nothing follows.
        bare = [case for case in cases if case not in faulty and not was_compared(cells, case, name)]
        if bare:
            why = next(
                (
                    f": {cell.reason}"
                    for cell in cells
                    if cell.case == bare[0] and runtime_of(cell.implementation) == name and cell.reason
                ),
                "",
            )
            more = f" and {len(bare) - 1} more cases" if len(bare) > 1 else ""
            yield f"{NOT_COMPARED}{name}, in {bare[0]}{more}{why}"


def _observers(
    plan: Plan, hosts: dict[str, LiveHost], absent: dict[str, Absent], replay: Replaying
) -> tuple[list[Observer], dict[str, Absent]]:
    """Who answers for each runtime; and the absent ones, with what stands in for them."""
    if replay == "never":
        missing = [AbsentObserver(runtime=one.runtime, reason=one.reason) for one in absent.values()]
        return [*hosts.values(), *missing], absent
    library = Library(plan)
    stand_ins = {name: library.made_by(name) for name in absent}
    told = {
        name: msgspec.structs.replace(one, reason=f"{one.reason}{REPLAYED}{stand_ins[name]}")
        if stand_ins[name]
        else one
        for name, one in absent.items()
    }
    replays = [Replay(runtime=name, reason=one.reason, library=library) for name, one in absent.items()]
    return [*hosts.values(), *replays], told


def _not_started(plan: Plan, runtime: str) -> Absent:
    return Absent(
        runtime=runtime,
        language=plan.registry.specs[runtime].language,
        reason=f"{NOT_STARTED}every runtime is replayed",
    )


def _header(
    plan: Plan, hosts: dict[str, LiveHost], absent: dict[str, Absent], oracle_client: OracleClient
) -> Header:
    runtimes = {name: host.info for name, host in hosts.items() if host.info is not None}
    if asks(plan) and not isinstance(oracle_client.launch, Absent):
        runtimes[ORACLE] = oracle_info()
    return describe_machine(
        suite=called(plan.suite),
        runtimes=runtimes,
        absent=tuple(absent.values()),
        fixtures={planned.fixture.name: planned.fixture.sha256 for planned in plan.cases},
        cases=tuple(msgspec.structs.replace(planned.case, published=()) for planned in plan.cases),
        copies={planned.case.name: found for planned in plan.cases if (found := _copies(planned))},
    )


def _copies(planned: PlannedCase) -> tuple[str, ...]:
    """Implementations whose file is the reference's own, by a link, or has the same content."""
    own = planned.reference.path.read_bytes()
    return tuple(
        implementation.id
        for implementation in planned.implementations
        if implementation.id != planned.reference.id and implementation.path.read_bytes() == own
    )
