"""Comparison, tolerances and oracles: pure computation on arrays."""

from __future__ import annotations

from harness.numerics.stats import compare, merge, worst

__all__ = ["compare", "merge", "worst"]
