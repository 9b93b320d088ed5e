"""A whole audit: case by case, first the arrays, then the sources."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import msgspec

from harness.audit import onnx_faults, python_faults, r_faults, word_faults
from harness.audit.arrays import audit_arrays, unsound
from harness.audit.audit_context import AuditContext, make_context
from harness.audit.inputs import Inputs
from harness.audit.proofs import all_derived, is_derived
from harness.audit.sources import SourceAudit
from harness.audit.types import Audit, AuditTally, Change, Fate, InjectedFault, Level, Tried
from harness.conformance.evaluator import NOTHING, Progress
from harness.conformance.gather import FinishedUnit, gather
from harness.conformance.hosts import complaints_of, ended
from harness.conformance.live import LiveHost
from harness.conformance.observe import AbsentObserver, Job, Observer
from harness.conformance.oracle import OracleClient, oracle
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.replay import Library, Replay
from harness.conformance.warm import WarmWorkers, workers_or_warm
from harness.errors import FixtureError, WorkerStartFailed
from harness.model import Absent, Case, Implementation, Observation, Precision, Source, Truths
from harness.runtimes.oracle import find_oracle
from harness.runtimes.provision.machine import cache_folder
from harness.store.source_text import source_text
from harness.store.temporary import temporary_folder

SOURCES = ("numpy", "torch", "jax", "r", "onnx", *word_faults.LANGUAGES)
"""Runtimes into whose source files faults are put."""

LEAST_SECONDS = 5.0
TIMES_SOUND = 50.0
"""A changed stage has so many times the seconds of the slowest sound one, and `LEAST_SECONDS` at least."""


def audit(
    plan: Plan,
    chosen: frozenset[tuple[str, str]],
    *,
    levels: frozenset[Level] = frozenset(Level),
    on_progress: Callable[[Progress], None] = lambda progress: None,
    replayed: frozenset[str] | None = None,
    warm: WarmWorkers | None = None,
) -> Audit:
    """Put every fault into everything that was chosen, and count those that the judge finds.

    Parameters
    ----------
    plan : Plan
        Cases, with all their implementations: they judge one another.
    chosen : frozenset of (str, str)
        Case and implementation, of those that faults are put into.
    levels : frozenset of Level
        Into their arrays, their sources, or both.
    on_progress : callable
        Called after every fault, and after every implementation of a case.
    replayed : frozenset of str, optional
        Runtimes that snapshots answer for; else those of `replayed_runtimes`.
    warm : WarmWorkers, optional
        Workers that stay when it has ended.

    Returns
    -------
    Audit
        What became of every fault.
    """
    answered = replayed_runtimes(plan) if replayed is None else replayed
    return _Auditor(plan, chosen, levels, on_progress).run(answered, warm)


def replayed_runtimes(plan: Plan) -> frozenset[str]:
    """The runtimes that snapshots answer for in all of a plan."""
    library = Library(plan)
    return frozenset(name for name in plan.runtimes if snapshots_current(plan, library, name))


def live_runtimes(
    plan: Plan,
    chosen: frozenset[tuple[str, str]],
    levels: frozenset[Level],
    replayed: frozenset[str],
) -> list[str]:
    """The runtimes that have to run: what no snapshot answers for, and those of sources that are changed."""
    live = [name for name in plan.runtimes if name not in replayed]
    if Level.SOURCE not in levels:
        return live
    wanted = {
        hosted.runtime
        for planned in plan.cases
        for hosted in planned.hosted
        if (planned.case.name, hosted.id) in chosen and hosted.runtime in SOURCES
    }
    references = {planned.reference.runtime for planned in plan.cases} if wanted else set()
    return live + [name for name in plan.runtimes if name in replayed & (wanted | references)]


class _Auditor:
    def __init__(
        self,
        plan: Plan,
        chosen: frozenset[tuple[str, str]],
        levels: frozenset[Level],
        on_progress: Callable[[Progress], None],
    ) -> None:
        self.plan = plan
        self.chosen = chosen
        self.levels = levels
        self.on_progress = on_progress
        self.fates: Counter[tuple[str, Level, InjectedFault, Fate]] = Counter()
        self.kept: dict[Fate, list[Tried]] = {fate: [] for fate in Fate if fate is not Fate.KILLED}
        self.complaints: list[str] = []
        self.sources: dict[str, str] = {}
        self.changes: dict[Path, tuple[list[Change], Mapping[str, frozenset[str]]]] = {}
        self.done = 0

    def run(self, replayed: frozenset[str], warm: WarmWorkers | None) -> Audit:
        begun = time.perf_counter()
        stop = threading.Event()
        library = Library(self.plan)
        live = live_runtimes(self.plan, self.chosen, self.levels, replayed)
        with ExitStack() as stack:
            hosts, absent = stack.enter_context(workers_or_warm(self.plan.registry, live, stop, warm))
            oracle_client = stack.enter_context(oracle(find_oracle(), cache_folder(os.environ), stop))
            scratch = stack.enter_context(temporary_folder())
            prover = stack.enter_context(oracle(find_oracle(), scratch / "cache", stop))
            self.complaints += [f"{a.runtime}: {a.reason}" for a in absent.values()]
            failed = {name: host.failure for name, host in hosts.items() if host.failure is not None}
            self.complaints += [f"{name}: {failure.reason}" for name, failure in failed.items()]
            observers = _observers(self.plan, library, replayed, hosts, absent)
            for planned in self.plan.cases:
                plan = msgspec.structs.replace(self.plan, cases=(planned,))
                units: dict[Precision, dict[str, FinishedUnit]] = {}
                needed = [observer for observer in observers if observer.runtime in plan.runtimes]
                for item in gather(plan, needed, threading.Event()):
                    units.setdefault(item.precision, {})[item.implementation.id] = item
                for precision, items in units.items():
                    started = {name: host for name, host in hosts.items() if name not in failed}
                    self._unit(planned, precision, items, started, oracle_client, prover, scratch)
            self.complaints += ended(hosts.values()) if warm is None else complaints_of(hosts.values())
        return Audit(
            tallies=tuple(self._tallies()),
            equivalent=tuple(self.kept[Fate.EQUIVALENT]),
            survivors=tuple(self.kept[Fate.SURVIVED]),
            implementations=tuple(f"{case}/{name}" for case, name in sorted(self.chosen)),
            sources=dict(sorted(self.sources.items())),
            complaints=tuple(self.complaints),
            seconds=time.perf_counter() - begun,
        )

    def _unit(
        self,
        planned: PlannedCase,
        precision: Precision,
        items: Mapping[str, FinishedUnit],
        hosts: Mapping[str, LiveHost],
        oracle_client: OracleClient,
        prover: OracleClient,
        scratch: Path,
    ) -> None:
        upstream = items[planned.reference.id].upstream
        derived = is_derived(planned.case)
        oracle_answer = oracle_client.evaluate(planned, precision, upstream) if derived else NOTHING
        short = msgspec.structs.replace(planned, case=shortened(planned.case, items.values()))
        context = make_context(short, precision, items, upstream, oracle_answer)
        inputs = self._inputs(context, hosts, oracle_client)

        def truths() -> Truths:
            if not derived:
                return {}
            whole = msgspec.structs.replace(planned, case=all_derived(planned.case))
            return oracle_client.evaluate(whole, precision, upstream).chained

        for name, item in items.items():
            if (planned.case.name, name) not in self.chosen:
                continue
            if item.refusal is None:
                self._note_source(item)
                sick = list(unsound(context, item))
                self.complaints += sick
                if not sick and Level.BOUNDARY in self.levels:
                    tried = audit_arrays(context, item, truths)
                    self._count(tried, f"{planned.case.name} {name} {precision}: what workers returned")
                if not sick and Level.SOURCE in self.levels:
                    folder = scratch / precision / name
                    changed = self._source(inputs, item, hosts, prover, folder) if inputs else ()
                    self._count(changed, f"{planned.case.name} {name} {precision}: sources")
            elif item.refusal.verdict != "UNSUPPORTED":
                self.complaints.append(f"{planned.case.name} {name} {precision}: {item.refusal.reason}")
            self.done += 1
            self._say(planned.case.name, name)

    def _inputs(
        self, context: AuditContext, hosts: Mapping[str, LiveHost], oracle_client: OracleClient
    ) -> Inputs | None:
        """What all sources of a case are tried on; None where its reference's runtime does not run."""
        host = hosts.get(context.planned.reference.runtime)
        return None if host is None else Inputs(context, host, oracle_client)

    def _source(
        self,
        inputs: Inputs,
        item: FinishedUnit,
        hosts: Mapping[str, LiveHost],
        prover: OracleClient,
        folder: Path,
    ) -> Iterator[Tried]:
        implementation = item.implementation
        host = hosts.get(implementation.runtime)
        if implementation.runtime not in SOURCES or host is None:
            return
        twins: list[Change] = []
        if inputs.host.runtime in SOURCES:
            twins, _ = self._changes(inputs.host, inputs.reference)
        changes, uses = self._changes(host, implementation)
        yield from SourceAudit(implementation, inputs, host, prover, folder, twins).run(changes, uses)

    def _changes(
        self, host: LiveHost, implementation: Implementation
    ) -> tuple[list[Change], Mapping[str, frozenset[str]]]:
        if implementation.path not in self.changes:
            self.changes[implementation.path] = _changes(host, implementation.path, implementation.runtime)
        return self.changes[implementation.path]

    def _count(self, tried: Iterable[Tried], doing: str) -> None:
        for number, result in enumerate(tried, 1):
            self._say(result.mutant.case, result.mutant.implementation, f"{doing}, {number} faults tried")
            self.fates[result.mutant.case, result.mutant.level, result.mutant.fault, result.fate] += 1
            if result.fate in self.kept:
                self.kept[result.fate].append(result)

    def _say(self, case: str, implementation: str, doing: str = "") -> None:
        total = sum(len(planned.precisions) for planned in self.plan.cases for _ in self._chosen_of(planned))
        self.on_progress(
            Progress(done=self.done, total=total, case=case, implementation=implementation, waiting=doing)
        )

    def _tallies(self) -> Iterator[AuditTally]:
        for case, level, fault in dict.fromkeys(key[:3] for key in self.fates):
            counts = {fate: self.fates[case, level, fault, fate] for fate in Fate}
            yield AuditTally(
                case=case,
                level=level,
                fault=fault,
                injected=counts[Fate.KILLED] + counts[Fate.SURVIVED],
                killed=counts[Fate.KILLED],
                equivalent=counts[Fate.EQUIVALENT],
                survived=counts[Fate.SURVIVED],
            )

    def _note_source(self, item: FinishedUnit) -> None:
        sources = {getattr(observation, "source", Source.NONE) for observation in item.isolated.values()}
        said = Source.REPLAYED if Source.REPLAYED in sources else Source.LIVE
        self.sources[item.implementation.id] = said.value

    def _chosen_of(self, planned: PlannedCase) -> list[str]:
        return [
            implementation.id
            for implementation in planned.hosted
            if (planned.case.name, implementation.id) in self.chosen
        ]


def shortened(case: Case, items: Iterable[FinishedUnit]) -> Case:
    """Return the case with less time for a stage, by what its sound stages took: many faults never end."""
    took = [
        observation.seconds
        for item in items
        for observation in (*item.chained.values(), *item.isolated.values())
        if isinstance(observation, Observation)
    ]
    seconds = max(LEAST_SECONDS, TIMES_SOUND * max(took, default=0.0))
    return msgspec.structs.replace(case, timeout=min(case.timeout, seconds))


def snapshots_current(plan: Plan, library: Library, runtime: str) -> bool:
    """Whether everything that a runtime would return has been recorded, from the very same sources."""
    for planned in plan.cases:
        for implementation in planned.hosted:
            if implementation.runtime != runtime:
                continue
            for precision in planned.precisions:
                job = Job(
                    case=planned.case,
                    fixture=planned.fixture,
                    implementation=implementation,
                    precision=precision,
                )
                try:
                    snapshot = library.read(job)
                    dtypes = library.precisions(job)
                except FixtureError:
                    return False
                if snapshot is None and (not dtypes or precision.value in dtypes):
                    return False
                if snapshot is not None and library.reference_changed(job, snapshot):
                    return False
    return True


def _observers(
    plan: Plan,
    library: Library,
    replayed: frozenset[str],
    hosts: Mapping[str, LiveHost],
    absent: Mapping[str, Absent],
) -> list[Observer]:
    observers: list[Observer] = []
    for name in plan.runtimes:
        if name in replayed:
            observers.append(Replay(runtime=name, reason="", library=library))
        elif name in hosts:
            observers.append(hosts[name])
        else:
            observers.append(AbsentObserver(runtime=name, reason=absent[name].reason))
    return observers


def _changes(host: LiveHost, path: Path, runtime: str) -> tuple[list[Change], Mapping[str, frozenset[str]]]:
    if runtime == "onnx":
        return onnx_faults.changes(path)
    text = source_text(path)
    if runtime in word_faults.LANGUAGES:
        return list(word_faults.changes(text, runtime)), word_faults.uses(text, runtime)
    if runtime != "r":
        return list(python_faults.changes(text)), python_faults.uses(text)
    worker = host.running()
    if worker is None:
        raise WorkerStartFailed(f"worker {runtime} does not start again")
    return list(r_faults.changes(worker, path)), r_faults.uses(worker, path)
