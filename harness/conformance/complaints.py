"""Complaints of a run: what is wrong with it and is in no cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from harness.conformance.observers import RunObservers
from harness.conformance.plan import Plan
from harness.model import Absent, Cell, Check, Mode, runtime_of
from harness.model.outcome import BY_VALUE, JUDGED, MISSING, NO_ANSWER, NOT_COMPARED, WORKER_FAULT
from harness.runtimes.oracle import ID as ORACLE


def complaints(require: tuple[str, ...], observers: RunObservers) -> Iterator[str]:
    """Say what is wrong with the run and is in no cell."""
    hosts, absent = observers.hosts, observers.absent
    for name in require:
        if name in absent:
            yield f"{MISSING}{name}: {absent[name].reason}"
        elif name in hosts and (failure := hosts[name].failure) is not None:
            yield f"{WORKER_FAULT}{name}: {failure.reason}"
    for host in hosts.values():
        host.notice()
        yield from host.complaints


class Compared:
    """Of which required runtimes any output was compared with something else, case by case.

    A value of the wrong shape counts as compared. The reference was compared if another implementation was
    compared with it.
    """

    def __init__(self, require: tuple[str, ...]) -> None:
        self._require = frozenset(require)
        self.faulty: set[str] = set()
        self.compared: set[tuple[str, str]] = set()
        self.reasons: dict[tuple[str, str], str] = {}

    def add(self, cell: Cell) -> None:
        """Take what a cell says of it."""
        if not self._require:
            return
        if cell.verdict in NO_ANSWER:
            self.faulty.add(cell.case)
        runtime = runtime_of(cell.implementation)
        if cell.reason and runtime in self._require:
            self.reasons.setdefault((cell.case, runtime), cell.reason)
        if cell.mode is Mode.CHAINED and cell.verdict in JUDGED:
            if cell.check in BY_VALUE:
                self.compared.add((cell.case, runtime))
            if cell.check is Check.REFERENCE:
                self.compared.add((cell.case, runtime_of(cell.against)))


def not_compared(
    plan: Plan, require: tuple[str, ...], absent: Mapping[str, Absent], seen: Compared
) -> Iterator[str]:
    """Name the required runtimes that are there, but of which nothing was compared."""
    for name in require:
        if name in absent or name == ORACLE:
            continue
        cases = [
            planned_case.case.name
            for planned_case in plan.cases
            if any(item.runtime == name for item in planned_case.implementations)
        ]
        if not cases and plan.shard is not None and name in plan.shard.runtimes:
            # Another shard has them.
            continue
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
        # A case with a fault is incomplete anyway.
        bare = [case for case in cases if case not in seen.faulty and (case, name) not in seen.compared]
        if bare:
            reason = seen.reasons.get((bare[0], name), "")
            why = f": {reason}" if reason else ""
            more = f" and {len(bare) - 1} more cases" if len(bare) > 1 else ""
            yield f"{NOT_COMPARED}{name}, in {bare[0]}{more}{why}"
