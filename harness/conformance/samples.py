"""One verdict from the values of one stage over all samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np

from harness.model import (
    Array,
    Case,
    ErrorStats,
    Failure,
    Fixture,
    Precision,
    Published,
    Tolerance,
    Truth,
    Value,
    Verdict,
)
from harness.numerics import compare, tolerance
from harness.numerics.printed import hold_to_print
from harness.numerics.truth import Shares, hold, shares_of

KINDS = {"float": "f", "int": "iu", "bool": "b"}

Limits = Callable[[str], Array]
"""From a sample to the largest error that each element may have."""

Sizes = Mapping[str, int]
"""What the symbols of a case's shapes stand for in one sample."""

RANK = {
    Verdict.PASS: 0,
    Verdict.NOT_RUN: 1,
    Verdict.UNSUPPORTED: 1,
    Verdict.FAIL: 2,
    Verdict.TIMEOUT: 3,
    Verdict.ERROR: 3,
}


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What the comparison over all samples came to."""

    verdict: Verdict
    reason: str = ""
    stats: ErrorStats | None = None
    limit: float | None = None
    worst: float | None = None
    ulp_error: float | None = None
    ulp_of_stage: float | None = None
    worst_sample: str = ""
    samples: int = 0
    detail: str = ""


def sizes_of(case: Case, fixture: Fixture) -> dict[str, Sizes]:
    """Return the size of every symbol of the inputs' shapes, by sample."""
    return {
        sample: {
            symbol: size
            for value in case.inputs
            if value.name in (arrays := fixture.arrays(sample))
            for symbol, size in zip(value.shape, arrays[value.name].shape, strict=True)
            if isinstance(symbol, str)
        }
        for sample in fixture.samples
    }


def judge_samples(
    samples: tuple[str, ...],
    actual: Callable[[str], Array | Failure],
    expected: Callable[[str], Array | Truth | Failure],
    *,
    value: Value,
    rule: Tolerance | Limits,
    precision: Precision,
    sizes: Mapping[str, Sizes],
) -> Judged:
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
        The worst sample's verdict, error and limit. Nothing compared is a FAIL.
    """
    worst: Judged | None = None
    compared = 0
    ulps: list[tuple[float | None, float | None]] = []
    for sample in samples:
        ours, theirs = actual(sample), expected(sample)
        if isinstance(ours, Failure):
            judged = Judged(verdict=ours.verdict, reason=ours.reason, worst_sample=sample, detail=ours.detail)
        elif isinstance(theirs, Failure):
            judged = Judged(
                verdict=Verdict.NOT_RUN,
                reason=f"nothing to compare with: {theirs.reason}",
                worst_sample=sample,
            )
        else:
            compared += ours.size
            limit = rule.at(sample) if isinstance(rule, Tolerance) else rule(sample)
            judged = msgspec.structs.replace(
                _judge_arrays(ours, theirs, value, limit, precision, sizes[sample]), worst_sample=sample
            )
            ulps.append((judged.ulp_error, judged.ulp_of_stage))
        if worst is None or _badness(judged) > _badness(worst):
            worst = judged
    if worst is None:
        return Judged(verdict=Verdict.FAIL, reason="nothing was compared: the fixture has no samples")
    if worst.verdict is Verdict.PASS and compared == 0:
        return Judged(verdict=Verdict.FAIL, reason="nothing was compared: every array is empty")
    # The sample that used most of its limit need not be the one with the largest error in ULP.
    return msgspec.structs.replace(
        worst,
        samples=len(samples),
        ulp_error=max((one for one, _ in ulps if one is not None), default=None),
        ulp_of_stage=max((one for _, one in ulps if one is not None), default=None),
    )


def hold_samples(
    samples: tuple[str, ...],
    actual: Callable[[str], Array | Failure],
    truth: Callable[[str], Truth | Failure],
    *,
    value: Value,
    precision: Precision,
    sizes: Mapping[str, Sizes],
) -> Judged:
    """Hold a value of every sample against the truth and keep the worst, as `judge_samples` does.

    Where every element is finite and within its limit, which one look at all samples tells, only those
    samples are measured that used most of their limit.
    """
    given: tuple[Callable[[str], Array | Failure], Callable[[str], Truth | Failure]] = (actual, truth)
    most = _most_used(samples, *given, value=value, precision=precision, sizes=sizes)
    chosen, shares = (samples, None) if most is None else most
    judged = judge_samples(
        chosen, *given, value=value, rule=Tolerance(rule="derived"), precision=precision, sizes=sizes
    )
    if shares is None:
        return judged
    return msgspec.structs.replace(
        judged, samples=len(samples), ulp_error=shares.ulp_error, ulp_of_stage=shares.ulp_of_stage
    )


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
        if ours.shape != theirs.high.shape or _misfit(ours, value, precision, sizes[sample]):
            return None
        arrays.append(ours)
        truths.append(theirs)
    if not arrays:
        return None
    shares = shares_of(arrays, truths)
    if shares is None:
        return None
    largest = shares.used.max()
    if largest == 0.0:
        return samples[:1], shares
    return tuple(np.array(samples)[shares.used == largest].tolist()), shares


def agreement(
    samples: tuple[str, ...],
    left: Callable[[str], Array | Failure],
    right: Callable[[str], Array | Failure],
    *,
    value: Value,
    rule: Tolerance | Limits,
    precision: Precision,
    sizes: Mapping[str, Sizes],
) -> ErrorStats | None:
    """Compare a value of all samples at once: the errors if there is agreement in every sample, else None.

    The arguments are those of `judge_samples`, which says what is wrong where there is none. The errors are
    over all samples together, and so without indices.
    """
    ours, theirs = ([side(sample) for sample in samples] for side in (left, right))
    limits = []
    for sample, one, other in zip(samples, ours, theirs, strict=True):
        if isinstance(one, Failure) or isinstance(other, Failure):
            return None
        if (one.shape, one.dtype) != (other.shape, other.dtype) or _misfit(
            one, value, precision, sizes[sample]
        ):
            return None
        limit = tolerance.limit(rule.at(sample), other) if isinstance(rule, Tolerance) else rule(sample)
        limits.append(np.broadcast_to(limit, one.shape).ravel())
    if not sum(limit.size for limit in limits):
        return None
    stats = compare(_joined(ours), _joined(theirs), limit=np.concatenate(limits))
    exact = isinstance(rule, Tolerance) and rule.rule == "exact"
    if _verdict(stats, 0.0, value, exact=exact).verdict is not Verdict.PASS:
        return None
    return msgspec.structs.replace(stats, max_abs_index=None, max_rel_index=None, max_ulp_index=None)


def _joined(arrays: Sequence[Array | Failure]) -> Array:
    return np.concatenate([array.ravel() for array in arrays if not isinstance(array, Failure)])


def _judge_arrays(
    ours: Array,
    theirs: Array | Truth,
    value: Value,
    rule: Tolerance | Array,
    precision: Precision,
    sizes: Sizes,
) -> Judged:
    problem = _misfit(ours, value, precision, sizes)
    due = None if isinstance(theirs, Truth) else _misfit(theirs, value, precision, sizes)
    if problem is None and due is not None:
        return Judged(verdict=Verdict.NOT_RUN, reason=f"nothing to compare with: {due}")
    shape = theirs.high.shape if isinstance(theirs, Truth) else theirs.shape
    if problem is None and ours.shape != shape:
        problem = f"shape {_shape(ours.shape)} where {_shape(shape)} is due"
    if problem is not None:
        return Judged(verdict=Verdict.FAIL, reason=problem)
    if isinstance(theirs, Truth):
        held = hold(ours, theirs)
        judged = _verdict(held.stats, theirs.limit, value, exact=False)
        return msgspec.structs.replace(
            judged, worst=theirs.worst, ulp_error=held.ulp_error, ulp_of_stage=held.ulp_of_stage
        )
    if ours.dtype != theirs.dtype and value.dtype == "int":
        ours, theirs = ours.astype(np.int64), theirs.astype(np.int64)
    if isinstance(rule, Tolerance):
        limit, exact = tolerance.limit(rule, theirs), rule.rule == "exact"
    else:
        limit, exact = rule, False
    return _verdict(compare(ours, theirs, limit=limit), limit, value, exact=exact)


def _verdict(stats: ErrorStats, limit: float | Array, value: Value, *, exact: bool) -> Judged:
    reasons = [
        f"{stats.beyond} of {stats.count} elements beyond the limit, first at {_index(stats.first_beyond)}"
        if stats.beyond
        else "",
        f"NaN in {stats.nan_mismatch} places on one side only" if stats.nan_mismatch else "",
        f"infinities differ in {stats.inf_mismatch} places" if stats.inf_mismatch else "",
        f"NaN in {stats.nan_both} places where the case expects none"
        if stats.nan_both and not value.nan
        else "",
        f"the sign of zero differs in {stats.zero_sign_mismatch} places, and the stage is exact"
        if stats.zero_sign_mismatch and exact
        else "",
    ]
    reason = "; ".join(filter(None, reasons))
    return Judged(
        verdict=Verdict.FAIL if reason else Verdict.PASS,
        reason=reason,
        stats=stats,
        limit=float(np.max(limit)) if np.size(limit) else 0.0,
    )


def _misfit(array: Array, value: Value, precision: Precision, sizes: Sizes) -> str | None:
    if value.dtype == "float" and array.dtype != np.dtype(precision.value):
        return f"dtype {array.dtype} where {precision.value} is due"
    if array.dtype.kind not in KINDS[value.dtype]:
        return f"dtype {array.dtype} where {value.dtype} is due"
    due = tuple(size if isinstance(size, int) else sizes.get(size) for size in value.shape)
    if len(array.shape) != len(due) or any(
        wanted is not None and size != wanted for size, wanted in zip(array.shape, due, strict=True)
    ):
        named = ", ".join(
            str(name) if wanted is None or name == wanted else f"{name}={wanted}"
            for name, wanted in zip(value.shape, due, strict=True)
        )
        return f"shape {_shape(array.shape)} where ({named}) is due"
    return None


def judge_printed(found: Array | Failure, published: Published) -> Judged:
    """Hold one value to the digits that somebody printed."""
    if isinstance(found, Failure):
        return Judged(verdict=found.verdict, reason=found.reason, detail=found.detail)
    held = hold_to_print(published.values, found, decimals=published.decimals, float32=published.float32)
    if held.problem:
        return Judged(verdict=Verdict.FAIL, reason=held.problem)
    if held.misprints:
        reason = f"{len(held.misprints)} of {held.checked} printed numbers differ, first: {held.misprints[0]}"
        return Judged(verdict=Verdict.FAIL, reason=reason, worst_sample=published.sample, samples=1)
    return Judged(
        verdict=Verdict.PASS,
        reason=f"{held.checked} printed numbers",
        worst_sample=published.sample,
        samples=1,
    )


def _badness(judged: Judged) -> tuple[int, float, float]:
    stats = judged.stats
    return RANK[judged.verdict], *((stats.used, stats.max_ulp) if stats is not None else (np.inf, 0.0))


def _shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def _index(index: tuple[int, ...] | None) -> str:
    return f"[{', '.join(map(str, index))}]" if index is not None else "?"
