"""Functions of NumPy, PyTorch, SciPy or math in the points of files: ``in_python.py LIBRARY FOLDER JOBS``.

A job is ``FUNCTION-PRECISION``. What a library does not have is left out.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

OTHER_NAMES = {
    "torch": {
        "gammaln": "lgamma",
        "power": "pow",
        "gamma": "",
        "cbrt": "",
        **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    },
    "math": {
        "gammaln": "lgamma",
        "power": "pow",
        "reciprocal": "",
        **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    },
}


def find(library: Any, names: dict[str, str], function: str) -> Callable[..., Any] | None:
    """A library's function, by NumPy's name; a constant power is one of a number."""
    function = function.removesuffix("_negative")
    if function.startswith("power_"):
        power, exponent = find(library, names, "power"), float(function[6:])
        # Integers are written as such: a library may multiply.
        constant = int(exponent) if exponent.is_integer() else exponent
        return power and (lambda x: power(x, constant))
    return getattr(library, names.get(function, function), None)


def main(kind: str, folder: Path, jobs: list[str]) -> None:
    """Compute them all."""
    for job in jobs:
        function, precision = job.rsplit("-", 1)
        made = COMPUTE[kind](function, precision, [folder / f"{job}.{axis}" for axis in "xy"])
        if made is not None:
            made.astype(np.float64).tofile(folder / f"{job}.{kind}")


def read(paths: list[Path], dtype: Any = np.float64) -> list[Any]:
    """The arguments."""
    with np.errstate(over="ignore"):
        return [np.fromfile(path).astype(dtype) for path in paths if path.is_file()]


def in_numpy(function: str, precision: str, paths: list[Path]) -> Any:
    """NumPy's ufuncs."""
    if precision == "bfloat16" or function.startswith(("gamma", "erf")):
        return None
    with np.errstate(all="ignore"):
        return find(np, {}, function)(*read(paths, precision))  # type: ignore[misc]


def in_scipy(function: str, precision: str, paths: list[Path]) -> Any:
    """SciPy's special functions."""
    import scipy.special

    if precision not in ("float64", "float32") or not function.startswith(("gamma", "erf")):
        return None
    return find(scipy.special, {}, function)(*read(paths, precision))  # type: ignore[misc]


def in_math(function: str, precision: str, paths: list[Path]) -> Any:
    """Python's math, the C library's; in float64."""
    routine = find(math, OTHER_NAMES["math"], function)
    if routine is None:
        return None

    def call(*numbers: float) -> float:
        try:
            return routine(*numbers)  # type: ignore[no-any-return]
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return np.array(list(map(call, *(array.tolist() for array in read(paths)))))


def in_torch(function: str, precision: str, paths: list[Path], step: int = 1) -> Any:
    """PyTorch's functions of arrays in one thread; of a length that no vector divides."""
    import torch

    torch.set_num_threads(1)
    routine = find(torch, OTHER_NAMES["torch"], function)
    if routine is None:
        return None
    given = [torch.from_numpy(array).to(getattr(torch, precision)) for array in read(paths)]
    if step > 1:
        given = [tensor.repeat_interleave(step)[::step] for tensor in given]
    return routine(*given).to(torch.float64).numpy()


COMPUTE = {
    **dict.fromkeys(("numpy_avx512", "numpy_avx2", "numpy_baseline"), in_numpy),
    **dict.fromkeys(("torch_avx512", "torch_avx2", "torch_default"), in_torch),
    "torch_strided": lambda *job: in_torch(*job, step=3),
    "scipy": in_scipy,
    "math": in_math,
}

if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
