"""What functions return in each language's own way: by name, as a data frame, sparse, or as integers."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.conformance.cell_script import write
from harness.conformance.plan import make_plan
from harness.conformance.reproduce import reproduce
from harness.model import OF_A_STAGE, Check, Verdict
from tests.integration.one_case import run_case, write_case
from tests.marks import in_slow

RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

CASE = """
[case]
name = "toy"
title = "values"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "fit"
inputs = ["x"]
outputs = [
    { name = "low", shape = ["n"] },
    { name = "high", shape = ["n"] },
]

[[stage]]
name = "one"
inputs = ["low", "high"]
shape = ["n"]

[[stage]]
name = "whole"
inputs = ["x"]
shape = ["n"]
lenient = true
tolerance = { rule = "exact" }

[[stage]]
name = "sparse"
inputs = ["x"]
shape = ["n", "n"]
tolerance = { rule = "exact" }
"""

SOURCES = {
    "toy.py": """
import numpy as np

def fit(x):
    return {"high": x / 3 + 1, "low": x / 3, "note": "more than is expected"}

def one(low, high):
    return {"one": low * high}

def whole(x):
    return np.floor(x).astype(int)

def sparse(x):
    return np.diag(x)
""",
    "toy_torch.py": """
from typing import NamedTuple
import torch

class Fit(NamedTuple):
    high: torch.Tensor
    low: torch.Tensor

def fit(x):
    return Fit(x / 3 + 1, x / 3)

def one(low, high):
    return low * high

def whole(x):
    return torch.floor(x)

def sparse(x):
    return torch.diag(x)
""",
    "toy.R": """
fit <- function(x) data.frame(high = x / 3 + 1, low = x / 3, note = "more")
one <- function(low, high) list(other = 1, one = low * high)
whole <- function(x) as.integer(floor(x))
sparse <- function(x) {
  if (requireNamespace("Matrix", quietly = TRUE)) Matrix::Diagonal(x = x) else diag(x)
}
""",
    "toy.jl": """
using SparseArrays, LinearAlgebra
fit(x) = (high = x ./ 3 .+ 1, low = x ./ 3)
one(low, high) = Dict(:one => low .* high)
whole(x) = floor.(Int, x)
sparse(x) = sparse(Diagonal(x))
sparse(x::Diagonal) = SparseArrays.sparse(x)
""",
}
# The halves the wrong way round; a name that is not due; a whole number that is none.
TURNED = {
    "R": ("high = x / 3 + 1, low", "low = x / 3 + 1, high"),
    "jl": ("high = x ./ 3 .+ 1, low", "low = x ./ 3 .+ 1, high"),
}
WRONG = {
    **{f"toy.swapped.{suffix}": SOURCES[f"toy.{suffix}"].replace(*turn) for suffix, turn in TURNED.items()},
    "toy.named.R": SOURCES["toy.R"].replace("high = x", "hi = x"),
    "toy.named.jl": SOURCES["toy.jl"].replace(":one =>", ":won =>"),
    "toy.half.py": SOURCES["toy.py"].replace("np.floor(x).astype(int)", "np.floor(x).astype(int) + 1"),
    "toy.text.py": SOURCES["toy.py"].replace('{"one": low * high}', '{"won": low * high}'),
}
X = [1.5, 2.5, 4.75]
MARKS = [pytest.mark.r, pytest.mark.julia, pytest.mark.torch]


@pytest.mark.r
@pytest.mark.julia
@pytest.mark.torch
@pytest.mark.usefixtures("interpreted_julia")
def test_values_in_each_languages_own_way(tmp_path: Path) -> None:
    record = run_case(tmp_path, "toy", CASE, SOURCES | WRONG, X)
    off = {
        (cell.implementation, cell.stage): (cell.verdict, cell.reason)
        for cell in record.cells
        if cell.mode == "isolated" and cell.check in OF_A_STAGE and cell.verdict is not Verdict.PASS
    }
    assert {key: verdict for key, (verdict, _) in off.items()} == {
        ("r.swapped", "low"): Verdict.FAIL,
        ("r.swapped", "high"): Verdict.FAIL,
        ("r.named", "low"): Verdict.FAIL,
        ("r.named", "high"): Verdict.FAIL,
        ("julia.swapped", "low"): Verdict.FAIL,
        ("julia.swapped", "high"): Verdict.FAIL,
        ("julia.named", "one"): Verdict.FAIL,
        ("numpy.half", "whole"): Verdict.FAIL,
        ("numpy.text", "one"): Verdict.FAIL,
    }
    reasons = {key: reason for key, (_, reason) in off.items()}
    assert "returned a data.frame with hi, low, note: high is missing" in reasons["r.named", "low"]
    assert "returned a Dict with won: one is missing" in reasons["julia.named", "one"]
    assert "returned a dict with won: one is missing" in reasons["numpy.text", "one"]
    # What is by name has a true value as well.
    held = {
        (c.implementation, c.stage) for c in record.cells if c.check is Check.ORACLE and c.mode == "isolated"
    }
    assert {(name, stage) for name in ("numpy", "torch", "r", "julia") for stage in ("low", "one")} <= held


@pytest.mark.r
@pytest.mark.julia
@pytest.mark.torch
@pytest.mark.usefixtures("interpreted_julia")
@pytest.mark.parametrize(
    ("name", "language", "stage"),
    [
        ("r.swapped", "r", "low"), in_slow("julia.swapped", "julia", "high"),
        in_slow("numpy.text", "numpy", "one"), in_slow("numpy", "numpy", "one"),
        in_slow("torch", "torch", "high"), in_slow("r", "r", "low"), in_slow("julia", "julia", "high"),
    ],
)  # fmt: skip
def test_a_script_takes_them_as_the_cell_does(
    tmp_path: Path, run_by_itself: RunScript, name: str, language: str, stage: str
) -> None:
    write_case(tmp_path, "toy", CASE, SOURCES | WRONG, X)
    path = write(reproduce(make_plan(tmp_path), "toy", stage, name), tmp_path / "scripts")
    done = run_by_itself(language, path)
    assert done.returncode == (1 if "." in name else 0), (name, done.stdout, done.stderr)


def test_integers_are_refused_where_nothing_is_said(tmp_path: Path) -> None:
    floats = SOURCES["toy.py"].replace(".astype(int)", "")
    sources = {"toy.py": floats, "toy.again.py": SOURCES["toy.py"]}
    record = run_case(tmp_path, "toy", CASE.replace("lenient = true\n", ""), sources, X)
    (cell,) = (
        c for c in record.cells
        if c.stage == "whole" and c.implementation == "numpy.again" and c.mode == "isolated"
        and c.check in OF_A_STAGE
    )  # fmt: skip
    assert cell.verdict is Verdict.FAIL
    assert "dtype int64 where float64 is expected" in cell.reason


def test_lenient_takes_nothing_but_integers_that_are_exact(tmp_path: Path) -> None:
    again = SOURCES["toy.py"].replace("np.floor(x).astype(int)", "np.floor(x).astype(int) + 2**53 + 1")
    floats = SOURCES["toy.py"].replace("np.floor(x).astype(int)", "np.floor(x).astype(np.float32)")
    sources = {"toy.py": SOURCES["toy.py"], "toy.large.py": again, "toy.single.py": floats}
    record = run_case(tmp_path, "toy", CASE, sources, X)
    reasons = {
        c.implementation: c.reason
        for c in record.cells
        if c.stage == "whole" and c.mode == "isolated" and c.verdict is Verdict.FAIL
    }
    assert "dtype int64 where float64 is expected" in reasons["numpy.large"]
    assert "dtype float32 where float64 is expected" in reasons["numpy.single"]
