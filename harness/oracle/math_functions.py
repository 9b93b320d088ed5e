"""Functions of math and cmath in terms of NumPy's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

MATH: Mapping[str, Any] = {
    **dict.fromkeys(("remainder", "isclose", "modf", "frexp", "ldexp", "gcd", "lcm")),
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "pow": np.power,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "fabs": np.absolute,
    "fsum": np.sum,
}
"""NumPy's name for functions of math; None where NumPy's function of that name does something else."""


def _log(x: Any, base: Any = None) -> Any:
    logarithm: Any = np.log(x)
    return logarithm if base is None else logarithm / np.log(base)


def _hypot(*numbers: Any) -> Any:
    return functools.reduce(np.hypot, numbers) if len(numbers) > 1 else abs(numbers[0])


def _prod(factors: Any, *, start: Any = 1) -> Any:
    return np.prod(factors, initial=start)


OWN: Mapping[str, Callable[..., Any]] = {"log": _log, "hypot": _hypot, "prod": _prod}
"""Functions of math and cmath that take other arguments than NumPy's of that name."""
