"""Functions and short compositions in four languages: at fresh points none is beyond its limit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle import special
from harness.oracle.balls import precision as ball_precision
from harness.oracle.registry import arithmetic, balls
from harness.oracle.truth_parts import parts_of
from tests.functions.points import ONE, TWO, points

HERE = Path(__file__).parent
MEASURE = HERE.parent / "functions"
SEED, COUNT, WIDTH = 77, 250, 10
BITS = {"float64": 53, "float32": 24}
BARE = [name for name in (*ONE, *TWO) if name != "gammaln_negative"]
SUFFIX = {"numpy": "numpy_avx512", "torch": "torch_avx512", "r": "r", "julia": "julia"}


COMPOSED: dict[str, Callable[[Any, Any], Any]] = {
    "tanh_gelu": lambda kind, x: (
        0.5 * x * (1.0 + np.tanh(np.sqrt(kind.gather(2.0) / np.pi) * (x + 0.044715 * x**3)))
    ),
    "erf_gelu": lambda kind, x: 0.5 * x * (1.0 + special.erf(kind, x / np.sqrt(kind.gather(2.0)))),
    "softplus": lambda kind, x: np.maximum(x, 0.0) + np.log1p(np.exp(-abs(x))),
    "layer_norm": lambda kind, x: (
        (x - x.mean(axis=-1, keepdims=True))
        / np.sqrt(((x - x.mean(axis=-1, keepdims=True)) ** 2).mean(axis=-1, keepdims=True) + 0.1)
    ),
    "logsumexp": lambda kind, x: special.logsumexp(kind, x, axis=-1),
    "softmax": lambda kind, x: special.softmax(kind, x, axis=-1),
}


def in_python(library: str, name: str, x: np.ndarray) -> np.ndarray | None:
    if library == "numpy":
        if name == "erf_gelu":
            return None
        fake: Any = type("Plain", (), {"gather": staticmethod(x.dtype.type)})
        if name == "logsumexp":
            top = x.max(axis=-1, keepdims=True)
            return np.log(np.exp(x - top).sum(axis=-1)) + top[:, 0]
        if name == "softmax":
            return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)
        return np.asarray(COMPOSED[name](fake, x))
    import torch

    functional = torch.nn.functional
    made = {
        "tanh_gelu": lambda t: functional.gelu(t, approximate="tanh"),
        "erf_gelu": functional.gelu,
        "softplus": lambda t: torch.clamp(t, min=0) + torch.log1p(torch.exp(-t.abs())),
        "layer_norm": lambda t: functional.layer_norm(t, (WIDTH,), eps=0.1),
        "logsumexp": lambda t: torch.logsumexp(t, -1),
        "softmax": lambda t: torch.softmax(t, -1),
    }
    return np.asarray(made[name](torch.from_numpy(x)).numpy())


def compute(folder: Path, library: str, bare: list[str], composed: list[str]) -> None:
    """What a language returns, as files of float64."""
    quiet = {"stderr": subprocess.DEVNULL, "check": True}
    if library in ("numpy", "torch"):
        command = [sys.executable, str(MEASURE / "in_python.py"), SUFFIX[library], str(folder), *bare]
        subprocess.run(command, env=os.environ | {"OMP_NUM_THREADS": "1"}, check=True)
        for job in composed:
            name, dtype = job.split("-")
            x = np.fromfile(folder / f"{job}.x").reshape(-1, WIDTH).astype(dtype)
            array = in_python(library, name, x)
            if array is not None:
                array.astype(np.float64).tofile(folder / f"{job}.{SUFFIX[library]}")
        return
    if library == "r":
        start, sources = [shutil.which("Rscript") or "Rscript"], ("in_r.R", "functions_live.R")
    else:
        from harness.runtimes.provision.julia import find_julia

        start, sources = [str(find_julia().executable)], ("in_julia.jl", "functions_live.jl")
    subprocess.run([*start, str(MEASURE / sources[0]), str(folder), *bare], **quiet)  # type: ignore[call-overload]
    subprocess.run([*start, str(HERE / sources[1]), str(folder), str(WIDTH), *composed], **quiet)  # type: ignore[call-overload]


def largest_shares(
    folder: Path, library: str, count: int, seed: int
) -> dict[str, tuple[float, float, float]]:
    """By job: largest error over limit, part of elements that are judged, part of planted faults found."""
    precisions = ["float64"] if library == "r" else list(BITS)
    bare = [f"{name}-{precision}" for precision in precisions for name in BARE]
    composed = [f"{name}-{precision}" for precision in precisions for name in COMPOSED]
    arrays: dict[str, list[np.ndarray]] = {}
    for job in bare:
        arrays[job] = points(*job.split("-"), count, seed)  # type: ignore[arg-type]
    for job in composed:
        rows = np.random.default_rng([seed, *job.encode()]).normal(scale=3.0, size=(count // WIDTH, WIDTH))
        rows[0, :3] = 0.0
        arrays[job] = [rows.astype(job.split("-")[1]).astype(np.float64)]
    for job, given in arrays.items():
        for axis, array in zip("xy", given, strict=False):
            array.tofile(folder / f"{job}.{axis}")
    compute(folder, library, bare, composed)
    shares = {}
    for job, given in arrays.items():
        path = folder / f"{job}.{SUFFIX[library]}"
        if path.is_file():
            shares[job] = _share(job, given, np.fromfile(path))
    return shares


def _share(job: str, given: list[np.ndarray], result: np.ndarray) -> tuple[float, float, float]:
    name, dtype = job.split("-")
    rounded, exact = arithmetic(BITS[dtype]), balls(BITS[dtype])
    defined = getattr(special, name, None) if name not in COMPOSED else COMPOSED[name]
    function = defined or (lambda kind, *x: getattr(np, name)(*x))
    with ball_precision(256), np.errstate(all="ignore"):
        true = function(exact, *map(exact.given, given))
        parts = parts_of(true, function(rounded, *map(rounded.given, given)), unit=rounded.unit, bits=256)
        high, low, _, _, limit = (array.ravel() for array in parts.arrays)
        judged = np.isfinite(limit) & np.isfinite(high)
        limits = np.maximum(limit, 5e-324)
        errors = np.abs((result - high) - low)
        shares = np.where(errors == 0, 0.0, errors / limits)[judged]
        # Three limits off: what a fault of some units is, where a function is inexact at all.
        faulty = judged & (limit > 0) & (np.abs(high) > 1e-30)
        planted = np.abs((result + 3.0 * limits - high) - low)[faulty] > limits[faulty]
    # What is infinite or no number there is beyond every limit.
    return float(np.nan_to_num(shares, nan=np.inf).max()), float(judged.mean()), float(planted.mean())


@pytest.mark.parametrize(
    "library",
    [
        "numpy",
        pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
        pytest.param("r", marks=pytest.mark.r),
        # It compiles sixty functions in two precisions.
        pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
    ],
)
def test_no_function_and_no_composition_is_beyond_its_limit(tmp_path: Path, library: str) -> None:
    shares = largest_shares(tmp_path, library, COUNT, SEED)
    assert {job: measured[0] for job, measured in shares.items() if not measured[0] <= 1.0} == {}
    # R's are of float64 alone; NumPy and Julia have no erf.
    assert len(shares) >= {"numpy": 60, "torch": 66, "r": 31, "julia": 60}[library]
    assert min(planted for _, _, planted in shares.values()) == 1.0
    assert min(judged for _, judged, _ in shares.values()) > 0.4
    # Were limits a tenth of what they are, there would be alarms.
    assert max(share for share, *_ in shares.values()) > 0.1
