"""Fused multiply-add with one rounding, in plain NumPy, for streams whose build used that instruction.

Source: S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
rounding to odd", IEEE Trans. Computers 57(4), 2008; the error-free sum and product are Knuth's and
Dekker's.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

_TIE_MASK = np.uint64(0x1FFFFFFF)
_TIE = np.uint64(0x10000000)
_SPLIT = 134217729.0


def _two_sum(a: F64, b: F64) -> tuple[F64, F64]:
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _two_product(a: F64, b: F64) -> tuple[F64, F64]:
    product = a * b
    a_high = a * _SPLIT - (a * _SPLIT - a)
    b_high = b * _SPLIT - (b * _SPLIT - b)
    a_low, b_low = a - a_high, b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


def round32(exact_product: F64, addend: F64 | float) -> F64:
    """The binary32 nearest to `exact_product + addend`, held in float64; the product must be exact there."""
    total = exact_product + addend
    narrow = total.astype(np.float32).astype(np.float64)
    ties = (total.view(np.uint64) & _TIE_MASK) == _TIE
    if ties.any():
        # the float64 sum fell exactly between two binary32 numbers: its own rounding error decides
        where = np.flatnonzero(ties)
        high = exact_product.reshape(-1)[where]
        low = np.broadcast_to(np.asarray(addend, dtype=np.float64), total.shape).reshape(-1)[where]
        at, error = _two_sum(high, low)
        nudged = np.where(error == 0.0, at, np.nextafter(at, np.copysign(np.inf, error)))
        narrow.reshape(-1)[where] = nudged.astype(np.float32)
    return narrow


def multiply_add_32(a: F32, b: np.float32, c: np.float32) -> F32:
    """Binary32 `a*b + c`, rounded once."""
    return round32(a.astype(np.float64) * float(b), float(c)).astype(np.float32)


def multiply_add_64(a: F64, b: F64 | float, c: F64 | float) -> F64:
    """Binary64 `a*b + c`, rounded once; for magnitudes far from overflow and underflow."""
    left = np.asarray(a, dtype=np.float64)
    right = np.broadcast_to(np.asarray(b, dtype=np.float64), left.shape)
    addend = np.broadcast_to(np.asarray(c, dtype=np.float64), left.shape)
    high, low = _two_product(left, right)
    t_high, t_low = _two_sum(addend, low)
    v_high, v_low = _two_sum(high, t_high)
    tail, error = _two_sum(t_low, v_low)
    even = (tail.view(np.int64) & 1) == 0
    # rounding the tail to odd keeps the information that the second rounding needs
    odd = np.where((error != 0.0) & even, np.nextafter(tail, np.copysign(np.inf, error)), tail)
    return np.asarray(v_high + odd, dtype=np.float64)
