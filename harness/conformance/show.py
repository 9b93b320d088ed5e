"""What each implementation returns for one stage, for a person to look at."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from harness.conformance.live import workers
from harness.conformance.observe import Job
from harness.conformance.plan import Plan
from harness.model import Array, Case, Failure, Observed, Verdict


def observe_stage(plan: Plan, case: str, stage: str) -> Mapping[str, Mapping[str, Array] | Failure]:
    """Run one case, chained, in the first of its planned precisions, and keep one stage's output.

    Parameters
    ----------
    plan : Plan
        What to choose from.
    case, stage : str
        The names of one of the plan's cases, and of one of its outputs.

    Returns
    -------
    mapping
        By implementation: the arrays by sample, or why there are none.
    """
    (planned,) = (one for one in plan.cases if one.case.name == case)
    runtimes = dict.fromkeys(one.runtime for one in planned.implementations)
    shown: dict[str, Mapping[str, Array] | Failure] = {}
    with workers(plan.registry, runtimes, threading.Event()) as (hosts, absent):
        for one in planned.implementations:
            if one.runtime in absent:
                shown[one.id] = Failure(verdict=Verdict.NOT_RUN, reason=absent[one.runtime].reason)
                continue
            job = Job(
                case=planned.case,
                fixture=planned.fixture,
                implementation=one,
                precision=planned.precisions[0],
            )
            shown[one.id] = _values(hosts[one.runtime].chained(job), planned.case, stage)
    return shown


def _values(observed: Observed, case: Case, name: str) -> Mapping[str, Array] | Failure:
    values: dict[str, Array] = {}
    owner = case.owner(name).name
    for (sample, stage), found in observed.items():
        if stage == owner:
            if isinstance(found, Failure):
                return found
            values[sample] = found.outputs[name]
    return values
