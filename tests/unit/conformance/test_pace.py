"""Runtimes of a plan stay together, and what nobody takes any more is not held."""

from __future__ import annotations

import threading
import time

import msgspec
import pytest

from harness.conformance import pace
from harness.conformance.gather import gather
from harness.conformance.observe import Job, Stopped
from harness.conformance.pace import Pace, References
from harness.conformance.plan import PlannedCase
from harness.model import Failure, Observed
from tests.unit.conformance.finished_units import FLOAT64, case, observed, plan, planned

ONE = observed(a=1, b=2)


def cases(count: int, *names: str) -> tuple[PlannedCase, ...]:
    return tuple(planned(*names, of=case(name=f"c{number:03d}")) for number in range(count))


class Instant:
    """Observes at once, and notes the cases."""

    def __init__(self, runtime: str, wait: threading.Event | None = None) -> None:
        self.runtime = runtime
        self.wait = wait
        self.seen: list[str] = []

    def refusal(self, job: Job) -> Failure | None:
        return None

    def chained(self, job: Job) -> Observed:
        if self.wait is not None:
            self.wait.wait()
        self.seen.append(job.case.name)
        return ONE

    def upstream(self, job: Job, reference: Observed) -> Observed:
        return reference

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        return ONE


def test_a_fast_runtime_is_no_more_than_so_far_ahead_of_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "FAR", 20)
    go = threading.Event()
    fast, slow = Instant("numpy"), Instant("r", go)
    items = gather(plan(*cases(100, "numpy", "r")), [fast, slow], threading.Event())
    assert next(items).implementation.id == "numpy"
    until = time.monotonic() + 20
    while len(fast.seen) < 20:
        assert time.monotonic() < until
        time.sleep(0.01)
    time.sleep(0.3)
    # References are eight cases ahead of the others.
    assert len(fast.seen) <= 20 + 8 + 1
    go.set()
    assert len(list(items)) == 199
    assert (len(fast.seen), len(slow.seen)) == (100, 100)


def test_references_in_two_runtimes_do_not_wait_for_each_other() -> None:
    whole = tuple(
        msgspec.structs.replace(
            of, reference=next(each for each in of.implementations if each.id == ("numpy", "r")[place % 2])
        )
        for place, of in enumerate(cases(40, "numpy", "r"))
    )
    items = list(gather(plan(*whole), [Instant("numpy"), Instant("r")], threading.Event()))
    assert len(items) == 80


def test_the_order_is_that_of_the_cases() -> None:
    whole = cases(30, "numpy", "numpy.second")
    only = Instant("numpy")
    items = list(gather(plan(*whole), [only], threading.Event()))
    ends = [item.planned.case.name for item in items if item.implementation.id == "numpy.second"]
    assert ends == sorted(ends)
    # When a case ends, no more than eight others have begun.
    begun = [item.planned.case.name for item in items]
    assert max(begun.index(f"c{n + 9:03d}") - begun.index(f"c{n:03d}") for n in range(21)) <= 2 * 9


def test_a_thread_that_waits_ends_with_the_run() -> None:
    stop = threading.Event()
    far = Pace(2, stop)
    stop.set()
    with pytest.raises(Stopped):
        far.reach(0, 1000)
    with pytest.raises(Stopped):
        References(plan(*cases(1, "numpy", "r")), stop).take(cases(1, "numpy", "r")[0], FLOAT64)


def test_what_has_left_is_waited_for_no_more() -> None:
    far = Pace(2, threading.Event())
    far.leave(1)
    far.reach(0, 1000)


def test_what_all_have_taken_is_forgotten() -> None:
    of = planned("numpy", "r", "julia")
    references = References(plan(of), threading.Event())
    references.give(of, FLOAT64, ONE)
    assert references.take(of, FLOAT64) is ONE
    assert references._values
    assert references.take(of, FLOAT64) is ONE
    assert not references._values
    alone = planned("numpy")
    references = References(plan(alone), threading.Event())
    references.give(alone, FLOAT64, ONE)
    assert not references._values
