"""One chunk of random inputs: every stage of every implementation against the oracle's limits."""

from __future__ import annotations

import queue
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from drawn_inputs import Sizes

from harness.conformance.lookup import rule_of
from harness.conformance.oracle_asker import BITS
from harness.errors import ImplementationError
from harness.model import Array, Case, Implementation, Mode, Precision, Stage, Truth
from harness.numerics.formats import complex_dtype
from harness.numerics.truth import compare_to_truth
from harness.runtimes.oracle_worker import OracleWorker
from harness.runtimes.process import Worker
from harness.runtimes.replies import Loaded

DEADLINE = 600.0
"""Seconds for an answer about a chunk."""

ROUNDED = ("float", "complex")
"""Values that have a true value and a limit; of others every language has to give the same."""


class Place(NamedTuple):
    """Where a limit is."""

    case: str
    implementation: str
    value: str
    mode: Mode
    precision: Precision


class Tally(msgspec.Struct):
    """What came of it: the largest error/limit by place, what was judged, and what was beyond a limit.

    ``inputs`` counts each input once in each precision; ``undecided`` elements were not judged.
    """

    uses: dict[Place, float] = {}
    inputs: int = 0
    arrays: int = 0
    elements: int = 0
    undecided: int = 0
    alarms: list[str] = []

    def add(self, other: Tally) -> None:
        """What came of more."""
        for place, used in other.uses.items():
            self.uses[place] = max(self.uses.get(place, 0.0), used)
        self.inputs += other.inputs
        self.arrays += other.arrays
        self.elements += other.elements
        self.undecided += other.undecided
        self.alarms += other.alarms


class Chunk(NamedTuple):
    """Inputs of one case in one precision, stacked along a first dimension; and the modes to run them in."""

    number: int
    modes: Sequence[Mode]
    sizes: Sizes
    precision: Precision
    arrays: dict[str, Array]


class Subject(msgspec.Struct, frozen=True):
    """A case with its implementations, each with its worker and its file in it; and the stages compared.

    Left out are stages whose tolerance is a number, and outputs that are known to have no derived limit, with
    all that follows from them.
    """

    case: Case
    stages: Sequence[Stage]
    reference: Implementation
    loaded: Mapping[str, tuple[Worker, Loaded]]
    dtypes: Mapping[str, Sequence[str]]

    def call(self, implementation: str, stage: Stage, values: Mapping[str, Array]) -> dict[str, Array]:
        """One stage of one implementation, for every sample.

        Raises
        ------
        ImplementationError
            A sample raises an error, or gives another shape or dtype than most.
        """
        worker, loaded = self.loaded[implementation]
        inputs = [values[name] for name in stage.inputs]
        names = [value.name for value in stage.outputs]
        outputs, others, _ = worker.calls(
            loaded.handle, stage.name, inputs, len(inputs[0]), names=names, deadline=DEADLINE
        )
        for place in others:
            # Alone, it says itself what is wrong.
            alone = [np.asarray(array[place]) for array in inputs]
            worker.call(loaded.handle, stage.name, alone, outputs=len(names), names=names, deadline=DEADLINE)
            raise ImplementationError("samples differ in shape or dtype", kind="value")
        return {
            # A language without scalars gives one element where the case declares no dimension.
            value.name: array.reshape(-1) if value.shape == () and not worker.scalars else array
            for value, array in zip(stage.outputs, outputs, strict=True)
        }


def judge(subject: Subject, chunk: Chunk, oracles: queue.SimpleQueue[OracleWorker]) -> Tally:
    """Everything that there is to judge on one chunk, with an oracle that is free."""
    case, inputs = subject.case, chunk.arrays
    stages = subject.stages
    tally = Tally(inputs=len(next(iter(inputs.values()))))
    upstream = _chained(subject, subject.reference.id, stages, inputs)
    given = {Mode.CHAINED: inputs, Mode.ISOLATED: upstream}
    oracle = oracles.get()
    try:
        truths_by_mode = {
            mode: _truths(oracle, subject, stages, chunk, given[mode], tally) for mode in chunk.modes
        }
    finally:
        oracles.put(oracle)
    for name in subject.loaded:
        if chunk.precision.value not in subject.dtypes[name]:
            continue
        for mode, (kept, truths) in truths_by_mode.items():
            try:
                if mode is Mode.CHAINED:
                    values = _chained(subject, name, stages, inputs)
                else:
                    values = _isolated(subject, name, stages, upstream)
            except ImplementationError as error:
                tally.alarms.append(f"{_where(case, chunk)}: {name} raised {error}")
                continue
            for value, truth in truths.items():
                place = Place(case.name, name, value, mode, chunk.precision)
                _hold(tally, place, chunk, values[value][kept], truth)
            if mode is Mode.ISOLATED and name != subject.reference.id:
                for value in _whole(stages):
                    place = Place(case.name, name, value, mode, chunk.precision)
                    _equal(tally, place, chunk, values[value], upstream[value])
    return tally


def held_stages(case: Case, without: Collection[str]) -> list[Stage]:
    """The stages of which outputs have to be exact or have a derived limit, in running order.

    Parameters
    ----------
    case : Case
    without : collection of str
        Outputs that are known to have no derived limit.
    """
    lost = set(without)
    kept = []
    for stage in case.stages:
        names = {value.name for value in stage.outputs}
        stated = any(rule_of(value).rule not in ("derived", "exact") for value in stage.outputs)
        if stated or lost & {*names, *stage.inputs}:
            lost |= names
        else:
            kept.append(stage)
    return kept


def _whole(stages: Sequence[Stage]) -> list[str]:
    """Outputs that are integers or truth values, of which every language has to give the same."""
    return [value.name for stage in stages for value in stage.outputs if value.dtype not in ROUNDED]


def _chained(
    subject: Subject, implementation: str, stages: Sequence[Stage], inputs: Mapping[str, Array]
) -> dict[str, Array]:
    values = dict(inputs)
    for stage in stages:
        values |= subject.call(implementation, stage, values)
    return values


def _isolated(
    subject: Subject, implementation: str, stages: Sequence[Stage], upstream: Mapping[str, Array]
) -> dict[str, Array]:
    values: dict[str, Array] = {}
    for stage in stages:
        values |= subject.call(implementation, stage, upstream)
    return values


def _truths(
    oracle: OracleWorker,
    subject: Subject,
    stages: Sequence[Stage],
    chunk: Chunk,
    given: Mapping[str, Array],
    tally: Tally,
) -> tuple[list[int], dict[str, Truth]]:
    """The samples that have a limit at every stage, as all should, and their truths, stacked."""
    arity = {stage.name: len(stage.inputs) for stage in stages}
    handle = oracle.load(subject.reference.path, arity, deadline=DEADLINE).handle
    wanted = [value.name for stage in stages for value in stage.outputs if value.dtype in ROUNDED]
    whole = {stage.name for stage in stages if all(value.dtype not in ROUNDED for value in stage.outputs)}
    kept, parts = [], []
    for sample in range(len(next(iter(given.values())))):
        reply = oracle.truth(
            handle,
            {name: np.asarray(array[sample]) for name, array in given.items()},
            stages=stages,
            wanted=wanted,
            feed=given is chunk.arrays,
            bits=BITS[chunk.precision],
            balls=False,
            deadline=DEADLINE,
        )
        values = reply.values
        missing = {name: why for name, why in reply.problems.items() if name not in whole}
        if missing:
            tally.alarms.append(f"{_where(subject.case, chunk)}, sample {sample}: no limit: {missing}")
        else:
            kept.append(sample)
            parts.append(values)
    truths = {}
    for name in wanted if kept else ():
        high, low, _, worst, limit = (
            np.stack(part) for part in zip(*(values[name] for values in parts), strict=True)
        )
        undecided = np.isnan(limit)
        truths[name] = Truth(
            high=high,
            low=low,
            limit=np.where(undecided, 0.0, limit),
            worst=float(worst.max(initial=0.0)),
            undecided=undecided if undecided.any() else None,
        )
    return kept, truths


def _where(case: Case, chunk: Chunk) -> str:
    return f"{case.name} {chunk.precision}, chunk {chunk.number} {dict(chunk.sizes)}"


def _hold(tally: Tally, place: Place, chunk: Chunk, actual: Array, truth: Truth) -> None:
    where = f"{', '.join(place)}: chunk {chunk.number} {dict(chunk.sizes)}"
    dtype = place.precision.numpy_dtype
    due = complex_dtype(dtype) if truth.high.dtype.kind == "c" else np.dtype(dtype)
    if actual.shape != truth.high.shape or actual.dtype != due:
        tally.alarms.append(f"{where}: {actual.dtype}{actual.shape} where {truth.high.shape} is expected")
        return
    comparison = compare_to_truth(actual, truth)
    stats = comparison.stats
    tally.add(
        Tally(
            uses={place: stats.used or 0.0},
            arrays=len(actual),
            elements=actual.size - comparison.undecided,
            undecided=comparison.undecided,
        )
    )
    if stats.beyond:
        tally.alarms.append(f"{where}, first at {stats.first_beyond}: {stats.used:.3f} of the limit")


def _equal(tally: Tally, place: Place, chunk: Chunk, actual: Array, due: Array) -> None:
    tally.add(Tally(uses={place: 0.0}, arrays=len(due), elements=due.size))
    if not np.array_equal(actual, due):
        where = f"{', '.join(place)}: chunk {chunk.number} {dict(chunk.sizes)}"
        tally.alarms.append(
            f"{where}: {int(np.sum(actual != due))} of {due.size} elements are not the reference's"
        )
