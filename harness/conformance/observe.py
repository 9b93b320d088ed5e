"""Observing: arrays and failures come back from whoever answers for a runtime, and nothing is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec
import numpy as np

from harness.conformance.judgement import fault
from harness.model import (
    Array,
    Case,
    Failure,
    Fixture,
    Implementation,
    Observation,
    Observed,
    Precision,
    Verdict,
)
from harness.numerics.formats import complex_dtype, nearest_bfloat16

Environment = dict[str, Array]


class Stopped(Exception):
    """The run was interrupted."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation of one case in one precision."""

    case: Case
    fixture: Fixture
    implementation: Implementation
    precision: Precision

    def inputs(self, sample: str) -> Environment:
        """The fixture's arrays for a sample, floats in the run's precision."""
        if self.precision is Precision.BFLOAT16:
            return {
                name: nearest_bfloat16(array) if array.dtype.kind == "f" else array
                for name, array in self.fixture.arrays(sample).items()
            }
        dtypes = {"f": np.dtype(self.precision.numpy_dtype), "c": complex_dtype(self.precision.numpy_dtype)}
        # What is too large for the format is infinite in it.
        with np.errstate(all="ignore"):
            return self._cast(sample, dtypes)

    def _cast(self, sample: str, dtypes: Mapping[str, np.dtype[Any]]) -> Environment:
        return {
            name: array.astype(dtypes.get(array.dtype.kind, array.dtype), copy=False)
            for name, array in self.fixture.arrays(sample).items()
        }

    def failed(self, failure: Failure) -> Observed:
        """The same failure for every stage and sample."""
        return {
            (sample, stage.name): failure for stage in self.case.stages for sample in self.fixture.samples
        }


class Observer(Protocol):
    """Whoever answers for a runtime: its worker, its snapshots, or nobody."""

    @property
    def runtime(self) -> str:
        """The runtime's id."""

    def refusal(self, job: Job) -> Failure | None:
        """Why the job as a whole cannot be observed; None if it can."""

    def chained(self, job: Job) -> Observed:
        """What every stage returns on its own implementation's upstream outputs."""

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """The reference's outputs that `isolated` feeds the stages with, given those of this run."""

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """What every stage returns on the upstream outputs; ``chained`` may answer where both are one."""


class AbsentObserver(msgspec.Struct, frozen=True, kw_only=True):
    """An observer for a runtime that is not there: every job is NOT_RUN."""

    runtime: str
    reason: str

    def refusal(self, job: Job) -> Failure | None:
        """Why the runtime is not there."""
        return Failure(verdict=Verdict.NOT_RUN, reason=self.reason)

    def chained(self, job: Job) -> Observed:
        """An absent runtime returns no values."""
        return {}

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """What the reference returned in this run."""
        return reference

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """An absent runtime returns no values."""
        return {}


def unsupported(job: Job) -> Failure:
    """What a runtime that lacks the job's precision answers."""
    return Failure(
        verdict=Verdict.UNSUPPORTED, reason=f"{job.implementation.runtime} has no {job.precision.value}"
    )


def fault_of_ours(error: Exception) -> Failure:
    """An error that nobody expected, as the failure of what it ended."""
    judged = fault(error)
    return Failure(verdict=Verdict.ERROR, reason=judged.reason, detail=judged.detail)


def rounded_to_bfloat16(observed: Observed) -> Observed:
    """What was observed in float32, rounded."""
    return {
        key: msgspec.structs.replace(
            observation,
            outputs={
                name: nearest_bfloat16(array) if array.dtype.kind == "f" else array
                for name, array in observation.outputs.items()
            },
        )
        if isinstance(observation, Observation)
        else observation
        for key, observation in observed.items()
    }


def outputs_by_sample(observed: Observed) -> dict[str, Environment]:
    """Every value that was observed, by sample and name."""
    found: dict[str, Environment] = {}
    for (sample, _), observation in observed.items():
        values = found.setdefault(sample, {})
        if isinstance(observation, Observation):
            values.update(observation.outputs)
    return found


def outputs_of(observed: Observed, sample: str) -> Environment:
    """Every value that was observed for a sample, by its name."""
    return {
        name: array
        for (at, _), observation in observed.items()
        if at == sample and isinstance(observation, Observation)
        for name, array in observation.outputs.items()
    }
