"""One verdict from the values of one stage over all samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np

from harness.conformance.elements import Sizes, judge_arrays, misfit
from harness.conformance.judgement import Judgement, in_every_sample
from harness.conformance.pooled import Limits
from harness.model import (
    ANY_DIMENSIONS,
    Array,
    Case,
    Failure,
    Fixture,
    Precision,
    Published,
    SampleVerdict,
    Tolerance,
    Truth,
    Value,
    Verdict,
    dimensions,
)
from harness.model.outcome import HARNESS_FAULT, NOTHING_DUE
from harness.numerics.printed import hold_to_print
from harness.numerics.truth import Shares, shares_of

TOGETHER = 1 << 20
"""Elements of all samples up to which these are joined, to be measured at once."""


def sizes_of(case: Case, fixture: Fixture) -> dict[str, Sizes]:
    """Return the size of every symbol of the inputs' shapes, by sample."""
    return {sample: _sizes(case, fixture.arrays(sample)) for sample in fixture.samples}


def _sizes(case: Case, arrays: Mapping[str, Array]) -> Sizes:
    sizes: dict[str, int] = {}
    for value in case.inputs:
        if value.name not in arrays:
            continue
        array = arrays[value.name]
        shape = dimensions(value.shape, array.ndim) or ()
        if ANY_DIMENSIONS in value.shape:
            sizes[ANY_DIMENSIONS] = array.ndim - len(value.shape) + 1
        sizes |= {
            symbol: size for symbol, size in zip(shape, array.shape, strict=True) if isinstance(symbol, str)
        }
    return sizes


def judge_samples(
    samples: tuple[str, ...],
    actual: Callable[[str], Array | Failure],
    expected: Callable[[str], Array | Truth | Failure],
    *,
    value: Value,
    rule: Tolerance | Limits,
    precision: Precision,
    sizes: Mapping[str, Sizes],
) -> Judgement:
    """Compare a value in every sample and keep the worst.

    Parameters
    ----------
    samples : tuple of str
        All of them have to be there.
    actual, expected : callable
        From a sample to the array, or to the reason why there is none. What is expected may be the truth.
    value : Value
        The declared shape and dtype.
    rule : Tolerance or callable
        What decides, unless the truth does: it brings its own limit.
    precision : Precision
        The dtype that floats must have.
    sizes : mapping
        By sample, what the symbols of the shape stand for.

    Returns
    -------
    Judged
        See `in_every_sample`.
    """

    def judge(sample: str) -> Judgement:
        ours, theirs = actual(sample), expected(sample)
        if (none := lacking(ours, theirs)) is not None:
            return none
        assert not isinstance(ours, Failure)
        assert not isinstance(theirs, Failure)
        limit = rule.at(sample) if isinstance(rule, Tolerance) else rule(sample)
        return judge_arrays(ours, theirs, value, limit, precision, sizes[sample])

    return in_every_sample(samples, judge)


def lacking(ours: Array | Failure, theirs: Array | Truth | Failure) -> Judgement | None:
    """Return the judgement if one side has no value; None if both have one."""
    if isinstance(ours, Failure):
        return Judgement(verdict=ours.verdict, reason=ours.reason, detail=ours.detail)
    if isinstance(theirs, Failure) and theirs.reason.startswith(HARNESS_FAULT):
        return Judgement(verdict=Verdict.ERROR, reason=theirs.reason, detail=theirs.detail)
    if isinstance(theirs, Failure):
        reason = f"{NOTHING_DUE}{theirs.reason}"
        return Judgement(verdict=Verdict.NOT_RUN, reason=reason, compared=ours.size)
    return None


def judge_against_truth(
    samples: tuple[str, ...],
    actual: Callable[[str], Array | Failure],
    truth: Callable[[str], Truth | Failure],
    *,
    value: Value,
    precision: Precision,
    sizes: Mapping[str, Sizes],
) -> Judgement:
    """Compare a value of every sample with the true one and keep the worst, as `judge_samples` does.

    Where every element is finite and within its limit, which one look at all samples tells, only those
    samples are measured that used most of their limit.
    """
    given: tuple[Callable[[str], Array | Failure], Callable[[str], Truth | Failure]] = (actual, truth)
    try:
        # A single sample is measured no faster that way.
        several = len(samples) > 1
        most = _most_used(samples, *given, value=value, precision=precision, sizes=sizes) if several else None
    except Exception:
        # The samples are judged one by one to find what is wrong, and where.
        most = None
    chosen, shares = (samples, None) if most is None else most
    judged = judge_samples(
        chosen, *given, value=value, rule=Tolerance(rule="derived"), precision=precision, sizes=sizes
    )
    if shares is None:
        return judged
    measured = {sample_verdict.sample: sample_verdict for sample_verdict in judged.by_sample}
    by_sample = tuple(
        measured.get(sample) or SampleVerdict(sample=sample, verdict=Verdict.PASS, used=used, max_abs=max_abs)
        for sample, used, max_abs in zip(samples, shares.used.tolist(), shares.max_abs.tolist(), strict=True)
    )
    return msgspec.structs.replace(
        judged,
        samples=len(samples),
        compared=shares.size,
        ulp_error=shares.ulp_error,
        ulp_of_stage=shares.ulp_of_stage,
        by_sample=by_sample,
    )


def with_unknown(judged: Judgement, samples: Sequence[str], unknown: Mapping[str, str]) -> Judgement:
    """Return the judgement on samples whose true values are known as one on all: the others are NOT_RUN.

    Parameters
    ----------
    judged : Judgement
        On the known samples; its verdict and numbers stay.
    samples : sequence of str
        All of them.
    unknown : mapping of str to str
        The others, with the reason.
    """
    if not unknown:
        return judged
    by_sample = {sample_verdict.sample: sample_verdict for sample_verdict in judged.by_sample}
    for sample, why in unknown.items():
        by_sample[sample] = SampleVerdict(sample=sample, verdict=Verdict.NOT_RUN, reason=why)
    reasons = [
        f"{why}, {in_samples([name for name in unknown if unknown[name] == why], len(samples))}"
        for why in dict.fromkeys(unknown.values())
    ]
    return msgspec.structs.replace(
        judged,
        samples=len(samples),
        reason="; ".join(filter(None, [judged.reason, *reasons])),
        by_sample=tuple(by_sample[sample] for sample in samples),
    )


def in_samples(some: Sequence[str], count: int) -> str:
    """Say which of so many samples something is about."""
    return f"in sample {some[0]}" if len(some) == 1 else f"in {len(some)} of {count} samples"


def _most_used(
    samples: tuple[str, ...],
    actual: Callable[[str], Array | Failure],
    truth: Callable[[str], Truth | Failure],
    *,
    value: Value,
    precision: Precision,
    sizes: Mapping[str, Sizes],
) -> tuple[tuple[str, ...], Shares] | None:
    arrays: list[Array] = []
    truths: list[Truth] = []
    for sample in samples:
        ours, theirs = actual(sample), truth(sample)
        if isinstance(ours, Failure) or isinstance(theirs, Failure) or not ours.size:
            return None
        if ours.shape != theirs.high.shape or misfit(ours, value, precision, sizes[sample]):
            return None
        if theirs.undecided is not None and theirs.undecided.any():
            return None
        arrays.append(ours)
        truths.append(theirs)
        # Large ones are measured one by one, for they would be copied.
        if sum(array.size for array in arrays) > TOGETHER:
            return None
    if not arrays:
        return None
    shares = shares_of(arrays, truths, precision)
    if shares is None:
        return None
    largest = shares.used.max()
    if largest == 0.0:
        return samples[:1], shares
    return tuple(np.array(samples)[shares.used == largest].tolist()), shares


def judge_printed(array: Array | Failure, published: Published) -> Judgement:
    """Compare one value with published digits."""
    if isinstance(array, Failure):
        return Judgement(verdict=array.verdict, reason=array.reason, detail=array.detail)
    printed_number = hold_to_print(
        published.values, array, decimals=published.decimals, float32=published.float32
    )
    if printed_number.problem:
        return Judgement(verdict=Verdict.FAIL, reason=printed_number.problem, compared=array.size)
    if printed_number.misprints:
        reason = (
            f"{len(printed_number.misprints)} of {printed_number.checked} printed numbers differ,"
            f" first: {printed_number.misprints[0]}"
        )
        return Judgement(verdict=Verdict.FAIL, reason=reason, compared=printed_number.checked)
    return Judgement(
        verdict=Verdict.PASS,
        reason=f"{printed_number.checked} printed numbers",
        compared=printed_number.checked,
    )
