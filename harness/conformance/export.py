"""Makes test vectors of a case: values that any other program can be compared with."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from harness.conformance.coded import encoded, leaf_forms, values_of
from harness.conformance.due import beyond_horizon, due_of_data, due_of_reference, due_of_truth
from harness.conformance.lookup import rule_of, truth_of, value_of
from harness.conformance.observe import Environment, Job, outputs_of
from harness.conformance.observed_sides import observed_sides
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.shown import Due
from harness.conformance.sides import Sides
from harness.errors import UsageError
from harness.model import Array, Basis, Case, Expected, Failure, Mode, Stage, Truth, Value
from harness.model.vector import Vector, Vectors
from harness.store.provenance import file_hash

TRUTH = "truth"
REFERENCE = "reference"


def make_vectors(plan: Plan) -> Vectors:
    """Run the reference of a plan's only case, and return what is expected of every output in every sample.

    Parameters
    ----------
    plan : Plan
        With one case in one precision.

    Raises
    ------
    UsageError
        The reference cannot run here, or the plan has several cases.
    WorkerError
        Its worker crashed or hung.
    """
    if len(plan.cases) != 1:
        names = ", ".join(planned.case.name for planned in plan.cases)
        raise UsageError("vectors are of one case", advice=f"choose one of: {names}")
    planned = plan.cases[0]
    kept = msgspec.structs.replace(planned, implementations=(planned.reference,))
    alone = msgspec.structs.replace(plan, cases=(kept,))
    observed = observed_sides(alone, planned.reference, frozenset())
    return Vectors(
        case=planned.case,
        precision=planned.precisions[0],
        origin={
            "fixture": f"{planned.fixture.name}, version {planned.fixture.version}, sha256"
            f" {planned.fixture.sha256}: {planned.fixture.origin}",
            "licence": planned.fixture.licence,
            "reference": f"{planned.reference.path.name}, sha256 {file_hash(planned.reference.path)}",
        },
        vectors=tuple(_coded(vector, planned.case) for vector in _vectors(planned, observed.sides)),
        complaints=observed.complaints,
    )


def _coded(vector: Vector, case: Case) -> Vector:
    """The vector with texts and what is missing as numbers, and what they stand for."""
    values, forms = values_of(case), leaf_forms(case)
    expected = vector.expected
    return msgspec.structs.replace(
        vector,
        inputs={name: encoded(values.get(name), array) for name, array in vector.inputs.items()},
        forms={name: forms[name] for name in vector.inputs if name in forms},
        form=forms.get(vector.output, ""),
        expected=None if expected is None else encoded(values.get(vector.output), expected),
    )


def _vectors(planned: PlannedCase, sides: Sides) -> Iterator[Vector]:
    job = Job(
        case=sides.case,
        fixture=planned.fixture,
        implementation=planned.reference,
        precision=planned.precisions[0],
    )
    for sample in planned.fixture.samples:
        given: Environment = job.inputs(sample)
        known = given | outputs_of(sides.upstream, sample)
        for stage in sides.case.stages:
            for value in stage.outputs:
                for mode in (Mode.CHAINED, Mode.ISOLATED):
                    names = [i.name for i in sides.case.inputs] if mode is Mode.CHAINED else stage.inputs
                    start = Vector(
                        stage=stage.name,
                        output=value.name,
                        sample=sample,
                        mode=mode,
                        against=TRUTH,
                        basis=Basis.DERIVED,
                        inputs={name: known[name] for name in names if name in known},
                    )
                    yield _of_reference(start, sides, stage, value, job)
                    if isinstance(value.expected, Expected) and mode is Mode.CHAINED:
                        yield _of_data(start, sides, value, job)


def _of_reference(start: Vector, sides: Sides, stage: Stage, value: Value, job: Job) -> Vector:
    """The true values, or the reference's where a tolerance is stated or no truth is known."""
    chained = start.mode is Mode.CHAINED
    theirs = value_of(sides.reference if chained else sides.upstream, start.sample, stage, value)
    rule = rule_of(value).at(start.sample)
    reason = rule.reason
    if rule.rule == "derived":
        truths = sides.chained_truths if chained else sides.isolated_truths
        truth = truth_of(truths, start.sample, value, theirs)
        if isinstance(truth, Truth):
            due, left_out = due_of_truth(truth)
            note = f"true values of {truth.sample}; elsewhere the reference's" if truth.sample else ""
            said = "; ".join(filter(None, [truth.why, note]))
            return _with(start, due, left_out, reason=said)
        reason = truth.reason
    if isinstance(theirs, Failure):
        return msgspec.structs.replace(start, reason=f"the reference has no value: {theirs.reason}")
    coarse = rule.rule == "derived"
    due = due_of_reference(theirs, rule, job.precision, coarse=coarse)
    against = msgspec.structs.replace(
        start, against=REFERENCE, basis=Basis.COARSE if coarse else Basis(rule.basis)
    )
    return _with(against, due, beyond_horizon(theirs.shape, rule.horizon), reason=reason)


def _of_data(start: Vector, sides: Sides, value: Value, job: Job) -> Vector:
    """The expected values that are given as data."""
    data = value.expected
    assert isinstance(data, Expected)
    start = msgspec.structs.replace(start, against=data.name, basis=Basis.STATED)
    expected = sides.data.get((start.sample, value.name))
    if not isinstance(expected, np.ndarray) or data.tolerance is None:
        why = expected.reason if isinstance(expected, Failure) else "digits in print are no array"
        return msgspec.structs.replace(start, reason=why if expected is not None else "not in this sample")
    due = due_of_data(value, expected, start.sample, job.fixture, job.precision)
    rule = data.tolerance.at(start.sample)
    return _with(start, due, beyond_horizon(expected.shape, rule.horizon), reason=rule.reason)


def _with(start: Vector, due: Due, left_out: Array | None, *, reason: str) -> Vector:
    marks = left_out if left_out is not None and left_out.any() else None
    return msgspec.structs.replace(
        start,
        expected=due.high,
        low=due.low if due.low.any() else None,
        limit=due.limit,
        left_out=marks,
        reason=reason,
    )
