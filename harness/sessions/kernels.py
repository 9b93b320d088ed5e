"""The environment in which numeric libraries round as on another machine."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from types import MappingProxyType

_X86 = {
    "OPENBLAS_CORETYPE": "Nehalem",
    # Of these, NumPy reads those that its version knows.
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR AVX F16C FMA3 AVX2 AVX512F AVX512CD"
    " AVX512_SKX AVX512_CLX AVX512_CNL",
    "ATEN_CPU_CAPABILITY": "default",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "MKL_CBWR": "COMPATIBLE",
}
_ARM = {"OPENBLAS_CORETYPE": "ARMV8", "ATEN_CPU_CAPABILITY": "default"}

PLAIN_KERNELS: Mapping[str, str] = MappingProxyType(
    _X86 if platform.machine().lower() in ("x86_64", "amd64") else _ARM
)
"""Variables that turn off what newer processors bring; a library that does not know one leaves it aside."""
