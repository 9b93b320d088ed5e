"""The observers of a run: workers, what stands in for absent runtimes, and the oracle."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from harness.conformance.hosts import starting_workers
from harness.conformance.live import LiveHost
from harness.conformance.observe import AbsentObserver, Observer
from harness.conformance.oracle import OracleClient, asks, oracle
from harness.conformance.plan import Plan
from harness.conformance.replay import Library, Replay
from harness.model import Absent
from harness.model.outcome import NOT_STARTED, REPLAYED
from harness.runtimes.oracle import ID as ORACLE
from harness.runtimes.oracle import find_oracle
from harness.runtimes.provision.machine import cache_folder

Replaying = Literal["missing", "always", "never"]
"""Which runtimes are answered from the snapshots: those that are missing, all, or none."""


class RunObservers(NamedTuple):
    """The observers of a run, the workers among them, the absent runtimes, and the oracle."""

    hosts: dict[str, LiveHost]
    absent: dict[str, Absent]
    of_runtimes: list[Observer]
    oracle_client: OracleClient

    @property
    def have_started(self) -> bool:
        """Whether every worker has answered, or failed to start."""
        return all(host.has_started for host in self.hosts.values())

    def wait_for_start(self) -> None:
        """Wait until every worker has answered, or failed to start."""
        for host in self.hosts.values():
            host.wait_for_start()


def start_observers(
    stack: contextlib.ExitStack,
    plan: Plan,
    require: tuple[str, ...],
    replay: Replaying,
    stop: threading.Event,
    *,
    logs: Path | None,
    in_process: Sequence[Observer] = (),
) -> RunObservers:
    """Start the workers, waiting for none, and the oracle; they end with the stack.

    Runtimes ``in_process`` need no worker.
    """
    here = {observer.runtime for observer in in_process} | {ORACLE}
    named = dict.fromkeys(name for name in [*plan.runtimes, *require] if name not in here)
    needed = () if replay == "always" else named
    hosts, absent = stack.enter_context(starting_workers(plan.registry, needed, stop, logs=logs))
    if replay == "always":
        absent |= {name: _not_started(plan, name) for name in named}
    observers, absent = observers_of(plan, hosts, absent, replay)
    launch = find_oracle()
    if isinstance(launch, Absent) and (asks(plan) or ORACLE in require):
        absent[ORACLE] = launch
    oracle_client = stack.enter_context(oracle(launch, cache_folder(os.environ), stop))
    return RunObservers(hosts, absent, [*observers, *in_process], oracle_client)


def observers_of(
    plan: Plan, hosts: dict[str, LiveHost], absent: dict[str, Absent], replay: Replaying
) -> tuple[list[Observer], dict[str, Absent]]:
    """Return an observer for each runtime; and the absent ones, with the snapshots that replace them."""
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
