"""The record of a run that was interrupted before anything had answered."""

from __future__ import annotations

from pathlib import Path

from harness.conformance.machine import called, describe_machine, now
from harness.conformance.plan import Plan
from harness.model import Footer, Record
from harness.model.case import without_print
from harness.store.record import RecordWriter


def reason_of(interrupt: KeyboardInterrupt) -> str:
    """Say why a run did not end."""
    return str(interrupt) or "interrupted from the keyboard"


def ended_early(suite: Path, plan: Plan | None, interrupt: KeyboardInterrupt, seconds: float = 0.0) -> Record:
    """A record without results.

    Parameters
    ----------
    suite : Path
        The suite's folder.
    plan : Plan or None
        What was to be run, where that is known.
    interrupt : KeyboardInterrupt
        What ended the run.
    seconds : float
        For how long it had lasted.
    """
    planned_cases = () if plan is None else plan.cases
    header = describe_machine(
        suite=called(suite),
        started=now(),
        runtimes={},
        absent=(),
        fixtures={planned.fixture.name: planned.fixture.sha256 for planned in planned_cases},
        cases=tuple(without_print(planned.case) for planned in planned_cases),
        left_out={} if plan is None else plan.left_out,
        shard=None if plan is None else plan.shard,
    )
    footer = Footer(partial=True, reason=reason_of(interrupt), seconds=seconds)
    return Record(header=header, cells=(), pairs=(), footer=footer)


def write_early(writer: RecordWriter, record: Record) -> None:
    """Put a record without results in the place of an older one.

    Raises
    ------
    RecordError
        The disk refuses it.
    """
    assert record.footer is not None
    writer.header(record.header)
    writer.footer(record.footer)
