"""Observes a whole plan with one thread for each runtime; results come in the order in which they end."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import msgspec

from harness.conformance.observe import Job, Observer, Stopped, fault_of_ours, rounded_to_bfloat16
from harness.conformance.pace import Pace, References
from harness.conformance.plan import Plan, PlannedCase
from harness.model import Failure, Implementation, Observed, Precision, Verdict

Unit = tuple[str, Precision]
"""A case's name and a precision."""

AHEAD = 8
"""So many cases before the others are a reference's jobs done, so that few wait for it."""

MOST = 64
"""What has been observed waits for its judgement in such a number at most."""

TURN = 0.2
"""Seconds after which a thread that waits looks whether the run is to end."""


class FinishedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation of one case in one precision has been observed, or refused.

    ``reference`` is what the reference returned, chained; ``upstream`` what the isolated stages were fed.
    """

    planned: PlannedCase
    implementation: Implementation
    precision: Precision
    refusal: Failure | None
    chained: Observed
    isolated: Observed
    reference: Observed
    upstream: Observed


def gather(plan: Plan, observers: Sequence[Observer], stop: threading.Event) -> Iterator[FinishedUnit]:
    """Observe everything that is planned.

    Parameters
    ----------
    plan : Plan
        What to observe.
    observers : sequence of Observer
        One for each runtime of the plan.
    stop : threading.Event
        Ends the threads, once it is set.

    Yields
    ------
    FinishedUnit
        One for each implementation that runs, in each precision.
    """
    return (item for item in gather_by_turns(plan, observers, stop, None) if item is not None)


def gather_by_turns(
    plan: Plan, observers: Sequence[Observer], stop: threading.Event, turn: float | None
) -> Iterator[FinishedUnit | None]:
    """Observe everything, as `gather` does, and give the caller a turn while nothing ends.

    Yields
    ------
    FinishedUnit or None
        None where nothing has ended for ``turn`` seconds.
    """
    finished: queue.Queue[FinishedUnit | BaseException | None] = queue.Queue(MOST)
    references = References(plan, stop)
    pace = Pace(len(observers), stop)
    over = threading.Event()

    def give(item: FinishedUnit | BaseException | None) -> None:
        while True:
            with contextlib.suppress(queue.Full):
                return finished.put(item, timeout=TURN)
            if stop.is_set() or over.is_set():
                raise Stopped

    def work(place: int, observer: Observer) -> None:
        try:
            for item in _work(plan, observer, references, partial(pace.reach, place), stop):
                give(item)
            give(None)
        except Stopped:
            # Nobody may be there any more to take it.
            with contextlib.suppress(Stopped):
                give(None)
        except BaseException as error:
            with contextlib.suppress(Stopped):
                give(error)
        finally:
            pace.leave(place)

    threads = [
        threading.Thread(target=work, args=(place, observer), daemon=True)
        for place, observer in enumerate(observers)
    ]
    for thread in threads:
        thread.start()
    running = len(threads)
    try:
        while running:
            try:
                item = finished.get(timeout=turn)
            except queue.Empty:
                yield None
                continue
            if item is None:
                running -= 1
            elif isinstance(item, BaseException):
                raise item
            else:
                yield item
    finally:
        over.set()


def _work(
    plan: Plan,
    observer: Observer,
    references: References,
    reach: Callable[[int], None],
    stop: threading.Event,
) -> Iterable[FinishedUnit]:
    """Observe all jobs of one runtime, those of references a few cases ahead of the others'.

    The first job of all that are left, in this order, waits for none: no runtime waits for ever.
    """
    mine = [
        (place - AHEAD * (implementation.id == planned.reference.id), planned, implementation, precision)
        for place, planned in enumerate(plan.cases)
        for implementation in planned.hosted
        if implementation.runtime == observer.runtime
        for precision in planned.precisions
    ]
    mine.sort(key=lambda item: item[0])
    for place, planned, implementation, precision in mine:
        reach(place)
        job = Job(
            case=planned.case, fixture=planned.fixture, implementation=implementation, precision=precision
        )
        refusal = _refusal(observer, job)
        chained = _safe(observer.chained, job) if refusal is None else job.failed(refusal)
        refusal = refusal or _lacks_precision(chained)
        if implementation.id == planned.reference.id:
            fed = chained if refusal is None else _stand_in(observer, job, chained)
            references.give(planned, precision, fed)
            # Everything of the reference is run twice: its values must not change.
            reference, known = chained, None
        else:
            reference, known = references.take(planned, precision), chained
        upstream = reference if refusal is not None else _safe(observer.upstream, job, reference)
        yield FinishedUnit(
            planned=planned,
            implementation=implementation,
            precision=precision,
            refusal=refusal,
            chained=chained,
            isolated=chained if refusal is not None else _safe(observer.isolated, job, upstream, known),
            reference=reference,
            upstream=upstream,
        )


def _stand_in(observer: Observer, job: Job, failed: Observed) -> Observed:
    """Return the reference's float32 values, rounded, for others to be compared with if it lacks bfloat16."""
    if job.precision is not Precision.BFLOAT16:
        return failed
    rounded = msgspec.structs.replace(
        job.fixture, samples={sample: job.inputs(sample) for sample in job.fixture.samples}
    )
    single = msgspec.structs.replace(job, fixture=rounded, precision=Precision.FLOAT32)
    if _refusal(observer, single) is not None:
        return failed
    return rounded_to_bfloat16(_safe(observer.chained, single))


def _refusal(observer: Observer, job: Job) -> Failure | None:
    try:
        return observer.refusal(job)
    except Stopped:
        raise
    except Exception as error:
        return fault_of_ours(error)


def _lacks_precision(chained: Observed) -> Failure | None:
    """Why a file has no stage in a precision that its runtime has, which only the file could tell."""
    first = next(iter(chained.values()), None)
    if not isinstance(first, Failure) or first.verdict is not Verdict.UNSUPPORTED:
        return None
    return first if all(each == first for each in chained.values()) else None


def _safe(observe: Callable[..., Observed], job: Job, *given: Observed | None) -> Observed:
    """Observe a job; an unexpected error ends this job only."""
    try:
        return observe(job, *given)
    except Stopped:
        raise
    except Exception as error:
        return job.failed(fault_of_ours(error))
