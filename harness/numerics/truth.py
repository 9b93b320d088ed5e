"""How far an array lies from its true values, which are known to more digits than it has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from harness.model import ErrorStats, Precision, Truth
from harness.numerics.formats import BFLOAT16, narrowed, nearest_bfloat16, spacing
from harness.numerics.kernels import BLOCK
from harness.numerics.stats import compare, measure_errors
from harness.numerics.tolerance import BFLOAT16_STEP, last_place

Array = npt.NDArray[Any]


class TruthComparison(msgspec.Struct, frozen=True, kw_only=True):
    """An array against its true values.

    ``ulp_error`` and ``ulp_of_stage`` are the largest error in units in the last place of the element's
    true value and of the largest true value; None where no element has such a unit. ``undecided`` and
    ``unlimited`` count the elements that were left out; ``limit`` is the largest of all others. ``outside``
    counts elements outside of the range that the branches of an undecided comparison span: they are beyond
    their limit, and ``first_outside`` is the index of the first.
    """

    stats: ErrorStats
    limit: float
    undecided: int
    ulp_error: float | None
    ulp_of_stage: float | None
    unlimited: int = 0
    outside: int = 0
    first_outside: tuple[int, ...] | None = None


def compare_to_truth(actual: Array, truth: Truth, precision: Precision | None = None) -> TruthComparison:
    """Measure an array against its true values.

    Parameters
    ----------
    actual : ndarray of floats or complex numbers
        In the truth's shape.
    truth : Truth
        True values and limits.
    precision : Precision, optional
        The format of the numbers, where it differs from the array's dtype: bfloat16, stored as float32.

    Returns
    -------
    TruthComparison
        In ``stats``, absolute errors are from the true values; relative ones and those in ULP are from the
        true values rounded to the array's dtype. Elements that are undecided are not counted, unless no
        branch gives them: see `enclosed`.

    Raises
    ------
    CompareError
        Shapes differ.
    """
    truth = beside_gap(actual, truth)
    undecided = unlimited = 0
    outside: npt.NDArray[np.bool_] | None = None
    if truth.undecided is None:
        largest = float(truth.limit.max(initial=0.0))
    else:
        left_out = still_undecided(actual, truth)
        outside = truth.undecided.astype(bool) & ~left_out
        largest = float(truth.limit[~_undecided(truth)].max(initial=0.0))
        actual, truth = _zeroed(actual, enclosed(truth), left_out)
        unlimited = int((left_out & unlimited_elements(truth)).sum())
        undecided = int(left_out.sum()) - unlimited
    nearest = rounded(truth, actual.dtype)
    if precision is Precision.BFLOAT16:
        nearest = nearest_bfloat16(nearest)
        steps = compare(narrowed(actual), narrowed(nearest), dtype=BFLOAT16)
    else:
        steps = compare(actual, nearest)
    error = error_of(actual, truth)
    stats = measure_errors(error, truth.limit)
    firsts = [measured.first_beyond for measured in (steps, stats) if measured.first_beyond is not None]
    stats = msgspec.structs.replace(
        steps,
        max_abs=stats.max_abs,
        max_abs_index=stats.max_abs_index,
        mean_abs=stats.mean_abs,
        rms=stats.rms,
        beyond=steps.beyond + stats.beyond,
        first_beyond=min(firsts, default=None),
        used=stats.used,
    )
    stats = without(stats, undecided + unlimited)
    # Elements without a known true value say nothing about the error.
    if truth.known is not None:
        error[~truth.known.astype(bool, copy=False)] = 0.0
    coarser = BFLOAT16_STEP if precision is Precision.BFLOAT16 else 1.0
    ulp_error = _in_steps(_ulp_error(error, nearest), coarser)
    unit = coarser * last_place(nearest) if ulp_error is not None else 0.0
    return TruthComparison(
        stats=stats,
        limit=largest,
        undecided=undecided,
        unlimited=unlimited,
        ulp_error=ulp_error,
        ulp_of_stage=float(error.max(initial=0.0)) / unit if unit > 0 else None,
        outside=0 if outside is None else int(outside.sum()),
        first_outside=None
        if outside is None or not outside.any()
        else tuple(int(place) for place in np.unravel_index(int(outside.argmax()), outside.shape)),
    )


def enclosed(truth: Truth) -> Truth:
    """The truth with limits from the bounds of undecided elements, which are then no longer undecided."""
    if truth.undecided is None or truth.reach is None:
        return truth
    known = truth.undecided & ~np.isnan(truth.reach)
    limit = np.where(known, truth.reach, truth.limit.astype(np.float64))
    return msgspec.structs.replace(truth, limit=limit, undecided=truth.undecided & ~known)


def beside_gap(actual: Array, truth: Truth) -> Truth:
    """The truth with the bounds of those branches alone that lie on the same side of a gap as each number.

    A number in the gap is on no branch: it is outside of the bounds of either side.
    """
    if truth.gap is None or truth.reach is None or actual.shape != truth.high.shape:
        return truth
    start, end = truth.gap
    bottom, top = np.subtract(truth.high, truth.reach), np.add(truth.high, truth.reach)
    at = _undecided(truth) & np.isfinite(truth.reach) & np.isfinite(start) & np.isfinite(end)
    with np.errstate(invalid="ignore"):
        above = np.asarray(actual > start / 2.0 + end / 2.0)
        least = np.where(above, end, bottom)
        most = np.where(above, top, start)
        middle = least / 2.0 + most / 2.0
        reach = np.nextafter(np.maximum(most - middle, middle - least), np.inf)
    return msgspec.structs.replace(
        truth,
        high=np.where(at, middle, truth.high),
        low=np.where(at, 0.0, truth.low),
        reach=np.where(at, reach, truth.reach),
        gap=None,
    )


def still_undecided(actual: Array, truth: Truth) -> npt.NDArray[np.bool_]:
    """Undecided elements that may be right: nothing is known of them, or some branch gives such a number."""
    truth = beside_gap(actual, truth)
    at = _undecided(truth)
    if truth.reach is None or not at.any():
        return at
    nothing_known: npt.NDArray[np.bool_] = np.isnan(truth.reach)
    near = np.isfinite(actual) & (error_of(actual, truth) <= truth.reach)
    return at & (nothing_known | near)


def unlimited_elements(truth: Truth) -> npt.NDArray[np.bool_]:
    """Elements that have no limit for another reason than a comparison."""
    if truth.unlimited is None:
        return np.zeros(truth.high.shape, dtype=bool)
    return truth.unlimited.astype(bool) & _undecided(truth)


def _undecided(truth: Truth) -> npt.NDArray[np.bool_]:
    if truth.undecided is None:
        return np.zeros(truth.high.shape, dtype=bool)
    return truth.undecided.astype(bool)


def _zeroed(actual: Array, truth: Truth, at: Array) -> tuple[Array, Truth]:
    """Zeros on both sides, within a limit of zero, at these places."""
    if not at.any():
        return actual, truth
    put: Array = np.where(at, np.zeros((), actual.dtype), actual)
    high, low, limit = (np.where(at, 0.0, part) for part in (truth.high, truth.low, truth.limit))
    return put, msgspec.structs.replace(truth, high=high, low=low, limit=limit)


def without(stats: ErrorStats, zeros: int) -> ErrorStats:
    """The statistics less so many elements that do not differ."""
    if not zeros:
        return stats
    equal, *others = stats.ulp_histogram
    pairs = equal + sum(others)
    share = pairs / max(1, pairs - zeros)
    return msgspec.structs.replace(
        stats,
        count=stats.count - zeros,
        ulp_histogram=(equal - zeros, *others),
        mean_abs=stats.mean_abs * share,
        rms=stats.rms * math.sqrt(share),
    )


class Shares(msgspec.Struct, frozen=True, kw_only=True):
    """How much of its limit each of several arrays used at most, and its largest error.

    The largest errors in ULP are over all arrays, as in `TruthComparison`; ``size`` counts the elements.
    """

    used: Array
    max_abs: Array
    size: int
    ulp_error: float | None
    ulp_of_stage: float | None


def shares_of(
    arrays: Sequence[Array], truths: Sequence[Truth], precision: Precision | None = None
) -> Shares | None:
    """Measure several arrays, none of them empty, against their true values at once.

    Returns
    -------
    Shares or None
        None if an element is not finite, or beyond its limit.
    """
    actual = np.concatenate([array.ravel() for array in arrays])
    truth = Truth(
        high=np.concatenate([part.high.ravel() for part in truths]),
        low=np.concatenate([part.low.ravel() for part in truths]),
        limit=np.concatenate([part.limit.ravel() for part in truths], dtype=np.float64),
        worst=max(part.worst for part in truths),
    )
    starts = np.cumsum([0, *(array.size for array in arrays[:-1])])
    nearest = rounded(truth, actual.dtype)
    if not (np.isfinite(actual).all() and np.isfinite(nearest).all()):
        return None
    error, limit = error_of(actual, truth), truth.limit
    if not (error <= limit).all():
        return None
    max_abs = np.maximum.reduceat(error, starts)
    used = np.divide(error, limit, out=np.zeros_like(error), where=error > 0.0)
    if any(part.known is not None for part in truths):
        marks = [
            np.ones(part.high.size, bool) if part.known is None else part.known.ravel() for part in truths
        ]
        error = np.where(np.concatenate(marks), error, 0.0)
    some = np.logical_or.reduceat(_usable(nearest), starts)
    coarser = BFLOAT16_STEP if precision is Precision.BFLOAT16 else 1.0
    stage = coarser * spacing(np.maximum.reduceat(np.abs(nearest), starts)).astype(np.float64)
    # A stage whose true values are all zero has no such unit.
    ulps_of_stage = np.maximum.reduceat(error, starts)[some] / stage[some]
    return Shares(
        used=np.maximum.reduceat(used, starts),
        max_abs=max_abs,
        size=actual.size,
        ulp_error=_in_steps(_ulp_error(error, nearest), coarser),
        ulp_of_stage=float(ulps_of_stage.max()) if some.any() else None,
    )


def _in_steps(ulps: float | None, coarser: float) -> float | None:
    return None if ulps is None else ulps / coarser


def _usable(nearest: Array) -> npt.NDArray[np.bool_]:
    """Where a value has a unit in the last place: it is finite, and neither zero nor subnormal."""
    usable: npt.NDArray[np.bool_] = np.isfinite(nearest) & (
        np.abs(nearest) >= np.finfo(nearest.dtype).smallest_normal
    )
    return usable


def _ulp_error(error: Array, nearest: Array) -> float | None:
    """The largest error in units in the last place of its own element; None where no element has one."""
    errors, values = error.reshape(-1), nearest.reshape(-1)
    blocks = (slice(start, start + BLOCK) for start in range(0, errors.size, BLOCK))
    largest = (_ulp_error_of_block(errors[block], values[block]) for block in blocks)
    return max((ulps for ulps in largest if ulps is not None), default=None)


def _ulp_error_of_block(error: Array, nearest: Array) -> float | None:
    usable = _usable(nearest)
    if not usable.any():
        return None
    units = spacing(np.where(usable, np.abs(nearest), 1)).astype(np.float64)
    with np.errstate(over="ignore"):
        return float((error / units)[usable].max())


def rounded(truth: Truth, dtype: np.dtype[Any]) -> Array:
    """The true values as an array of a dtype."""
    with np.errstate(over="ignore", invalid="ignore"):
        high: Array = truth.high
        return high.astype(dtype, copy=False)


def error_of(actual: Array, truth: Truth) -> Array:
    """Distance of each element from its true value, in float64; 0 where either is not finite.

    Of complex numbers it is the modulus of the difference.
    """
    high: Array = truth.high
    low: Array = truth.low
    with np.errstate(over="ignore", invalid="ignore"):
        away = np.asarray(actual.astype(high.dtype, copy=False) - high)
        # In place: these arrays may be most of what memory holds.
        np.subtract(away, low, out=away)
        error: Array = np.asarray(np.abs(away)) if away.dtype.kind == "c" else np.abs(away, out=away)
    error[~(np.isfinite(actual) & np.isfinite(high))] = 0.0
    return error
