"""NumPy's dtypes by their names in the protocol; of itself a module, for most frames have no array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.workers.lines import SIZES

Array = npt.NDArray[Any]

BFLOAT16: np.dtype[Any] = np.dtype([("bfloat16", "<u2")])
"""NumPy has no bfloat16: its bits, under a name that makes it no other number."""

DTYPES: Mapping[str, np.dtype[Any]] = {
    name: BFLOAT16 if name == "bfloat16" else np.dtype(name).newbyteorder("<") for name in SIZES
}
_NAME_OF: Mapping[tuple[str, int], str] = {
    (dtype.kind, dtype.itemsize): name for name, dtype in DTYPES.items() if name != "bfloat16"
}


def dtype_name(dtype: np.dtype[Any]) -> str | None:
    """Name of a dtype in the protocol; ``None`` where it has none (text, objects, long double, dates)."""
    if dtype == BFLOAT16:
        return "bfloat16"
    return _NAME_OF.get((dtype.kind, dtype.itemsize))
