"""Gives units to Dask workers that can run them, and takes the answers, each once.

A unit is bound to one Dask worker, so that Dask never repeats it by itself: what is lost with its worker is
given to another once, and then is an ERROR.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from harness.cluster.archive import Archive
from harness.cluster.connect import in_words
from harness.cluster.crew import Crew, Job, Member
from harness.cluster.sessions import run_units, stop_units
from harness.cluster.units import Answer, Common, Task
from harness.errors import ClusterError

LOOK = 0.5
"""Seconds after which it is looked who came and went."""

RECONNECT = 15.0
"""Seconds in which a scheduler that went away may come back."""

TOGETHER = 2.0
"""Seconds that small units take together, about: one by one, each would wait for the others' processes."""

MOST = 64
"""So many units are run together at most."""

TRIES = 2
"""So many Dask workers may be lost with a unit."""


Work = Callable[[Common, tuple[Any, ...]], tuple[float, list[Answer]]]
"""Runs some units in a Dask worker: the seconds that it took, and an answer for each."""


class Dispatcher:
    """Runs units on a cluster.

    Parameters
    ----------
    client : distributed.Client
        The connection to the scheduler.
    common : Common
        What the units have in common.
    archive : Archive
        Their suite.
    units : sequence of Unit
        What to run.
    work : callable
        What Dask workers do with some of them.
    wait : float
        Seconds to wait for a Dask worker while there is none that can be used.
    say : callable
        Called with what a user should know: who is not used, who is lost.
    on_wait : callable
        Called while nothing can be run.
    """

    def __init__(
        self,
        client: Any,
        common: Common,
        archive: Archive,
        units: Sequence[Task],
        *,
        work: Work = run_units,
        wait: float,
        say: Callable[[str], None] = lambda text: None,
        on_wait: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.client = client
        self.common = common
        self.units = units
        self.work = work
        self.wait = wait
        self.say = say
        self.on_wait = on_wait
        self._events: queue.SimpleQueue[tuple[Member, Job] | None] = queue.SimpleQueue()
        self.crew = Crew(client, common, archive, lambda: self._events.put(None), say)
        # Heavy units first, so that none is left to one worker at the end; of equal ones, the plan's order.
        order = sorted(range(len(units)), key=lambda place: -units[place].weight)
        self._queues: dict[tuple[str, ...], deque[int]] = {}
        for place in order:
            self._queues.setdefault(units[place].runtimes, deque()).append(place)
        self._rank = {place: rank for rank, place in enumerate(order)}
        self._lost_with: dict[int, list[str]] = {}
        self._seconds = 0.0
        self._answers: deque[tuple[int, Answer]] = deque()
        self._stuck_since: dict[tuple[str, ...], float] = {}
        self._sent = 0
        self._looked = 0.0

    def results(self) -> Iterator[tuple[int, Answer]]:
        """Run all units.

        Yields
        ------
        int, Answer
            Each unit's place and its answer, once, in the order in which they end.

        Raises
        ------
        ClusterError
            No Dask worker came in time that can run anything.
        """
        left = len(self.units)
        while left:
            self._look()
            self._send()
            self._take()
            while self._answers:
                left -= 1
                yield self._answers.popleft()

    def stop(self) -> None:
        """End what is running there: the run was interrupted."""
        futures = [job.future for member in self.crew.members.values() for job in member.jobs]
        with contextlib.suppress(Exception):
            self.client.cancel(futures, force=True)
        with contextlib.suppress(Exception):
            addresses = [member.address for member in self.crew.usable]
            self.client.run(stop_units, self.common.run, workers=addresses, on_error="ignore")

    def _look(self) -> None:
        if time.monotonic() - self._looked < LOOK:
            return
        try:
            gone = self.crew.look()
        except (OSError, TimeoutError, RuntimeError) as error:
            self._scheduler_lost(error)
            return
        finally:
            self._looked = time.monotonic()
        for member in gone:
            self._lost(member)

    def _send(self) -> None:
        """Give every Dask worker that has room a unit, and give up units that nobody can run."""
        now = time.monotonic()
        for runtimes, waiting in self._queues.items():
            if waiting and not self.crew.eligible(runtimes) and not self.crew.is_preparing:
                if now - self._stuck_since.setdefault(runtimes, now) > self.wait:
                    self._give_up(runtimes)
            else:
                self._stuck_since.pop(runtimes, None)
        while True:
            # First those that few can run.
            open_to = {
                runtimes: [member for member in self.crew.eligible(runtimes) if member.has_room]
                for runtimes, waiting in self._queues.items()
                if waiting and (self.crew.has_all(runtimes) or not self.crew.is_preparing)
            }
            choices = [
                (len(self.crew.eligible(runtimes)), self._rank[self._queues[runtimes][0]], runtimes)
                for runtimes, members in open_to.items()
                if members
            ]
            if not choices:
                return
            *_, runtimes = min(choices)
            member = min(open_to[runtimes], key=lambda member: len(member.jobs) / member.slots)
            self._give(member, self._next(self._queues[runtimes]))

    def _next(self, waiting: deque[int]) -> tuple[int, ...]:
        """The units to be run together: fewer towards the end; what was lost with a worker, alone."""
        slots = sum(member.slots for member in self.crew.usable)
        most = min(MOST, len(waiting) // (2 * slots)) if self._seconds else 1
        places, weight = [waiting.popleft()], 0
        while len(places) < most and places[0] not in self._lost_with and waiting[0] not in self._lost_with:
            weight += self.units[places[-1]].weight
            if (weight + self.units[waiting[0]].weight) * self._seconds > TOGETHER:
                break
            places.append(waiting.popleft())
        return tuple(places)

    def _give(self, member: Member, places: tuple[int, ...]) -> None:
        self._sent += 1
        future = self.client.submit(
            self.work,
            self.common,
            tuple(self.units[place] for place in places),
            workers=[member.address],
            pure=False,
            retries=0,
            key=f"harness-unit-{self.common.run}-{self._sent}",
        )
        job = Job(places, future)
        member.jobs.append(job)
        future.add_done_callback(lambda future: self._events.put((member, job)))

    def _take(self) -> None:
        """Wait a moment for an answer, and take all that are there."""
        try:
            event = self._events.get(timeout=LOOK)
        except queue.Empty:
            if not any(member.jobs for member in self.crew.usable):
                self.on_wait("waiting for a Dask worker")
            return
        while True:
            if event is None:
                self._looked = 0.0
            else:
                self._ended(*event)
            try:
                event = self._events.get_nowait()
            except queue.Empty:
                return

    def _ended(self, member: Member, job: Job) -> None:
        if job not in member.jobs:
            # It was lost with its worker, and runs elsewhere.
            return
        if job.future.status == "error":
            member.jobs.remove(job)
            error = job.future.exception(timeout=10)
            self._fail(job, f"{type(error).__name__}: {error}")
            return
        try:
            seconds, answers = job.future.result(timeout=20)
        except (Exception, asyncio.CancelledError):
            # The worker went with it, or the scheduler did: looking tells.
            self._looked = 0.0
            self._look()
            if job in member.jobs:
                member.jobs.remove(job)
                self._again(job, member.address, counts=True)
            return
        member.jobs.remove(job)
        self._answers.extend(zip(job.places, answers, strict=True))
        each = seconds / sum(self.units[place].weight for place in job.places)
        self._seconds = (self._seconds + each) / 2 if self._seconds else each

    def _fail(self, job: Job, reason: str) -> None:
        self._answers.extend((place, Answer(failure=reason)) for place in job.places)

    def _lost(self, member: Member) -> None:
        """Give what a lost Dask worker had to others."""
        jobs, member.jobs = list(member.jobs), []
        with contextlib.suppress(Exception):
            self.client.cancel([job.future for job in jobs], force=True)
        if jobs or member.survey is not None:
            count = sum(len(job.places) for job in jobs)
            again = f"; what it had ({count}) is run elsewhere" if jobs else ""
            self.say(f"the Dask worker {member.address} is lost{again}")
        # The last first: each is put before those that wait.
        for number, job in reversed(list(enumerate(jobs))):
            self._again(job, member.address, counts=number < member.slots)

    def _again(self, job: Job, address: str, *, counts: bool) -> None:
        """Put units first in their queue; one that ran on two workers that were lost is an error."""
        for place in reversed(job.places):
            if counts:
                self._lost_with.setdefault(place, []).append(address)
            lost_with = self._lost_with.get(place, [])
            if len(lost_with) >= TRIES:
                reason = f"the Dask workers that ran it were lost: {' and '.join(lost_with)}"
                self._answers.append((place, Answer(failure=reason)))
            else:
                self._queues[self.units[place].runtimes].appendleft(place)

    def _give_up(self, runtimes: tuple[str, ...]) -> None:
        """Answer for the units that wait for a Dask worker that does not come."""
        if not self.crew.ever:
            refused = "".join(f"\n  {refusal}" for refusal in self.crew.refusals)
            raise ClusterError(
                f"no Dask worker that can be used came within {self.wait:g} s{refused}",
                advice="start some, or let --dask-wait be longer",
            )
        reason = f"no Dask worker with {', '.join(runtimes)} is left"
        waiting = self._queues[runtimes]
        while waiting:
            self._answers.append((waiting.popleft(), Answer(failure=reason)))

    def _scheduler_lost(self, error: BaseException) -> None:
        """Wait for the scheduler to come back; else answer for all that is left."""
        until = time.monotonic() + RECONNECT
        while time.monotonic() < until and self.client.status in ("running", "connecting"):
            self.on_wait("waiting for the Dask scheduler")
            time.sleep(LOOK)
            with contextlib.suppress(Exception):
                if self.client.status == "running" and self.client.nthreads() is not None:
                    # It is another, or has forgotten us: everybody is asked anew.
                    members, self.crew.members = list(self.crew.members.values()), {}
                    for member in members:
                        self._lost(member)
                    return
        reason = f"the Dask scheduler went away: {in_words(error)}"
        self.say(reason)
        for member in self.crew.members.values():
            for job in member.jobs:
                self._fail(job, reason)
            member.jobs = []
        for waiting in self._queues.values():
            while waiting:
                self._answers.append((waiting.popleft(), Answer(failure=reason)))
