"""Runs one algorithm in several languages, stage by stage, and says with numbers who agrees."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "ConformanceError",
    "DivergenceError",
    "HarnessError",
    "JuliaFunction",
    "RFunction",
    "Results",
    "align",
    "check",
    "compare",
    "load",
    "run",
]

if TYPE_CHECKING:
    from harness.api import (
        ConformanceError,
        DivergenceError,
        JuliaFunction,
        Results,
        RFunction,
        align,
        check,
        load,
        run,
    )
    from harness.errors import HarnessError
    from harness.numerics import compare

_ELSEWHERE = {"compare": "harness.numerics", "HarnessError": "harness.errors"}


def __getattr__(name: str) -> Any:
    # What needs NumPy is imported on first use, so that ``import harness`` stays quick.
    if name in __all__:
        return getattr(import_module(_ELSEWHERE.get(name, "harness.api")), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
