"""The record of a run on many machines: lines in the order of the plan, one header and one footer."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from harness.cluster.crew import Known
from harness.cluster.units import Answer
from harness.conformance.complaints import Compared, not_compared
from harness.conformance.machine import called, describe_machine, now
from harness.conformance.observers import Replaying, observers_of
from harness.conformance.plan import Plan
from harness.model import Absent, Cell, Examined, Footer, Header
from harness.model.case import without_print
from harness.model.outcome import MISSING, WORKER_FAULT
from harness.runtimes.oracle import ID as ORACLE
from harness.store.merge import joined, summed
from harness.store.record_line import decode_line
from harness.store.streamed_record import StreamedRecord


class Gathered:
    """Writes what the machines of a run answer.

    Parameters
    ----------
    plan : Plan
        The whole run.
    require : tuple of str
        Ids of runtimes that must be there.
    replay : {"missing", "never"}
        Whether missing runtimes are answered from the snapshots.
    writer : StreamedRecord
        Where to.
    known : callable
        The runtimes of all machines.
    """

    def __init__(
        self,
        plan: Plan,
        require: tuple[str, ...],
        replay: Replaying,
        writer: StreamedRecord,
        known: Callable[[], Known],
    ) -> None:
        self._plan = plan
        self._require = require
        self._replay = replay
        self._writer = writer
        self._known = known
        self._base = describe_machine(
            suite=called(plan.suite),
            started=now(),
            runtimes={},
            absent=(),
            fixtures={planned.fixture.name: planned.fixture.sha256 for planned in plan.cases},
            cases=tuple(without_print(planned.case) for planned in plan.cases),
            left_out=plan.left_out,
            shard=plan.shard,
        )
        self._machines: Header | None = None
        self._written: Header | None = None
        self._copies: dict[str, tuple[str, ...]] = {}
        self._environments: dict[str, dict[str, str]] = {}
        self._complaints: dict[str, None] = {}
        self._start_up: dict[str, float] = {}
        self._busy: dict[str, float] = {}
        self._first: dict[str, float] = {}
        self._compared = Compared(require)

    def write(self, answer: Answer) -> None:
        """Write one unit's lines.

        Raises
        ------
        RecordError
            As of `harness.store.record.RecordWriter.write`.
        """
        if answer.header is not None:
            self._copies |= answer.header.copies
            self._environments |= answer.header.environments
            machine = msgspec.structs.replace(answer.header, copies={}, environments={})
            headers = [machine] if self._machines is None else [self._machines, machine]
            self._machines = joined(headers, self._plan.runtimes)
        self._complaints |= dict.fromkeys(answer.complaints)
        self._start_up = summed([self._start_up, answer.start_up])
        self._busy = summed([self._busy, answer.busy])
        self._first = summed([self._first, answer.first])
        self._begin()
        self._writer.next_part()
        self._writer.write_encoded(answer.lines)
        if not self._require:
            return
        for raw in answer.lines.splitlines():
            line = decode_line(raw, self._writer.partial, 0)
            if isinstance(line, Cell):
                self._compared.add(line)

    def write_other(self, line: Cell | Examined) -> None:
        """Write a line that is of no unit, as of an article."""
        self._begin()
        self._writer.write(line)

    def close(self, interrupted: str, seconds: float) -> None:
        """Complete the record: ``interrupted`` says why it does not hold all."""
        self._begin()
        _, absent, failures, start_up = self._known()
        self._start_up = summed([self._start_up, start_up])
        missing = self._absent(absent)
        complaints = [
            *(f"{MISSING}{name}: {missing[name].reason}" for name in self._require if name in missing),
            *(f"{WORKER_FAULT}{name}: {failures[name]}" for name in self._require if name in failures),
            *self._complaints,
        ]
        if not interrupted:
            complaints += not_compared(self._plan, self._require, missing, self._compared)
        header = self._header()
        if header != self._written:
            self._writer.header_again(header)
        self._writer.footer(
            Footer(
                partial=bool(interrupted),
                reason=interrupted,
                seconds=seconds,
                start_up=self._start_up,
                busy=self._busy,
                first=self._first,
                complaints=tuple(dict.fromkeys(complaints)),
            )
        )

    def _begin(self) -> None:
        """Write the header as it is known by now; the last one takes its place."""
        if self._written is None:
            self._written = self._header()
            self._writer.header(self._written)

    def _header(self) -> Header:
        runtimes, absent, *_ = self._known()
        machines = self._machines
        if machines is None:
            known = msgspec.structs.replace(self._base, runtimes=runtimes)
            machines = joined([known], self._plan.runtimes)
        everywhere = msgspec.structs.replace(machines, runtimes=runtimes | machines.runtimes)
        facts = joined([everywhere], self._plan.runtimes)
        missing = self._absent(absent)
        missing |= {each.runtime: each for each in facts.absent if each.runtime == ORACLE}
        return msgspec.structs.replace(
            self._base,
            python=facts.python,
            platform=facts.platform,
            cpu=facts.cpu,
            cores=facts.cores,
            locale=facts.locale,
            runtimes=facts.runtimes,
            absent=tuple(missing.values()),
            copies=dict(self._copies),
            environments=dict(self._environments),
        )

    def _absent(self, absent: dict[str, Absent]) -> dict[str, Absent]:
        """The runtimes that are missing everywhere, with the snapshots that replace them."""
        return observers_of(self._plan, {}, absent, self._replay)[1]
