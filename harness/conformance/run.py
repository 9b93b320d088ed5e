"""A whole run: start the workers, observe, judge, write down."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypedDict

import msgspec

from harness.conformance.early import ended_early, reason_of, write_early
from harness.conformance.evaluator import Evaluator, Progress
from harness.conformance.gather import gather
from harness.conformance.hosts import workers
from harness.conformance.live import LiveHost
from harness.conformance.logs import FOLDER as LOGS
from harness.conformance.machine import called, describe_machine
from harness.conformance.observe import AbsentObserver, Observer
from harness.conformance.oracle import OracleClient, asks, oracle, with_truth
from harness.conformance.own_inputs import reference_on_demand
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
from harness.store.record_line import Result

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
        All verdicts; ``footer.partial`` if the run was interrupted, from the keyboard or by a signal, at
        whatever time.

    Raises
    ------
    UsageError
        If ``require`` names a runtime that the suite does not know.
    """
    _check_required(plan, require)
    begun = time.perf_counter()
    stop = threading.Event()
    complete: list[Record] = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(_kept(complete))
        writer = None if out is None else stack.enter_context(RecordWriter(out / FILE))
        try:
            answering = _start(stack, plan, require, replay, stop, logs=None if out is None else out / LOGS)
            header = _header(plan, answering)
        except KeyboardInterrupt as error:
            early = ended_early(plan.suite, plan, error, time.perf_counter() - begun)
            if writer is not None:
                write_early(writer, early)
            complete.append(early)
            return early
        reference_client = stack.enter_context(reference_on_demand(plan.registry, stop))
        evaluator = Evaluator(plan, on_progress, reference_client, strict=strict)
        documents: list[Examined] = []
        if writer is not None:
            writer.header(header)
        interrupted = ""
        try:
            for line in _lines(plan, answering, evaluator, others, documents, stop):
                if writer is not None:
                    writer.write(line)
        except KeyboardInterrupt as error:
            interrupted = reason_of(error)
            stop.set()
        footer = Footer(
            partial=bool(interrupted),
            reason=interrupted,
            seconds=time.perf_counter() - begun,
            counts=counts_of(evaluator.cells),
            **_times(answering, evaluator),
            complaints=(
                *_complaints(require, answering),
                *(() if interrupted else _not_compared(plan, require, answering.absent, evaluator.cells)),
                *dict.fromkeys(evaluator.faults),
            ),
        )
        if writer is not None:
            writer.footer(footer)
        complete.append(_record(header, evaluator, documents, footer))
    return complete[0]


class _Answering(NamedTuple):
    """Who answers in a run: workers, what stands in for the absent ones, and the oracle."""

    hosts: dict[str, LiveHost]
    absent: dict[str, Absent]
    observers: list[Observer]
    oracle_client: OracleClient


class _Times(TypedDict):
    start_up: dict[str, float]
    busy: dict[str, float]


def _check_required(plan: Plan, require: tuple[str, ...]) -> None:
    known = [*plan.registry.specs, ORACLE]
    unknown = [name for name in require if name not in known]
    if unknown:
        raise UsageError(
            f"--require: unknown runtime {', '.join(unknown)}", advice=f"there are: {', '.join(known)}"
        )


def _start(
    stack: contextlib.ExitStack,
    plan: Plan,
    require: tuple[str, ...],
    replay: Replaying,
    stop: threading.Event,
    *,
    logs: Path | None,
) -> _Answering:
    """Start the workers and the oracle; they end with the stack."""
    named = dict.fromkeys(name for name in [*plan.runtimes, *require] if name != ORACLE)
    needed = () if replay == "always" else named
    hosts, absent = stack.enter_context(workers(plan.registry, needed, stop, logs=logs))
    if replay == "always":
        absent |= {name: _not_started(plan, name) for name in named}
    observers, absent = _observers(plan, hosts, absent, replay)
    launch = find_oracle()
    if isinstance(launch, Absent) and (asks(plan) or ORACLE in require):
        absent[ORACLE] = launch
    oracle_client = stack.enter_context(oracle(launch, cache_folder(os.environ), stop))
    return _Answering(hosts, absent, observers, oracle_client)


def _lines(
    plan: Plan,
    answering: _Answering,
    evaluator: Evaluator,
    others: Iterable[Cell | Examined],
    documents: list[Examined],
    stop: threading.Event,
) -> Iterator[Result]:
    """The record's results: those of the plan as they are judged, then the others.

    The evaluator keeps the plan's; of the others, cells are added to its own, the rest to ``documents``.
    """
    items = gather(plan, answering.observers, stop)
    for item, oracle_answer in with_truth(items, answering.oracle_client, evaluator.wait):
        yield from evaluator.judge(item, oracle_answer)
    for other in others:
        yield other
        if isinstance(other, Examined):
            documents.append(other)
        else:
            evaluator.cells.append(other)


def _times(answering: _Answering, evaluator: Evaluator) -> _Times:
    """The seconds that each runtime, the oracle and the judge took."""
    hosts, oracle_client = answering.hosts, answering.oracle_client
    return {
        "start_up": {name: host.start_seconds for name, host in hosts.items()} | oracle_client.start_up,
        "busy": {name: host.busy_seconds for name, host in hosts.items()}
        | oracle_client.busy
        | {JUDGING: evaluator.busy_seconds},
    }


def _record(header: Header, evaluator: Evaluator, documents: list[Examined], footer: Footer) -> Record:
    return Record(
        header=header,
        cells=tuple(evaluator.cells),
        pairs=tuple(evaluator.pairs),
        footer=footer,
        consensus=tuple(evaluator.consensus),
        exhibits=tuple(evaluator.exhibits),
        documents=tuple(documents),
    )


@contextlib.contextmanager
def _kept(complete: list[Record]) -> Iterator[None]:
    """An interrupt while the workers end takes nothing from a run whose record is complete."""
    try:
        yield
    except KeyboardInterrupt:
        if not complete:
            raise


def _complaints(require: tuple[str, ...], answering: _Answering) -> Iterator[str]:
    """What is wrong with the run and stands in no cell."""
    hosts, absent = answering.hosts, answering.absent
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
            not_chosen = plan.left_out.get("implementations")
            theirs = (
                [implementation for implementation in not_chosen.names if runtime_of(implementation) == name]
                if not_chosen
                else []
            )
            why = "no chosen case has an implementation in it"
            if theirs:
                why = f"of its implementations in the chosen cases, --impl chooses none: {', '.join(theirs)}"
            yield f"{NOT_COMPARED}{name}: {why}"
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
        missing = [
            AbsentObserver(runtime=absence.runtime, reason=absence.reason) for absence in absent.values()
        ]
        return [*hosts.values(), *missing], absent
    library = Library(plan)
    stand_ins = {name: library.made_by(name) for name in absent}
    described = {
        name: msgspec.structs.replace(absence, reason=f"{absence.reason}{REPLAYED}{stand_ins[name]}")
        if stand_ins[name]
        else absence
        for name, absence in absent.items()
    }
    replays = [
        Replay(runtime=name, reason=absence.reason, library=library) for name, absence in absent.items()
    ]
    return [*hosts.values(), *replays], described


def _not_started(plan: Plan, runtime: str) -> Absent:
    return Absent(
        runtime=runtime,
        language=plan.registry.specs[runtime].language,
        reason=f"{NOT_STARTED}every runtime is replayed",
    )


def _header(plan: Plan, answering: _Answering) -> Header:
    runtimes = {name: host.info for name, host in answering.hosts.items() if host.info is not None}
    if asks(plan) and not isinstance(answering.oracle_client.launch, Absent):
        runtimes[ORACLE] = oracle_info()
    return describe_machine(
        suite=called(plan.suite),
        runtimes=runtimes,
        absent=tuple(answering.absent.values()),
        fixtures={planned.fixture.name: planned.fixture.sha256 for planned in plan.cases},
        cases=tuple(msgspec.structs.replace(planned.case, published=()) for planned in plan.cases),
        copies={planned.case.name: copies for planned in plan.cases if (copies := _copies(planned))},
        left_out=plan.left_out,
    )


def _copies(planned: PlannedCase) -> tuple[str, ...]:
    """Implementations whose file is the reference's own, by a link, or has the same content."""
    own = planned.reference.path.read_bytes()
    return tuple(
        implementation.id
        for implementation in planned.implementations
        if implementation.id != planned.reference.id and implementation.path.read_bytes() == own
    )
