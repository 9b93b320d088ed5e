"""Inputs as samples of a run: judged as `harness run` judges, by true values and limits."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from harness.conformance.answers import with_truth
from harness.conformance.evaluator import Evaluator, OracleAnswer
from harness.conformance.gather import FinishedUnit, gather
from harness.conformance.lookup import value_of
from harness.conformance.observe import Job
from harness.conformance.observed_sides import sides_of
from harness.conformance.oracle import OracleClient
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.sides import Sides
from harness.fuzz.observe import Subject
from harness.model import (
    OF_A_STAGE,
    Array,
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Mode,
    Observed,
    Precision,
    SampleVerdict,
    Value,
    Verdict,
)
from harness.model.outcome import HARNESS_FAULT, NO_ANSWER

OFF = frozenset({Verdict.FAIL, *NO_ANSWER})


class Accusation(msgspec.Struct, frozen=True, kw_only=True):
    """A cell in which an implementation is off, and the verdict of one input in it."""

    sample: str
    implementation: str
    stage: str
    cell: Cell
    verdict: SampleVerdict

    @property
    def place(self) -> tuple[str, str]:
        """Whom it accuses, and where."""
        return self.implementation, self.stage


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a few inputs.

    ``accusations`` are of stages given the reference's values before those on their own, in the graph's
    order. ``undecided`` are inputs of which something could not be judged, ``open`` with whom and at which
    stage no comparison decided all of it; ``alike`` are those on which all
    implementations are off at the same place: the case's algorithm is, not one of them. ``faults`` are the
    harness's own.
    """

    plan: Plan
    evaluator: Evaluator
    items: Mapping[str, tuple[FinishedUnit, OracleAnswer]]
    accusations: tuple[Accusation, ...]
    undecided: frozenset[str]
    open: frozenset[tuple[str, str, str]]
    alike: frozenset[str]
    faults: tuple[str, ...]

    def sides(self, implementation: str) -> Sides:
        """The arrays that the cells of an implementation compare."""
        return sides_of(self.evaluator, *self.items[implementation])

    @property
    def planned(self) -> PlannedCase:
        """The case with these inputs as its samples."""
        return self.plan.cases[0]


class HostObserver:
    """The implementations of one runtime, which stay loaded from run to run."""

    def __init__(self, runtime: str, subjects: Sequence[Subject]) -> None:
        self._runtime = runtime
        self._subjects = {subject.id: subject for subject in subjects}

    @property
    def runtime(self) -> str:
        """The runtime's id."""
        return self._runtime

    def refusal(self, job: Job) -> Failure | None:
        """Why the job cannot be observed."""
        return self._subjects[job.implementation.id].refusal(job)

    def chained(self, job: Job) -> Observed:
        """What the stages return on their own values."""
        return self._subjects[job.implementation.id].chained(job)

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """What the reference returned."""
        return reference

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """What the stages return on the reference's values."""
        return self._subjects[job.implementation.id].isolated(job, upstream, chained)


def judged_case(case: Case, *, exact: bool = False) -> Case:
    """A case as it is judged on drawn inputs: what is stated of the fixture's does not hold for them.

    Limits of floats are derived; published digits, expected values, identities and known divergences are
    left out. With ``exact``, floats of which each bit counts keep that.
    """
    stages = tuple(
        msgspec.structs.replace(stage, outputs=tuple(_anywhere(value, exact) for value in stage.outputs))
        for stage in case.stages
    )
    return msgspec.structs.replace(case, stages=stages, identities=(), known_divergences=(), published=())


def _anywhere(value: Value, exact: bool) -> Value:
    kept = exact and value.tolerance is not None and value.tolerance.rule == "exact"
    rule = None if value.dtype in ("float", "complex") and not kept else value.tolerance
    return msgspec.structs.replace(value, tolerance=rule, expected=None, show=None)


class Judge:
    """Judges inputs of one case.

    Parameters
    ----------
    plan : Plan
        With one case, whose implementations are judged.
    precision : Precision
        In which they run.
    subjects : sequence of Subject
        All implementations, the reference first.
    oracle_client : OracleClient
        True values.
    stop : threading.Event
        Ends it.
    """

    def __init__(
        self,
        plan: Plan,
        precision: Precision,
        subjects: Sequence[Subject],
        oracle_client: OracleClient,
        stop: threading.Event,
    ) -> None:
        (planned,) = plan.cases
        self.subjects = subjects
        self.planned = msgspec.structs.replace(
            planned, case=judged_case(planned.case), precisions=(precision,)
        )
        self.stated = msgspec.structs.replace(self.planned, case=judged_case(planned.case, exact=True))
        self.plan = plan
        self.oracle_client = oracle_client
        self.stop = stop
        self.inputs = 0

    def __call__(self, inputs: Mapping[str, Mapping[str, Array]], *, as_stated: bool = False) -> Judged:
        """Judge inputs by their names; ``as_stated``, where the case says that each bit counts it does."""
        self.inputs += len(inputs)
        ours = self.stated if as_stated else self.planned
        fixture = msgspec.structs.replace(
            ours.fixture, sha256=_digest(inputs), shared={}, samples=dict(inputs), labels={}
        )
        planned = msgspec.structs.replace(ours, fixture=fixture)
        plan = msgspec.structs.replace(self.plan, cases=(planned,))
        evaluator = Evaluator(plan, lambda progress: None)
        by_runtime: dict[str, list[Subject]] = {}
        for subject in self.subjects:
            by_runtime.setdefault(subject.implementation.runtime, []).append(subject)
        observers = [HostObserver(runtime, subjects) for runtime, subjects in by_runtime.items()]
        items = {}
        for item, answer in with_truth(gather(plan, observers, self.stop), self.oracle_client):
            evaluator.judge(item, answer)
            items[item.implementation.id] = (item, answer)
        return self._sorted_out(plan, evaluator, items)

    def _sorted_out(
        self, plan: Plan, evaluator: Evaluator, items: Mapping[str, tuple[FinishedUnit, OracleAnswer]]
    ) -> Judged:
        case = plan.cases[0].case
        order = {stage.name: place for place, stage in enumerate(case.stages)}
        accusations = []
        undecided: set[str] = set()
        left: set[tuple[str, str, str]] = set()
        decided: set[tuple[str, str, str]] = set()
        for cell in evaluator.cells:
            if cell.check not in OF_A_STAGE:
                continue
            for verdict in cell.by_sample:
                at = (verdict.sample, cell.implementation, cell.stage)
                if verdict.verdict is Verdict.NOT_RUN or verdict.undecided:
                    undecided.add(verdict.sample)
                    left.add(at)
                elif cell.check is not Check.REPEAT:
                    decided.add(at)
                if verdict.verdict in OFF and not cell.inherited:
                    accusations.append(
                        Accusation(
                            sample=verdict.sample,
                            implementation=cell.implementation,
                            stage=case.owner(cell.stage).name,
                            cell=cell,
                            verdict=verdict,
                        )
                    )
        # In whatever order they came.
        ids = {subject.id: place for place, subject in enumerate(self.subjects)}
        accusations.sort(
            key=lambda a: (order[a.stage], a.cell.mode is Mode.CHAINED, ids.get(a.implementation, -1))
        )
        accusations = [a for a in accusations if not _rightly_nan(evaluator, items, a)]
        kept, alike = self._without_alike(accusations)
        faults = tuple(
            dict.fromkeys(
                [*evaluator.faults, *(c.reason for c in evaluator.cells if HARNESS_FAULT in c.reason)]
            )
        )
        return Judged(
            plan=plan,
            evaluator=evaluator,
            items=items,
            accusations=tuple(a for a in kept if HARNESS_FAULT not in a.cell.reason),
            undecided=frozenset(undecided),
            open=frozenset((sample, name, case.owner(value).name) for sample, name, value in left - decided),
            alike=alike,
            faults=faults,
        )

    def _without_alike(self, accusations: Sequence[Accusation]) -> tuple[list[Accusation], frozenset[str]]:
        """The accusations less those of all implementations at once, and the inputs of these."""
        accused: dict[tuple[str, str, Mode], set[str]] = {}
        for accusation in accusations:
            at = (accusation.sample, accusation.cell.stage, accusation.cell.mode)
            accused.setdefault(at, set()).add(accusation.implementation)
        everybody = {subject.id for subject in self.subjects}
        # The reference is compared with the truth alone, and with nothing where it is not known.
        all_off = {at for at, names in accused.items() if len(everybody) > 1 and names >= everybody}
        kept = [a for a in accusations if (a.sample, a.cell.stage, a.cell.mode) not in all_off]
        return kept, frozenset(sample for sample, _, _ in all_off)


def _rightly_nan(
    evaluator: Evaluator, items: Mapping[str, tuple[FinishedUnit, OracleAnswer]], accusation: Accusation
) -> bool:
    """Whether the accused has NaN that the case does not expect, and the true value is NaN there too.

    The case does not take such an input.
    """
    item, answer = items[accusation.implementation]
    cell, sample = accusation.cell, accusation.sample
    case = item.planned.case
    value = case.values[cell.stage]
    if value.nan or accusation.verdict.verdict is not Verdict.FAIL:
        return False
    observed = item.isolated if cell.mode is Mode.ISOLATED else item.chained
    returned = value_of(observed, sample, case.owner(cell.stage), value)
    truth = sides_of(evaluator, item, answer).truth(cell, sample)
    if isinstance(returned, Failure) or isinstance(truth, Failure) or returned.dtype.kind not in "fc":
        return False
    nan = np.isnan(returned)
    high = np.asarray(truth.high)
    return high.shape == nan.shape and bool(nan.any()) and bool(np.isnan(high)[nan].all())


def is_coarse(accusation: Accusation) -> bool:
    """Whether no limit is known, so that rounding may explain more than is allowed."""
    return accusation.cell.basis is Basis.COARSE


def _digest(inputs: Mapping[str, Mapping[str, Array]]) -> str:
    whole = hashlib.sha256()
    for sample, arrays in inputs.items():
        for name, array in sorted(arrays.items()):
            whole.update(f"{sample}/{name} {array.dtype} {array.shape} ".encode())
            whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()
