"""Compares outputs with values given as data: an array of the fixture, or a table of printed numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from harness.conformance.elements import judge_arrays
from harness.conformance.faced import facing_or_why
from harness.conformance.judged_part import resolved
from harness.conformance.judgement import Judgement, in_every_sample
from harness.conformance.judging_context import JudgingContext, source_of
from harness.conformance.lookup import value_of
from harness.conformance.observe import Job
from harness.conformance.samples import judge_printed
from harness.model import (
    Array,
    Basis,
    Case,
    Cell,
    Check,
    Expected,
    Failure,
    Fixture,
    Mode,
    Observed,
    Precision,
    Published,
    Tolerance,
    Value,
    Verdict,
)
from harness.numerics import tolerance
from harness.numerics.equivalence import facing

ExpectedValues = Mapping[tuple[str, str], Array | Published | Failure]
"""What is expected, by sample and output; where there is no tolerance, printed digits."""


def expected_values(case: Case, job: Job, observed: Observed) -> ExpectedValues:
    """Return what is expected of every output that has such data, in every sample that has it.

    Parameters
    ----------
    case : Case
        The case.
    job : Job
        The implementation, whose fixture is read in the precision of the run.
    observed : mapping
        What it returned, whose shapes are those of printed numbers.
    """
    outputs = [(stage, value) for stage in case.stages for value in stage.outputs if value.expected]
    found: dict[tuple[str, str], Array | Published | Failure] = {}
    for sample in job.fixture.samples if outputs else ():
        arrays = job.inputs(sample)
        for stage, value in outputs:
            data = value.expected
            assert isinstance(data, Expected)
            if data.array and data.array in arrays:
                array: Array | Failure = arrays[data.array]
                if value.up_to is not None and not isinstance(array, Failure):
                    array = facing_or_why(
                        facing, value.up_to, array, value_of(observed, sample, stage, value)
                    )
                found[sample, value.name] = array
            elif sample in data.printed:
                actual = value_of(observed, sample, stage, value)
                shape = () if isinstance(actual, Failure) else actual.shape
                table = _printed(value, data, sample, shape, job.precision)
                if value.up_to is not None and not isinstance(table, Failure | Published):
                    table = facing_or_why(facing, value.up_to, table, actual)
                found[sample, value.name] = table
    return found


def _printed(
    value: Value, data: Expected, sample: str, shape: tuple[int, ...], precision: Precision
) -> Array | Published | Failure:
    numbers = np.array(data.printed[sample], dtype=object)
    if numbers.size != math.prod(shape):
        reason = f"{data.table} has {numbers.size} numbers of {sample}, and the shape is {shape}"
        return Failure(verdict=Verdict.FAIL, reason=reason)
    texts = numbers.reshape(shape)
    if data.tolerance is not None:
        array: Array = texts.astype(np.float64).astype(precision.numpy_dtype)
        return array
    nested: Any = texts.item() if not shape else _tuples(texts.tolist())
    return Published(stage=value.name, source=data.table, values=nested, sample=sample)


def _tuples(nested: object) -> object:
    return tuple(map(_tuples, nested)) if isinstance(nested, list) else nested


def judge_expected(
    subject: JudgingContext, chained: Observed, fixture: Fixture, values: ExpectedValues
) -> list[Cell]:
    """Compare an implementation's own values with those that are given as data; the reference's, too.

    Printed digits without a tolerance are compared in float64 only.
    """
    cells = []
    for stage in subject.case.stages:
        for value in stage.outputs:
            data = value.expected
            samples = tuple(sample for sample, name in values if name == value.name)
            if not isinstance(data, Expected) or not samples:
                continue
            if data.tolerance is None and subject.precision is not Precision.FLOAT64:
                continue
            actual = {sample: value_of(chained, sample, stage, value) for sample in samples}
            due = {sample: values[sample, value.name] for sample in samples}
            cells.append(
                subject.cell(
                    value.name,
                    Mode.CHAINED,
                    Check.EXPECTED,
                    data.name,
                    _judged(subject, value, data.tolerance, actual, due, fixture),
                    source_of(chained, samples, stage),
                    basis=None if data.tolerance is None else Basis(data.tolerance.basis),
                )
            )
    return cells


def expected_limit(
    rule: Tolerance, expected: Array, sample: str, fixture: Fixture, precision: Precision
) -> float | Array:
    """Return the largest error of each element of what is given as data, in one sample."""
    absolute = resolved(rule.at(sample), fixture.arrays(sample).__getitem__)
    assert isinstance(absolute, Tolerance)
    return tolerance.limit(absolute, expected, precision)


def _judged(
    subject: JudgingContext,
    value: Value,
    rule: Tolerance | None,
    actual: Mapping[str, Array | Failure],
    due: Mapping[str, Array | Published | Failure],
    fixture: Fixture,
) -> Judgement:
    def judge(sample: str) -> Judgement:
        ours, theirs = actual[sample], due[sample]
        if isinstance(ours, Failure):
            return Judgement(verdict=ours.verdict, reason=ours.reason, detail=ours.detail)
        if isinstance(theirs, Failure):
            return Judgement(verdict=theirs.verdict, reason=theirs.reason)
        if isinstance(theirs, Published):
            return judge_printed(ours, theirs)
        assert rule is not None
        at = rule.at(sample)
        limit = at if not at.of else expected_limit(rule, theirs, sample, fixture, subject.precision)
        judged = judge_arrays(ours, theirs, value, limit, subject.precision, subject.sizes[sample])
        if at.rule != "digits" or judged.stats is None:
            return judged
        note = f"{_digits(judged.stats.max_rel)} significant digits agree"
        return msgspec.structs.replace(judged, reason="; ".join(filter(None, [judged.reason, note])))

    return in_every_sample(actual, judge)


def _digits(relative: float) -> str:
    """The logarithm of the relative error, as a number of digits: McCullough's LRE."""
    if relative == 0:
        return "all"
    return f"{max(0.0, -math.log10(relative)):.1f}" if math.isfinite(relative) else "0"
