"""Two cases, each with a helper of the same name in every language, in one run of the same workers."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import harness
from harness.model import Basis, Check, Outcome, Verdict
from harness.store.fixture_writer import write_fixture

CASE = """
[case]
name = "{name}"
title = "scales"
origin = "here"
fixture = "x"

[inputs]
x = ["n"]

[[stage]]
name = "scaled"
inputs = ["x"]
shape = ["n"]

[[stage]]
name = "shifted"
inputs = ["scaled"]
shape = ["n"]
"""
SOURCES = {
    "{name}.py": "from helper import by\n\ndef scaled(x):\n    return by(x)\n\n"
    "def shifted(scaled):\n    import helper\n    return scaled - helper.SHIFT\n",
    "helper.py": "from parts.power import squared\nSHIFT = {shift}\n\n"
    "def by(x):\n    return squared(x) * {factor}\n",
    "parts/power.py": "def squared(x):\n    return x * x\n",
    "{name}_torch.py": "import helper_torch as h\n\ndef scaled(x):\n    return h.by(x)\n\n"
    "def shifted(scaled):\n    return scaled - {shift}\n",
    "helper_torch.py": "import torch\n\ndef by(x):\n    return torch.square(x) * {factor}\n",
    "{name}.R": 'source("helper.R")\nscaled <- function(x) by(x)\n'
    "shifted <- function(scaled) scaled - shift\n",
    "helper.R": 'source("parts/power.R")\nby <- function(x) squared(x) * {factor}\n',
    "parts/power.R": 'source("shift.R")\nsquared <- function(x) x * x\n',
    "parts/shift.R": "shift <- {shift}\n",
    "{name}.jl": 'include("helper.jl")\nusing .Help\nscaled(x) = Help.by(x)\n'
    "shifted(scaled) = scaled .- SHIFT\n",
    "helper.jl": 'module Help\ninclude("parts/power.jl")\nby(x) = squared(x) .* {factor}\nend\n'
    "const SHIFT = {shift}\n",
    "parts/power.jl": "squared(x) = x .* x\n",
}
CASES = {"one": {"factor": "1.5", "shift": "0.25"}, "two": {"factor": "-3.0", "shift": "8.5"}}


def written(suite: Path, sources: Mapping[str, str] = SOURCES) -> Path:
    for name, numbers in CASES.items():
        case = suite / name
        case.mkdir(parents=True)
        (case / "case.toml").write_text(CASE.format(name=name), encoding="utf-8")
        for file, text in sources.items():
            path = case / file.format(name=name)
            path.parent.mkdir(exist_ok=True)
            for key, number in numbers.items():
                text = text.replace(f"{{{key}}}", number)
            path.write_text(text, encoding="utf-8")
    write_fixture(
        suite / "fixtures" / "x",
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.array([0.1, 2.0, -3.5])},
        origins={"x": "here"},
    )
    return suite


def only(*names: str) -> dict[str, str]:
    return {file: SOURCES[file] for file in SOURCES if file.endswith(names) and "torch" not in file}


def agree(suite: Path, **more: str) -> None:
    results = harness.run(suite, replay="never", **more)  # type: ignore[arg-type]
    results.raise_for_divergence()
    # Helpers are followed: every value of the reference has a derived limit.
    truth = [cell for cell in results.cells if cell.check is Check.ORACLE]
    assert {cell.basis for cell in truth} == {Basis.DERIVED}
    assert {cell.verdict for cell in truth} == {Verdict.PASS}
    assert {cell.case for cell in truth} == {"one", "two"}


def test_python(tmp_path: Path) -> None:
    agree(written(tmp_path / "suite", only(".py")), implementations="numpy")


@pytest.mark.torch
def test_torch(tmp_path: Path) -> None:
    sources = {file: text for file, text in SOURCES.items() if file.endswith(".py")}
    agree(written(tmp_path / "suite", sources), require="torch")


@pytest.mark.r
def test_r(tmp_path: Path) -> None:
    agree(written(tmp_path / "suite", only(".py", ".R")), require="r")


@pytest.mark.julia
# Julia in Python compiles for twenty seconds.
@pytest.mark.parametrize("hosting", ["process", pytest.param("juliacall", marks=pytest.mark.slow)])
def test_julia(hosting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_JULIA_HOSTING", hosting)
    agree(written(tmp_path / "suite", only(".py", ".jl")), require="julia")


def test_a_wrong_helper_is_found(tmp_path: Path) -> None:
    suite = written(tmp_path / "suite", only(".py"))
    for name in CASES:
        shutil.copy(suite / name / f"{name}.py", suite / name / f"{name}.other.py")
        text = (suite / name / f"{name}.other.py").read_text(encoding="utf-8")
        (suite / name / f"{name}.other.py").write_text(text.replace("helper", "wrong"), encoding="utf-8")
        helper = (suite / name / "helper.py").read_text(encoding="utf-8")
        (suite / name / "wrong.py").write_text(helper.replace("squared(x) *", "squared(x) * 1.001 *"))
    results = harness.run(suite, implementations="numpy*", replay="never")
    assert results.outcome is Outcome.DIVERGENCE
    off = {(cell.implementation, cell.stage) for cell in results.cells if cell.verdict is Verdict.FAIL}
    assert ("numpy.other", "scaled") in off
    assert {name for name, _ in off} == {"numpy.other"}
