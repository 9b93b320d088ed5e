"""Python functions that are called in this process, because no worker can be given their source."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from harness.conformance.observe import Environment, Job, unsupported
from harness.model import Array, Failure, Form, Observation, Observed, Precision, Verdict
from harness.workers.loop import WorkerFault
from harness.workers.python_host import give
from harness.workers.python_source import outputs_of
from harness.workers.values import as_given

RUNTIME = "python"
LANGUAGE = "Python, in this process"


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One function, and whether it takes tensors instead of arrays."""

    function: Callable[..., Any]
    takes_tensors: bool = False

    def observe(
        self, inputs: Sequence[Array], names: Sequence[str], takes: Sequence[Form] = ()
    ) -> Observation | Failure:
        """Call it with copies of the inputs; what it raises is a Failure.

        Parameters
        ----------
        inputs : sequence of ndarray
            In the order of its arguments.
        names : sequence of str
            Of its outputs.
        takes : sequence of Form, optional
            The form of each argument, where one is no array.
        """
        given = [self._given(array) for array in inputs]
        if takes:
            pairs = zip(given, takes, strict=True)
            given = [as_given(array, {"given": form.given}) for array, form in pairs]
        begun = time.perf_counter()
        try:
            value = self.function(*given)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            detail = "".join(traceback.format_exception(error)[-20:])
            return Failure(verdict=Verdict.ERROR, reason=reason, detail=detail)
        seconds = time.perf_counter() - begun
        try:
            arrays = outputs_of(value, names, _array)
        except WorkerFault as fault:
            return Failure(verdict=Verdict.FAIL, reason=fault.message)
        outputs = {name: np.array(array) for name, array in zip(names, arrays, strict=True)}
        return Observation(outputs=outputs, seconds=seconds)

    def _given(self, array: Array) -> Any:
        copy = np.array(array)
        torch = sys.modules.get("torch")
        if self.takes_tensors and torch is not None:
            return torch.from_numpy(copy)
        return copy


class InProcess:
    """What functions returned in this process, as a runtime's observer.

    They are called by the thread that makes this, twice: a run has threads of its own, and not every library
    can be entered from another thread.

    Parameters
    ----------
    calls : mapping of str to Call
        By the implementation's id.
    jobs : sequence of Job
        All jobs of these implementations, of cases with one stage.
    """

    runtime = RUNTIME

    def __init__(self, calls: Mapping[str, Call], jobs: Sequence[Job]) -> None:
        self._observed = {
            _key(job): (
                _observe(calls[job.implementation.id], job),
                _observe(calls[job.implementation.id], job),
            )
            for job in jobs
            if _is_known(job)
        }

    def refusal(self, job: Job) -> Failure | None:
        """UNSUPPORTED where NumPy lacks the precision."""
        return None if _is_known(job) else unsupported(job)

    def chained(self, job: Job) -> Observed:
        """What the first calls returned."""
        return self._observed[_key(job)][0]

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """Return the reference's outputs of this run."""
        return reference

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """What the second calls returned, or the ``chained`` values, where they are given."""
        return self._observed[_key(job)][1] if chained is None else chained


def _is_known(job: Job) -> bool:
    return job.precision is not Precision.BFLOAT16


def _key(job: Job) -> tuple[str, Precision]:
    return job.implementation.id, job.precision


def _observe(call: Call, job: Job) -> Observed:
    (stage,) = job.case.stages
    names = [value.name for value in stage.outputs]
    observed: dict[tuple[str, str], Observation | Failure] = {}
    for sample in job.fixture.samples:
        given: Environment = job.inputs(sample)
        inputs = [given[name] for name in stage.inputs]
        observed[sample, stage.name] = call.observe(inputs, names, stage.takes)
    return observed


def _array(value: object) -> Array:
    detach = getattr(value, "detach", None)
    return give(detach().cpu().numpy() if callable(detach) else value)
