"""Comparing two arrays: how far apart they lie, where, and in how many ways."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.errors import CompareError
from harness.model import ErrorStats
from harness.numerics.formats import format_of
from harness.numerics.kernels import BLOCK, error_tally
from harness.numerics.sweep import fastest, sweep
from harness.numerics.tally import BINS, Tally, summarised, total

Array = npt.NDArray[Any]

# Within these bounds the squares of errors neither overflow nor vanish, however many are added.
_SAFE = (2.0**-480, 2.0**480)


def compare(
    actual: npt.ArrayLike,
    expected: npt.ArrayLike,
    *,
    limit: float | Array | None = None,
    dtype: str | None = None,
) -> ErrorStats:
    """Measure how far two arrays lie apart, in one pass over both.

    Parameters
    ----------
    actual, expected : array_like
        Arrays of one shape and one dtype: bool, a signed or unsigned integer of 8 to 64 bits, float16,
        bfloat16 (as `ml_dtypes` defines it), float32, float64, complex64 or complex128. Strides and byte
        order are free, memory maps are read in place; nothing is broadcast and nothing is cast.
    limit : float or ndarray, optional
        How large the absolute error may be: one number for all, or floating-point numbers of the same shape.
        Without it there is no limit on errors; NaN and infinities that do not match still lie beyond it.
    dtype : {"bfloat16"}, optional
        States that arrays of uint16 hold bfloat16 bit patterns.

    Returns
    -------
    ErrorStats
        Errors are formed in float64. ``max_*`` are over the pairs in which both numbers are finite, each with
        the index that comes first in C order among equals, or None where the maximum is zero.

        - ``max_abs``: ``|a - e|``, the modulus for complex; infinite where the difference overflows.
        - ``max_rel``: ``|a - e| / |e|``; infinite where ``e`` is zero and ``a`` is not.
        - ``max_ulp``: how many steps from one representable number to the next lead from ``e`` to ``a``; both
          zeros are one number. For complex the larger of the two parts, for integers and bool the difference.
        - ``mean_abs``, ``rms``, ``ulp_histogram`` (23 bins: 0, 1, 2, 3-4, 5-8, ..., above 2**20): over the
          finite pairs as well; neither the number of threads nor Numba changes a bit of them.
        - ``nan_both``, ``nan_mismatch``: pairs with NaN in both, or in one; payloads are not looked at. A
          complex pair matches where each of the two parts is NaN in both or equal in both.
        - ``inf_mismatch``: pairs without NaN, with an infinity, that are not equal.
        - ``zero_sign_mismatch``: +0.0 against -0.0, in either part.
        - ``beyond``, ``first_beyond``: errors greater than the limit, and the mismatches above.
        - ``used``: the largest error/limit over finite pairs; 0/0 is 0, and an infinite limit is never used.

    Raises
    ------
    CompareError
        If shapes or dtypes differ, the arrays are ragged, masked, or of another dtype, or the limit is
        negative, NaN, or of another shape.

    Notes
    -----
    ULP distances are taken on the integers that order the bit patterns of IEEE 754 numbers: B. Dawson,
    "Comparing Floating Point Numbers", 2012. Sums run over 16384 elements at a time in a fixed order; these
    partial sums are added without rounding error (`math.fsum`), and scaled by a power of two where squares
    would overflow or vanish.

    Examples
    --------
    >>> stats = compare(np.array([1.0, 2.0]), np.array([1.0, 2.0 + 2**-51]), limit=1e-12)
    >>> stats.max_ulp, stats.max_ulp_index, stats.beyond
    (1.0, (1,), 0)
    """
    a, e = _array(actual, "actual"), _array(expected, "expected")
    if a.dtype != e.dtype:
        raise CompareError(
            f"dtypes differ: actual is {a.dtype}, expected is {e.dtype}",
            advice="nothing is cast here: convert one of them if that is what you mean",
        )
    if a.shape != e.shape:
        raise CompareError(
            f"shapes differ: actual is {a.shape}, expected is {e.shape}",
            advice="nothing is broadcast or reshaped here: give both the same shape",
        )
    form = format_of(a.dtype, dtype)
    bound = _limit(limit, a.shape)
    if a.size == 0:
        return summarised(Tally(), a.shape, 1.0)
    kernel = fastest(form, a.size)
    scale = 1.0
    tally = sweep(a, e, form, bound, scale, kernel)
    if 0.0 < tally.max_abs < math.inf and not _SAFE[0] <= tally.max_abs <= _SAFE[1]:
        scale = math.ldexp(1.0, min(1000, -math.frexp(tally.max_abs)[1]))
        again = sweep(a, e, form, bound, scale, kernel)
        tally.sums, tally.squares = again.sums, again.squares
    if tally.bad_limits:
        raise CompareError(
            f"{tally.bad_limits} of the {a.size} limits are negative or NaN", advice="0 means: exactly equal"
        )
    return summarised(tally, a.shape, scale)


def measure_errors(error: Array, limit: Array) -> ErrorStats:
    """Summarise errors that are known more exactly than by a difference of two arrays.

    Parameters
    ----------
    error : ndarray of float64
        None is negative or NaN.
    limit : ndarray of floating-point numbers
        How large each may be.

    Returns
    -------
    ErrorStats
        What `compare` returns for the errors and zeros; of small arrays without relative errors and ULP.

    Raises
    ------
    CompareError
        A limit is negative or NaN, or of another shape.
    """
    small = 0 < error.size <= BLOCK and error.shape == limit.shape
    if small and ((largest := error.max()) == 0.0 or _SAFE[0] <= largest <= _SAFE[1]):
        tally = error_tally(error.ravel(), limit.ravel().astype(np.float64, copy=False))
        if not tally.bad_limits:
            return summarised(tally, error.shape, 1.0)
    # One zero in the place of all: blocks of it are read.
    return compare(error, np.broadcast_to(np.zeros(()), error.shape), limit=limit)


def _array(value: npt.ArrayLike, name: str) -> Array:
    if type(value) is np.ndarray:
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise CompareError(f"{name} is a masked array", advice="fill it, or compare its data and its mask")
    try:
        return np.asarray(value)
    except (ValueError, TypeError) as error:
        raise CompareError(f"{name} is not an array of numbers: {error}") from error


def _limit(limit: float | Array | None, shape: tuple[int, ...]) -> float | Array:
    if limit is None:
        return math.inf
    if isinstance(limit, np.ndarray) and limit.ndim:
        if limit.shape != shape or limit.dtype.kind != "f" or limit.dtype.itemsize > 8:
            raise CompareError(
                f"limit is {limit.dtype} of shape {limit.shape}, the arrays are of shape {shape}",
                advice="give one number, or floating-point numbers of the arrays' shape",
            )
        return limit
    try:
        number = float(limit)
    except (ValueError, TypeError) as error:
        raise CompareError(f"limit is no number: {limit!r}") from error
    if not number >= 0.0:
        raise CompareError(f"limit is {number!r}, not zero or more", advice="0 means: exactly equal")
    return number


def merge(stats: Iterable[ErrorStats]) -> ErrorStats:
    """Pool the statistics of several comparisons into one.

    Parameters
    ----------
    stats : iterable of ErrorStats
        What `compare` returned; the arrays may have had different shapes.

    Returns
    -------
    ErrorStats
        Counts and histograms added, maxima with the index that they have in their own arrays (the first
        comparison's among equals), mean and root mean square over all finite pairs. `worst` says which
        comparisons the maxima come from. Without any comparison: a count of 0.
    """
    parts = tuple(stats)
    at = worst(parts)
    finite = [sum(part.ulp_histogram) for part in parts]
    pairs = max(1, sum(finite))
    largest = max((part.rms for part in parts), default=0.0)
    if 0.0 < largest < math.inf:
        squares = [(part.rms / largest) ** 2 * n for part, n in zip(parts, finite, strict=True)]
        rms = largest * math.sqrt(total(squares) / pairs)
    else:
        rms = largest
    return ErrorStats(
        count=sum(part.count for part in parts),
        max_abs=parts[at.max_abs].max_abs if at.max_abs is not None else 0.0,
        max_abs_index=parts[at.max_abs].max_abs_index if at.max_abs is not None else None,
        max_rel=parts[at.max_rel].max_rel if at.max_rel is not None else 0.0,
        max_rel_index=parts[at.max_rel].max_rel_index if at.max_rel is not None else None,
        max_ulp=parts[at.max_ulp].max_ulp if at.max_ulp is not None else 0.0,
        max_ulp_index=parts[at.max_ulp].max_ulp_index if at.max_ulp is not None else None,
        mean_abs=total([part.mean_abs * (n / pairs) for part, n in zip(parts, finite, strict=True)]),
        rms=rms,
        ulp_histogram=tuple(
            sum(part.ulp_histogram[k] for part in parts if k < len(part.ulp_histogram)) for k in range(BINS)
        ),
        nan_both=sum(part.nan_both for part in parts),
        nan_mismatch=sum(part.nan_mismatch for part in parts),
        inf_mismatch=sum(part.inf_mismatch for part in parts),
        zero_sign_mismatch=sum(part.zero_sign_mismatch for part in parts),
        beyond=sum(part.beyond for part in parts),
        first_beyond=parts[at.beyond].first_beyond if at.beyond is not None else None,
        used=parts[at.used].used if at.used is not None else 0.0,
    )


class Worst(NamedTuple):
    """Which of several comparisons holds each maximum, counted from 0; None where it is zero in all."""

    max_abs: int | None
    max_rel: int | None
    max_ulp: int | None
    used: int | None
    beyond: int | None


def worst(stats: Sequence[ErrorStats]) -> Worst:
    """Find the comparisons that the maxima of a merge come from.

    Parameters
    ----------
    stats : sequence of ErrorStats
        What `compare` returned.

    Returns
    -------
    Worst
        Positions in ``stats``: of the first largest ``max_abs``, ``max_rel``, ``max_ulp`` and ``used``, and
        of the first with an element beyond its limit.
    """

    def first(values: list[float]) -> int | None:
        largest = max(values, default=0.0)
        return values.index(largest) if largest > 0.0 else None

    return Worst(
        max_abs=first([part.max_abs for part in stats]),
        max_rel=first([part.max_rel for part in stats]),
        max_ulp=first([part.max_ulp for part in stats]),
        used=first([part.used for part in stats]),
        beyond=first([float(part.beyond > 0) for part in stats]),
    )
