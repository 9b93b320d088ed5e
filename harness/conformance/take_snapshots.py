"""Records snapshots, and compares live runs with them."""

from __future__ import annotations

import contextlib
import math
import platform
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import msgspec

from harness import __version__
from harness.conformance.gather import FinishedUnit, gather
from harness.conformance.hosts import ended, workers
from harness.conformance.live import LiveHost
from harness.conformance.machine import cpu
from harness.conformance.observe import AbsentObserver, Job, Observer
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.replay import Library, described
from harness.errors import FixtureError, UsageError
from harness.model import Failure, Mode, Observation, Observed, Precision, RuntimeInfo, Verdict
from harness.numerics import compare
from harness.store.arrays import differing_elements
from harness.store.snapshots import FORMAT, Head, write_snapshot

SHIPPED = "made_up"
"""Ends the name of a fixture, after a +, that looked its words up in its own vectors."""


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """One snapshot that was made, or why it was not; ``fault``: something crashed, hung or raised."""

    case: str
    implementation: str
    precision: Precision
    size: int = 0
    reason: str = ""
    fault: bool = False


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """One output whose bits differ from the recorded ones."""

    output: str
    mode: Mode
    samples: int
    elements: int
    max_ulp: float
    worst_sample: str
    reason: str = ""


class RecordedRuntime(msgspec.Struct, frozen=True, kw_only=True):
    """One snapshot that was compared with a live run; ``reason`` says why it could not be."""

    case: str
    implementation: str
    precision: Precision
    live: bool
    fault: bool = False
    then: str = ""
    now: str = ""
    moved: tuple[Moved, ...] = ()
    reason: str = ""


def record(plan: Plan, complain: Callable[[str], object]) -> Iterator[Written]:
    """Run a plan live, and record what every implementation returns.

    Crashes, time-outs and exceptions are not recorded: an existing snapshot stays.

    Parameters
    ----------
    plan : Plan
        What to record. Where it leaves out a case's reference, the reference's snapshot has to stand.
    complain : callable
        Called with what went wrong with a worker between two calls, or at its end.

    Yields
    ------
    Written
        One for each implementation and precision, in the order in which they end.

    Raises
    ------
    UsageError
        A fixture looked its words up in other vectors than the shipped ones, or the snapshot of a reference
        that was left out does not stand.
    """
    library = Library(plan)
    for planned in plan.cases:
        _, plus, vectors = planned.fixture.name.partition("+")
        if plus and vectors != SHIPPED:
            raise UsageError(
                f"{planned.case.name}: snapshots are made with the shipped word vectors, not with {vectors}",
                advice="leave out --glove, and unset HARNESS_GLOVE",
            )
    left_out = [planned for planned in plan.cases if planned.reference not in planned.implementations]
    for planned in left_out:
        for precision in planned.precisions:
            _check_reference(library, planned, precision)
    # Before a worker reads the files, since they may be edited while it runs.
    made_from = {
        (planned.case.name, implementation.id): library.now(planned, implementation)
        for planned in plan.cases
        for implementation in planned.implementations
    }
    today = datetime.now(UTC).date().isoformat()
    recorded = frozenset(planned.case.name for planned in left_out)
    for item, info in _live(plan, library, recorded, complain):
        written = Written(
            case=item.planned.case.name,
            implementation=item.implementation.id,
            precision=item.precision,
            reason="" if item.refusal is None else f"{item.refusal.verdict}: {item.refusal.reason}",
        )
        path = library.path(item.planned.case, item.implementation, item.precision)
        fault = _fault(item)
        if fault:
            kept = "; the snapshot that is there stays" if path.is_file() else ""
            written = msgspec.structs.replace(written, reason=f"{fault}{kept}", fault=True)
        elif item.refusal is None and info is not None:
            is_reference = item.implementation.id == item.planned.reference.id
            head = Head(
                format=FORMAT,
                case=written.case,
                implementation=written.implementation,
                precision=item.precision,
                fixture=item.planned.fixture.name,
                made_from=made_from[written.case, written.implementation],
                # The kernel's release does not affect the numbers.
                runtime=msgspec.structs.replace(info, platform=f"{platform.system()} {platform.machine()}"),
                cpu=cpu(),
                harness=__version__,
                recorded=today,
                values="",
                base="",
            )
            base: Observed = {} if is_reference else item.upstream
            size = write_snapshot(path, head, item.chained, item.isolated, base)
            written = msgspec.structs.replace(written, size=size)
        yield written


def check(plan: Plan, complain: Callable[[str], object]) -> Iterator[RecordedRuntime]:
    """Run a plan live, and compare every bit with the snapshots.

    Parameters
    ----------
    plan : Plan
        What to compare.
    complain : callable
        As that of `record`.

    Yields
    ------
    RecordedRuntime
        One for each implementation and precision that has a snapshot, or could have one.
    """
    library = Library(plan)
    recorded = frozenset(planned.case.name for planned in plan.cases)
    for item, info in _live(plan, library, recorded, complain):
        job = Job(
            case=item.planned.case,
            fixture=item.planned.fixture,
            implementation=item.implementation,
            precision=item.precision,
        )
        checked = RecordedRuntime(
            case=job.case.name,
            implementation=job.implementation.id,
            precision=job.precision,
            live=item.refusal is None,
            fault=bool(_fault(item)),
        )
        if checked.fault:
            yield msgspec.structs.replace(checked, live=True, reason=_fault(item))
            continue
        try:
            snapshot = library.read(job)
        except FixtureError as error:
            yield msgspec.structs.replace(checked, reason=str(error))
            continue
        if item.refusal is not None:
            if snapshot is not None or item.refusal.verdict is not Verdict.UNSUPPORTED:
                yield msgspec.structs.replace(checked, reason=item.refusal.reason)
        elif snapshot is None or info is None:
            yield msgspec.structs.replace(checked, reason="there is no snapshot")
        else:
            yield msgspec.structs.replace(
                checked,
                then=described(snapshot.head.runtime),
                now=described(info),
                moved=(
                    *_moved(job, Mode.CHAINED, item.chained, snapshot.chained),
                    *_moved(job, Mode.ISOLATED, item.isolated, snapshot.isolated),
                ),
            )


def _fault(item: FinishedUnit) -> str:
    """Return the first crash, time-out or exception of an implementation, or of its reference."""
    if item.refusal is not None:
        failures = [("", item.refusal)]
    else:
        name, reference = item.implementation.id, item.planned.reference.id
        failures = [
            (f"stage {stage} of {who}, sample {sample}: ", result)
            for who, observed in ((name, item.chained), (name, item.isolated), (reference, item.upstream))
            for (sample, stage), result in observed.items()
            if isinstance(result, Failure)
        ]
    for where, failure in failures:
        if failure.verdict in (Verdict.ERROR, Verdict.TIMEOUT):
            return f"{failure.verdict}: {where}{failure.reason}"
    return ""


class _Fed(msgspec.Struct, frozen=True, kw_only=True):
    """A worker whose isolated stages get the recorded reference's outputs in some of the cases."""

    host: LiveHost
    library: Library
    recorded: frozenset[str]

    @property
    def runtime(self) -> str:
        return self.host.runtime

    def refusal(self, job: Job) -> Failure | None:
        return self.host.refusal(job)

    def chained(self, job: Job) -> Observed:
        return self.host.chained(job)

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """Return the recorded reference's outputs if they are wanted and there; else those of this run."""
        if job.case.name in self.recorded:
            with contextlib.suppress(FixtureError):
                return self.library.reference(job).chained
        return reference

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        return self.host.isolated(job, upstream, chained)


def _live(
    plan: Plan, library: Library, recorded: frozenset[str], complain: Callable[[str], object]
) -> Iterator[tuple[FinishedUnit, RuntimeInfo | None]]:
    stop = threading.Event()
    with workers(plan.registry, plan.runtimes, stop) as (hosts, absent):
        observers: list[Observer] = [
            *(_Fed(host=host, library=library, recorded=recorded) for host in hosts.values()),
            *(AbsentObserver(runtime=a.runtime, reason=a.reason) for a in absent.values()),
        ]
        for item in gather(plan, observers, stop):
            if item.implementation in item.planned.implementations:
                host = hosts.get(item.implementation.runtime)
                yield item, None if host is None else host.info
        for complaint in ended(hosts.values()):
            complain(complaint)


def _check_reference(library: Library, planned: PlannedCase, precision: Precision) -> None:
    job = Job(
        case=planned.case, fixture=planned.fixture, implementation=planned.reference, precision=precision
    )
    advice = f"record it too: --impl {planned.reference.id}"
    try:
        if library.read(job) is not None:
            return
    except FixtureError as error:
        raise UsageError(
            f"the snapshot of the reference cannot be used: {error.message}", path=error.path, advice=advice
        ) from error
    raise UsageError(
        f"{planned.case.name} {precision}: there is no snapshot of the reference {planned.reference.id}",
        advice=advice,
    )


def _moved(job: Job, mode: Mode, live: Observed, recorded: Observed) -> Iterator[Moved]:
    for stage in job.case.stages:
        for value in stage.outputs:
            differences = [
                (
                    sample,
                    _difference(live[sample, stage.name], recorded.get((sample, stage.name)), value.name),
                )
                for sample in job.fixture.samples
            ]
            differing = [(sample, d) for sample, d in differences if d is not None]
            if differing:
                worst, (_, max_ulp, reason) = max(differing, key=lambda item: item[1][1])
                yield Moved(
                    output=value.name,
                    mode=mode,
                    samples=len(differing),
                    elements=sum(d[0] for _, d in differing),
                    max_ulp=max_ulp,
                    worst_sample=worst,
                    reason=reason,
                )


def _difference(
    live: Observation | Failure, recorded: Observation | Failure | None, name: str
) -> tuple[int, float, str] | None:
    """Return how many elements differ, by how many ULP at most, or in words; None if no bit differs."""
    if isinstance(live, Failure) or not isinstance(recorded, Observation):
        now, then = (_said(observation) for observation in (live, recorded))
        return None if now == then else (0, math.inf, f"then {then}, now {now}")
    ours, theirs = live.outputs[name], recorded.outputs[name]
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
        described = (f"{array.dtype} {list(array.shape)}" for array in (theirs, ours))
        return 0, math.inf, "then {}, now {}".format(*described)
    differing = differing_elements(ours, theirs)
    return (differing, compare(ours, theirs).max_ulp, "") if differing else None


def _said(result: Observation | Failure | None) -> str:
    if result is None:
        return "nothing"
    return f"{result.verdict}: {result.reason}" if isinstance(result, Failure) else "a value"
