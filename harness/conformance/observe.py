"""Observations: arrays and failures that an observer returns for a runtime, without any judgement."""

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
        # Numbers beyond the format's range become infinite.
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
    """The source of a runtime's observations: its worker, its snapshots, or none."""

    @property
    def runtime(self) -> str:
        """The runtime's id."""

    def refusal(self, job: Job) -> Failure | None:
        """Why the job as a whole cannot be observed; None if it can."""

    def chained(self, job: Job) -> Observed:
        """Return the outputs of every stage on its own implementation's upstream outputs."""

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """Return the reference's outputs that are the inputs of `isolated`, given those of this run."""

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """Return the outputs of every stage on upstream outputs; ``chained`` is reused for equal ones."""


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
    """Return the failure of a runtime that lacks the job's precision."""
    return Failure(
        verdict=Verdict.UNSUPPORTED, reason=f"{job.implementation.runtime} has no {job.precision.value}"
    )


def fault_of_ours(error: Exception) -> Failure:
    """Return an unexpected error of the harness as a failure."""
    judged = fault(error)
    return Failure(verdict=Verdict.ERROR, reason=judged.reason, detail=judged.detail)


def rounded_to_bfloat16(observed: Observed) -> Observed:
    """Return float32 observations, rounded to bfloat16."""
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
    by_sample: dict[str, Environment] = {}
    for (sample, _), observation in observed.items():
        values = by_sample.setdefault(sample, {})
        if isinstance(observation, Observation):
            values.update(observation.outputs)
    return by_sample


def outputs_of(observed: Observed, sample: str) -> Environment:
    """Every value that was observed for a sample, by its name."""
    return {
        name: array
        for (at, _), observation in observed.items()
        if at == sample and isinstance(observation, Observation)
        for name, array in observation.outputs.items()
    }
