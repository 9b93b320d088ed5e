"""Complaints of a run: what is wrong with it and is in no cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from harness.conformance.observers import RunObservers
from harness.conformance.plan import Plan
from harness.model import Absent, Cell, runtime_of
from harness.model.outcome import MISSING, NO_ANSWER, NOT_COMPARED, WORKER_FAULT, was_compared
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


def not_compared(
    plan: Plan, require: tuple[str, ...], absent: Mapping[str, Absent], cells: Sequence[Cell]
) -> Iterator[str]:
    """Name the required runtimes that are there, but of which nothing was compared."""
    faulty = {cell.case for cell in cells if cell.verdict in NO_ANSWER}
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
