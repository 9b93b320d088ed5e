"""Base types that all others of the project use: verdicts, precisions, and the frozen struct."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.generic]
else:
    Array = Any


class Verdict(StrEnum):
    """The result of one cell of the matrix."""

    PASS = "PASS"
    FAIL = "FAIL"
    XFAIL = "XFAIL"
    XPASS = "XPASS"
    ERROR = "ERROR"
    TIMEOUT = "TIMEOUT"
    UNSUPPORTED = "UNSUPPORTED"
    NOT_RUN = "NOT_RUN"


class Precision(StrEnum):
    """The floating-point format that a case is run in."""

    FLOAT64 = "float64"
    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"

    @property
    def numpy_dtype(self) -> str:
        """Name of the NumPy dtype that stores its numbers: float32 for bfloat16, which NumPy lacks."""
        return "float32" if self is Precision.BFLOAT16 else self.value


class Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every type that is read from, or written to, a file."""
