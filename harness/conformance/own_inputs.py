"""Calls the reference on the outputs of an implementation's own stages."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from harness.conformance.coarse import judge_coarsely
from harness.conformance.elements import counted
from harness.conformance.hosts import workers
from harness.conformance.judge import judge_against, judge_truth
from harness.conformance.judged_view import judged_view
from harness.conformance.judgement import RANK
from harness.conformance.judging_context import JudgingContext
from harness.conformance.live import LiveHost, observe_stage
from harness.conformance.lookup import rule_of, value_of
from harness.conformance.observe import Environment, Job, outputs_of, rounded_to_bfloat16
from harness.conformance.plan import PlannedCase
from harness.model import (
    Absent,
    Array,
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Fixture,
    Mode,
    Observation,
    Observed,
    Precision,
    Stage,
    Truth,
    Truths,
    Value,
    Verdict,
)
from harness.runtimes.registry import Registry

OwnTruths = Callable[[PlannedCase, Precision, Stage, Observed, Observed], Truths]
"""The true values of one stage on given inputs: see `OracleClient.on_inputs`."""


class OwnComparison(msgspec.Struct, frozen=True, kw_only=True):
    """How one sample of an output compares with the reference's on the same inputs.

    ``basis`` is that of the weakest limit that decided it, and ``weaker_because`` why it is coarse.
    """

    verdict: Verdict
    reason: str = ""
    basis: Basis | None = None
    weaker_because: str = ""


OwnInputs = Callable[[str, Sequence[str]], dict[str, OwnComparison]]
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


class _Within(threading.Event):
    """Set by itself, or with another event, which stays as it is when this one is set."""

    def __init__(self, outer: threading.Event) -> None:
        super().__init__()
        self._outer = outer

    def is_set(self) -> bool:
        return super().is_set() or self._outer.is_set()


@contextlib.contextmanager
def reference_on_demand(registry: Registry, stop: threading.Event) -> Iterator[ReferenceClient]:
    """A client whose workers end when the context is left."""
    with contextlib.ExitStack() as stack:
        # Its workers end with this run; warm ones go on.
        yield ReferenceClient(registry, _Within(stop), stack)


def judge_on_own_inputs(
    client: ReferenceClient,
    planned: PlannedCase,
    subject: JudgingContext,
    chained: Observed,
    own_truths: OwnTruths | None = None,
) -> OwnInputs:
    """Compare an implementation's chained outputs with the reference on the same inputs.

    Parameters
    ----------
    client : ReferenceClient
        Calls the reference.
    planned : PlannedCase
        The case and its fixture.
    subject : JudgingContext
        The implementation.
    chained : mapping
        What it returned.
    own_truths : callable, optional
        The oracle; without it what has no stated tolerance is compared coarsely.

    Returns
    -------
    callable
        From an output and samples to a comparison of each: as a stage is compared in isolation, by its stated
        tolerance, else with the true values on these inputs, and coarsely where there are none. It is
        NOT_RUN, with the reason, where the reference gave no value.
    """
    case, precision = planned.case, subject.precision
    job = Job(case=case, fixture=planned.fixture, implementation=planned.reference, precision=precision)
    known: dict[tuple[str, str], Observation | Failure] = {}
    truths: dict[tuple[str, str], Truth | Failure] = {}

    def inputs_of(stage: Stage, sample: str) -> Environment:
        available = job.inputs(sample) | outputs_of(chained, sample)
        return {name: available[name] for name in stage.inputs if name in available}

    def ask(stage: Stage, before: Observed, asked: Sequence[str]) -> None:
        observed = client.call(job, stage, {sample: inputs_of(stage, sample) for sample in asked})
        known.update({(sample, stage.name): observed[sample, stage.name] for sample in asked})
        answered = {key: known[key] for key in known if key[1] == stage.name and key[0] in asked}
        answered = {key: value for key, value in answered.items() if isinstance(value, Observation)}
        if own_truths is not None and answered and any(_is_derived(value) for value in stage.outputs):
            taken = {key: value for key, value in before.items() if (key[0], stage.name) in answered}
            truths.update(own_truths(planned, precision, stage, taken, answered))

    def judged(name: str, samples: Sequence[str]) -> dict[str, OwnComparison]:
        stage, value = case.owner(name), case.values[name]
        before = _taken(case, stage, chained, samples)
        if asked := [sample for sample in samples if (sample, stage.name) not in known]:
            ask(stage, before, asked)
        alone = msgspec.structs.replace(subject, case=msgspec.structs.replace(case, stages=(stage,)))
        return {
            sample: _compared(
                alone,
                value,
                sample,
                {(sample, stage.name): chained[sample, stage.name]},
                {
                    **{key: observation for key, observation in before.items() if key[0] == sample},
                    (sample, stage.name): known[sample, stage.name],
                },
                truths,
                planned.fixture,
            )
            for sample in samples
        }

    return judged


def _is_derived(value: Value) -> bool:
    return rule_of(value).rule == "derived"


def _taken(case: Case, stage: Stage, chained: Observed, samples: Sequence[str]) -> Observed:
    """Return what was observed of the stages that a stage takes outputs of."""
    owners = dict.fromkeys(case.owner(name).name for name in stage.inputs if name in case.values)
    keys = [(sample, owner) for sample in samples for owner in owners]
    return {key: chained[key] for key in keys if key in chained}


def _compared(
    subject: JudgingContext,
    value: Value,
    sample: str,
    actual: Observed,
    expected: Observed,
    truths: Truths,
    fixture: Fixture,
) -> OwnComparison:
    """Compare one sample of an output; ``expected`` has what the stage takes as well."""
    (stage,) = subject.case.stages
    reference = subject.case.reference
    ours, theirs = (value_of(observed, sample, stage, value) for observed in (actual, expected))
    if isinstance(ours, Failure):
        return OwnComparison(verdict=Verdict.NOT_RUN, reason=ours.reason)
    if isinstance(theirs, Failure):
        return OwnComparison(verdict=Verdict.NOT_RUN, reason=f"{reference}, on its inputs: {theirs.reason}")
    view = judged_view(subject, actual, expected, truths)
    returned = {(sample, stage.name): view.expected[sample, stage.name]}
    subject, actual = view.subject, view.actual
    cells = [
        *judge_against(subject, Mode.ISOLATED, Check.REFERENCE, actual, returned),
        *judge_truth(subject, Mode.ISOLATED, actual, view.truths, returned),
        *(
            []
            if subject.is_reference
            else judge_coarsely(subject, Mode.ISOLATED, actual, view.expected, view.truths, fixture)
        ),
    ]
    cells = [cell for cell in cells if cell.stage == value.name]
    # Some elements may be compared with the truth, and others coarsely.
    worst = max(cells, key=lambda cell: RANK[cell.verdict])
    weakest = next((cell for cell in cells if cell.basis is Basis.COARSE), worst)
    reason = (
        worst.reason if worst.verdict is not Verdict.FAIL else _difference(worst, ours, theirs, reference)
    )
    return OwnComparison(
        verdict=worst.verdict, reason=reason, basis=weakest.basis, weaker_because=weakest.weaker_because
    )


def _difference(cell: Cell, ours: Array, theirs: Array, reference: str) -> str:
    """Say what the reference gives on the same inputs, and how far off this is."""
    stats = cell.stats
    if stats is None:
        return cell.reason
    place = stats.first_beyond if stats.first_beyond is not None else stats.max_abs_index
    if place is None:
        return cell.reason
    left, right = (_number(array[place], 6) for array in (theirs, ours))
    if left == right:
        left, right = (_number(array[place], 17) for array in (theirs, ours))
    reason = (
        f"{reference} gives {left} at [{', '.join(map(str, place))}], and this is {right}:"
        f" {stats.beyond} of {counted(stats.count)} {'is' if stats.count == 1 else 'are'} off"
    )
    return f"{reason}, by up to {stats.max_abs:.3g}" if stats.max_abs else reason


def _number(element: object, digits: int) -> str:
    return f"{element:.{digits}g}" if isinstance(element, np.inexact) else str(element)
