"""Pairs of arrays that mostly agree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


STATED = {"bfloat16": "bfloat16"}


def noisy(count: int, seed: int = 0) -> tuple[Array, Array]:
    """Numbers that mostly agree to a few ULP, with zeros, infinities, NaN and a few that are far off."""
    rng = np.random.default_rng(seed)
    expected = rng.standard_normal(count) * 10.0 ** rng.integers(-30, 30, count)
    actual = expected * (1 + rng.integers(-3, 4, count) * 2.0**-52)
    for array in (expected, actual):
        for value in (0.0, -0.0, math.inf, -math.inf, math.nan):
            array[rng.integers(0, count, max(1, count // 200))] = value
    actual[rng.integers(0, count, max(1, count // 100))] *= -1.5
    return actual, expected
