"""``harness.check`` with functions in files of R and Julia, and in PyTorch."""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path

import pytest

import harness
from harness.model import Outcome, Verdict

X = [{"x": [0.25, 1.5, -3.0]}, {"x": [4.0, 4.0]}]
NUMPY = """
import numpy as np

def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()

def softmax_of_tensors(x):
    import torch
    return torch.softmax(x, 0)
"""
R = "softmax <- function(x) {\n  e <- exp(x - max(x))\n  e / sum(e)\n}\n"
JULIA = "function softmax(x)\n    e = exp.(x .- maximum(x))\n    return e ./ sum(e)\nend\n"


@pytest.fixture(scope="module")
def softmax(tmp_path_factory: pytest.TempPathFactory) -> types.ModuleType:
    path = tmp_path_factory.mktemp("softmax") / "softmax_of_check.py"
    path.write_text(NUMPY, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("softmax_of_check", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["softmax_of_check"] = module
    spec.loader.exec_module(module)
    return module


def off(results: harness.Results) -> set[str]:
    return {cell.implementation for cell in results.cells if cell.verdict is not Verdict.PASS}


@pytest.mark.r
def test_r_under_its_own_name_and_another(softmax: types.ModuleType, tmp_path: Path) -> None:
    (tmp_path / "right.R").write_text(R, encoding="utf-8")
    (tmp_path / "wrong.R").write_text(
        R.replace("softmax", "sm").replace("e / sum(e)", "e / sum(e) * (1 + 1e-13)")
    )
    results = harness.check(
        {
            "numpy": softmax.softmax,
            "r": harness.RFunction(tmp_path / "right.R", "softmax"),
            "wrong": harness.RFunction(tmp_path / "wrong.R", "sm"),
        },
        X,
        require="r",
    )
    assert results.outcome is Outcome.DIVERGENCE
    assert off(results) == {"r.wrong"}


@pytest.mark.r
def test_r_alone_is_compared_with_python_without_a_source(tmp_path: Path) -> None:
    (tmp_path / "sum.R").write_text("total <- function(x) sum(x)\n", encoding="utf-8")
    functions = {"r": harness.RFunction(tmp_path / "sum.R", "total"), "python": lambda x: x.sum()}
    assert harness.check(functions, X, require="r").outcome is Outcome.AGREEMENT


@pytest.mark.r
def test_a_function_of_the_language_is_not_replaced_by_the_stage(tmp_path: Path) -> None:
    (tmp_path / "m.R").write_text("avg <- function(x) mean(x)\n", encoding="utf-8")
    (tmp_path / "w.R").write_text("avg <- function(x) mean(x) + 1e-9\n", encoding="utf-8")
    functions = {
        "python": lambda x: x.mean(),
        "r": harness.RFunction(tmp_path / "m.R", "avg"),
        "r.wrong": harness.RFunction(tmp_path / "w.R", "avg"),
    }
    tolerance = {"rule": "absolute", "value": 1e-12, "reason": "sums of two numbers"}
    results = harness.check(functions, X, name="mean", require="r", tolerance=tolerance)
    assert off(results) == {"r.wrong"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("sm.R", f"{R}sm <- function(x) softmax(x)\n", marks=pytest.mark.r),
        pytest.param("sm.jl", f"{JULIA}sm(x) = softmax(x)\n", marks=pytest.mark.julia),
    ],
)
@pytest.mark.usefixtures("interpreted_julia")
def test_a_file_may_have_a_function_of_the_references_name(
    softmax: types.ModuleType, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    language = harness.RFunction if name.endswith(".R") else harness.JuliaFunction
    results = harness.check({"numpy": softmax.softmax, "other": language(tmp_path / name, "sm")}, X)
    assert results.outcome is Outcome.AGREEMENT


@pytest.mark.julia
@pytest.mark.slow
@pytest.mark.usefixtures("julia_process")
def test_julia(softmax: types.ModuleType, tmp_path: Path) -> None:
    (tmp_path / "right.jl").write_text(JULIA, encoding="utf-8")
    (tmp_path / "wrong.jl").write_text(
        JULIA.replace("softmax", "sm").replace("./ sum(e)", "./ sum(e) .* 1.0000000001")
    )
    results = harness.check(
        {
            "numpy": softmax.softmax,
            "julia": harness.JuliaFunction(tmp_path / "right.jl", "softmax"),
            "wrong": harness.JuliaFunction(tmp_path / "wrong.jl", "sm"),
        },
        X,
        require="julia",
    )
    assert off(results) == {"julia.wrong"}


@pytest.mark.torch
def test_torch_takes_tensors(softmax: types.ModuleType) -> None:
    results = harness.check(
        {"numpy": softmax.softmax, "torch": softmax.softmax_of_tensors}, X, require="torch"
    )
    assert results.outcome is Outcome.AGREEMENT
    assert results.value("softmax", "torch", sample="sample_1").tolist() == [0.5, 0.5]
