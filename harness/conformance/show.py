"""What each implementation returns for one stage, to be printed."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from harness.conformance.hosts import ended, workers
from harness.conformance.live import LiveHost
from harness.conformance.lookup import value_of
from harness.conformance.observe import Job
from harness.conformance.plan import Plan
from harness.conformance.upstream import stages_for
from harness.model import Absent, Array, Case, Failure, Implementation, Mode, Observed, Verdict

Values = Mapping[str, Array | Failure]
"""An output by sample, or why there is none."""


class Shown(NamedTuple):
    """An output by implementation and sample, and what went wrong with workers between two calls."""

    values: Mapping[str, Values]
    complaints: tuple[str, ...]


def observe_stage(plan: Plan, case: str, stage: str, mode: Mode = Mode.CHAINED) -> Shown:
    """Run one case up to one of its outputs, in the first of its planned precisions.

    Parameters
    ----------
    plan : Plan
        What to choose from.
    case, stage : str
        The names of one of the plan's cases, and of one of its outputs.
    mode : Mode
        On each implementation's own upstream values, or on the reference's.

    Returns
    -------
    Shown
        The output, or why there is none. Where a stage before it failed, that is the reason.
    """
    (planned,) = (planned_case for planned_case in plan.cases if planned_case.case.name == case)
    whole = msgspec.structs.replace(planned.case, stages=stages_for(planned.case, {stage}))
    alone = msgspec.structs.replace(whole, stages=(whole.owner(stage),))

    def job(implementation: Implementation, case: Case) -> Job:
        return Job(
            case=case, fixture=planned.fixture, implementation=implementation, precision=planned.precisions[0]
        )

    wanted = planned.implementations if mode is Mode.CHAINED else planned.hosted
    with workers(
        plan.registry, dict.fromkeys(implementation.runtime for implementation in wanted), threading.Event()
    ) as answering:
        hosts, absent = answering

        def chained(i: Implementation) -> Observed:
            return _observed(hosts, absent, job(i, whole))

        reference = {} if mode is Mode.CHAINED else chained(planned.reference)
        shown: dict[str, Values] = {}
        for implementation in planned.implementations:
            observed = chained(implementation) if mode is Mode.CHAINED else reference
            if mode is Mode.ISOLATED and implementation.id != planned.reference.id:
                # Earlier stages are kept: they show why there is no value.
                observed = {**reference, **_observed(hosts, absent, job(implementation, alone), reference)}
            shown[implementation.id] = {
                sample: _value(observed, whole, sample, stage) for sample in planned.fixture.samples
            }
        return Shown(shown, tuple(ended(hosts.values())))


def _observed(
    hosts: Mapping[str, LiveHost], absent: Mapping[str, Absent], job: Job, fed: Observed | None = None
) -> Observed:
    """Return the outputs of a job's stages, chained, or on the reference's values."""
    name = job.implementation.runtime
    if name in absent:
        return job.failed(Failure(verdict=Verdict.NOT_RUN, reason=absent[name].reason))
    refusal = hosts[name].refusal(job)
    if refusal is not None:
        return job.failed(refusal)
    return hosts[name].chained(job) if fed is None else hosts[name].isolated(job, fed, None)


def _value(observed: Observed, case: Case, sample: str, name: str) -> Array | Failure:
    """Return an output; if it was not run, the failure of the stage that it needs."""
    result = value_of(observed, sample, case.owner(name), case.values[name])
    if not isinstance(result, Failure) or result.verdict is not Verdict.NOT_RUN:
        return result
    for stage in case.stages:
        earlier = observed.get((sample, stage.name))
        if isinstance(earlier, Failure) and earlier.verdict is not Verdict.NOT_RUN:
            reason = f"{result.reason}; in the stage {stage.name}: {earlier.reason}"
            return msgspec.structs.replace(earlier, reason=reason)
    return result
