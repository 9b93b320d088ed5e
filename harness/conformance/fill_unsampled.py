"""True values of large arrays are known for some elements; the reference's values replace the others."""

from __future__ import annotations

import msgspec
import numpy as np

from harness.conformance.elements import Sizes
from harness.conformance.lookup import is_undecided
from harness.conformance.observe import outputs_by_sample
from harness.conformance.plan import PlannedCase
from harness.conformance.samples import sizes_of
from harness.conformance.small_rows import SMALL_ROWS, in_small_rows
from harness.model import Array, Failure, Observed, Shape, Truth, Truths, Verdict
from harness.oracle.sampling import counted, sample

ELSEWHERE = 4.0
"""The limit of other elements over the largest known one: twice what two right values may be apart."""


def fill_unsampled(truths: Truths, planned: PlannedCase, upstream: Observed) -> Truths:
    """Return true values in the full shape of their arrays.

    Parameters
    ----------
    truths : mapping
        The oracle's true values.
    planned : PlannedCase
        The case of these values.
    upstream : mapping
        What the reference returned.

    Returns
    -------
    mapping
        Those that cover their array, as they are. Others with the reference's values around them, which count
        as true within `ELSEWHERE` times the largest limit of the sample, more where they are larger than all
        of the sample. Where no element of the sample is decided, nothing is known.
    """
    values = planned.case.values
    sizes = sizes_of(planned.case, planned.fixture)
    references = outputs_by_sample(upstream)
    filled: dict[tuple[str, str], Truth | Failure] = {}
    for (at, name), truth in truths.items():
        reference = references.get(at, {}).get(name)
        shape = _due(values[name].shape, sizes[at]) if reference is None else reference.shape
        if isinstance(truth, Failure) or shape is None or not _is_sample(truth, shape):
            filled[at, name] = truth
        elif is_undecided(truth):
            # Without a limit in the sample nothing is known of the elements around it.
            filled[at, name] = Failure(verdict=Verdict.NOT_RUN, reason=truth.why)
        elif reference is None:
            reason = "the oracle knows a sample of the true values, and there are no others of the reference"
            filled[at, name] = Failure(verdict=Verdict.NOT_RUN, reason=reason)
        else:
            filled[at, name] = _filled(truth, reference)
    return filled


def _due(shape: Shape, sizes: Sizes) -> tuple[int, ...] | None:
    """The declared shape in numbers; None where a symbol is not an input's."""
    due = [size if isinstance(size, int) else sizes.get(size) for size in shape]
    known = tuple(size for size in due if size is not None)
    return known if len(known) == len(due) else None


def _is_sample(truth: Truth, shape: tuple[int, ...]) -> bool:
    if truth.high.shape == shape:
        return False
    lengths = (
        length if places is None else len(places) for length, places in zip(shape, sample(shape), strict=True)
    )
    return truth.high.shape == tuple(lengths)


def _filled(truth: Truth, reference: Array) -> Truth:
    shape = reference.shape
    inside = np.ix_(
        *(
            np.arange(length) if places is None else places
            for length, places in zip(shape, sample(shape), strict=True)
        )
    )
    high: Array = reference.astype(np.float64)
    finite = np.isfinite(truth.high)
    largest = float(np.abs(truth.high[finite]).max(initial=0.0))
    # In place: the array may be most of what memory holds.
    limit = np.abs(high)
    limit[~np.isfinite(limit)] = 0.0
    limit /= largest if largest > 0 else np.inf
    np.maximum(limit, 1.0, out=limit)
    limit *= ELSEWHERE * float(truth.limit.max(initial=0.0))
    low = np.zeros(shape)
    known = np.zeros(shape, dtype=bool)
    high[inside], low[inside], limit[inside], known[inside] = truth.high, truth.low, truth.limit, True
    small = in_small_rows(reference, limit, known)
    undecided = reach = unlimited = None
    if truth.undecided is not None or small is not None:
        undecided, reach = np.zeros(shape, dtype=bool), np.full(shape, np.nan)
        unlimited = np.zeros(shape, dtype=bool)
        undecided[inside] = False if truth.undecided is None else truth.undecided
        reach[inside] = np.nan if truth.reach is None else truth.reach
        unlimited[inside] = False if truth.unlimited is None else truth.unlimited
        if small is not None:
            undecided |= small
            unlimited |= small
    return msgspec.structs.replace(
        truth,
        high=high,
        low=low,
        limit=limit,
        known=known,
        sample=counted(shape),
        undecided=undecided,
        reach=reach,
        gap=None,
        unlimited=unlimited if unlimited is not None and unlimited.any() else None,
        why="; ".join(filter(None, [truth.why, SMALL_ROWS if small is not None else ""])),
    )
