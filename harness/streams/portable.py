"""The float32 logarithm, sine and cosine of the C library, for PyTorch builds without vector instructions.

Source: Arm Optimized Routines `logf`, `sinf`, `cosf` (S. Nagy and W. Dijkstra), adopted by glibc 2.27 and
2.28 and by musl. They work in float64 and round once at the end, so they agree with the C library wherever
those routines are used; glibc 2.41 replaced them by correctly rounded ones, which differ in the last bit.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from harness.streams.fused import F32, F64, multiply_add_32

_OFFSET = np.int32(0x3F330000)
# reciprocals of the points c at which the logarithm is expanded, one for each sixteenth of an octave
_INVERSE_C = tuple(
    float.fromhex(h)
    for h in (
        "0x1.661ec79f8f3bep+0",
        "0x1.571ed4aaf883dp+0",
        "0x1.49539f0f010bp+0",
        "0x1.3c995b0b80385p+0",
        "0x1.30d190c8864a5p+0",
        "0x1.25e227b0b8eap+0",
        "0x1.1bb4a4a1a343fp+0",
        "0x1.12358f08ae5bap+0",
        "0x1.0953f419900a7p+0",
        "0x1p+0",
        "0x1.e608cfd9a47acp-1",
        "0x1.ca4b31f026aap-1",
        "0x1.b2036576afce6p-1",
        "0x1.9c2d163a1aa2dp-1",
        "0x1.886e6037841edp-1",
        "0x1.767dcf5534862p-1",
    )
)
_LOG_POLY = tuple(
    float.fromhex(h) for h in ("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")
)
_LN2 = math.log(2.0)
_HALF_PI = math.pi / 2
_COS = tuple(
    float.fromhex(h)
    for h in (
        "-0x1.ffffffd0c621cp-2",
        "0x1.55553e1068f19p-5",
        "-0x1.6c087e89a359dp-10",
        "0x1.99343027bf8c3p-16",
    )
)
_SIN = tuple(
    float.fromhex(h) for h in ("-0x1.555545995a603p-3", "0x1.1107605230bc4p-7", "-0x1.994eb3774cf24p-13")
)


def log(x: F32) -> F32:
    """`logf` of positive normal float32 numbers."""
    bits = x.view(np.int32)
    shifted = bits - _OFFSET
    index = (shifted >> 19) & 15
    exponent = shifted >> 23
    z = (bits - (exponent << 23)).view(np.float32).astype(np.float64)
    inverse = np.array(_INVERSE_C)
    log_c = np.array([-math.log(c) for c in _INVERSE_C])
    r = z * inverse[index] - 1.0
    base = log_c[index] + exponent * _LN2
    square = r * r
    y = _LOG_POLY[1] * r + _LOG_POLY[2]
    y = _LOG_POLY[0] * square + y
    return np.asarray(y * square + (base + r)).astype(np.float32)


def _polynomials(x: F64) -> tuple[F64, F64]:
    x2 = x * x
    x3, x4 = x * x2, x2 * x2
    sine = (x + x3 * _SIN[0]) + (x3 * x2) * (_SIN[1] + x2 * _SIN[2])
    cosine = ((1.0 + x2 * _COS[0]) + x4 * _COS[1]) + (x4 * x2) * (_COS[2] + x2 * _COS[3])
    return sine, cosine


def sincos(x: F32) -> tuple[F32, F32]:
    """`sinf` and `cosf` of float32 angles in [0, 120)."""
    wide = x.astype(np.float64)
    quadrant = np.floor(wide * (2.0 / math.pi) + 0.5).astype(np.int64)
    quadrant[x < np.float32(math.pi / 4)] = 0
    sine, cosine = _polynomials(wide - quadrant * _HALF_PI)
    odd = (quadrant & 1) != 0
    s, c = np.where(odd, cosine, sine), np.where(odd, sine, cosine)
    np.negative(s, out=s, where=(quadrant & 2) != 0)
    np.negative(c, out=c, where=((quadrant + 1) & 2) != 0)
    return s.astype(np.float32), c.astype(np.float32)


def normals(uniforms: npt.NDArray[np.float32], mean: float, std: float) -> F32:
    """Box-Muller on blocks of 16 uniforms, shape (k, 2, 8), one rounding after each float32 operation.

    The last multiplication and addition are one fused operation in these builds, too.
    """
    out = np.empty_like(uniforms)
    scale, shift, step = np.float32(std), np.float32(mean), 512
    for at in range(0, len(uniforms), step):
        radius = np.sqrt(np.float32(-2.0) * log(np.float32(1.0) - uniforms[at : at + step, 0]))
        sine, cosine = sincos(
            (2.0 * math.pi * uniforms[at : at + step, 1].astype(np.float64)).astype(np.float32)
        )
        out[at : at + step, 0] = multiply_add_32(radius * cosine, scale, shift)
        out[at : at + step, 1] = multiply_add_32(radius * sine, scale, shift)
    return out
