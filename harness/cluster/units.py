"""What one machine runs at a time: a case in a precision, and what it sends back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from harness.conformance.evaluator import Evaluator
from harness.conformance.gather import FinishedUnit
from harness.conformance.observe import Job
from harness.conformance.observers import Replaying
from harness.conformance.plan import Plan, PlannedCase
from harness.model import (
    Absent,
    Cell,
    Consensus,
    Exhibit,
    Failure,
    Frozen,
    Header,
    Pair,
    Precision,
    RuntimeInfo,
    Verdict,
)
from harness.store.record_line import Result, encode_line
from harness.store.record_pass import counts_of


class Unit(Frozen, frozen=True, kw_only=True):
    """A case in a precision: nothing in a record holds two of them against each other.

    ``fixture`` is the sha256 of its inputs, which must be the same wherever it is run.
    """

    case: str
    precision: Precision
    implementations: tuple[str, ...]
    samples: tuple[str, ...]
    fixture: str
    runtimes: tuple[str, ...]
    weight: int


class Common(Frozen, frozen=True, kw_only=True):
    """What all units of a run have in common.

    ``suite`` is the suite's folder in the archive, ``here`` where it lies on the machine that asks, and
    ``fixtures`` where the fixtures beside it do: messages name files as they are called there.
    """

    run: str
    harness: str
    archive: str
    suite: str
    here: str
    fixtures: str
    glove: str
    runtimes: tuple[str, ...]
    replay: Replaying
    strict: bool


class Survey(Frozen, frozen=True, kw_only=True):
    """What a Dask worker can run: runtimes that started, those that did not, and those that are missing."""

    runtimes: dict[str, RuntimeInfo]
    failures: dict[str, str]
    absent: dict[str, Absent]
    start_up: dict[str, float]


class Answer(Frozen, frozen=True, kw_only=True):
    """A unit's lines as they are written to the record, the header of its machine, and its times.

    The header is without cases. ``verdicts`` counts the lines that are cells. ``failure`` says why there are
    none. Units of a search or an audit have what they ``found`` instead.
    """

    header: Header | None = None
    lines: bytes = b""
    verdicts: dict[str, int] = msgspec.field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    start_up: dict[str, float] = msgspec.field(default_factory=dict)
    busy: dict[str, float] = msgspec.field(default_factory=dict)
    first: dict[str, float] = msgspec.field(default_factory=dict)
    failure: str = ""
    found: Any = None


class Task(Protocol):
    """What a Dask worker is given: it needs these runtimes, and is so much work beside others of its run."""

    @property
    def runtimes(self) -> tuple[str, ...]:
        """Ids of runtimes."""

    @property
    def weight(self) -> int:
        """In any unit."""


def units_of(plan: Plan) -> list[Unit]:
    """The units of a plan, in its order."""
    return [
        Unit(
            case=planned.case.name,
            precision=precision,
            implementations=tuple(item.id for item in planned.implementations),
            samples=tuple(planned.fixture.samples),
            fixture=planned.fixture.sha256,
            runtimes=tuple(dict.fromkeys(item.runtime for item in planned.hosted)),
            weight=len(planned.hosted) * len(planned.case.stages) * len(planned.fixture.samples),
        )
        for planned in plan.cases
        for precision in planned.precisions
    ]


def part_of(plan: Plan, unit: Unit) -> Plan:
    """The plan of one unit."""
    planned = next(planned for planned in plan.cases if planned.case.name == unit.case)
    return msgspec.structs.replace(
        plan, cases=(msgspec.structs.replace(planned, precisions=(unit.precision,)),), left_out={}
    )


def in_order(lines: Sequence[Result], planned: PlannedCase) -> tuple[Result, ...]:
    """Lines in the order of the implementations, whoever answered first."""
    places = {item.id: place for place, item in enumerate(planned.hosted)}

    def place(line: Result) -> tuple[int, int]:
        if isinstance(line, Cell | Exhibit):
            return isinstance(line, Cell), places[line.implementation]
        return 2 + isinstance(line, Consensus), 0

    return tuple(sorted(lines, key=place))


def written(lines: Iterable[Result]) -> Answer:
    """An answer of these lines.

    Raises
    ------
    RecordError
        One could not be read back.
    """
    lines = tuple(lines)
    return Answer(
        lines=b"".join(map(encode_line, lines)),
        verdicts=counts_of(line for line in lines if isinstance(line, Cell)),
    )


def lost_lines(plan: Plan, unit: Unit, reason: str) -> tuple[Result, ...]:
    """The lines of a unit that could not be run anywhere: each implementation's cells are ERROR."""
    part = part_of(plan, unit)
    (planned,) = part.cases
    evaluator = Evaluator(part, lambda progress: None)
    failure = Failure(verdict=Verdict.ERROR, reason=reason)
    lines: list[Result] = []
    for implementation in planned.hosted:
        job = Job(
            case=planned.case,
            fixture=planned.fixture,
            implementation=implementation,
            precision=unit.precision,
        )
        nothing = job.failed(failure)
        lines += evaluator.judge(
            FinishedUnit(
                planned=planned,
                implementation=implementation,
                precision=unit.precision,
                refusal=failure,
                chained=nothing,
                isolated=nothing,
                reference=nothing,
                upstream=nothing,
            )
        )
    return tuple(lines)


def at_home(line: Result, common: Common, tree: Path) -> Result:
    """A line whose messages call files as the machine that asks does, not as they lie in ``tree``."""
    root = str(tree)

    def named(text: str) -> str:
        return named_at_home(text, common, tree)

    if isinstance(line, Pair):
        return msgspec.structs.replace(line, reason=named(line.reason)) if root in line.reason else line
    if not isinstance(line, Cell) or not any(root in text for text in _texts(line)):
        return line
    return msgspec.structs.replace(
        line,
        reason=named(line.reason),
        detail=named(line.detail),
        weaker_because=named(line.weaker_because),
        by_sample=tuple(
            msgspec.structs.replace(sample, reason=named(sample.reason)) for sample in line.by_sample
        ),
    )


def named_at_home(text: str, common: Common, tree: Path) -> str:
    """A text that calls files as the machine that asks does."""
    for there, here in ((common.suite, common.here), ("fixtures", common.fixtures)):
        text = text.replace(str(tree / there), here)
    return text


def _texts(cell: Cell) -> tuple[str, ...]:
    samples = (sample.reason for sample in cell.by_sample)
    return cell.reason, cell.detail, cell.weaker_because, *samples
