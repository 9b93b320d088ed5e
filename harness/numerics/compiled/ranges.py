"""The comparison of a range of elements in one fused pass, compiled by Numba; meets `kernels` bit for bit."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import functools
import math
import zlib
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from harness.numerics.compiled.memory import fetch
from harness.numerics.compiled.number import INFINITY, bits_of, carrier, number_of
from harness.numerics.compiled.strip import (
    add_to_lanes,
    count_steps,
    first_error,
    first_ratio,
    first_ulp,
    general,
    hold_to_limit,
    hold_to_limits,
    plain,
    special,
    take_sums,
)
from harness.numerics.formats import Format
from harness.numerics.kernels import BLOCK, LANES
from harness.numerics.tally import BINS, Tally

Array = npt.NDArray[Any]

# Elements that go through all loops while they are in the first cache.
_STRIP = 512

_SOURCES = ("ranges.py", "memory.py", "number.py", "pair.py", "strip.py", "../kernels.py", "../tally.py")


def range_tally(
    actual: Array, expected: Array, form: Format, limit: float | Array, scale: float, start: int
) -> Tally:
    """The tally of a contiguous range of elements that begins with a block."""
    blocks = -(-actual.size // BLOCK)
    sums, squares, histogram = np.empty(blocks), np.empty(blocks), np.zeros(BINS + 1, np.int64)
    bound, limits = (math.inf, limit) if isinstance(limit, np.ndarray) else (limit, np.empty(0))
    stored = carrier(form)
    x, y, limits = actual.view(stored), expected.view(stored), limits.view()
    # To Numba, arrays that may be written to are of another type.
    x.flags.writeable = y.flags.writeable = limits.flags.writeable = False
    tally = Tally(*_kernel(form)(x, y, start, bound, limits, scale, sums, squares, histogram))
    tally.histogram, tally.sums, tally.squares = histogram[:BINS].tolist(), sums.tolist(), squares.tolist()
    return tally


def loaded(form: Format) -> bool:
    """Whether this process has the machine code for a format already."""
    return bool(_kernel(form).overloads)


@functools.cache
def _kernel(form: Format) -> Any:
    """The kernel of a format: from Numba's cache where it has a folder, else compiled at its first call."""
    # Numba looks for changes in one file only: the cache's name tells the others.
    sources = b"".join((Path(__file__).parent / name).read_bytes() for name in _SOURCES)
    _range.__qualname__ = f"_range_{zlib.crc32(sources):08x}"
    try:
        return numba.njit(nogil=True, error_model="numpy", cache=True)(_range)
    except RuntimeError:
        return numba.njit(nogil=True, error_model="numpy")(_range)


def _range(actual, expected, start, limit, limits, scale, sums, squares, histogram):
    error, ulps, lanes = np.empty(_STRIP), np.empty(_STRIP, np.uint16), np.zeros((2, LANES))
    max_abs, max_rel, max_ulp, used = np.int64(0), np.int64(0), np.uint64(0), 0.0
    abs_at = rel_at = ulp_at = first = -1
    zeros = beyond = bad = nan_both = nan_mismatch = inf_mismatch = 0
    for low in range(0, actual.size, _STRIP):
        x, y = actual[low : low + _STRIP], expected[low : low + _STRIP]
        # The next strip, asked for in parts: memory takes only so many requests at a time.
        ahead, quarter = low + _STRIP, _STRIP // 4
        size = x.size
        err, steps = error[:size], ulps[:size]
        fetch(actual, expected, ahead, ahead + quarter)
        top_abs, top_rel, top_ulp, least = plain(x, y, err, steps)
        finite = size
        if top_abs >= INFINITY or least == 0:
            top_abs, top_rel, top_ulp, signs, finite = general(x, y, err, steps)
            zeros += signs
        outside = size
        if finite < size:
            odd = special(x, y, err, steps)
            top_abs, top_rel, top_ulp = max(top_abs, odd[0]), max(top_rel, odd[0]), max(top_ulp, odd[1])
            nan_both += odd[2]
            nan_mismatch += odd[3]
            inf_mismatch += odd[4]
            beyond += odd[3] + odd[4]
            histogram[0] -= odd[5]
            outside = odd[6]
        if top_abs > max_abs:
            max_abs = top_abs
            abs_at = start + low + first_error(err, top_abs)
        if top_rel > max_rel:
            max_rel = top_rel
            rel_at = start + low + first_ratio(x, y, err, top_rel)
        if top_ulp > max_ulp:
            max_ulp = top_ulp
            ulp_at = start + low + first_ulp(x, y, steps, top_ulp)
        fetch(actual, expected, ahead + quarter, ahead + 2 * quarter)
        count_steps(x, y, steps, top_ulp, histogram)
        fetch(actual, expected, ahead + 2 * quarter, ahead + 3 * quarter)
        if top_abs > 0:
            add_to_lanes(err, scale, lanes)
        fetch(actual, expected, ahead + 3 * quarter, ahead + _STRIP)
        if (low + size) % BLOCK == 0 or low + size == actual.size:
            sums[low // BLOCK], squares[low // BLOCK] = take_sums(lanes)
        if limits.size:
            exceeding = hold_to_limits(err, limits[low : low + _STRIP])
            beyond += exceeding[0]
            outside = min(outside, exceeding[1])
            used = max(used, exceeding[2])
            bad += exceeding[3]
        elif top_abs > bits_of(limit):
            exceeding = hold_to_limit(err, limit)
            beyond += exceeding[0]
            outside = min(outside, exceeding[1])
        if first < 0 and outside < size:
            first = start + low + outside
    worst = number_of(max_abs)
    if limits.size == 0 and worst > 0.0 and limit < math.inf:
        used = worst / limit
    return (
        worst,
        abs_at,
        number_of(max_rel),
        rel_at,
        max_ulp,
        ulp_at,
        nan_both,
        nan_mismatch,
        inf_mismatch,
        zeros,
        beyond,
        first,
        used,
        bad,
    )
