"""What every type of the project is made of."""

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
    """What a cell of the matrix says."""

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
    def held(self) -> str:
        """NumPy's dtype for its numbers: it has no bfloat16, and a float32 holds every one of these."""
        return "float32" if self is Precision.BFLOAT16 else self.value


class Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every type that is read from, or written to, a file."""
