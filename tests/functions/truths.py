"""True values of functions in many points, by python-flint in several processes."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from flint import arb, ctx

from harness.oracle.ball_functions import SCALARS, true_value
from tests.functions.points import Array, points

CHUNK = 20_000


def truth_of(function: str, arguments: list[Array]) -> tuple[Array, Array]:
    """True values, each as the sum of two float64; not a number where there is none."""
    name, rest = function.removesuffix("_negative"), []
    if name.startswith("power_"):
        name, rest = "power", [arb(float(name[6:]))]
    function_of_balls = SCALARS[name]
    high, low = [], []
    ctx.prec = 128
    for numbers in zip(*(array.tolist() for array in arguments), strict=True):
        value = function_of_balls(*map(arb, numbers), *rest)
        if value.rel_accuracy_bits() < 80:
            value = true_value(name, *numbers, *rest)
        first = float(value)
        high.append(first if value.is_finite() else np.nan if value.is_nan() else np.inf)
        low.append(float(value - first) if abs(first) < np.inf else 0.0)
    return np.array(high), np.array(low)


def write_truths(folder: Path, function: str, precision: str, count: int, processes: int) -> None:
    """Points of a function and its true values there, as files of float64, unless they are there."""
    base = f"{folder}/{function}-{precision}"
    if Path(f"{base}.low").is_file():
        return
    arguments = points(function, precision, count)
    chunks = [
        [array[start : start + CHUNK] for array in arguments] for start in range(0, len(arguments[0]), CHUNK)
    ]
    with ProcessPoolExecutor(processes, initializer=os.nice, initargs=(10,)) as pool:
        parts = list(pool.map(truth_of, [function] * len(chunks), chunks))
    for name, array in zip(("x", "y"), arguments, strict=False):
        array.tofile(f"{base}.{name}")
    for place, name in enumerate(("high", "low")):
        np.concatenate([part[place] for part in parts]).tofile(f"{base}.{name}")
