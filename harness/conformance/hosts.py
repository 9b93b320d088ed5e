"""All workers of a run: started at once, and ended with it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from harness.conformance.live import LiveHost
from harness.conformance.logs import fresh_folder, tidy
from harness.conformance.observe import Stopped
from harness.model import Absent, Broken, Failure, Verdict
from harness.runtimes.registry import Launch, Registry
from harness.store.temporary import temporary_folder


@contextlib.contextmanager
def workers(
    registry: Registry, runtimes: Iterable[str], stop: threading.Event, *, logs: Path | None = None
) -> Iterator[tuple[dict[str, LiveHost], dict[str, Absent]]]:
    """Start one worker for each runtime, all at once, and wait for all: see `starting_workers`."""
    with starting_workers(registry, runtimes, stop, logs=logs) as (hosts, absent):
        for host in hosts.values():
            host.wait_for_start()
        yield hosts, absent


@contextlib.contextmanager
def starting_workers(
    registry: Registry, runtimes: Iterable[str], stop: threading.Event, *, logs: Path | None = None
) -> Iterator[tuple[dict[str, LiveHost], dict[str, Absent]]]:
    """Start one worker for each runtime, all at once, and wait for none.

    They end when the context is left: at once if ``stop`` is set or an exception leaves it.

    Parameters
    ----------
    registry : Registry
        Says how each is started.
    runtimes : iterable of str
        Its ids.
    stop : threading.Event
        Ends all calls, once it is set.
    logs : Path, optional
        The folder in which what workers print is kept, in place of that of an earlier run.

    Yields
    ------
    hosts : dict of str to LiveHost
        What was found; where it does not run or did not start, its ``failure`` says why, once
        `LiveHost.wait_for_start` has returned.
    absent : dict of str to Absent
        What was not found.
    """
    answers = {name: registry.launch(name) for name in runtimes}
    absent = {
        name: answer
        for name, answer in answers.items()
        if isinstance(answer, Absent) and not isinstance(answer, Broken)
    }
    with temporary_folder() as folder:
        scratch, printed = folder / "tmp", logs or folder / "logs"
        scratch.mkdir()
        fresh_folder(printed)
        hosts = {
            name: LiveHost(
                runtime=name,
                launch=answer if isinstance(answer, Launch) else Launch(command=()),
                failure=_failure_of(answer) if isinstance(answer, Broken) else None,
                logs=printed,
                keeps_logs=logs is not None,
                scratch=scratch,
                stop=stop,
            )
            for name, answer in answers.items()
            if name not in absent
        }
        at_once = True
        for host in hosts.values():
            if host.failure is None:
                (host.starting,) = _threads([host.start])
        try:
            yield hosts, absent
            at_once = stop.is_set()
        finally:
            stop.set()
            try:
                _wait(_threads(host.kill if at_once else host.close for host in hosts.values()))
                for host in hosts.values():
                    host.wait_for_start()
            finally:
                for host in hosts.values():
                    host.kill()
                tidy(printed)


def ended(hosts: Collection[LiveHost]) -> list[str]:
    """End all workers in an orderly way; what they died of while idle, and of those that do not end so."""
    close(hosts)
    return complaints_of(hosts)


def complaints_of(hosts: Iterable[LiveHost]) -> list[str]:
    """What workers died of while idle."""
    return [complaint for host in hosts for complaint in host.complaints]


def close(hosts: Iterable[LiveHost]) -> None:
    """End all workers in an orderly way; hosts complain of those that do not end so."""
    _wait(_threads(host.close for host in hosts))


def _failure_of(broken: Broken) -> Failure:
    reason = f"{broken.language} does not run: {broken.reason}"
    return Failure(verdict=Verdict.ERROR, reason=reason, detail="\n".join(broken.advice))


def _threads(calls: Iterable[Callable[[], object]]) -> list[threading.Thread]:
    threads = [threading.Thread(target=_quietly, args=(call,), daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    return threads


def _quietly(call: Callable[[], object]) -> None:
    with contextlib.suppress(Stopped):
        call()


def _wait(threads: Iterable[threading.Thread]) -> None:
    for thread in threads:
        thread.join()
