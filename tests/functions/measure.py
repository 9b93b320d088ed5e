"""Largest errors of the functions of every library here: ``python -m tests.functions [FUNCTION...]``."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from harness.runtimes.provision.julia import find_julia
from tests.functions.in_python import in_math
from tests.functions.points import EXPONENTS, ONE, PRECISIONS, TWO, Array, points
from tests.functions.truths import write_truths

HERE = Path(__file__).parent
NO_AVX512 = "X86_V4 AVX512_ICL AVX512_SPR"
SETTINGS: Mapping[str, Mapping[str, str]] = {
    "numpy_avx512": {},
    "numpy_avx2": {"NPY_DISABLE_CPU_FEATURES": NO_AVX512},
    "numpy_baseline": {"NPY_DISABLE_CPU_FEATURES": f"{NO_AVX512} X86_V3"},
    "math": {},
    "scipy": {},
    "torch_avx512": {},
    "torch_avx2": {"ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"},
    "torch_default": {"ATEN_CPU_CAPABILITY": "default", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2"},
    "torch_strided": {},
}
"""What a library's child process is started with, so that it takes such instructions."""

LARGEST = {"float64": 1.7976e308, "float32": 3.4028e38, "float16": 65504.0, "bfloat16": 3.38e38}
SMALL = {"float64": 2.0**-960, "float32": 2.0**-126, "float16": 2.0**-14, "bfloat16": 2.0**-126}
"""Below, true values are subnormal; in float64, so is the low part of a truth."""

FUNCTIONS = (*ONE, *TWO, *(f"power_{exponent}" for exponent in EXPONENTS))
COUNTS = {"float64": 1_090_000, "float32": 4_200_000, "float16": 1_090_000, "bfloat16": 1_090_000}


def prepare(folder: Path, function: str, precision: str, most: int) -> None:
    """At most so many points, and true values, as files.

    In float64 these are python-flint's. In shorter precisions they are the C library's in float64, whose
    errors were measured so: next to nothing, in their units. Where it cannot be had, python-flint's again.
    """
    fewer = function.startswith("power_") or function == "gammaln_negative"
    count = min(most, COUNTS[precision]) // (4 if fewer else 1)
    base = f"{folder}/{function}-{precision}"
    if precision == "float64" or function in ("gammaln_negative", "reciprocal"):
        write_truths(folder, function, precision, min(count, 1_090_000), 2)
    elif not Path(f"{base}.low").is_file():
        paths = [Path(f"{base}.{axis}") for axis in "xy"]
        for path, array in zip(paths, points(function, precision, count), strict=False):
            array.tofile(path)
        high = in_math(function, precision, paths)
        high.tofile(f"{base}.high")
        np.zeros(len(high)).tofile(f"{base}.low")


def compute(folder: Path, jobs: list[str]) -> None:
    """What all libraries return in these points, as files."""
    threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    for kind, settings in SETTINGS.items():
        if kind == "scipy" and not find_spec("scipy"):
            continue
        command = [sys.executable, str(HERE / "in_python.py"), kind, str(folder), *jobs]
        subprocess.run(command, env=os.environ | threads | settings, check=True)
    subprocess.run(["Rscript", str(HERE / "in_r.R"), str(folder), *jobs], check=True)
    julia = find_julia().executable
    subprocess.run([str(julia), str(HERE / "in_julia.jl"), str(folder), *jobs], check=True)


def unit_of(high: Array, low: Array, precision: str) -> Array:
    """One unit in the last place of true values; of subnormal ones, the smallest subnormal number."""
    bits = PRECISIONS[precision]
    _, exponent = np.frexp(high)
    # Just below a power of two the unit is that below.
    below = (np.abs(high) == np.ldexp(0.5, exponent)) & (np.sign(high) * low < 0)
    lowest = {"float64": -1021, "float32": -125, "float16": -13, "bfloat16": -125}[precision]
    return np.ldexp(1.0, np.maximum(exponent - below, lowest) - bits)


def errors_of(folder: Path, job: str, kind: str) -> dict[str, Any] | None:
    """Largest error of a library's function, in units in the last place of the true value.

    Returns
    -------
    dict
        ``points``, whose true value is a finite number of that precision; ``largest`` error and where it is
        ``at``; ``subnormal``, the largest where the true value is subnormal, or so small that its low part
        is; ``overflows``, how often the result is infinite and the true value in the upper half of the
        range; ``wrong``, how often else it is no number, and ``wrong_at`` where first; ``away``, the largest
        error where an argument is 0.5 or more; ``near_zero``, the largest where it is less, in units of the
        last place of 1; ``with_one``, the largest in units of 1 and the value. None where the library has no
        such function.
    """
    base = f"{folder}/{job}"
    if not Path(f"{base}.{kind}").is_file():
        return None
    precision = job.split("-")[-1]
    computed, high, low, x = (np.fromfile(f"{base}.{name}") for name in (kind, "high", "low", "x"))
    there = np.abs(high) < LARGEST[precision]
    fine = there & np.isfinite(computed)
    with np.errstate(invalid="ignore", over="ignore"):
        absolute = np.where(fine, np.abs(computed - high - low), 0.0)
    error = absolute / unit_of(np.where(there, high, 1.0), low, precision)
    normal = np.abs(high) >= SMALL[precision]
    place = int(np.argmax(error * normal))
    overflows = there & np.isinf(computed) & (np.abs(high) > LARGEST[precision] / 2.0)
    wrong = there & ~fine & ~overflows
    # Of 1 and the value, where a value of 0 is a sum of terms that are none.
    with_one = absolute / unit_of(1.0 + np.where(there, np.abs(high), 0.0), low, precision)
    report: dict[str, Any] = {
        "points": int(there.sum()),
        "largest": float((error * normal)[place]),
        "at": [float(x[place])],
        "subnormal": float((error * ~normal).max()),
        "overflows": int(overflows.sum()),
        "wrong": int(wrong.sum()),
        "away": float((error * normal)[np.abs(x) >= 0.5].max(initial=0.0)),
        "with_one": float(with_one.max(initial=0.0)),
        "near_zero": float(absolute[np.abs(x) < 0.5].max(initial=0.0)) * 2.0 ** (PRECISIONS[precision] - 1),
    }
    if Path(f"{base}.y").is_file():
        report["at"].append(float(np.fromfile(f"{base}.y")[place]))
    if wrong.any():
        report["wrong_at"] = float(x[np.argmax(wrong)])
    return report


def measured(folder: Path, job: str) -> dict[str, dict[str, Any]]:
    """`errors_of` all libraries that have the function."""
    kinds = [kind for kind in (*SETTINGS, "r", "julia") if kind != "math" or job.endswith("-float64")]
    return {kind: report for kind in kinds if (report := errors_of(folder, job, kind)) is not None}
