"""The comparison of one block of elements, in NumPy: the definition that every faster kernel has to meet."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.numerics.formats import BFLOAT16, Family, Format, widened
from harness.numerics.tally import BINS, Tally

Array = npt.NDArray[Any]

BLOCK = 1 << 14
"""Elements that are summed as one: part of the definition of the mean and the root mean square."""

LANES = 64
"""Running sums within a block; element i belongs to lane i modulo ``LANES``."""

_LARGEST = np.array(np.finfo(np.float64).max)
_EDGES = np.array([0, *(1 << k for k in range(BINS - 2))], np.uint64)

# Elements up to which a search for each one's bin is faster than arithmetic on all of them.
_FEW = 1024


def range_tally(
    actual: Array, expected: Array, form: Format, limit: float | Array, scale: float, start: int
) -> Tally:
    """The tally of a contiguous range of elements that begins with a block."""
    with np.errstate(all="ignore"):
        if actual.size <= BLOCK:
            return _block(actual, expected, form, limit, scale, start)
        whole = Tally()
        for low in range(0, actual.size, BLOCK):
            part = slice(low, low + BLOCK)
            bound = limit[part] if isinstance(limit, np.ndarray) else limit
            whole.join(_block(actual[part], expected[part], form, bound, scale, start + low))
        return whole


def _block(
    actual: Array, expected: Array, form: Format, limit: float | Array, scale: float, start: int
) -> Tally:
    tally = Tally()
    ulps: Array | None
    if form.family is Family.REAL:
        x, y = _values(actual, form), _values(expected, form)
        error, size = np.abs(x - y), np.abs(y)
        ulps = None
    elif form.family is Family.COMPLEX:
        x, y = actual, expected
        error, size, ulps, tally.zero_sign_mismatch = _complex(x, y, form)
    else:
        x, y = actual, expected
        ulps = (np.maximum(x, y) - np.minimum(x, y)).view(form.bits).astype(np.uint64)
        error, size = ulps.astype(np.float64), np.abs(y.astype(np.float64))

    at = int(error.argmax())
    tally.max_abs = error.item(at)
    special = mismatch = None
    if not tally.max_abs < math.inf:
        special = ~(np.isfinite(x) & np.isfinite(y))
        mismatch = _judge_special(x, y, special, form, tally)
        error[special] = 0.0
        at = int(error.argmax())
        tally.max_abs = error.item(at)
    if ulps is None:
        patterns = actual.view(form.bits), expected.view(form.bits)
        if tally.max_abs > 0.0 or special is not None:
            ulps, tally.zero_sign_mismatch = _distances(*patterns)
        else:
            # Equal numbers with other patterns are zeros.
            tally.zero_sign_mismatch = int(np.count_nonzero(patterns[0] != patterns[1]))
    if special is not None and ulps is not None:
        ulps[special] = 0

    if tally.max_abs > 0.0 and ulps is not None:
        tally.max_abs_at = start + at
        tally.max_rel, at = _largest_ratio(error, size)
        if tally.max_rel > 0.0:
            tally.max_rel_at = start + at
        at = int(ulps.argmax())
        tally.max_ulp, tally.max_ulp_at = ulps.item(at), start + at
        tally.histogram = _histogram(ulps)
        _add_up(error if scale == 1.0 else error * scale, tally)
    else:
        tally.histogram[0] = error.size
        tally.sums, tally.squares = [0.0], [0.0]
    if special is not None:
        tally.histogram[0] -= int(np.count_nonzero(special))
    _hold_to_limit(error, limit, mismatch, tally, start)
    return tally


def error_tally(error: Array, limit: Array) -> Tally:
    """The tally of one block of finite errors against their limits: `_block`'s, without ratios and steps."""
    tally = Tally()
    at = int(error.argmax())
    tally.max_abs = error.item(at)
    tally.histogram[0] = error.size
    with np.errstate(all="ignore"):
        if tally.max_abs > 0.0:
            tally.max_abs_at = at
            _add_up(error, tally)
        _hold_to_limit(error, limit, None, tally, 0)
    return tally


def _values(stored: Array, form: Format) -> Array:
    """The values in float64, which holds those of every format exactly."""
    if form.name == BFLOAT16:
        stored = widened(stored)
    return stored if stored.dtype == np.float64 else stored.astype(np.float64)


def _distances(x: Array, y: Array) -> tuple[Array, int]:
    """Steps between two numbers given as bit patterns, and in how many only the sign of a zero differs."""
    apart = x ^ y
    if apart.item(apart.argmin()) >= 0:
        # Patterns are sign and magnitude: with like signs, numbers are as far apart as their patterns.
        return np.abs(x - y).astype(np.int64, copy=False).view(np.uint64), 0
    key_x, key_y = _ordered(x), _ordered(y)
    ulps = (np.maximum(key_x, key_y) - np.minimum(key_x, key_y)).view(np.uint64)
    return ulps, int(np.count_nonzero(apart) - np.count_nonzero(ulps))


def _ordered(pattern: Array) -> Array:
    """Bit patterns as integers in the order of the numbers that they stand for; both zeros are 0."""
    wide = pattern.astype(np.int64, copy=False)
    sign = wide >> 63
    magnitude = wide & np.int64(np.iinfo(pattern.dtype).max)
    return (magnitude ^ sign) - sign


def _complex(actual: Array, expected: Array, form: Format) -> tuple[Array, Array, Array, int]:
    patterns_x, patterns_y = actual.view(form.bits), expected.view(form.bits)
    ulps, opposite = _distances(patterns_x, patterns_y)
    if opposite:
        zeros = (patterns_x != patterns_y) & (ulps == 0)
        opposite = int(np.count_nonzero(zeros[0::2] | zeros[1::2]))
    x, y = actual.astype(np.complex128, copy=False), expected.astype(np.complex128, copy=False)
    modulus = _modulus(np.concatenate((x - y, y)).view(np.float64))
    error, size = modulus[: x.size], modulus[x.size :]
    np.minimum(size, _LARGEST, out=size)
    return error, size, np.maximum(ulps[0::2], ulps[1::2]), opposite


def _modulus(parts: Array) -> Array:
    """sqrt(re**2 + im**2) without overflow on the way, from operations that IEEE 754 rounds correctly."""
    parts = np.abs(parts)
    re, im = parts[0::2], parts[1::2]
    large, small = np.maximum(re, im), np.minimum(re, im)
    ratio = small / large
    if math.isnan(ratio.item(ratio.argmax())):
        ratio[(small == 0.0) | (small == np.inf)] = 0.0
    ratio *= ratio
    ratio += 1.0
    large *= np.sqrt(ratio)
    return large


def _histogram(ulps: Array) -> list[int]:
    if ulps.size <= _FEW:
        counts: list[int] = np.bincount(_EDGES.searchsorted(ulps), minlength=BINS).tolist()
        return counts
    # Less half a step, so that 2**k is still below 2**k; 0 and 1 are then both half a step from 0.
    powers = np.minimum(np.frexp(ulps - 0.5)[1], BINS - 2)
    low, *rest = np.bincount(powers, minlength=BINS - 1).tolist()
    zeros = ulps.size - int(np.count_nonzero(ulps))
    return [zeros, low - zeros, *rest]


def _largest_ratio(error: Array, size: Array) -> tuple[float, int]:
    ratio = error / size
    at = int(ratio.argmax())
    if math.isnan(ratio.item(at)):
        ratio[error == 0.0] = 0.0
        at = int(ratio.argmax())
    return ratio.item(at), at


def _judge_special(x: Array, y: Array, special: Array, form: Format, tally: Tally) -> Array:
    """Count pairs with a NaN or an infinity; returns where such a pair does not match."""
    nan_x, nan_y = np.isnan(x), np.isnan(y)
    nan = nan_x | nan_y
    parts = [(x.real, y.real), (x.imag, y.imag)] if form.family is Family.COMPLEX else [(x, y)]
    alike = np.logical_and.reduce([(a == e) | (np.isnan(a) & np.isnan(e)) for a, e in parts])
    mismatch: Array = special & ~alike
    tally.nan_both = int(np.count_nonzero(nan & alike))
    tally.nan_mismatch = int(np.count_nonzero(nan & ~alike))
    tally.inf_mismatch = int(np.count_nonzero(mismatch & ~nan))
    return mismatch


def _add_up(error: Array, tally: Tally) -> None:
    """The block's sum of errors and of their squares, in an order that depends on nothing else."""
    squares = error * error
    if error.size > LANES:
        error, squares = _lanes(error), _lanes(squares)
    # Unlike a sum, an accumulation goes from left to right by definition.
    tally.sums = [np.add.accumulate(error).item(-1)]
    tally.squares = [np.add.accumulate(squares).item(-1)]


def _lanes(terms: Array) -> Array:
    rows, rest = divmod(terms.size, LANES)
    lanes: Array = np.add.reduce(terms[: rows * LANES].reshape(rows, LANES), axis=0)
    lanes[:rest] += terms[rows * LANES :]
    return lanes


def _hold_to_limit(
    error: Array, limit: float | Array, mismatch: Array | None, tally: Tally, start: int
) -> None:
    """Count what lies beyond the limit; a pair that does not match lies beyond every limit."""
    over = mismatch
    if isinstance(limit, np.ndarray):
        tally.bad_limits = int(np.count_nonzero(~(limit >= 0.0)))
        exceeds = error > limit
        over = exceeds if over is None else over | exceeds
        used = np.divide(error, limit, out=np.zeros_like(error), where=(error > 0.0) & (limit < np.inf))
        tally.used = float(used.max())
    else:
        if tally.max_abs > limit:
            over = error > limit if over is None else over | (error > limit)
        if tally.max_abs > 0.0 and limit < np.inf:
            tally.used = tally.max_abs / limit if limit > 0.0 else math.inf
    if over is not None:
        tally.beyond = int(np.count_nonzero(over))
        if tally.beyond:
            tally.first_beyond = start + int(over.argmax())
