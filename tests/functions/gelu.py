"""The error of the erf inside PyTorch's functional.gelu, which is one kernel with an erf of its own."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from tests.functions.measure import SETTINGS

AT_ONCE = 1 << 22


class Errors(NamedTuple):
    """Largest errors of erf(x / √2), in units in the last place of its value, and of 1 where it is small."""

    away: float
    near_zero: float


def erf_in_gelu() -> dict[str, Errors]:
    """`largest_errors` with the instructions that PyTorch is told to use, each in a process of its own.

    Those that the processor does not have are left out.
    """
    kinds = [kind for kind, settings in SETTINGS.items() if "ATEN_CPU_CAPABILITY" in settings]
    return {
        kind: errors
        for kind in ("torch_avx512", *kinds)
        if (errors := _in_process(SETTINGS[kind], kind.removeprefix("torch_"))) is not None
    }


def largest_errors() -> Errors:
    """How far it is off at most in float32, of every number between 2⁻²⁰ and 6 in magnitude.

    The rounding of the product with x is in it, too. Nearer to 0 there is little else.
    """
    import torch

    torch.set_num_threads(1)
    away = near_zero = 0.0
    for x in _numbers(2.0**-20, 6.0):
        computed = torch.nn.functional.gelu(torch.from_numpy(x)).double()
        exact = torch.from_numpy(x).double()
        true = exact * torch.special.erfc(-exact / math.sqrt(2.0)) / 2.0
        value = torch.special.erf(exact / math.sqrt(2.0)).abs().float().numpy()
        off = (2.0 * (computed - true).abs() / exact.abs()).numpy()
        small = value < 0.5
        away = max(away, float((off / np.spacing(value))[~small].max(initial=0.0)))
        near_zero = max(near_zero, float(off[small].max(initial=0.0)) * 2.0**23)
    return Errors(away, near_zero)


def _numbers(low: float, high: float) -> Iterator[np.ndarray[Any, np.dtype[np.float32]]]:
    """All numbers of float32 between two, and their negatives."""
    first, last = (int(np.float32(bound).view(np.uint32)) for bound in (low, high))
    for start in range(first, last, AT_ONCE):
        numbers = np.arange(start, min(start + AT_ONCE, last), dtype=np.uint32).view(np.float32)
        yield numbers
        yield -numbers


def _in_process(settings: Mapping[str, str], capability: str) -> Errors | None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.functions.gelu"],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    used, *errors = done.stdout.split()
    return Errors(*map(float, errors)) if used == capability else None


if __name__ == "__main__":
    import torch

    print(torch.backends.cpu.get_cpu_capability().lower(), *largest_errors())
