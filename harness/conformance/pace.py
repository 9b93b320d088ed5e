"""What keeps the runtimes of a run together: none is far ahead, and no value is held that all had."""

from __future__ import annotations

import math
import threading

from harness.conformance.observe import Stopped
from harness.conformance.plan import Plan, PlannedCase
from harness.model import Observed, Precision

FAR = 64
"""So many cases may lie between the fastest runtime and the slowest: what was observed of them is held."""

LOOK = 0.2
"""Seconds after which a thread that waits looks whether the run is to end."""


class Pace:
    """How far each of the threads is in a plan.

    Parameters
    ----------
    threads : int
        How many there are.
    stop : threading.Event
        Ends the waiting.
    """

    def __init__(self, threads: int, stop: threading.Event) -> None:
        self._stop = stop
        self._at = [-math.inf] * threads
        self._moved = threading.Condition()

    def reach(self, thread: int, place: int) -> None:
        """Go on to a place in the plan, once no other thread is far behind it.

        Raises
        ------
        Stopped
            The run is to end.
        """
        with self._moved:
            before, self._at[thread] = self._at[thread], place
            if place != before:
                self._moved.notify_all()
            while place - min(self._at) > FAR and place >= FAR:
                if self._stop.is_set():
                    raise Stopped
                self._moved.wait(LOOK)

    def leave(self, thread: int) -> None:
        """Have nobody wait for a thread that has ended."""
        with self._moved:
            self._at[thread] = math.inf
            self._moved.notify_all()


class References:
    """What the references of a plan returned, for those who are fed with it.

    Parameters
    ----------
    plan : Plan
        Says how many take each.
    stop : threading.Event
        Ends the waiting.
    """

    def __init__(self, plan: Plan, stop: threading.Event) -> None:
        self._stop = stop
        self._waiting = {planned.case.name: len(planned.hosted) - 1 for planned in plan.cases}
        self._left: dict[tuple[str, Precision], int] = {}
        self._values: dict[tuple[str, Precision], Observed] = {}
        self._given = threading.Condition()

    def give(self, planned: PlannedCase, precision: Precision, observed: Observed) -> None:
        """Have all others take what the reference returned."""
        name = planned.case.name
        if self._waiting[name]:
            with self._given:
                self._left[name, precision] = self._waiting[name]
                self._values[name, precision] = observed
                self._given.notify_all()

    def take(self, planned: PlannedCase, precision: Precision) -> Observed:
        """What the reference returned, when it is there; it is forgotten when the last one has it.

        Raises
        ------
        Stopped
            The run is to end.
        """
        of = planned.case.name, precision
        with self._given:
            while of not in self._values:
                if self._stop.is_set():
                    raise Stopped
                self._given.wait(LOOK)
            self._left[of] -= 1
            if self._left[of]:
                return self._values[of]
            del self._left[of]
            return self._values.pop(of)
