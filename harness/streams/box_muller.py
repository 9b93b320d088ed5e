"""The float32 logarithm, sine and cosine with which PyTorch turns uniforms into normals on AVX2 and AVX-512.

Source: PyTorch `aten/src/ATen/native/cpu/avx_mathfun.h` (G. Garberoglio, after J. Pommier's
`sse_mathfun.h`), itself the single-precision Cephes of S. Moshier; `normal_fill_16_AVX2` in
`DistributionTemplates.h`. The released builds let the compiler contract each product followed by a sum into
one fused operation, and so do we: that is where the last bits come from. Values are float32 numbers held in
float64 arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from harness.streams.fused import F32, F64, round32

_LOG = tuple(
    float(np.float32(c))
    for c in (
        7.0376836292e-2,
        -1.1514610310e-1,
        1.1676998740e-1,
        -1.2420140846e-1,
        1.4249322787e-1,
        -1.6668057665e-1,
        2.0000714765e-1,
        -2.4999993993e-1,
        3.3333331174e-1,
    )
)
_LN2_HIGH = 0.693359375
_LN2_LOW = float(np.float32(-2.12194440e-4))
_SQRT_HALF = np.float32(0.707106781186547524)
_PI_4 = tuple(float(np.float32(c)) for c in (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8))
_SIN = tuple(float(np.float32(c)) for c in (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1))
_COS = tuple(
    float(np.float32(c)) for c in (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
)
_FOUR_OVER_PI = np.float32(1.27323954473516)
_TWO_PI = np.float32(2.0 * np.pi)


def _round(x: F64) -> F64:
    return x.astype(np.float32).astype(np.float64)


def log(x: F32) -> F64:
    """Natural logarithm of positive normal float32 numbers."""
    bits = x.view(np.int32)
    exponent = ((bits >> 23) - 126).astype(np.float64)
    fraction = ((bits & np.int32(0x007FFFFF)) | np.int32(0x3F000000)).view(np.float32)
    small = fraction < _SQRT_HALF
    exponent -= small
    # exact: the fraction is in [0.5, 1), doubled where it is below sqrt(1/2)
    m = fraction.astype(np.float64)
    m = np.where(small, m + m, m) - 1.0
    z = _round(m * m)
    y = np.full_like(m, _LOG[0])
    for c in _LOG[1:]:
        y = round32(y * m, c)
    y = _round(y * m)
    y = round32(y * z, _round(exponent * _LN2_LOW))
    y = _round(y - 0.5 * z)
    return _round(_round(m + y) + exponent * _LN2_HIGH)


def sincos(x: F32) -> tuple[F64, F64]:
    """Sine and cosine of float32 angles in [0, 8192)."""
    octant = ((x * _FOUR_OVER_PI).astype(np.int32) + 1) & ~1
    j = octant.astype(np.float64)
    r = x.astype(np.float64)
    for part in _PI_4:
        r = round32(j * part, r)
    z = _round(r * r)
    cosine = round32(_COS[0] * z, _COS[1])
    cosine = _round(round32(cosine * z, _COS[2]) * z)
    cosine = _round(round32(cosine * z, -0.5 * z) + 1.0)
    sine = round32(_SIN[0] * z, _SIN[1])
    sine = _round(round32(sine * z, _SIN[2]) * z)
    sine = round32(sine * r, r)
    swap = (octant & 2) != 0
    s = np.where(swap, cosine, sine) * np.where(octant & 4, -1.0, 1.0)
    c = np.where(swap, sine, cosine) * np.where((octant - 2) & 4, 1.0, -1.0)
    return s, c


def normals(uniforms: npt.NDArray[np.float32], mean: float, std: float) -> F32:
    """Box-Muller on blocks of 16 uniforms, shape (k, 2, 8): eight for the radius, eight for the angle."""
    out = np.empty_like(uniforms)
    step = 512
    scale, shift = float(np.float32(std)), float(np.float32(mean))
    for at in range(0, len(uniforms), step):
        u1 = np.float32(1.0) - uniforms[at : at + step, 0]
        radius = np.sqrt((-2.0 * log(u1)).astype(np.float32)).astype(np.float64)
        sine, cosine = sincos(_TWO_PI * uniforms[at : at + step, 1])
        out[at : at + step, 0] = round32(_round(radius * cosine) * scale, shift)
        out[at : at + step, 1] = round32(_round(radius * sine) * scale, shift)
    return out
