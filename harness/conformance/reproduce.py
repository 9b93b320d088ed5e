"""A stand-alone script that shows one stage of one implementation on what the reference gives it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import msgspec
import numpy as np

from harness.conformance.live import workers
from harness.conformance.lookup import rule_of
from harness.conformance.observe import Job, outputs_of
from harness.conformance.oracle import oracle
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.scripts import Shown, write_script
from harness.conformance.spread import spread
from harness.errors import UsageError
from harness.model import Array, Case, Failure, Implementation, Mode, Observed, Precision, Stage, Truth, Value
from harness.numerics import tolerance
from harness.runtimes.machine import cache_folder
from harness.runtimes.oracle import find_oracle

SUFFIX = {"numpy": ".py", "torch": ".py", "r": ".R", "julia": ".jl"}
"""By runtime, how a script's name ends."""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A script, and what to call it."""

    name: str
    text: str


def reproduce(plan: Plan, case: str, stage: str, implementation: str) -> Script:
    """Write a script for a stage of an implementation, in its language.

    Parameters
    ----------
    plan : Plan
        With this case in one precision and one sample.
    case, stage : str
        The case, and the stage or its output.
    implementation : str
        The implementation whose source is written into the script.

    Returns
    -------
    Script
        It holds the source file, the stage's inputs as the reference returns them, bit for bit, and what is
        due: the true value where the tolerance is derived and the oracle is there, else what the reference
        returns. It ends with 1 if an element is beyond its limit.

    Raises
    ------
    UsageError
        There is no such thing, or no script can be written in its language.
    """
    (planned,) = (one for one in plan.cases if one.case.name == case)
    found = [one for one in planned.implementations if one.id == implementation]
    if not found:
        names = ", ".join(one.id for one in planned.implementations)
        raise UsageError(f"{case} has no implementation {implementation!r}", advice=f"there are: {names}")
    if found[0].runtime not in SUFFIX:
        raise UsageError(
            f"no script can be written for the runtime {found[0].runtime!r}",
            advice=f"it can for {', '.join(SUFFIX)}",
        )
    owner, value = _stage(planned.case, stage)
    (sample,) = planned.fixture.samples
    (precision,) = planned.precisions
    pruned = msgspec.structs.replace(planned, case=_upstream(planned.case, owner))
    observed = _observe(plan, pruned, precision)
    job = Job(
        case=pruned.case, fixture=planned.fixture, implementation=planned.reference, precision=precision
    )
    values = job.inputs(sample) | outputs_of(observed, sample)
    due, limit = _due(pruned, owner, value, precision, observed, values[value.name])
    title = f"{case}, stage {value.name}, {implementation}, sample {sample}, {precision}"
    shown = Shown(
        title=title,
        source=found[0].path.read_text(encoding="utf-8"),
        function=owner.name,
        inputs=tuple((name, values[name]) for name in owner.inputs),
        output=owner.outputs.index(value),
        outputs=len(owner.outputs),
        due=due,
        limit=limit,
    )
    text = write_script(found[0].runtime, shown)
    assert text is not None
    return Script(name=_name(case, value.name, found[0], precision), text=text)


def _name(case: str, stage: str, implementation: Implementation, precision: Precision) -> str:
    parts = [case, stage, implementation.id.replace(".", "_")]
    if precision is not Precision.FLOAT64:
        parts.append(str(precision))
    return "_".join(parts) + SUFFIX[implementation.runtime]


def _stage(case: Case, name: str) -> tuple[Stage, Value]:
    """The stage that has an output, or is, of this name."""
    for stage in case.stages:
        for value in stage.outputs:
            if name == value.name:
                return stage, value
    for stage in case.stages:
        if name == stage.name:
            return stage, stage.outputs[0]
    raise UsageError(f"{case.name} has no stage {name!r}", advice=f"there are: {', '.join(case.values)}")


def _upstream(case: Case, last: Stage) -> Case:
    """The case up to one stage, without what that does not need."""
    wanted = {value.name for value in last.outputs}
    kept = []
    for stage in reversed(case.stages):
        if wanted.intersection(value.name for value in stage.outputs):
            kept.append(stage)
            wanted.update(stage.inputs)
    return msgspec.structs.replace(case, stages=tuple(reversed(kept)))


def _observe(plan: Plan, planned: PlannedCase, precision: Precision) -> Observed:
    """What the reference returns, chained."""
    runtime = planned.reference.runtime
    with workers(plan.registry, {runtime: None}, threading.Event()) as (hosts, absent):
        if runtime in absent:
            raise UsageError(f"the reference cannot run: {absent[runtime].reason}")
        job = Job(
            case=planned.case, fixture=planned.fixture, implementation=planned.reference, precision=precision
        )
        observed = hosts[runtime].chained(job)
    failed = [(stage, one) for (_, stage), one in observed.items() if isinstance(one, Failure)]
    if failed:
        stage, why = failed[0]
        raise UsageError(f"the reference has no value for the stage {stage}: {why.reason}")
    return observed


def _due(
    planned: PlannedCase,
    stage: Stage,
    value: Value,
    precision: Precision,
    observed: Observed,
    reference: Array,
) -> tuple[Array, Array | None]:
    """What should come out, and the largest error of each element."""
    (sample,) = planned.fixture.samples
    rule = rule_of(value).at(sample)
    if rule.rule != "derived":
        limit = np.broadcast_to(np.float64(tolerance.limit(rule, reference)), reference.shape)
        return reference, limit
    alone = msgspec.structs.replace(planned, case=msgspec.structs.replace(planned.case, stages=(stage,)))
    with oracle(find_oracle(), cache_folder(os.environ), threading.Event()) as seer:
        told = spread(seer.truths(alone, precision, Mode.ISOLATED, observed), alone, observed)
    (truth,) = (found for (_, name), found in told.items() if name == value.name)
    if not isinstance(truth, Truth):
        return reference, None
    return truth.high, truth.limit.astype(np.float64)


def write(script: Script, folder: Path) -> Path:
    """Save a script; raises UsageError if it cannot be written."""
    path = folder / script.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(script.text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=path) from error
    return path
