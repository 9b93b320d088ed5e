"""An implementation that stays loaded, and what one of its stages returns for a batch of inputs."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from harness.conformance.elements import misfit
from harness.conformance.live import LiveHost, observe_chained, observe_isolated
from harness.conformance.loading import Loading
from harness.conformance.observe import Job
from harness.errors import ImplementationError, WorkerError, WorkerTimeout
from harness.model import Array, Failure, Implementation, Observation, Observed, Stage

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

MOST_ALONE = 64
"""Of the inputs of a batch that give something else than most, so many are called one by one."""
LONGER = 5.0
"""Seconds that the last call may take beyond the time that is given."""
PROBES = 3
"""Inputs that are tried where a batch gave nothing at all."""


class TimeIsUp(Exception):
    """No time is left to wait for an answer."""


class StageValues(msgspec.Struct, frozen=True, kw_only=True):
    """What one stage returned, for some inputs of a batch, whose places are ``places``.

    ``stacks`` have the outputs along the first dimension, as they are declared. ``odd`` are inputs with
    something else: no values, or values of another shape or dtype; by their position in ``places``.
    ``unseen`` are those that nobody looked at; ``elsewhere`` those whose size is another where it is the
    stage's own to choose: they belong into stacks of their own.
    """

    places: Places
    stacks: Mapping[str, Array]
    odd: Mapping[int, Observation | Failure]
    unseen: frozenset[int] = frozenset()
    elsewhere: frozenset[int] = frozenset()

    @property
    def usual(self) -> Mask:
        """Which inputs have their values in the stacks."""
        mask = np.ones(len(self.places), dtype=bool)
        mask[[*self.odd, *self.unseen, *self.elsewhere]] = False
        return mask if self.stacks else np.zeros_like(mask)


class Subject:
    """An implementation that stays loaded in its worker. Any thread may call it, one after the other."""

    def __init__(
        self, implementation: Implementation, host: LiveHost, job: Job, lock: threading.RLock
    ) -> None:
        self.implementation = implementation
        self.host = host
        self.job = job
        self.loading = Loading(host, job)
        # That of the host: its worker may serve several implementations.
        self.lock = lock
        self.crashes = 0
        # Batches of which some call did not end in time.
        self.timeouts = 0

    @property
    def id(self) -> str:
        """The implementation's."""
        return self.implementation.id

    def refusal(self, job: Job) -> Failure | None:
        """Why it cannot run at all."""
        return self.host.refusal(job) or self.loading.lacking()

    def chained(self, job: Job) -> Observed:
        """What its stages return on its own values."""
        with self.lock:
            found = observe_chained(self.host, job, self.loading)
            self._renew()
            return found

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """What its stages return on the reference's values."""
        with self.lock:
            found = observe_isolated(self.host, job, upstream, chained, self.loading)
            self._renew()
            return found

    def stage(
        self,
        stage: Stage,
        places: Places,
        given: Mapping[str, Array],
        sizes: Mapping[str, int],
        *,
        by_size: bool = False,
        until: float = math.inf,
    ) -> StageValues:
        """One stage for some inputs of a batch.

        Parameters
        ----------
        stage : Stage
            Of the case.
        places : ndarray of int
            The inputs' places in the batch.
        given : mapping of str to ndarray
            What the stage takes, along the first dimension for each place.
        sizes : mapping of str to int
            Those of the batch.
        by_size : bool
            Whether inputs with a result of another size than most are left for a batch of their own.
        until : float
            When the time is up, as `time.perf_counter` has it.

        Raises
        ------
        TimeIsUp
            It is.
        """
        count = len(places)
        with self.lock:
            self._be_in_time(until)
            batched = self.takes_batches(stage)
            stacks, others, crashed = self._batch(stage, given, count)
            odd: dict[int, Observation | Failure] = {}
            if stacks and self._problem(stage, stacks, sizes):
                # Alike, and not what is declared: each shows it.
                for place in set(range(count)) - set(others):
                    outputs = {name: stack[place, ...] for name, stack in stacks.items()}
                    odd[place] = Observation(outputs=outputs, seconds=0.0)
                stacks = {}
            elsewhere = frozenset(others if by_size and batched and len(others) < count else ())
            alone = [place for place in others if place not in elsewhere]
            most = count if not batched else PROBES if len(others) == count and not crashed else MOST_ALONE
            for place in alone[:most]:
                self._be_in_time(until)
                before = self.crashes
                odd[place] = self._alone(stage, given, place)
                if self.crashes > before and batched:
                    break
        unseen = frozenset(place for place in alone if place not in odd)
        if not batched or crashed:
            stacks, odd, other = self._together(stage, odd, count, sizes)
            if by_size:
                elsewhere |= other.keys()
            else:
                odd |= other
        return StageValues(places=places, stacks=stacks, odd=odd, unseen=unseen, elsewhere=elsewhere)

    def _be_in_time(self, until: float) -> None:
        """Have no call last longer than the time that is left, and a little more."""
        left = until - time.perf_counter()
        if left <= 0.0:
            raise TimeIsUp
        # In whole seconds: what follows from a case is kept for each.
        limit = min(self.job.case.timeout, (left if left == math.inf else math.ceil(left)) + LONGER)
        if limit != self.loading.job.case.timeout:
            case = msgspec.structs.replace(self.job.case, timeout=limit)
            self.loading.job = msgspec.structs.replace(self.job, case=case)

    def _alone(self, stage: Stage, given: Mapping[str, Array], place: int) -> Observation | Failure:
        found = self.loading.call(stage, [_one(given, name, place) for name in stage.inputs])
        self._renew()
        return found

    def _renew(self) -> None:
        """Load the file again after its worker has ended, however often it did."""
        if self.loading.deaths:
            self.crashes += self.loading.deaths
            self.loading = Loading(self.host, self.job)

    def takes_batches(self, stage: Stage) -> bool:
        """Whether many inputs of a stage can be sent at once."""
        return self.loading.takes_batches(stage)

    def _batch(
        self, stage: Stage, given: Mapping[str, Array], count: int
    ) -> tuple[dict[str, Array], list[int], bool]:
        """The outputs for all inputs, those that have to be called alone, and whether the worker ended."""
        if not self.takes_batches(stage):
            return {}, list(range(count)), False
        try:
            return *self.loading.calls(stage, [given[name] for name in stage.inputs], count), False
        except ImplementationError:
            return {}, list(range(count)), False
        except WorkerError as error:
            # One of the inputs ended it: alone, that one does so again.
            self.crashes += 1
            self.timeouts += isinstance(error, WorkerTimeout)
            return {}, list(range(count)), True

    def _problem(self, stage: Stage, stacks: Mapping[str, Array], sizes: Mapping[str, int]) -> str | None:
        precision = self.loading.job.precision
        problems = (misfit(stacks[v.name][0, ...], v, precision, sizes) for v in stage.outputs)
        return next((problem for problem in problems if problem), None)

    def _together(
        self,
        stage: Stage,
        odd: dict[int, Observation | Failure],
        count: int,
        sizes: Mapping[str, int],
    ) -> tuple[dict[str, Array], dict[int, Observation | Failure], dict[int, Observation]]:
        """Stacks of what was called one by one; what is not as declared; and what has another size."""
        precision = self.loading.job.precision
        alike = {
            place: found
            for place, found in odd.items()
            if isinstance(found, Observation)
            and not any(misfit(found.outputs[v.name], v, precision, sizes) for v in stage.outputs)
        }
        rest = {place: found for place, found in odd.items() if place not in alike}
        if not alike:
            return {}, rest, {}
        first = next(iter(alike.values()))
        stacks = {}
        other: dict[int, Observation] = {}
        for value in stage.outputs:
            form = first.outputs[value.name]
            stack = np.zeros((count, *form.shape), form.dtype)
            for place, found in list(alike.items()):
                array = found.outputs[value.name]
                if array.shape != form.shape or array.dtype.kind != form.dtype.kind:
                    other[place] = alike.pop(place)
                else:
                    stack[place] = array
            stacks[value.name] = stack
        return stacks, rest, other


def has_nan(stack: Array) -> Mask:
    """Which of the arrays along the first dimension have a NaN."""
    if stack.dtype.kind not in "fc":
        return np.zeros(len(stack), dtype=bool)
    return np.asarray(np.isnan(stack).reshape(len(stack), -1).any(axis=1))


def _one(given: Mapping[str, Array], name: str, place: int) -> Array | None:
    return given[name][place, ...] if name in given else None
