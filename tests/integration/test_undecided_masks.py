"""A mask with one undecided element: the others are judged, in every language."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.model import Check, Mode, Record, Verdict
from tests.integration.one_case import run_case

pytest.importorskip("flint")

CASE = """
[case]
name = "masks"
title = "what is beyond a threshold is changed"
origin = "here"
fixture = "masks"

[inputs]
x = ["n"]

[[stage]]
name = "part"
inputs = ["x"]
shape = ["n"]

[[stage]]
name = "raised"
inputs = ["part"]
shape = ["n"]

[[stage]]
name = "rooted"
inputs = ["part"]
shape = ["n"]

[[stage]]
name = "after"
inputs = ["raised"]
shape = ["n"]
"""
SOURCES = {
    "numpy": """
import numpy as np

def part(x):
    return x * 0.1 * 3

def raised(part):
    w = part * 2
    w[part > 0.3] += 1.5
    return w

def rooted(part):
    w = part / 7
    mask = part > 0.3
    w[mask] = np.sqrt(part[mask]) - w[mask]
    return w

def after(raised):
    return np.where(raised > 100, 0.0, raised * 3)
""",
    "torch": """
import torch

def part(x):
    return x * 0.1 * 3

def raised(part):
    w = part * 2
    w[part > 0.3] += 1.5
    return w

def rooted(part):
    w = part / 7
    mask = part > 0.3
    w[mask] = torch.sqrt(part[mask]) - w[mask]
    return w

def after(raised):
    return torch.where(raised > 100, torch.zeros_like(raised), raised * 3)
""",
    "r": """
part <- function(x) x * 0.3
raised <- function(part) {
  w <- part * 2
  w[part > 0.3] <- w[part > 0.3] + 1.5
  w
}
rooted <- function(part) {
  w <- part / 7
  mask <- part > 0.3
  w[mask] <- sqrt(part[mask]) - w[mask]
  w
}
after <- function(raised) ifelse(raised > 100, 0, raised * 3)
""",
    "julia": """
part(x) = x .* 0.3
function raised(part)
    w = part .* 2
    w[part .> 0.3] .+= 1.5
    w
end
function rooted(part)
    w = part ./ 7
    mask = part .> 0.3
    w[mask] = sqrt.(part[mask]) .- w[mask]
    w
end
after(raised) = ifelse.(raised .> 100, 0.0, raised .* 3)
""",
}
FAULTS = {
    "raised": ("1.5", "1.5000001"),
    "rooted": ("7", "7.000001"),
    "after": ("* 3", "* 3.000001"),
}
SUFFIXES = {"numpy": ".py", "torch": "_torch.py", "r": ".R", "julia": ".jl"}
# 1 * 0.1 * 3 is 0.3 up to rounding; the root of a number below zero is asked for by nobody.
X = np.array([0.5, 1.0, 2.5, -1.5, 4.0])


@pytest.mark.parametrize(
    "runtime",
    [
        "numpy",
        pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
    ],
)
def test_elements_that_no_tie_decides_are_judged(tmp_path: Path, julia_process: None, runtime: str) -> None:
    sound, suffix = SOURCES[runtime], SUFFIXES[runtime]
    files = {"masks.py": SOURCES["numpy"], f"masks{suffix}": sound}
    for stage, (old, new) in FAULTS.items():
        before, _, body = sound.partition(stage + ("(" if runtime != "r" else " <- "))
        assert old in body
        name = stage + ("(" if runtime != "r" else " <- ")
        files[f"masks.{stage}{suffix}"] = before + name + body.replace(old, new, 1)
    record = run_case(tmp_path / "suite", "masks", CASE, files, X)
    for mode in Mode:
        assert judged(record, runtime, mode) == {
            "part": ("PASS", 0),
            "raised": ("PASS", int(mode is Mode.CHAINED)),
            "rooted": ("PASS", int(mode is Mode.CHAINED)),
            "after": ("PASS", int(mode is Mode.CHAINED)),
        }
        for stage in FAULTS:
            assert judged(record, f"{runtime}.{stage}", mode)[stage][0] is Verdict.FAIL


def judged(record: Record, implementation: str, mode: Mode) -> dict[str, tuple[Verdict, int]]:
    """The verdict of each stage against the true values, and how many elements were undecided."""
    return {
        cell.stage: (cell.verdict, cell.undecided)
        for cell in record.cells
        if (cell.implementation, cell.mode, cell.check) == (implementation, mode, Check.ORACLE)
    }
