"""NaN and poles of exact operands: they have no true value, and the reference's value is expected."""

from __future__ import annotations

import msgspec
import numpy as np

from harness.model import Array, Failure, Truth
from harness.oracle.unknown import names_no_number


def with_no_numbers(
    truth: Truth | Failure, theirs: Array | Failure, ours: Array | Failure
) -> Truth | Failure:
    """True values, with what the reference has where exact operands give NaN or a pole.

    Parameters
    ----------
    truth : Truth or Failure
        Elements without a true value are undecided in it. Where rounding decides on the way whether they are
        numbers, they stay so.
    theirs, ours : ndarray or Failure
        The output of the reference, and of who is judged. The sign of zero may decide to which infinity a
        pole leads: either is expected. Of a complex number everything that is not finite is.

    Returns
    -------
    Truth or Failure
        NaN and infinities are no longer undecided.
    """
    if isinstance(truth, Failure) or isinstance(theirs, Failure) or truth.undecided is None:
        return truth
    if not names_no_number(truth.why) or theirs.shape != truth.high.shape or theirs.dtype.kind not in "fc":
        return truth
    undecided = truth.undecided.astype(bool)
    due = undecided & ~np.isfinite(theirs)
    if truth.reach is not None:
        due &= np.isnan(truth.reach)
    if not due.any():
        return truth
    values = other_pole(theirs, ours)
    left = undecided & ~due
    high = np.where(due, values, truth.high).astype(truth.high.dtype)
    low, limit = (np.where(due, 0.0, part) for part in (truth.low, truth.limit))
    return msgspec.structs.replace(
        truth,
        high=high,
        low=low,
        limit=limit,
        undecided=left if left.any() else None,
        reach=truth.reach if left.any() else None,
        unlimited=truth.unlimited if left.any() else None,
        why=truth.why if left.any() else "",
    )


def other_pole(theirs: Array, ours: Array | Failure) -> Array:
    """The reference's values, with the other infinity where that is what somebody else has."""
    if isinstance(ours, Failure) or ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return theirs
    if theirs.dtype.kind == "c":
        either = ~np.isfinite(ours) & ~np.isfinite(theirs)
    else:
        either = np.isinf(ours) & np.isinf(theirs)
    put: Array = np.where(either, ours, theirs)
    return put
