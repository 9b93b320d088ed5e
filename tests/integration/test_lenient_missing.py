"""``lenient = true`` beside ``missing = true``: integers do for floats, and whole floats for integers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.model import Check, Verdict
from tests.integration.one_case import run_case

CASE = """
[case]
name = "toy"
title = "counts"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "whole"
inputs = ["x"]
shape = ["n"]
missing = true
lenient = true
tolerance = { rule = "exact" }

[[stage]]
name = "count"
inputs = ["x"]
shape = ["n"]
dtype = "int"
missing = true
lenient = true
tolerance = { rule = "exact" }
"""
SOURCES = {
    "toy.py": """
import numpy as np


def whole(x):
    return np.ma.masked_equal(np.round(x), 0).astype(np.int64)


def count(x):
    return np.ma.masked_equal(np.round(x), 0)
""",
    "toy.R": """
whole <- function(x) ifelse(x == 0, NA, as.integer(round(x)))
count <- function(x) ifelse(x == 0, NA, round(x))
""",
    "toy.half.R": """
whole <- function(x) ifelse(x == 0, NA, round(x))
count <- function(x) ifelse(x == 0, NA, x)
""",
    "toy.jl": """
whole(x) = [v == 0 ? missing : round(Int, v) for v in x]
count(x) = [v == 0 ? missing : round(v) for v in x]
""",
}


def test_whole_numbers_are_compared_by_value(tmp_path: Path, interpreted_julia: None) -> None:
    pytest.importorskip("rpy2")
    x = np.array([1.25, 0.0, -3.5, 7.0])
    record = run_case(tmp_path, "toy", CASE, SOURCES, x)
    verdicts = {
        (cell.implementation, cell.stage): cell.verdict
        for cell in record.cells
        if cell.check is Check.REFERENCE and cell.mode == "chained"
    }
    assert verdicts["r", "whole"] is verdicts["r", "count"] is Verdict.PASS
    assert verdicts["r.half", "whole"] is Verdict.PASS
    # 1.25 is no whole number.
    assert verdicts["r.half", "count"] is Verdict.FAIL
    if "julia" in record.header.runtimes:
        assert verdicts["julia", "whole"] is verdicts["julia", "count"] is Verdict.PASS
