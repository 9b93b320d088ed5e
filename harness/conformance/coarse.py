"""Comparing with the reference where no limit is known: half of the precision's digits, norm-wise."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from harness.conformance.elements import Sizes, judge_arrays, without_limit
from harness.conformance.judgement import Judgement, far_off, in_every_sample
from harness.conformance.judging_context import JudgingContext, source_of, spent_on
from harness.conformance.lookup import is_decided, is_unknown, rule_of, truth_of, value_of
from harness.conformance.lost_numbers import on_any_branch, where_true
from harness.conformance.no_number import other_pole
from harness.conformance.observe import outputs_of
from harness.conformance.samples import in_samples, lacking
from harness.conformance.small_rows import SMALL_ROWS, judge_small_rows
from harness.model import (
    Array,
    Basis,
    Cell,
    Check,
    Failure,
    Fixture,
    Mode,
    Observed,
    Precision,
    Stage,
    Truth,
    Truths,
    Value,
    Verdict,
)
from harness.numerics.tolerance import (
    UNIT_ROUNDOFF,
    coarse_limit,
    largest,
    least_quotient,
    rounding_floor,
)
from harness.numerics.truth import unlimited_elements
from harness.oracle.free_signs import names_free_signs
from harness.oracle.unknown import names_no_number

SIGNS = (
    "differs, and signs of vectors are free: compare what does not depend on them, such as |R| or Q @ Q.T,"
    " in a stage of its own, or state a tolerance"
)


def judge_coarsely(
    subject: JudgingContext,
    mode: Mode,
    actual: Observed,
    expected: Observed,
    truths: Truths,
    fixture: Fixture,
) -> list[Cell]:
    """Compare values with a derived tolerance with the reference's where the true ones are not known.

    Of a sample in which it is known of some elements, only those without a limit are compared.

    Parameters
    ----------
    subject : JudgingContext
        Not the reference, which would be compared with itself.
    mode : Mode
        That of ``actual``.
    actual, expected : mapping
        What the subject and the reference returned.
    truths : mapping
        The oracle's values; its reasons are those of the cells.
    fixture : Fixture
        The inputs of the case.

    Returns
    -------
    list of Cell
        One for each value that has no truth, or elements without a limit, in some sample; over those samples.
    """
    samples = tuple(dict.fromkeys(sample for sample, _ in actual))
    there = functools.cache(lambda sample: {**fixture.arrays(sample), **outputs_of(expected, sample)})
    sides = _Sides(subject, actual, expected, truths, there)
    cells = []
    for stage in subject.case.stages:
        spent = spent_on(actual, samples, stage)
        for value in stage.outputs:
            if rule_of(value).rule != "derived":
                continue
            if all(is_decided(truths.get((sample, value.name))) for sample in samples):
                continue
            by_sample = {
                sample: truth_of(
                    truths,
                    sample,
                    value,
                    value_of(expected, sample, stage, value),
                    value_of(actual, sample, stage, value),
                )
                for sample in samples
            }
            unlimited = {
                sample: marks
                for sample, truth in by_sample.items()
                if isinstance(truth, Truth) and (marks := unlimited_elements(truth)).any()
            }
            unknown = {
                sample: truth.reason if isinstance(truth, Failure) else truth.why
                for sample, truth in by_sample.items()
                if sample in unlimited or is_unknown(truth)
            }
            if not unknown:
                continue
            judge = functools.partial(_judged, sides, stage, value, _Gaps(unknown, unlimited))
            cells.append(
                subject.cell(
                    value.name,
                    mode,
                    Check.REFERENCE,
                    subject.case.reference,
                    in_every_sample(unknown, judge, numbers=_has_numbers(by_sample, unknown)),
                    source_of(actual, samples, stage),
                    spent,
                    basis=Basis.COARSE,
                    weaker_because="; ".join(_reasons(unknown, unlimited, len(samples))),
                )
            )
    return cells


class _Sides(NamedTuple):
    """What is compared, with what the oracle knows of it; ``there`` gives a sample's inputs and outputs."""

    subject: JudgingContext
    actual: Observed
    expected: Observed
    truths: Truths
    there: Callable[[str], Mapping[str, Array]]


class _Gaps(NamedTuple):
    """Why a value is unknown, by sample, and of which elements if not of all."""

    unknown: Mapping[str, str]
    unlimited: Mapping[str, Array]


def _judged(sides: _Sides, stage: Stage, value: Value, gaps: _Gaps, sample: str) -> Judgement:
    """Compare a value in one sample."""
    subject, (unknown, unlimited) = sides.subject, gaps
    ours = value_of(sides.actual, sample, stage, value)
    theirs = value_of(sides.expected, sample, stage, value)
    if (none := lacking(ours, theirs)) is not None:
        return none
    assert not isinstance(ours, Failure)
    assert not isinstance(theirs, Failure)
    poles = other_pole(theirs, ours) if names_no_number(unknown[sample]) else theirs
    there = sides.there(sample)
    inputs = {name: there[name] for name in stage.inputs if name in there}
    rules: dict[str, Any] = {
        "value": value,
        "reference": subject.case.reference,
        "precision": subject.precision,
        "sizes": subject.sizes[sample],
    }
    if sample in unlimited and SMALL_ROWS in unknown[sample] and _alike(ours, poles):
        return judge_small_rows(ours, poles, unlimited[sample], inputs, **rules)
    compare: Callable[..., Judgement] = functools.partial(judge_coarse, inputs=inputs, **rules)
    truth = sides.truths.get((sample, value.name))
    if sample in unlimited:
        put, undecided = where_true(ours, poles, truth)
        judged = _of_some(put, poles, unlimited[sample], compare)
    else:
        put, undecided = on_any_branch(ours, poles, truth, least_quotient(inputs.values(), subject.precision))
        judged = compare(put, poles, left_out=undecided)
    if undecided and judged.stats is not None:
        judged = msgspec.structs.replace(judged, compared=ours.size, undecided=undecided, why=unknown[sample])
    return _up_to_signs(judged) if names_free_signs(unknown[sample]) else judged


def _of_some(ours: Array, theirs: Array, where: Array, compare: Callable[..., Judgement]) -> Judgement:
    """Return the result of comparing some elements; all others count as equal."""
    if not _alike(ours, theirs) or ours.shape != where.shape:
        return compare(ours, theirs)
    finite = np.where(np.isfinite(theirs), theirs, np.zeros((), theirs.dtype))
    put = (np.where(where, array, finite) for array in (ours, theirs))
    judged = compare(*put, left_out=where.size - int(where.sum()))
    # The others are numbers, and compared with the truth: the output is not NaN alone.
    return msgspec.structs.replace(judged, compared=where.size)


def _has_numbers(by_sample: Mapping[str, Truth | Failure], unknown: Collection[str]) -> bool:
    """Whether a sample that has true values has a number that is compared with one."""
    return any(
        bool((np.isfinite(truth.high) & ~_undecided(truth)).any())
        for sample, truth in by_sample.items()
        if sample not in unknown and isinstance(truth, Truth)
    )


def _undecided(truth: Truth) -> npt.NDArray[np.bool_]:
    none = np.zeros(truth.high.shape, dtype=bool)
    return none if truth.undecided is None else truth.undecided.astype(bool)


def _alike(ours: Array, theirs: Array) -> bool:
    return (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)


def _reasons(unknown: Mapping[str, str], unlimited: Mapping[str, Array], count: int) -> Iterator[str]:
    """Say why samples, or elements of other samples, are compared coarsely; ``count`` samples are all."""
    whole = {sample: reason for sample, reason in unknown.items() if sample not in unlimited}
    for why in dict.fromkeys(whole.values()):
        some = [sample for sample, reason in whole.items() if reason == why]
        yield why if len(whole) == count else f"{why}, {in_samples(some, count)}"
    for why in dict.fromkeys(unknown[sample] for sample in unlimited):
        marks = [mark for sample, mark in unlimited.items() if unknown[sample] == why]
        yield without_limit(sum(int(mark.sum()) for mark in marks), sum(mark.size for mark in marks), why)


def _up_to_signs(judged: Judgement) -> Judgement:
    """Return NOT_RUN for a difference that other signs may explain."""
    stats = judged.stats
    if judged.verdict is not Verdict.FAIL or stats is None or stats.nan_mismatch or stats.inf_mismatch:
        return judged
    return msgspec.structs.replace(judged, verdict=Verdict.NOT_RUN, reason=SIGNS)


def judge_coarse(
    ours: Array,
    theirs: Array,
    inputs: Mapping[str, Array],
    *,
    value: Value,
    reference: str,
    precision: Precision,
    sizes: Sizes,
    left_out: int = 0,
) -> Judgement:
    """Compare one sample of an output with the reference's, without a derived or stated limit.

    Parameters
    ----------
    ours, theirs : ndarray
        The output of an implementation, and of the reference.
    inputs : mapping of str to ndarray
        The inputs of the reference's stage, by name.
    value : Value
        The declared shape and dtype.
    reference : str
        Its id.
    precision : Precision
        That of the run.
    sizes : mapping
        What the symbols of the shape stand for.
    left_out : int
        Elements that do not differ, and are not counted.

    Returns
    -------
    Judged
        PASS within `coarse_limit`. Beyond it FAIL, or NOT_RUN if rounding of the inputs can explain all of
        it: see `rounding_floor`. Whole numbers and booleans have to be equal.
    """
    limit = coarse_limit(theirs, precision)
    judged = judge_arrays(ours, theirs, value, limit, precision, sizes, left_out)
    stats = judged.stats
    if judged.verdict is not Verdict.FAIL or stats is None or theirs.dtype.kind != "f":
        return judged
    if not stats.max_abs > limit:
        # The difference is one of NaN or infinities, without a distance.
        return judged
    mismatches = stats.nan_mismatch or stats.inf_mismatch or (stats.nan_both and not value.nan)
    most, floor = largest(theirs), rounding_floor(inputs.values(), precision)
    # Within a quarter of the digits the problem may be ill-conditioned; what is beyond is no rounding.
    slight = stats.max_abs <= UNIT_ROUNDOFF[precision] ** 0.25 * most
    if not mismatches and stats.max_abs <= floor and (most <= floor or slight):
        what = "the difference is" if slight else f"the values of {reference} and the difference are"
        reason = f"{what} no larger than rounding may leave of products of the inputs: state a tolerance"
        return msgspec.structs.replace(judged, verdict=Verdict.NOT_RUN, reason=reason)
    share = f"{stats.max_abs / most:.2g} of its largest value" if most else f"{stats.max_abs:.2g}"
    return far_off(judged, reference, share)
