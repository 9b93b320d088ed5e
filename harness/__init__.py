"""Runs one algorithm in several languages, stage by stage, and says with numbers who agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["compare"]

if TYPE_CHECKING:
    from harness.numerics import compare


def __getattr__(name: str) -> Any:
    # NumPy is imported on first use, so that ``import harness`` stays quick.
    if name == "compare":
        from harness.numerics import compare

        return compare
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
