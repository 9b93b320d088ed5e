"""Calls the reference on the outputs of an implementation's own stages."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from harness.conformance.coarse import judge_coarse
from harness.conformance.elements import Sizes, judge_arrays
from harness.conformance.hosts import workers
from harness.conformance.judgement import Judgement
from harness.conformance.live import LiveHost, observe_stage
from harness.conformance.lookup import rule_of, value_of
from harness.conformance.observe import Environment, Job, outputs_of, rounded_to_bfloat16
from harness.conformance.plan import PlannedCase
from harness.model import Absent, Array, Failure, Observed, Precision, Stage, Value, Verdict
from harness.runtimes.registry import Registry

OwnInputs = Callable[[str, Sequence[str]], dict[str, Judgement]]
"""From an output and samples of it to how each compares with the reference on the same inputs."""


class ReferenceClient:
    """Workers for references, each started when it is first asked: most runs need none.

    The run's own worker is used by another thread, or is absent if snapshots are replayed.
    """

    def __init__(self, registry: Registry, stop: threading.Event, stack: contextlib.ExitStack) -> None:
        self._registry = registry
        self._stop = stop
        self._stack = stack
        self._started: dict[str, LiveHost | Absent] = {}

    def call(self, job: Job, stage: Stage, inputs: dict[str, Environment]) -> Observed:
        """What one stage of the job's implementation returns on these inputs, by sample."""
        host = self._host(job.implementation.runtime)
        if isinstance(host, Absent):
            return job.failed(Failure(verdict=Verdict.NOT_RUN, reason=host.reason))
        refusal = host.refusal(job)
        if refusal is None:
            return observe_stage(host, job, stage, inputs)
        if job.precision is not Precision.BFLOAT16:
            return job.failed(refusal)
        single = msgspec.structs.replace(job, precision=Precision.FLOAT32)
        return rounded_to_bfloat16(self.call(single, stage, inputs))

    def _host(self, runtime: str) -> LiveHost | Absent:
        if runtime not in self._started:
            hosts, absent = self._stack.enter_context(workers(self._registry, [runtime], self._stop))
            self._started |= {**hosts, **absent}
        return self._started[runtime]


@contextlib.contextmanager
def reference_on_demand(registry: Registry, stop: threading.Event) -> Iterator[ReferenceClient]:
    """A client whose workers end when the context is left."""
    with contextlib.ExitStack() as stack:
        yield ReferenceClient(registry, stop, stack)


def judge_on_own_inputs(
    client: ReferenceClient,
    planned: PlannedCase,
    precision: Precision,
    sizes: dict[str, Sizes],
    chained: Observed,
) -> OwnInputs:
    """Compare an implementation's chained outputs with the reference's on the same inputs.

    Parameters
    ----------
    client : ReferenceClient
        Calls the reference.
    planned : PlannedCase
        The case and its fixture.
    precision : Precision
        That of the run.
    sizes : dict
        By sample, what the symbols of shapes stand for.
    chained : mapping
        What the implementation returned.

    Returns
    -------
    callable
        From an output and samples to a judgement of each: by the stated tolerance, else coarsely. It is
        NOT_RUN, with the reason, where the reference gave no value.
    """
    case = planned.case
    job = Job(case=case, fixture=planned.fixture, implementation=planned.reference, precision=precision)
    known: dict[tuple[str, str], Observed] = {}

    def inputs_of(stage: Stage, sample: str) -> Environment:
        available = job.inputs(sample) | outputs_of(chained, sample)
        return {name: available[name] for name in stage.inputs if name in available}

    def judged(name: str, samples: Sequence[str]) -> dict[str, Judgement]:
        stage, value = case.owner(name), case.values[name]
        inputs = {sample: inputs_of(stage, sample) for sample in samples}
        asked = {sample: inputs[sample] for sample in samples if (sample, stage.name) not in known}
        if asked:
            observed = client.call(job, stage, asked)
            known.update({(sample, stage.name): observed for sample in asked})
        return {
            sample: _judged(
                value_of(chained, sample, stage, value),
                value_of(known[sample, stage.name], sample, stage, value),
                inputs[sample],
                sample=sample,
                value=value,
                reference=case.reference,
                precision=precision,
                sizes=sizes[sample],
            )
            for sample in samples
        }

    return judged


def _judged(
    ours: Array | Failure,
    theirs: Array | Failure,
    inputs: Environment,
    *,
    sample: str,
    value: Value,
    reference: str,
    precision: Precision,
    sizes: Sizes,
) -> Judgement:
    if isinstance(ours, Failure):
        return Judgement(verdict=Verdict.NOT_RUN, reason=ours.reason)
    if isinstance(theirs, Failure):
        return Judgement(verdict=Verdict.NOT_RUN, reason=f"{reference}, on its inputs: {theirs.reason}")
    rule = rule_of(value)
    if rule.rule == "derived":
        judged = judge_coarse(
            ours, theirs, inputs, value=value, reference=reference, precision=precision, sizes=sizes
        )
    else:
        judged = judge_arrays(ours, theirs, value, rule.at(sample), precision, sizes)
    stats = judged.stats
    if judged.verdict is not Verdict.FAIL or stats is None:
        return judged
    place = stats.first_beyond if stats.first_beyond is not None else stats.max_abs_index
    if place is None:
        return judged
    reason = (
        f"{reference} gives {_number(theirs[place])} at [{', '.join(map(str, place))}], and this is"
        f" {_number(ours[place])}: {stats.beyond} of {stats.count} elements are off"
    )
    by = f"{reason}, by up to {stats.max_abs:.3g}" if stats.max_abs else reason
    return msgspec.structs.replace(judged, reason=by)


def _number(element: object) -> str:
    return f"{element:.6g}" if isinstance(element, np.inexact) else str(element)
