"""Rows and columns of large arrays that are so small that a sample's limit would pass anything in them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from harness.conformance.elements import Sizes, judge_arrays
from harness.conformance.judgement import Judgement, far_off
from harness.model import Precision, Value, Verdict
from harness.numerics.size import local_size, sizes_by_axis
from harness.numerics.tolerance import UNIT_ROUNDOFF, rounding_floor

Array = npt.NDArray[Any]

SMALL_ROWS = (
    "true values are known in a sample, whose limit is more than half of the digits of their row or column"
)
"""What is said of elements elsewhere that are in such a row or column."""


def in_small_rows(reference: Array, limit: Array, known: Array) -> Array | None:
    """Mark the elements outside of a sample that are in such a row or column; None if there are none.

    Parameters
    ----------
    reference : ndarray
        The reference's floats, of any shape.
    limit : ndarray
        The limit of every element.
    known : ndarray
        Where true values are known.

    Notes
    -----
    Rows of zeros are not marked: zeros are expected there, within the sample's limit. Nor is anything in a
    vector, whose elements are no measure of how large their errors are.
    """
    if reference.ndim < 2:
        return None
    share = math.sqrt(float(np.finfo(reference.dtype).eps) / 2.0)
    largest = float(limit.max(initial=0.0))
    sizes: list[Array] = [np.asarray(size) for size in sizes_by_axis(reference)]
    if all(size[size > 0].min(initial=np.inf) * share >= largest for size in sizes):
        return None
    around: Array = local_size(reference)
    marks: Array = ~known & (around > 0) & (limit > share * around)
    return marks if marks.any() else None


def judge_small_rows(
    ours: Array,
    theirs: Array,
    marks: Array,
    inputs: Mapping[str, Array],
    *,
    value: Value,
    reference: str,
    precision: Precision,
    sizes: Sizes,
) -> Judgement:
    """Compare marked elements with the reference's, coarsely: in half of the digits of their row or column.

    Parameters
    ----------
    ours, theirs, marks : ndarray
        The output of an implementation and of the reference, in one shape and dtype; the elements to compare.
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

    Returns
    -------
    Judgement
        PASS, FAIL, or NOT_RUN if rounding of the inputs of the rows that differ can explain all of it.
    """
    base = np.where(np.isfinite(theirs), theirs, np.zeros((), theirs.dtype))
    ours, theirs = np.where(marks, ours, base), np.where(marks, theirs, base)
    around: Array = local_size(theirs)
    limit = math.sqrt(UNIT_ROUNDOFF[precision]) * around
    judged = judge_arrays(ours, theirs, value, limit, precision, sizes, marks.size - int(marks.sum()))
    judged = msgspec.structs.replace(judged, compared=marks.size)
    stats = judged.stats
    if judged.verdict is not Verdict.FAIL or stats is None or stats.nan_mismatch or stats.inf_mismatch:
        return judged
    apart: Array = np.abs(ours - theirs)
    beyond: Array = np.asarray(apart > limit)
    if not beyond.any():
        return judged
    if apart[beyond].max() <= rounding_floor(_of_rows(inputs.values(), beyond), precision):
        reason = "the difference is no larger than rounding of the inputs can explain: state a tolerance"
        return msgspec.structs.replace(judged, verdict=Verdict.NOT_RUN, reason=reason)
    share = float((apart[beyond] / around[beyond]).max())
    return far_off(judged, reference, f"{share:.2g} of the largest value of a row or column")


def _of_rows(inputs: Iterable[Array], beyond: Array) -> list[Array]:
    """The inputs; of those that have as many rows as the output, the rows in which something differs."""
    rows: Array = np.asarray(beyond.reshape(len(beyond), -1).any(axis=1))
    return [array[rows] if array.ndim and len(array) == len(rows) else array for array in inputs]
