"""True value and limit of a value that may be complex: each part is analysed, limits are of the modulus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle import truth_parts
from harness.oracle.complex_arrays import ComplexArray
from harness.oracle.oracle_array import OracleArray
from harness.oracle.truth_parts import Parts
from harness.oracle.unknown import Unknown

Array = npt.NDArray[Any]


def parts_of(true: Any, rounded: Any, balls: Any = None, *, free: Sequence[Any] = (), **how: Any) -> Parts:
    """True value, radius and limit of one value; see `truth_parts.parts_of`.

    Of a complex value, high and low are complex128. An error of at most a in the real part and b in the
    imaginary one is one of at most sqrt(a**2 + b**2) in the modulus, which is the radius, the worst error and
    the limit. An element is undecided where either part is, and a number where both are.

    Raises
    ------
    Unknown
        As in `truth_parts.parts_of`, for either part.
    """
    given = [true, rounded, balls, *free]
    if not any(isinstance(value, ComplexArray) for value in given):
        return truth_parts.parts_of(true, rounded, balls, free=free, **how)
    parts = []
    for side in ("real", "imag"):
        x, y, z, *others = (None if value is None else getattr(_lifted(value), side) for value in given)
        parts.append(truth_parts.parts_of(x, y, z, free=others, **how))
    real, imag = parts
    high, low = (_joined(a, b) for a, b in zip(real.arrays[:2], imag.arrays[:2], strict=True))
    sizes = [np.hypot(a, b) for a, b in zip(real.arrays[2:], imag.arrays[2:], strict=True)]
    radii = np.stack([real.arrays[2], imag.arrays[2]])
    unlimited, a_number = (test(radii).any(axis=0) for test in (np.isneginf, np.isposinf))
    # The modulus of infinity and NaN is infinite.
    nothing_known = np.isnan(radii).any(axis=0) | (unlimited & a_number)
    sizes[0] = np.where(nothing_known, np.nan, np.where(unlimited, -np.inf, sizes[0]))
    why = "; ".join(dict.fromkeys(filter(None, (real.why, imag.why))))
    return Parts(
        arrays=[high, low, *sizes], wide=real.wide | imag.wide, short=real.short & imag.short, why=why
    )


def _lifted(value: Any) -> ComplexArray:
    if isinstance(value, OracleArray):
        return ComplexArray.lifted(type(value), value)
    if not isinstance(value, ComplexArray):
        raise Unknown("it is complex in one evaluation, and whole numbers in another")
    return value


def _joined(real: Array, imag: Array) -> Array:
    joined = np.empty(real.shape, dtype=np.complex128)
    joined.real, joined.imag = real, imag
    return joined
