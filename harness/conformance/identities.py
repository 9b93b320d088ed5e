"""Judges identities: two values of one implementation that are mathematically equal."""

from __future__ import annotations

import msgspec
import numpy as np

from harness.conformance.judging_context import Given, JudgingContext, find_value, source_of
from harness.conformance.lookup import truth_of, unknown_samples, value_of
from harness.conformance.samples import judge_against_truth, judge_samples, with_unknown
from harness.model import (
    Array,
    Basis,
    Cell,
    Check,
    Failure,
    Mode,
    Observed,
    Precision,
    Stage,
    Truth,
    Truths,
    Value,
    Verdict,
)
from harness.numerics.formats import complex_dtype


def judge_identities(subject: JudgingContext, chained: Observed, truths: Truths) -> list[Cell]:
    """Compare the two sides of every identity, in one implementation's own values.

    Where its limit is derived, both sides have the same true values, each within its own limit: they may
    differ by the sum of the two. Samples where those of a side are not known are NOT_RUN.
    """
    samples = tuple(dict.fromkeys(sample for sample, _ in chained))
    cells = []
    for identity in subject.case.identities:
        left, right = (find_value(subject.case, name) for name in (identity.left, identity.right))
        derived = identity.tolerance.rule == "derived"

        def within_both(
            sample: str, side: tuple[Stage, Value] = right, values: tuple[Value, Value] = (left[1], right[1])
        ) -> Truth | Failure:
            array = value_of(chained, sample, *side)
            of_left, of_right = (truth_of(truths, sample, value) for value in values)
            return _within_both(array, of_left, of_right, subject.precision)

        def actual(sample: str, side: tuple[Stage, Value] = left) -> Array | Failure:
            return value_of(chained, sample, *side)

        def expected(sample: str, side: tuple[Stage, Value] = right) -> Array | Failure:
            return value_of(chained, sample, *side)

        given: Given = {"value": left[1], "precision": subject.precision, "sizes": subject.sizes}
        if derived:
            unknown = unknown_samples(
                (sample, truth_of(truths, sample, value))
                for sample in samples
                for value in (right[1], left[1])
            )
            known = tuple(sample for sample in samples if sample not in unknown)
            judged = judge_against_truth(known or samples, actual, within_both, **given)
            judged = with_unknown(judged, samples, unknown) if known else judged
        else:
            judged = judge_samples(samples, actual, expected, rule=identity.tolerance, **given)
        # These marks are of true values, and the right side is none.
        judged = msgspec.structs.replace(judged, ulp_error=None, ulp_of_stage=None)
        if identity.meaning and judged.verdict is Verdict.FAIL:
            judged = msgspec.structs.replace(judged, reason=f"{identity.id}: {judged.reason}")
        cells.append(
            subject.cell(
                identity.left,
                Mode.CHAINED,
                Check.IDENTITY,
                identity.right,
                judged,
                source_of(chained, samples, left[0]),
                basis=Basis.DERIVED if derived else Basis(identity.tolerance.basis),
            )
        )
    return cells


def _within_both(
    array: Array | Failure, left: Truth | Failure, right: Truth | Failure, precision: Precision
) -> Truth | Failure:
    """Return an identity's right side as the expected value of its left one, within the limits of both."""
    for failure in (array, left, right):
        if isinstance(failure, Failure):
            return failure
    assert not isinstance(array, Failure)
    assert isinstance(left, Truth)
    assert isinstance(right, Truth)
    if not left.high.shape == right.high.shape == array.shape or array.dtype not in (
        precision.numpy_dtype,
        complex_dtype(precision.numpy_dtype),
    ):
        reason = f"it is {array.dtype} {array.shape} where {precision.value} {right.high.shape} is expected"
        return Failure(verdict=Verdict.NOT_RUN, reason=reason)
    marks = [truth.undecided for truth in (left, right) if truth.undecided is not None]
    return Truth(
        high=array.astype(left.high.dtype, copy=False),
        low=np.zeros(array.shape),
        limit=np.add(left.limit, right.limit, dtype=np.float64),
        worst=left.worst + right.worst,
        undecided=np.logical_or.reduce(marks) if marks else None,
        why="; ".join(dict.fromkeys(filter(None, (left.why, right.why)))),
    )
