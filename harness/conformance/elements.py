"""One verdict on one array: dtype, shape, and every element against what it should be."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from harness.conformance.declared_kinds import as_numbers, is_plain, misplaced, with_words
from harness.conformance.judgement import Judgement
from harness.model import (
    ANY_DIMENSIONS,
    Array,
    ErrorStats,
    Kind,
    Precision,
    Tolerance,
    Truth,
    Value,
    Verdict,
    dimensions,
)
from harness.model.outcome import NOTHING_DUE
from harness.numerics import compare, tolerance
from harness.numerics.formats import BFLOAT16, complex_dtype, narrowed
from harness.numerics.truth import compare_to_truth, without

KINDS = {"float": "f", "complex": "c", "int": "iu", "bool": "b", "text": "U", "date": "i", "time": "i"}

WIDER = ": numbers made inside a stage, by np.arange or np.zeros say, need the dtype of its inputs"
"""The most frequent reason why a stage returns more digits than its inputs have."""

LENIENT = "; lenient = true takes whole numbers"

Sizes = Mapping[str, int]
"""The sizes of the symbols of a case's shapes, in one sample."""


def judge_arrays(
    ours: Array,
    theirs: Array | Truth,
    value: Value,
    rule: Tolerance | float | Array,
    precision: Precision,
    sizes: Sizes,
    left_out: int = 0,
) -> Judgement:
    """Compare an array with what is expected: another array by a rule or limit, or the truth by its own.

    ``left_out`` elements of another array do not differ, and are not counted.
    """
    problem = misfit(ours, value, precision, sizes)
    due = None if isinstance(theirs, Truth) else misfit(theirs, value, precision, sizes)
    if problem is None and due is not None:
        return Judgement(verdict=Verdict.NOT_RUN, reason=f"{NOTHING_DUE}{due}", compared=ours.size)
    shape = theirs.high.shape if isinstance(theirs, Truth) else theirs.shape
    if problem is None and ours.shape != shape:
        problem = f"shape {_shape(ours.shape)} where {_shape(shape)} is expected"
    if problem is not None:
        return Judgement(verdict=Verdict.FAIL, reason=problem, compared=ours.size)
    if not isinstance(theirs, Truth) and (why := misplaced(ours, theirs, value)):
        return Judgement(verdict=Verdict.FAIL, reason=why, compared=ours.size)
    if isinstance(theirs, Truth):
        truth_comparison = compare_to_truth(ours, theirs, precision)
        judged = verdict_of(truth_comparison.stats, truth_comparison.limit, value, exact=False)
        notes = [
            judged.reason,
            f"outside of the range that the branches span in {counted(truth_comparison.outside)},"
            f" first at {_index(truth_comparison.first_outside)}"
            if truth_comparison.outside and theirs.gap is None
            else f"on no branch of {theirs.why} in {counted(truth_comparison.outside)},"
            f" first at {_index(truth_comparison.first_outside)}"
            if truth_comparison.outside
            else "",
            f"{counted(truth_comparison.undecided)} not judged: {theirs.why}"
            if truth_comparison.undecided
            else "",
            f"{without_limit(truth_comparison.unlimited, ours.size, theirs.why)}; compared coarsely"
            if truth_comparison.unlimited
            else "",
        ]
        return msgspec.structs.replace(
            judged,
            reason="; ".join(filter(None, notes)),
            worst=theirs.worst,
            ulp_error=truth_comparison.ulp_error,
            ulp_of_stage=truth_comparison.ulp_of_stage,
            compared=_compared(ours, value, sizes) - truth_comparison.unlimited,
            undecided=truth_comparison.undecided,
            why=theirs.why if truth_comparison.undecided else "",
        )
    if ours.dtype != theirs.dtype and value.dtype == "int":
        common = common_integers(ours, theirs)
        if common is None:
            reason = f"no integer type has both {_range(ours)} and {_range(theirs)}, what is expected"
            return Judgement(verdict=Verdict.FAIL, reason=reason, compared=ours.size)
        ours, theirs = common
    returned, due_values = ours, theirs
    if not is_plain(value):
        ours, theirs = as_numbers(ours, theirs)
    if isinstance(rule, Tolerance):
        limit, exact = tolerance.limit(rule, theirs, precision), rule.rule == "exact"
    else:
        limit, exact = rule, False
    stats = without(compared(ours, theirs, limit, value, precision), left_out)
    judged = verdict_of(stats, limit, value, exact=exact)
    if not is_plain(value):
        judged = with_words(judged, returned, due_values, value)
    return msgspec.structs.replace(judged, compared=_compared(ours, value, sizes) - left_out)


def _compared(array: Array, value: Value, sizes: Sizes) -> int:
    """How much was compared: elements; where there are none, a size that is a result and no input's."""
    if array.size or not any(isinstance(size, str) and size not in sizes for size in value.shape):
        return array.size
    return 1


def compared(
    ours: Array, theirs: Array, limit: float | Array, value: Value, precision: Precision
) -> ErrorStats:
    """Compare two arrays in the steps of the precision; bfloat16 is stored as float32 between workers."""
    if precision is Precision.BFLOAT16 and value.dtype == "float":
        return compare(narrowed(ours), narrowed(theirs), limit=limit, dtype=BFLOAT16)
    return compare(ours, theirs, limit=limit)


def common_integers(ours: Array, theirs: Array) -> tuple[Array, Array] | None:
    """Both arrays of integers in int64 or uint64, with the same values; None if neither has them all."""
    for dtype in (np.int64, np.uint64):
        info = np.iinfo(dtype)
        if all(
            not array.size or (int(array.min()) >= info.min and int(array.max()) <= info.max)
            for array in (ours, theirs)
        ):
            return ours.astype(dtype), theirs.astype(dtype)
    return None


def places(count: int) -> str:
    """How many places: ``1 place``, ``2 places``."""
    return f"{count} place{'' if count == 1 else 's'}"


def verdict_of(stats: ErrorStats, limit: float | Array, value: Value, *, exact: bool) -> Judgement:
    """PASS or FAIL by the numbers, with what is wrong with them."""
    reasons = [
        f"{stats.beyond} of {counted(stats.count)} beyond the limit, first at {_index(stats.first_beyond)}"
        if stats.beyond
        else "",
        f"NaN in {places(stats.nan_mismatch)} on one side only" if stats.nan_mismatch else "",
        f"infinities differ in {places(stats.inf_mismatch)}" if stats.inf_mismatch else "",
        f"NaN in {places(stats.nan_both)} where the case expects none"
        if stats.nan_both and not value.nan
        else "",
        f"the sign of zero differs in {places(stats.zero_sign_mismatch)}, and the stage is exact"
        if stats.zero_sign_mismatch and exact
        else "",
    ]
    reason = "; ".join(filter(None, reasons))
    return Judgement(
        verdict=Verdict.FAIL if reason else Verdict.PASS,
        reason=reason,
        stats=stats,
        limit=_largest(limit),
    )


def _largest(limit: float | Array) -> float:
    if not isinstance(limit, np.ndarray):
        return float(limit)
    return float(limit.max()) if limit.size else 0.0


def misfit(array: Array, value: Value, precision: Precision, sizes: Sizes) -> str | None:
    """What is wrong with an array's dtype or shape; None if nothing is."""
    wanted = _dtype_of(value.dtype, precision)
    if wanted is not None and array.dtype != wanted:
        named = precision.value if value.dtype == "float" else wanted
        wider = array.dtype.kind == np.dtype(wanted).kind and array.dtype.itemsize > np.dtype(wanted).itemsize
        what = LENIENT if array.dtype.kind in "iu" else WIDER if wider else ""
        return f"dtype {_named(array)} where {named} is expected{what}"
    kinds = "i" if value.missing and value.dtype in ("int", "bool") else KINDS[value.dtype]
    if array.dtype.kind not in kinds:
        lenient = array.dtype.kind == "f" and value.dtype == "int" and not value.missing
        return f"dtype {_named(array)} where {value.dtype} is expected{LENIENT if lenient else ''}"
    more = sizes.get(ANY_DIMENSIONS, max(0, array.ndim - len(value.shape) + 1))
    count = len(value.shape) + (more - 1 if ANY_DIMENSIONS in value.shape else 0)
    shape = dimensions(value.shape, count) or ()
    due = tuple([size if isinstance(size, int) else sizes.get(size) for size in shape])
    if array.shape != due and (
        len(array.shape) != len(due)
        or any(known is not None and size != known for size, known in zip(array.shape, due, strict=True))
    ):
        named = ", ".join(
            str(name) if known is None or name == known else f"{name}={known}"
            for name, known in zip(shape, due, strict=True)
        )
        return f"shape {_shape(array.shape)} where ({named}) is expected"
    return None


def without_limit(elements: int, whole: int, why: str) -> str:
    """Say why elements have no limit, if the reason is no comparison."""
    verb = "has" if elements == 1 else "have"
    return f"{elements} of {counted(whole)} {verb} no limit: {why}"


def counted(elements: int) -> str:
    """A number of elements."""
    return f"{elements} element{'s' if elements != 1 else ''}"


def _named(array: Array) -> str:
    """The name of an array's dtype."""
    names = array.dtype.names
    return names[0] if names else str(array.dtype)


@functools.cache
def _dtype_of(kind: Kind, precision: Precision) -> np.dtype[Any] | None:
    """Return the expected dtype; None if any of its kind is allowed."""
    if kind == "complex":
        return complex_dtype(precision.numpy_dtype)
    return np.dtype(precision.numpy_dtype) if kind == "float" else None


def _range(array: Array) -> str:
    return f"{array.min()} to {array.max()}"


def _shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def _index(index: tuple[int, ...] | None) -> str:
    return f"[{', '.join(map(str, index or ()))}]"
