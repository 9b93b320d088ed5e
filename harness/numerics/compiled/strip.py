"""The loops over one strip of elements, for Numba; written so that they become vector instructions."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import math

import numpy as np

from harness.numerics.compiled.number import INFINITY, bits_of, compiled, number_of
from harness.numerics.compiled.pair import pair, parts, signs_differ
from harness.numerics.kernels import LANES

_CAP = np.uint64((1 << 16) - 1)


@compiled
def plain(x, y, error, steps):
    """Errors and capped distances into buffers, and their maxima: void unless all is finite and nothing zero.

    Floats that are not negative are ordered as their bit patterns are, and maxima of integers vectorize.
    """
    top_abs, top_rel, top_ulp, least = np.int64(0), np.int64(0), np.uint64(0), INFINITY
    for i in range(x.size):
        difference, size, ulp, smallest = pair(x[i], y[i])
        error[i] = difference
        steps[i] = np.uint16(min(ulp, _CAP))
        top_abs = max(top_abs, bits_of(difference))
        top_rel = max(top_rel, bits_of(difference / size))
        top_ulp = max(top_ulp, ulp)
        least = min(least, bits_of(smallest))
    return top_abs, top_rel, top_ulp, least


@compiled
def general(x, y, error, steps):
    """The same for any numbers; pairs whose difference is not finite are left out."""
    top_abs, top_rel, top_ulp, signs, finite = np.int64(0), np.int64(0), np.uint64(0), 0, 0
    for i in range(x.size):
        difference, size, ulp, _ = pair(x[i], y[i])
        fine = bits_of(difference) < INFINITY
        difference = difference if fine else 0.0
        ulp = ulp if fine else np.uint64(0)
        ratio = difference / size
        ratio = ratio if difference > 0.0 else 0.0
        error[i] = difference
        steps[i] = np.uint16(min(ulp, _CAP))
        top_abs = max(top_abs, bits_of(difference))
        top_rel = max(top_rel, bits_of(ratio))
        top_ulp = max(top_ulp, ulp)
        signs += signs_differ(x[i], y[i])
        finite += fine
    return top_abs, top_rel, top_ulp, signs, finite


@compiled
def special(x, y, error, steps):
    """What `general` left out: NaN, infinities, and differences of finite numbers that overflow."""
    top, top_ulp, first = np.int64(0), np.uint64(0), x.size
    nan_both = nan_mismatch = inf_mismatch = apart = 0
    for i in range(x.size):
        difference, _, ulp, _ = pair(x[i], y[i])
        if math.isfinite(difference):
            continue
        a_re, a_im = parts(x[i])
        e_re, e_im = parts(y[i])
        if math.isfinite(a_re) and math.isfinite(a_im) and math.isfinite(e_re) and math.isfinite(e_im):
            top, top_ulp = INFINITY, max(top_ulp, ulp)
            error[i] = math.inf
            steps[i] = np.uint16(min(ulp, _CAP))
            continue
        apart += 1
        alike = (a_re == e_re or (math.isnan(a_re) and math.isnan(e_re))) and (
            a_im == e_im or (math.isnan(a_im) and math.isnan(e_im))
        )
        nan = math.isnan(a_re) or math.isnan(a_im) or math.isnan(e_re) or math.isnan(e_im)
        nan_both += alike and nan
        nan_mismatch += nan and not alike
        inf_mismatch += not nan and not alike
        if not alike and first == x.size:
            first = i
    return top, top_ulp, nan_both, nan_mismatch, inf_mismatch, apart, first


@compiled
def first_error(error, top):
    """Where the largest error stands first."""
    for i in range(error.size):
        if bits_of(error[i]) == top:
            return i
    return -1


@compiled
def first_ratio(x, y, error, top):
    """Where the largest relative error stands first."""
    for i in range(x.size):
        if error[i] > 0.0 and bits_of(error[i] / pair(x[i], y[i])[1]) == top:
            return i
    return -1


@compiled
def first_ulp(x, y, steps, top):
    """Where the largest distance in ULP stands first."""
    capped = np.uint16(min(top, _CAP))
    for i in range(x.size):
        # Pairs that are not finite have no steps, and their distance means nothing.
        if steps[i] == capped and pair(x[i], y[i])[2] == top:
            return i
    return -1


@compiled
def count_steps(x, y, steps, top, histogram):
    """The bins up to the one of the largest distance, from how many distances exceed 0, 1, 2, 4, 8, ..."""
    above = np.int64(steps.size)
    if top == 0:
        histogram[0] += above
        return
    above = _fill(histogram, 0, above, _exceeding(steps, 0, 1, 2, 4))
    if top > 4:
        above = _fill(histogram, 4, above, _exceeding(steps, 8, 16, 32, 64))
    if top > 64:
        above = _fill(histogram, 8, above, _exceeding(steps, 128, 256, 512, 1024))
    if top > 1024:
        for i in range(x.size):
            ulp = pair(x[i], y[i])[2] - np.uint64(1)
            # More than 2**k steps, in units of 2**11, less one; pairs that are not finite have no steps.
            steps[i] = np.uint16(min(ulp >> np.uint64(11), _CAP)) if steps[i] > 0 else np.uint16(0)
        above = _fill(histogram, 12, above, _exceeding(steps, 0, 1, 3, 7))
        above = _fill(histogram, 16, above, _exceeding(steps, 15, 31, 63, 127))
        above = _fill(histogram, 20, above, _exceeding(steps, 255, 511, 65535, 65535))


@compiled
def _fill(histogram, bin, above, exceeding):
    for k in range(4):
        histogram[bin + k] += above - exceeding[k]
        above = exceeding[k]
    return above


@compiled
def _exceeding(steps, a, b, c, d):
    a, b, c, d = np.uint16(a), np.uint16(b), np.uint16(c), np.uint16(d)
    over_a = over_b = over_c = over_d = np.uint16(0)
    for i in range(steps.size):
        step = steps[i]
        over_a = np.uint16(over_a + np.uint16(step > a))
        over_b = np.uint16(over_b + np.uint16(step > b))
        over_c = np.uint16(over_c + np.uint16(step > c))
        over_d = np.uint16(over_d + np.uint16(step > d))
    return np.int64(over_a), np.int64(over_b), np.int64(over_c), np.int64(over_d)


@compiled
def add_to_lanes(error, scale, lanes):
    """Add errors, and their squares, to the running sums; a strip starts at the first lane."""
    first, second = lanes[0], lanes[1]
    pairs = error.size - error.size % (2 * LANES)
    for low in range(0, pairs, 2 * LANES):
        row, below = error[low : low + LANES], error[low + LANES : low + 2 * LANES]
        for j in range(LANES):
            term, next_term = row[j] * scale, below[j] * scale
            first[j] = (first[j] + term) + next_term
            second[j] = (second[j] + term * term) + next_term * next_term
    for low in range(pairs, error.size, LANES):
        row = error[low : low + LANES]
        for j in range(row.size):
            term = row[j] * scale
            first[j] += term
            second[j] += term * term


@compiled
def take_sums(lanes):
    """What the lanes add up to, from the first to the last; the lanes are set to zero."""
    first = second = 0.0
    for j in range(LANES):
        first += lanes[0, j]
        second += lanes[1, j]
    lanes[:] = 0.0
    return first, second


@compiled
def hold_to_limit(error, limit):
    """How many errors exceed one limit for all, and the first."""
    over, first = 0, error.size
    for i in range(error.size):
        over += error[i] > limit
    if over:
        first = 0
        while error[first] <= limit:
            first += 1
    return over, first


@compiled
def hold_to_limits(error, limits):
    """How many errors exceed their limits, the first, the largest share, and limits that are none."""
    over, first, used, bad = 0, error.size, np.int64(0), 0
    for i in range(error.size):
        share = error[i] / limits[i]
        share = share if (error[i] > 0.0) & (limits[i] < math.inf) else 0.0
        used = max(used, bits_of(share))
        over += error[i] > limits[i]
        bad += not limits[i] >= 0.0
    if over:
        first = 0
        while not error[first] > limits[first]:
            first += 1
    return over, first, number_of(used), bad
