"""What implementations return for a batch: the reference along its own chain, all others on its values."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from harness.conformance.elements import misfit
from harness.conformance.live import LiveHost, observe_chained, observe_isolated
from harness.conformance.loading import Loading
from harness.conformance.observe import Job
from harness.errors import ImplementationError, WorkerError
from harness.fuzz.draw import Batch
from harness.model import Array, Failure, Implementation, Observation, Observed, Stage

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

MOST_ALONE = 64
"""Of the inputs of a batch that give something else than most, so many are called one by one."""
PROBES = 3
"""Inputs that are tried where a batch gave nothing at all."""


class StageValues(msgspec.Struct, frozen=True, kw_only=True):
    """What one stage returned, for some inputs of a batch, whose places are ``places``.

    ``stacks`` have the outputs along the first dimension, as they are declared. ``odd`` are inputs with
    something else: no values, or values of another shape or dtype; by their position in ``places``.
    ``unseen`` are those that nobody looked at.
    """

    places: Places
    stacks: Mapping[str, Array]
    odd: Mapping[int, Observation | Failure]
    unseen: frozenset[int] = frozenset()

    @property
    def usual(self) -> Mask:
        """Which inputs have their values in the stacks."""
        mask = np.ones(len(self.places), dtype=bool)
        mask[[*self.odd, *self.unseen]] = False
        return mask if self.stacks else np.zeros_like(mask)


class ReferenceValues(msgspec.Struct, frozen=True, kw_only=True):
    """What the reference returned for a batch.

    ``values`` are inputs and outputs by name; ``sound`` says for which inputs of the batch they are values
    that somebody can be compared with.
    """

    batch: Batch
    stages: Mapping[str, StageValues]
    values: Mapping[str, Array]
    sound: Mapping[str, Mask]

    def inputs(self, stage: Stage) -> tuple[Places, dict[str, Array]]:
        """The places of the inputs that a stage can be run on, and the arrays that it takes."""
        return taken(stage, self.values, self.sound, self.batch.count)


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
        self, stage: Stage, places: Places, given: Mapping[str, Array], sizes: Mapping[str, int]
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
        """
        count = len(places)
        with self.lock:
            batched = self.takes_batches(stage)
            stacks, others, crashed = self._batch(stage, given, count)
            odd: dict[int, Observation | Failure] = {}
            if stacks and self._problem(stage, stacks, sizes):
                # Alike, and not what is declared: each shows it.
                for place in set(range(count)) - set(others):
                    outputs = {name: stack[place, ...] for name, stack in stacks.items()}
                    odd[place] = Observation(outputs=outputs, seconds=0.0)
                stacks = {}
            most = count if not batched else PROBES if len(others) == count and not crashed else MOST_ALONE
            for place in others[:most]:
                before = self.crashes
                odd[place] = self._alone(stage, given, place)
                if self.crashes > before and batched:
                    break
        if not batched:
            stacks, odd = self._together(stage, odd, count, sizes)
        unseen = frozenset(others) - odd.keys() if batched else frozenset()
        return StageValues(places=places, stacks=stacks, odd=odd, unseen=unseen)

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
        except WorkerError:
            # One of the inputs ended it: alone, that one does so again.
            self.crashes += 1
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
    ) -> tuple[dict[str, Array], dict[int, Observation | Failure]]:
        """Stacks of what was called one by one, where it is as declared; and the rest."""
        precision = self.loading.job.precision
        alike = {
            place: found
            for place, found in odd.items()
            if isinstance(found, Observation)
            and not any(misfit(found.outputs[v.name], v, precision, sizes) for v in stage.outputs)
        }
        if not alike:
            return {}, odd
        first = next(iter(alike.values()))
        stacks = {}
        for value in stage.outputs:
            form = first.outputs[value.name]
            stack = np.zeros((count, *form.shape), form.dtype)
            for place, found in list(alike.items()):
                array = found.outputs[value.name]
                if array.shape != form.shape or array.dtype.kind != form.dtype.kind:
                    del alike[place]
                else:
                    stack[place] = array
            stacks[value.name] = stack
        return stacks, {place: found for place, found in odd.items() if place not in alike}


def taken(
    stage: Stage, values: Mapping[str, Array], sound: Mapping[str, Mask], count: int
) -> tuple[Places, dict[str, Array]]:
    """The places at which all that a stage takes is there, and the arrays there."""
    mask = np.ones(count, dtype=bool)
    for name in stage.inputs:
        mask &= sound.get(name, np.zeros(count, dtype=bool))
    places = np.flatnonzero(mask)
    return places, {name: values[name][places] for name in stage.inputs} if places.size else {}


def observe_reference(subject: Subject, stages: Sequence[Stage], batch: Batch) -> ReferenceValues:
    """The reference's values of a batch, stage by stage.

    An input goes no further where the reference raises, returns something that is not declared, or NaN where
    the case expects none.
    """
    values: dict[str, Array] = dict(batch.arrays)
    sound = {name: np.ones(batch.count, dtype=bool) for name in values}
    of_stages = {}
    for stage in stages:
        places, given = taken(stage, values, sound, batch.count)
        if not places.size:
            continue
        found = subject.stage(stage, places, given, batch.sizes)
        of_stages[stage.name] = found
        usual = found.usual
        for value in stage.outputs:
            if not found.stacks:
                continue
            stack = found.stacks[value.name]
            whole = np.zeros((batch.count, *stack.shape[1:]), stack.dtype)
            whole[places] = stack
            mask = np.zeros(batch.count, dtype=bool)
            mask[places] = usual & (value.nan or ~has_nan(stack))
            values[value.name], sound[value.name] = whole, mask
    return ReferenceValues(batch=batch, stages=of_stages, values=values, sound=sound)


def observe_other(
    subject: Subject, stages: Sequence[Stage], reference: ReferenceValues
) -> dict[str, StageValues]:
    """What another implementation returns on the reference's values, by stage."""
    found = {}
    for stage in stages:
        places, given = reference.inputs(stage)
        if places.size:
            found[stage.name] = subject.stage(stage, places, given, reference.batch.sizes)
    return found


def has_nan(stack: Array) -> Mask:
    """Which of the arrays along the first dimension have a NaN."""
    if stack.dtype.kind not in "fc":
        return np.zeros(len(stack), dtype=bool)
    return np.asarray(np.isnan(stack).reshape(len(stack), -1).any(axis=1))


def _one(given: Mapping[str, Array], name: str, place: int) -> Array | None:
    return given[name][place, ...] if name in given else None
