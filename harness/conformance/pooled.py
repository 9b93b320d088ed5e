"""An output in all samples as one array, so that two implementations are compared at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
import numpy as np

from harness.conformance.declared_kinds import is_plain
from harness.conformance.elements import Sizes, compared, misfit, verdict_of
from harness.model import Array, ErrorStats, Failure, Precision, Tolerance, Value, Verdict
from harness.numerics import tolerance

Limits = Callable[[str], Array]
"""From a sample to the largest error that each element may have."""


class Pooled(msgspec.Struct, frozen=True):
    """An output's elements in all samples, the samples' shapes, and how far another may be from it."""

    elements: Array
    shapes: tuple[tuple[int, ...], ...]
    limit: Array


def pool(
    samples: tuple[str, ...],
    side: Callable[[str], Array | Failure],
    *,
    value: Value,
    rule: Tolerance | Limits,
    precision: Precision,
    sizes: Mapping[str, Sizes],
) -> Pooled | None:
    """Join an output of all samples; None if one is missing or of the wrong shape or dtype, or all are empty.

    The arguments are those of `samples.judge_samples`, of one side.
    """
    if not is_plain(value):
        return None
    arrays: list[Array] = []
    shapes: list[tuple[int, ...]] = []
    limits: list[Array] = []
    for sample in samples:
        array = side(sample)
        if isinstance(array, Failure) or misfit(array, value, precision, sizes[sample]):
            return None
        if arrays and array.dtype != arrays[0].dtype:
            return None
        limit = (
            tolerance.limit(rule.at(sample), array, precision)
            if isinstance(rule, Tolerance)
            else rule(sample)
        )
        if isinstance(limit, np.ndarray) and limit.shape != array.shape:
            return None
        arrays.append(array.ravel())
        shapes.append(array.shape)
        limits.append(limit.ravel() if isinstance(limit, np.ndarray) else np.full(array.size, limit))
    if not any(array.size for array in arrays):
        return None
    return Pooled(_joined(arrays), tuple(shapes), _joined(limits))


def _joined(arrays: list[Array]) -> Array:
    """Join vectors; a single one is not copied."""
    return np.concatenate(arrays) if len(arrays) > 1 else arrays[0]


def agreement(
    left: Pooled | None, right: Pooled | None, *, value: Value, rule: Tolerance | Limits, precision: Precision
) -> ErrorStats | None:
    """Compare an output of two implementations: the errors if they agree in every sample, else None.

    `samples.judge_samples` says what is wrong where they do not. The errors are over all samples together,
    and so without indices. The limits are those of the right side.
    """
    if left is None or right is None:
        return None
    if left.shapes != right.shapes or left.elements.dtype != right.elements.dtype:
        return None
    stats = compared(left.elements, right.elements, right.limit, value, precision)
    exact = isinstance(rule, Tolerance) and "exact" in (rule.rule, *(other.rule for other in rule.by_sample))
    if verdict_of(stats, 0.0, value, exact=exact).verdict is not Verdict.PASS:
        return None
    return msgspec.structs.replace(stats, max_abs_index=None, max_rel_index=None, max_ulp_index=None)
