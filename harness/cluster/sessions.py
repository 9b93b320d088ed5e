"""What runs inside a Dask worker: sessions of warm workers, kept from unit to unit."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import distributed
import msgspec
from distributed.utils import sync

from harness import __version__
from harness.cluster.archive import GLOVE, Archive, keep, unpacked
from harness.cluster.units import Answer, Common, Survey, Unit, at_home, in_order, written
from harness.conformance.plan import Plan, PlannedCase, plan_one
from harness.conformance.warm import WarmWorkers
from harness.errors import ClusterError, FixtureError, HarnessError
from harness.model import Cell, Consensus, Exhibit, Pair, Record
from harness.model.outcome import HARNESS_FAULT
from harness.runtimes.provision.machine import cache_folder
from harness.runtimes.registry import Registry
from harness.store.record_line import Result
from harness.store.word_vectors import VARIABLE

NAME = "harness-sessions"

IDLE = 600.0
"""Seconds after the last unit for which language workers are kept."""

Kind = tuple[str, str]
"""A suite's sha256, and how missing runtimes are replayed."""


class Session:
    """Warm workers for one suite: one thread at a time uses them."""

    def __init__(self, common: Common, tree: Path) -> None:
        self.kind: Kind = (common.archive, common.replay)
        self.run = common.run
        self.tree = tree
        self.suite = tree / common.suite
        self.glove = tree / GLOVE / common.glove if common.glove else None
        self.registry = Registry.load(self.suite)
        self.warm = WarmWorkers(common.replay, try_again=False)
        self.aborted = False

    def survey(self, common: Common) -> Survey:
        """Start every runtime of the run, and say what became of each."""
        hosts, absent = self.warm.start(self.registry, common.runtimes)
        for host in hosts.values():
            host.wait_for_start()
        return Survey(
            runtimes={name: host.info for name, host in hosts.items() if host.info is not None},
            failures={name: host.failure.reason for name, host in hosts.items() if host.failure is not None},
            absent=absent,
            start_up={name: host.start_seconds for name, host in hosts.items()},
        )

    def answers(self, common: Common, units: Sequence[Unit]) -> list[Answer]:
        """Run units together, so that one is judged while the next computes; an answer for each."""
        planned, failures = {}, {}
        for unit in units:
            try:
                planned[unit] = self.planned(unit)
            except HarnessError as error:
                failures[unit] = Answer(failure=str(error))
        if not planned:
            return list(failures.values())
        plan = Plan(suite=self.suite, registry=self.registry, cases=tuple(planned.values()))
        answers = _answers(self.warm.run(plan, strict=common.strict), planned, common, self.tree)
        return [failures[unit] if unit in failures else answers[unit] for unit in units]

    def planned(self, unit: Unit) -> PlannedCase:
        """A unit's case as it lies here.

        Raises
        ------
        HarnessError
            It is not here, or is another.
        """
        plan = plan_one(
            self.suite,
            unit.case,
            self.registry,
            implementations=unit.implementations,
            samples=unit.samples,
            precisions=(unit.precision,),
            glove=self.glove,
        )
        if not plan.cases or plan.cases[0].fixture.sha256 != unit.fixture:
            raise FixtureError(f"the inputs of {unit.case} are others on this machine")
        return plan.cases[0]

    def abort(self) -> None:
        """End what is running, from another thread."""
        self.aborted = True
        self.warm.abort()

    def close(self) -> None:
        """End the workers."""
        self.warm.__exit__(None, None, None)


def _answers(
    record: Record, planned: Mapping[Unit, PlannedCase], common: Common, tree: Path
) -> dict[Unit, Answer]:
    """The lines of each unit of a run; what is of all is in the first answer."""
    assert record.footer is not None
    lines: dict[tuple[str, str], list[Result]] = {}
    every: tuple[Cell | Pair | Consensus | Exhibit, ...] = (
        *record.exhibits,
        *record.cells,
        *record.pairs,
        *record.consensus,
    )
    for line in every:
        lines.setdefault((line.case, line.precision), []).append(at_home(line, common, tree))
    answers = {
        unit: written(in_order(lines.get((unit.case, unit.precision), ()), case))
        for unit, case in planned.items()
    }
    first = next(iter(answers))
    answers[first] = msgspec.structs.replace(
        answers[first],
        header=msgspec.structs.replace(record.header, cases=(), fixtures={}),
        complaints=record.footer.complaints,
        start_up=record.footer.start_up,
        busy=record.footer.busy,
        first=record.footer.first,
    )
    return answers


class Sessions(distributed.WorkerPlugin):  # type: ignore[misc]
    """The sessions of one Dask worker: as many of a suite as it has threads that run its units.

    Language workers end a while after the last unit, with the Dask worker, or with an interrupted run.
    """

    name = NAME

    def setup(self, worker: distributed.Worker) -> None:
        """Begin, in the Dask worker."""
        self._folder = Path(worker.local_directory)
        self._lock = threading.Lock()
        self._trees: dict[str, Path] = {}
        self._free: dict[Kind, list[Session]] = {}
        self._busy: list[Session] = []
        self._timer: threading.Timer | None = None

    def teardown(self, worker: distributed.Worker) -> None:
        """End all workers, with the Dask worker."""
        for session in self._busy:
            session.abort()
        self.close_idle()

    def tree(self, sha256: str) -> Path | None:
        """The folder that a suite is unpacked in, for this Dask worker alone; None if it is not here."""
        with self._lock:
            if sha256 not in self._trees:
                tree = unpacked(cache_folder(os.environ), sha256, self._folder)
                if tree is None:
                    return None
                self._trees[sha256] = tree
            return self._trees[sha256]

    def take(self, common: Common, tree: Path) -> Session:
        """A session that nobody uses, or a new one."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            free = self._free.get((common.archive, common.replay), [])
            session = free.pop() if free else Session(common, tree)
            session.run = common.run
            self._busy.append(session)
            return session

    def give_back(self, session: Session, *, sound: bool) -> None:
        """Keep a session for the next unit; one that is not sound ends."""
        with self._lock:
            self._busy.remove(session)
            if sound and not session.aborted:
                self._free.setdefault(session.kind, []).append(session)
            if not self._busy and self._timer is None:
                self._timer = threading.Timer(IDLE, self.close_idle)
                self._timer.daemon = True
                self._timer.start()
        if not sound or session.aborted:
            session.close()

    def stop(self, run: str) -> None:
        """End the units of a run that was interrupted, and its workers."""
        with self._lock:
            busy = [session for session in self._busy if session.run == run]
        for session in busy:
            session.abort()

    def close_idle(self) -> None:
        """End the sessions that nobody uses."""
        with self._lock:
            idle = [session for free in self._free.values() for session in free]
            self._free.clear()
        for session in idle:
            session.close()


_MAKING = threading.Lock()


def sessions_here() -> Sessions:
    """The plugin of the Dask worker that this task runs in, which gets one if it has none."""
    worker = distributed.get_worker()
    with _MAKING:
        if NAME not in worker.plugins:
            said = sync(worker.loop, worker.plugin_add, plugin=Sessions(), name=NAME)
            if NAME not in worker.plugins:
                raise ClusterError(f"this Dask worker takes no plugin: {said}")
    plugin: Sessions = worker.plugins[NAME]
    return plugin


def prepare(common: Common, archive: Archive | None) -> Survey | str:
    """Have the suite here and its runtimes started.

    Parameters
    ----------
    common : Common
        The run.
    archive : Archive or None
        The suite; None to ask whether it is here already.

    Returns
    -------
    Survey or str
        What can be run here; or why nothing can. It is empty if the suite has to be sent.
    """
    if common.harness != __version__:
        return f"it has harness {__version__}, and this is {common.harness}: install the same"
    # Word vectors come with the suite, or are not used.
    os.environ.pop(VARIABLE, None)
    try:
        if archive is not None:
            keep(cache_folder(os.environ), archive)
        sessions = sessions_here()
        tree = sessions.tree(common.archive)
        if tree is None:
            return "" if archive is None else "the suite that was sent is gone"
        session, sound = sessions.take(common, tree), False
        try:
            survey = session.survey(common)
            sound = True
        finally:
            sessions.give_back(session, sound=sound)
        return survey
    except (HarnessError, OSError) as error:
        return str(error)


def run_units(common: Common, units: tuple[Unit, ...]) -> tuple[float, list[Answer]]:
    """Run units with workers that stay warm: see `in_session`."""
    return in_session(common, len(units), lambda session: session.answers(common, units))


def in_session(
    common: Common, count: int, work: Callable[[Session], list[Answer]]
) -> tuple[float, list[Answer]]:
    """Do something in a session that nobody else uses.

    What goes wrong here, and in no implementation, is said.

    Parameters
    ----------
    common : Common
        The run.
    count : int
        How many answers there are.
    work : callable
        Gives them.

    Returns
    -------
    float
        The seconds that it took.
    list of Answer
        One for each unit.
    """
    begun = time.perf_counter()
    answers = _in_session(common, count, work)
    return time.perf_counter() - begun, answers


def _in_session(common: Common, count: int, work: Callable[[Session], list[Answer]]) -> list[Answer]:
    sessions = sessions_here()
    try:
        tree = sessions.tree(common.archive)
        if tree is None:
            raise ClusterError("the suite is not here any more")
        session, sound = sessions.take(common, tree), False
        try:
            answers = work(session)
            sound = not session.aborted
        finally:
            sessions.give_back(session, sound=sound)
    except HarnessError as error:
        return [Answer(failure=str(error))] * count
    except Exception as error:
        return [Answer(failure=f"{HARNESS_FAULT}{type(error).__name__}: {error}")] * count
    return answers if sound else [Answer(failure="it was stopped")] * count


def stop_units(run: str, dask_worker: distributed.Worker) -> None:
    """End a run's units on a Dask worker: for ``distributed.Client.run``, in another thread than its loop."""
    plugin: Sessions | None = dask_worker.plugins.get(NAME)
    if plugin is not None:
        threading.Thread(target=plugin.stop, args=(run,), daemon=True).start()
