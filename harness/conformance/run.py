"""A whole run: start the workers, observe, judge, write the record."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypedDict

from harness.conformance.answers import with_truth
from harness.conformance.complaints import Compared, complaints, not_compared
from harness.conformance.early import ended_early, reason_of, write_early
from harness.conformance.evaluator import Evaluator, Progress
from harness.conformance.gather import FinishedUnit, gather_by_turns
from harness.conformance.held_lines import HeldLines
from harness.conformance.hosts import close
from harness.conformance.logs import FOLDER as LOGS
from harness.conformance.machine import called, describe_machine, now
from harness.conformance.observe import Observer
from harness.conformance.observers import Replaying, RunObservers, start_observers
from harness.conformance.oracle import asks
from harness.conformance.own_inputs import reference_on_demand
from harness.conformance.plan import Plan, PlannedCase
from harness.errors import UsageError
from harness.model import Absent, Cell, Examined, Footer, Header, Record, RuntimeInfo, Verdict
from harness.model.case import without_print
from harness.runtimes.oracle import ID as ORACLE
from harness.runtimes.oracle import oracle_info
from harness.store.environments import environment_of
from harness.store.record import FILE, RecordWriter
from harness.store.record_line import Result

TURN = 0.05
"""Seconds after which what has true values by now is judged, while the next runtime has not answered."""

JUDGING = "judging"
"""The key in ``Footer.busy``, beside the runtimes, of the seconds in which values were compared."""


def run(
    plan: Plan,
    *,
    out: Path | None,
    require: tuple[str, ...] = (),
    replay: Replaying = "never",
    strict: bool = False,
    others: Iterable[Cell | Examined] = (),
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_completing: Callable[[], None] = lambda: None,
    on_observed: Callable[[FinishedUnit], None] = lambda unit: None,
    in_process: Sequence[Observer] = (),
    keep: bool = True,
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
        Further lines of the record, which are made after the plan's results.
    on_progress : callable
        Called from the calling thread, after every implementation of a case, and while it waits for true
        values.
    on_completing : callable
        Called from the calling thread before the record is completed, at the end or after an interrupt, at
        times twice. An interrupt after it would leave it open whether the record is complete.
    on_observed : callable
        Called from the calling thread with what each implementation of a case returned, before it is judged.
    in_process : sequence of Observer
        Of runtimes that need no worker, and are none of the suite's.
    keep : bool
        Whether all lines are kept in memory. Without, they are in ``results.jsonl`` alone, and so is
        what memory held of a case when it is judged.

    Returns
    -------
    Record
        All verdicts, or header and footer alone if they are not kept; ``footer.partial`` if the run was
        interrupted, from the keyboard or by a signal, at whatever time.

    Raises
    ------
    UsageError
        If ``require`` names a runtime that the suite does not know.
    """
    check_required(plan, require)
    begun = time.perf_counter()
    stop = threading.Event()
    with contextlib.ExitStack() as stack:
        writer = None if out is None else stack.enter_context(RecordWriter(out / FILE))
        try:
            observers = start_observers(
                stack,
                plan,
                require,
                replay,
                stop,
                logs=None if out is None else out / LOGS,
                in_process=in_process,
            )
        except KeyboardInterrupt as error:
            on_completing()
            early = ended_early(plan.suite, plan, error, time.perf_counter() - begun)
            if writer is not None:
                write_early(writer, early)
            return early
        return judged_run(
            plan,
            observers,
            writer,
            stop,
            begun=begun,
            require=require,
            strict=strict,
            others=others,
            on_progress=on_progress,
            on_completing=on_completing,
            on_observed=on_observed,
            on_judged=lambda: close(observers.hosts.values()),
            keep=keep,
        )


def judged_run(
    plan: Plan,
    observers: RunObservers,
    writer: RecordWriter | None,
    stop: threading.Event,
    *,
    begun: float,
    require: tuple[str, ...] = (),
    strict: bool = False,
    others: Iterable[Cell | Examined] = (),
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_completing: Callable[[], None] = lambda: None,
    on_observed: Callable[[FinishedUnit], None] = lambda unit: None,
    on_judged: Callable[[], None] = lambda: None,
    keep: bool = True,
) -> Record:
    """Observe and judge a plan with observers that are there.

    Parameters
    ----------
    plan : Plan
        What to run.
    observers : RunObservers
        Of all its runtimes. Each is judged as soon as it and the reference have answered, whoever else is
        still starting.
    writer : RecordWriter or None
        Where lines are written to.
    stop : Event
        That of the observers.
    begun : float
        When the run began, by ``time.perf_counter``.
    require, strict, others, on_progress, on_completing, on_observed, keep
        As in `run`.
    on_judged : callable
        Called from the calling thread when all is judged, before ``on_completing``.
    """
    started = now()
    lines = HeldLines(
        writer, lambda: header_of(plan, observers, started), known=lambda: observers.have_started
    )
    with reference_on_demand(plan.registry, stop) as reference_client:
        evaluator = Evaluator(
            plan, on_progress, reference_client, observers.oracle_client.on_inputs, strict=strict, keep=keep
        )
        documents: list[Examined] = []
        counts: Counter[Verdict] = Counter()
        compared = Compared(require)
        interrupted, judged = "", False
        try:
            for line in _lines(plan, observers, evaluator, others, documents, stop, on_observed):
                lines.write(line)
                if isinstance(line, Cell):
                    counts[line.verdict] += 1
                    compared.add(line)
            # A runtime that is required, and has nothing to do, is described as well.
            observers.wait_for_start()
            judged = True
            on_judged()
            on_completing()
        except KeyboardInterrupt as error:
            on_completing()
            interrupted = "" if judged else reason_of(error)
            stop.set()
        footer = Footer(
            partial=bool(interrupted),
            reason=interrupted,
            seconds=time.perf_counter() - begun,
            counts={str(verdict): counts[verdict] for verdict in Verdict if counts[verdict]},
            **_times(observers, evaluator),
            complaints=(
                *complaints(require, observers),
                *(() if interrupted else not_compared(plan, require, observers.absent, compared)),
                *dict.fromkeys(evaluator.faults),
            ),
        )
        lines.footer(footer)
        return _record(lines.header(), evaluator, documents, footer)


class _Times(TypedDict):
    start_up: dict[str, float]
    busy: dict[str, float]
    first: dict[str, float]


def check_required(plan: Plan, require: tuple[str, ...]) -> None:
    """Refuse a runtime that the suite does not know.

    Raises
    ------
    UsageError
        ``require`` names one.
    """
    known = [*plan.registry.specs, ORACLE]
    unknown = [name for name in require if name not in known]
    if unknown:
        raise UsageError(
            f"--require: unknown runtime {', '.join(unknown)}", advice=f"there are: {', '.join(known)}"
        )


def _lines(
    plan: Plan,
    observers: RunObservers,
    evaluator: Evaluator,
    others: Iterable[Cell | Examined],
    documents: list[Examined],
    stop: threading.Event,
    on_observed: Callable[[FinishedUnit], None],
) -> Iterator[Result]:
    """The record's results: those of the plan as they are judged, then the others.

    The evaluator keeps the plan's; of the others, cells are added to its own, the rest to ``documents``.
    """
    items = gather_by_turns(plan, observers.of_runtimes, stop, TURN)
    for item, oracle_answer in with_truth(items, observers.oracle_client, evaluator.wait):
        on_observed(item)
        yield from evaluator.judge(item, oracle_answer)
    for other in others:
        yield other
        if not evaluator.keep:
            continue
        if isinstance(other, Examined):
            documents.append(other)
        else:
            evaluator.cells.append(other)


def _times(observers: RunObservers, evaluator: Evaluator) -> _Times:
    """The seconds that each runtime, the oracle and the judge took."""
    hosts, oracle_client = observers.hosts, observers.oracle_client
    return {
        "start_up": {name: host.start_seconds for name, host in hosts.items()} | oracle_client.start_up,
        "busy": {name: host.busy_seconds for name, host in hosts.items()}
        | oracle_client.busy
        | {JUDGING: evaluator.busy_seconds},
        "first": {name: host.first_seconds for name, host in hosts.items()},
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


def header_of(plan: Plan, observers: RunObservers, started: str) -> Header:
    """The first line of the record of a run that began then."""
    runtimes = {name: host.info for name, host in observers.hosts.items() if host.info is not None}
    if asks(plan) and not isinstance(observers.oracle_client.launch, Absent):
        runtimes[ORACLE] = oracle_info()
    return describe_machine(
        suite=called(plan.suite),
        started=started,
        runtimes=runtimes,
        absent=tuple(observers.absent.values()),
        fixtures={planned.fixture.name: planned.fixture.sha256 for planned in plan.cases},
        cases=tuple(without_print(planned.case) for planned in plan.cases),
        copies={planned.case.name: copies for planned in plan.cases if (copies := _copies(planned))},
        left_out=plan.left_out,
        environments=_environments(plan, runtimes),
        shard=plan.shard,
    )


def _environments(plan: Plan, runtimes: dict[str, RuntimeInfo]) -> dict[str, dict[str, str]]:
    """What is used beside sources and fixtures, by case: files that name packages, and a module's buffers."""
    found = {}
    for planned in plan.cases:
        infos = [runtimes[each.runtime] for each in planned.hosted if each.runtime in runtimes]
        used = environment_of(planned.folder, {info.language: info.version for info in infos})
        for pattern, modules in planned.case.modules.items():
            if any(fnmatchcase(each.id, pattern) for each in planned.hosted):
                used[f"[modules] {pattern}"] = (
                    f"buffers that it does not name are as {modules.module} makes them"
                )
        if used:
            found[planned.case.name] = used
    return found


def _copies(planned: PlannedCase) -> tuple[str, ...]:
    """Implementations whose file is the reference's own, by a link, or has the same content."""
    content = planned.reference.path.read_bytes()
    return tuple(
        implementation.id
        for implementation in planned.implementations
        if implementation.id != planned.reference.id and implementation.path.read_bytes() == content
    )
