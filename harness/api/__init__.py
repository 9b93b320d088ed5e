"""The harness from Python: run a suite, check one function, load a record."""

from __future__ import annotations

from harness.api.disagreement import ConformanceError, DivergenceError
from harness.api.functions import JuliaFunction, RFunction
from harness.api.one_function import check
from harness.api.results import Results
from harness.api.suite import load, run
from harness.programs.files import align

__all__ = [
    "ConformanceError",
    "DivergenceError",
    "JuliaFunction",
    "RFunction",
    "Results",
    "align",
    "check",
    "load",
    "run",
]
