"""Workers that are kept from run to run, so that the next one starts at once."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Self

from harness.conformance.evaluator import Progress
from harness.conformance.hosts import starting_workers, workers
from harness.conformance.live import LiveHost
from harness.conformance.observers import Replaying, RunObservers, observers_of
from harness.conformance.oracle import OracleClient, asks, oracle
from harness.conformance.plan import Plan
from harness.conformance.run import check_required, judged_run
from harness.model import Absent, Record
from harness.model.outcome import WORKER_FAULT
from harness.runtimes.oracle import ID as ORACLE
from harness.runtimes.oracle import find_oracle
from harness.runtimes.provision.machine import cache_folder
from harness.runtimes.registry import Registry
from harness.store.record import FILE, RecordWriter

Hosts = dict[str, LiveHost]


class WarmWorkers:
    """Runs plans of one suite, one after the other, with the same workers.

    A worker is started when a plan first needs its runtime. One that died, or was ended because it did not
    answer, is started again. Sources are loaded anew in every run.

    Parameters
    ----------
    replay : {"missing", "never"}
        Whether runtimes that are missing are answered from the snapshots.
    try_again : bool
        Whether a worker that did not start is started in the next run: somebody may have mended it.
    """

    def __init__(self, replay: Replaying = "missing", *, try_again: bool = True) -> None:
        self.replay = replay
        self.try_again = try_again
        self._stop = threading.Event()
        self._hosts: dict[str, LiveHost] = {}
        self._absent: dict[str, Absent] = {}
        self._oracle: OracleClient | None = None
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(
        self,
        plan: Plan,
        *,
        out: Path | None = None,
        require: tuple[str, ...] = (),
        strict: bool = False,
        on_progress: Callable[[Progress], None] = lambda progress: None,
    ) -> Record:
        """Run a plan, as `harness.conformance.run.run` does.

        Parameters
        ----------
        plan : Plan
            What to run; of the same suite as the others.
        out : Path, optional
            The folder that ``results.jsonl`` is written to.
        require : tuple of str
            Ids of runtimes whose absence is a complaint.
        strict : bool
            Whether what can be compared coarsely only fails.
        on_progress : callable
            Called after every implementation of a case.

        Raises
        ------
        UsageError
            ``require`` names a runtime that the suite does not know.
        KeyboardInterrupt
            While workers start. Afterwards an interrupt ends the run, whose footer says so.
        """
        check_required(plan, require)
        begun = time.perf_counter()
        wanted = dict.fromkeys((*plan.runtimes, *(name for name in require if name != ORACLE)))
        self.start(plan.registry, wanted)
        observers = self._observers(plan, wanted)
        with contextlib.ExitStack() as stack:
            writer = None if out is None else stack.enter_context(RecordWriter(out / FILE))
            return judged_run(
                plan,
                observers,
                writer,
                self._stop,
                begun=begun,
                require=require,
                strict=strict,
                on_progress=on_progress,
            )

    def renew(self) -> list[str]:
        """Forget the workers that ended since the last run, which starts them again; what is to be said.

        What runs on is a run's own complaint: for somebody who waits, it is a worker that is started again.
        """
        said = []
        for host in self._hosts.values():
            if host.notice():
                said.append(f"{host.complaints.pop().removeprefix(WORKER_FAULT)}; it is started again")
        return said

    def start(self, registry: Registry, runtimes: Iterable[str]) -> tuple[Hosts, dict[str, Absent]]:
        """Start what is not there yet, all at once, and wait for none.

        Parameters
        ----------
        registry : Registry
            Of the suite.
        runtimes : iterable of str
            The ids of those that shall be there.

        Returns
        -------
        dict of str to LiveHost, dict of str to Absent
            All that there are, and all that are missing, by their ids.
        """
        for host in self._hosts.values():
            host.start_seconds = host.busy_seconds = host.first_seconds = 0.0
            host.complaints.clear()
            if host.launch.command and self.try_again:
                # One that did not start the last time is tried again; one that does not run at all is not.
                host.failure = None
        known = {*self._hosts, *self._absent, ORACLE}
        if new := [name for name in runtimes if name not in known]:
            hosts, absent = self._stack.enter_context(starting_workers(registry, new, self._stop))
            self._hosts |= hosts
            self._absent |= absent
        if self._oracle is None:
            self._oracle = self._stack.enter_context(
                oracle(find_oracle(), cache_folder(os.environ), self._stop)
            )
        else:
            self._oracle.renew()
        return self._hosts, self._absent

    def abort(self) -> None:
        """End the run that goes on in another thread, and all workers, at once; none can follow."""
        self._stop.set()
        for host in tuple(self._hosts.values()):
            host.kill()

    def _observers(self, plan: Plan, wanted: Collection[str]) -> RunObservers:
        assert self._oracle is not None
        hosts = {name: host for name, host in self._hosts.items() if name in wanted}
        absent = {name: absence for name, absence in self._absent.items() if name in wanted}
        of_runtimes, absent = observers_of(plan, hosts, absent, self.replay)
        if isinstance(self._oracle.launch, Absent) and asks(plan):
            absent[ORACLE] = self._oracle.launch
        return RunObservers(hosts, absent, of_runtimes, self._oracle)


@contextlib.contextmanager
def workers_or_warm(
    registry: Registry, runtimes: Iterable[str], stop: threading.Event, warm: WarmWorkers | None
) -> Iterator[tuple[Hosts, dict[str, Absent]]]:
    """Workers that have started: new ones, which end with the context, or those that are there, and stay."""
    if warm is None:
        with workers(registry, runtimes, stop) as started:
            yield started
        return
    wanted = tuple(runtimes)
    hosts, absent = warm.start(registry, wanted)
    chosen = {name: host for name, host in hosts.items() if name in wanted}
    for host in chosen.values():
        host.wait_for_start()
    yield chosen, {name: absence for name, absence in absent.items() if name in wanted}
