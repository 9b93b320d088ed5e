"""Julia's own logarithm, to the last bit, for the tails of its ziggurats.

Source: P. T. P. Tang, "Table-driven implementation of the logarithm function in IEEE floating-point
arithmetic", ACM TOMS 16(4), 1990, as in Julia's `base/special/log.jl`; the table is computed as the comment
there says.
"""

from __future__ import annotations

import functools
import math
import struct
from decimal import Context, Decimal, localcontext

_LN2 = (0.6931471805601177, -1.7239444525614835e-13)
_NEAR_ONE = (0.08333333333333179, 0.012500000003771751, 0.0022321399879194482, 0.0004348877777076146)
_ELSEWHERE = (0.08333333333303913, 0.012500053168098584)


@functools.cache
def _table() -> tuple[tuple[float, float], ...]:
    """log(1 + j/128) for j from 0 to 128: 39 bits after the point, and the rest."""
    with localcontext(Context(prec=60)):
        rows = []
        for j in range(129):
            exact = (1 + Decimal(j) / 128).ln()
            high = Decimal(round(exact * 2**39)) / 2**39
            rows.append((float(high), float(exact - high)))
    return tuple(rows)


def _truncate(x: float) -> float:
    (bits,) = struct.unpack("<Q", struct.pack("<d", x))
    (short,) = struct.unpack("<d", struct.pack("<Q", bits & 0xFFFFFFFFF8000000))
    return float(short)


def _from_table(y: float, m: int, correction: float) -> float:
    """log(2**m * (y + correction)) for y in [1, 2)."""
    nearest = (y + 35184372088832.0) - 35184372088832.0
    f = (y - nearest) + correction
    high, low = _table()[int(128.0 * nearest) - 128]
    u = (2.0 * f) / (y + nearest)
    v = u * u
    q = u * v * (_ELSEWHERE[0] + v * _ELSEWHERE[1])
    return (m * _LN2[0] + high) + (u + (q + (m * _LN2[1] + low)))


def _near_one(f: float) -> float:
    """log(1 + f) for small f."""
    g = 1.0 / (2.0 + f)
    u = 2.0 * f * g
    v = u * u
    a, b, c, d = _NEAR_ONE
    q = u * v * (a + v * (b + v * (c + v * d)))
    u1, f1 = _truncate(u), _truncate(f)
    u2 = ((2.0 * (f - u1) - u1 * f1) - u1 * (f - f1)) * g
    return u1 + (u2 + q)


def log(x: float) -> float:
    """`log(x)` for a normal float64 in [0, 1]; minus infinity at 0, as in Julia."""
    if x == 0.0:
        return -math.inf
    if 0.9394130628134757 < x < 1.0644944589178595:
        return _near_one(x - 1.0)
    fraction, exponent = math.frexp(x)
    return _from_table(2.0 * fraction, exponent - 1, 0.0)


def log1p(x: float) -> float:
    """`log1p(x)` for x in (-1, 0]."""
    if x > -1.1102230246251565e-16:
        return x
    if x > -0.06058693718652422:
        return _near_one(x)
    z = 1.0 + x
    fraction, exponent = math.frexp(z)
    return _from_table(2.0 * fraction, exponent - 1, (x - (z - 1.0)) * 2.0 ** (1 - exponent))
