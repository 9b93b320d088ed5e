"""How much of its limit an implementation of a function uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import pytest

Function = Callable[..., Any]


class Share(Protocol):
    def __call__(
        self, function: Function, *arrays: np.ndarray, by: Function | None = None, bits: int = 53
    ) -> float:
        """The largest error of ``by``, by default the function in the working precision, over its limit."""


@pytest.fixture
def share() -> Share:
    pytest.importorskip("flint")
    from harness.oracle.balls import precision, split
    from harness.oracle.registry import arithmetic, balls

    def measured(
        function: Function, *arrays: np.ndarray, by: Function | None = None, bits: int = 53
    ) -> float:
        dtype = np.float32 if bits == 24 else np.float64
        given = [array.astype(dtype) for array in arrays]
        wide = [array.astype(np.float64) for array in given]
        with precision(256), np.errstate(all="ignore"):
            true = balls(bits)
            high, low, radius = split(true.gather(function(*map(true.given, wide))).items)
        rounded = arithmetic(bits)
        analysed = rounded.gather(function(*map(rounded.given, wide)))
        limit = analysed.limit()
        assert np.isfinite(limit).all()
        limit = np.where(analysed.worst > 0, np.maximum(limit, 2.0**-bits * 2.0 * np.abs(high)), 0.0)
        assert (radius <= np.maximum(limit / 1024, 2.0**-100 * np.abs(high)) + 5e-324).all()
        result = np.asarray((by or function)(*given), dtype=np.float64)
        assert result.shape == high.shape
        error = np.abs((result - high) - low)
        used = np.where(error > 0, error / np.where(limit > 0, limit, 1e-300), 0.0)
        return float(used.max())

    return measured
