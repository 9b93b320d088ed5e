"""The floating-point formats that limits are derived for. NumPy alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class Format:
    """One format, by the length of its significand.

    ``tiny`` bounds the error of a result below ``least``, the smallest normal number: the smallest subnormal
    number, or ``least`` where hardware replaces subnormal numbers by zero. ``largest`` is the largest
    finite number. ``dtype`` is what arrays of the oracle report.
    """

    name: str
    bits: int
    tiny: float
    least: float
    largest: float
    dtype: np.dtype[Any]

    def holds(self, values: Array) -> npt.NDArray[np.bool_]:
        """Which numbers the format represents; infinities and NaN count as represented."""
        with np.errstate(over="ignore", invalid="ignore"):
            steps = np.ldexp(1.0, np.maximum(np.frexp(values)[1], np.frexp(self.least)[1]) - self.bits)
            array: npt.NDArray[np.bool_] = np.fmod(values, steps) == 0
        return ~np.isfinite(values) | array & (np.abs(values) <= self.largest)


FLOAT64 = Format(
    name="float64",
    bits=53,
    tiny=2.0**-1074,
    least=2.0**-1022,
    largest=float(np.finfo(np.float64).max),
    dtype=np.dtype(np.float64),
)
FLOAT32 = Format(
    name="float32",
    bits=24,
    tiny=2.0**-149,
    least=2.0**-126,
    largest=float(np.finfo(np.float32).max),
    dtype=np.dtype(np.float32),
)
FLOAT16 = Format(
    name="float16", bits=11, tiny=2.0**-24, least=2.0**-14, largest=65504.0, dtype=np.dtype(np.float16)
)
# VDPBF16PS and the tiles of AMX take subnormal numbers for zero (Intel, "Architecture Instruction Set
# Extensions Programming Reference"). NumPy has no dtype for it: a float32 holds all of its numbers.
BFLOAT16 = Format(
    name="bfloat16",
    bits=8,
    tiny=2.0**-126,
    least=2.0**-126,
    largest=(2.0 - 2.0**-7) * 2.0**127,
    dtype=np.dtype(np.float32),
)

FORMATS: Mapping[int, Format] = {form.bits: form for form in (FLOAT64, FLOAT32, FLOAT16, BFLOAT16)}
"""The formats by the length of the significand."""
