"""NaN or infinity that rounding alone made on one side, beside a number on the other: they accuse nobody."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from harness.model import Array, Failure, Truth
from harness.numerics.truth import still_undecided
from harness.oracle.unknown import names_no_number, names_overflow


def on_any_branch(
    ours: Array, theirs: Array, truth: Truth | Failure | None, least: float
) -> tuple[Array, int]:
    """Return an output with the reference's values where a branch of an undecided comparison gives its own.

    So is a number where rounding alone may have made the reference's NaN or infinity. The number of such
    elements is returned too. ``least`` is the least magnitude of a number beside an infinity.
    """
    if not isinstance(truth, Truth) or truth.reach is None or ours.dtype != theirs.dtype:
        return ours, 0
    if not ours.shape == theirs.shape == truth.high.shape:
        return ours, 0
    bounded = still_undecided(ours, truth) & np.isfinite(truth.reach)
    bounded = bounded | made_by_rounding(ours, theirs, truth, least)
    put: Array = np.where(bounded, theirs, ours)
    return put, int(bounded.sum())


def where_true(ours: Array, theirs: Array, truth: Truth | Failure | None) -> tuple[Array, int]:
    """Return an output with the reference's values where it has the true value and the reference lost it."""
    alike = (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
    if not isinstance(truth, Truth) or not alike or ours.shape != truth.high.shape:
        return ours, 0
    marks = is_the_truth(ours, theirs, truth)
    put: Array = np.where(marks, theirs, ours)
    return put, int(marks.sum())


def is_the_truth(ours: Array, theirs: Array, truth: Truth) -> npt.NDArray[np.bool_]:
    """Mark numbers that are the true value, to half its digits, where the reference has NaN or infinity.

    No limit is known there: a number on the way of the reference's formula is beyond the largest, or it
    divides by what rounding may make zero. Another formula may well give the value.
    """
    if ours.dtype.kind != "f" or truth.undecided is None:
        return np.zeros(truth.high.shape, dtype=bool)
    root = float(np.sqrt(np.finfo(str(ours.dtype)).eps))
    with np.errstate(all="ignore"):
        near = np.abs(np.subtract(ours, truth.high)) <= root * np.abs(truth.high)
    marks = truth.undecided.astype(bool) & ~np.isfinite(theirs) & (truth.high != 0) & near
    return np.asarray(marks, dtype=bool)


def made_by_rounding(ours: Array, theirs: Array, truth: Truth, least: float) -> npt.NDArray[np.bool_]:
    """Mark numbers where rounding alone may have made the reference's NaN or infinity.

    Where a number on the way overflows, an infinity in place of its NaN is marked, and NaN in place of its
    infinity; and either in place of its number, which another order of the terms may take beyond the largest.

    Parameters
    ----------
    ours, theirs : ndarray
        The output of an implementation, and of the reference, in the truth's shape.
    truth : Truth
        Its reason tells whether rounding can have made them.
    least : float
        See `least_quotient`: a smaller number is no quotient by what rounding leaves of a zero.
    """
    if names_no_number(truth.why) or truth.undecided is None or truth.reach is None:
        return np.zeros(truth.high.shape, dtype=bool)
    unbounded = truth.undecided.astype(bool) & np.isnan(truth.reach)
    lost = unbounded & ~np.isfinite(theirs)
    marks: npt.NDArray[np.bool_] = lost & np.isfinite(ours) & (np.isnan(theirs) | (np.abs(ours) >= least))
    marks |= is_the_truth(ours, theirs, truth)
    if names_overflow(truth.why):
        # What overflows is infinite, and an infinity less another is NaN: an order of terms gives either.
        marks |= lost & ((np.isnan(theirs) & np.isinf(ours)) | (np.isinf(theirs) & np.isnan(ours)))
        marks |= unbounded & np.isfinite(theirs) & ~np.isfinite(ours)
    return marks
