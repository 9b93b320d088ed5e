"""Scripts of stages that take more than plain arrays, that are methods, or submodules of a torch module."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from harness.conformance import reproduce
from harness.conformance.cell_script import script_of, write
from harness.conformance.observed_sides import observed_sides
from harness.conformance.plan import make_plan
from tests.integration import test_called_otherwise as otherwise
from tests.integration import test_coded_values as coded
from tests.integration import test_torch_modules as modules
from tests.integration.one_case import write_case

pytestmark = pytest.mark.usefixtures("interpreted_julia")
RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

IN_TORCH = pytest.mark.torch
IN_R = pytest.mark.r
# A start of Julia, and its compiler's work, for each script.
IN_JULIA = (pytest.mark.julia, pytest.mark.slow)


def scripts(suite: Path, implementation: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """A script for every output of an implementation: what it shows first."""
    (planned,) = make_plan(suite, precisions=("float64",)).cases
    (chosen,) = (each for each in planned.implementations if each.id == implementation)
    kept = msgspec.structs.replace(planned, implementations=(chosen,))
    plan = msgspec.structs.replace(make_plan(suite, precisions=("float64",)), cases=(kept,))
    seen = observed_sides(plan, chosen, {stage.name for stage in planned.case.stages})
    for name in planned.case.values:
        cell = reproduce._chosen(seen.cells, name, None, None, None, unseen=False)
        if cell is not None:
            sample = cell.worst_sample or next(iter(planned.fixture.samples))
            yield name, write(script_of(kept, seen.sides, cell, sample), folder / name)


def outcomes(suite: Path, implementation: str, folder: Path, run: RunScript) -> dict[str, tuple[int, str]]:
    """What each script ends with, and prints."""
    found = {}
    for name, path in scripts(suite, implementation, folder):
        assert "harness" not in re.sub(
            r"#.*|\"\"\".*?\"\"\"", "", path.read_text(encoding="utf-8"), flags=re.S
        )
        done = run(implementation.partition(".")[0], path)
        found[name] = (done.returncode, done.stdout + done.stderr)
    return found


@pytest.mark.parametrize(
    ("runtime", "ending"),
    [
        ("numpy", "py"), pytest.param("torch", "py", marks=IN_TORCH), pytest.param("r", "R", marks=IN_R),
        pytest.param("julia", "jl", marks=IN_JULIA),
    ],
)  # fmt: skip
def test_values_of_every_kind(runtime: str, ending: str, tmp_path: Path, run_script: RunScript) -> None:
    """Every stage of a right source is within its limits, and every stage of a wrong one is not."""
    sources = dict(coded.SOURCES)
    wrong = f"kinds.wrong.{ending}"
    if runtime != "torch":
        sources[wrong] = coded.faulty(ending)
    coded.write(tmp_path / "suite", sources)
    right = outcomes(tmp_path / "suite", runtime, tmp_path / "right", run_script)
    assert {name: said for name, (code, said) in right.items() if code} == {}
    if runtime == "torch":
        return
    found = outcomes(tmp_path / "suite", f"{runtime}.wrong", tmp_path / "wrong", run_script)
    off = {name for name, (code, _) in found.items() if code == 1}
    # An empty result has nothing to be off; a stage that follows from one that failed may have no value.
    stages = {"shout", "next_day", "later", "gaps", "known", "apply", "fold"}
    assert off >= stages, {name: found.get(name) for name in stages - off}
    assert "elements differ" in found["shout"][1]
    assert "expected" in found["shout"][1]
    assert "as a date: " in found["next_day"][1]
    assert "as a time: " in found["later"][1]
    assert "missing on one side" in found["known"][1]
    assert "missing on one side" in found["gaps"][1]


@pytest.mark.parametrize(
    "runtime",
    ["numpy", pytest.param("torch", marks=IN_TORCH), pytest.param("r", marks=IN_R),
     pytest.param("julia", marks=IN_JULIA)],
)  # fmt: skip
def test_methods_and_functions_of_other_names(runtime: str, tmp_path: Path, run_script: RunScript) -> None:
    sources = {"toy.py": otherwise.PYTHON, **_all(runtime)}
    write_case(tmp_path / "suite", "toy", otherwise.CASE, sources, otherwise.X)
    right = outcomes(tmp_path / "suite", runtime, tmp_path / "right", run_script)
    assert {name: said for name, (code, said) in right.items() if code} == {}
    assert set(right) == {"total", "scaled", "low", "high"}
    _, wrong, off = otherwise.CASES[runtime]
    if wrong:
        found = outcomes(tmp_path / "suite", f"{runtime}.wrong", tmp_path / "wrong", run_script)
        assert {name for name, (code, _) in found.items() if code == 1} == set(off)


def _all(runtime: str) -> dict[str, str]:
    file, wrong, _ = otherwise.CASES[runtime]
    own = {} if file is None else {file: otherwise.SOURCES[file]}
    helper = {"helper.py": otherwise.PYTHON} if runtime == "torch" else {}
    return {**own, **wrong, **helper}


@pytest.mark.torch
def test_submodules_of_a_torch_module(tmp_path: Path, run_script: RunScript) -> None:
    suite = modules.suite_of(tmp_path / "suite")
    right = outcomes(suite, "torch", tmp_path / "right", run_script)
    assert {name: said for name, (code, said) in right.items() if code} == {}
    assert set(right) == {"hidden", "scores", "weights"}
    between = outcomes(suite, "torch.between", tmp_path / "between", run_script)
    assert [name for name, (code, _) in between.items() if code == 1] == ["scores", "weights"]
    twice = outcomes(suite, "torch.twice", tmp_path / "twice", run_script)
    assert "called 2 times in one forward pass, not once" in twice["scores"][1]


FRAMES = """
class Column:
    '''As a column of a data frame is: not an array, but it can be one.'''
    ndim = 1

    def __init__(self, values):
        self.values = values

    def to_numpy(self):
        return self.values


class Frame(dict):
    columns = ["low", "high"]

    def to_numpy(self):
        raise TypeError("a frame is taken column by column")


class Sparse:
    nnz = 1

    def __init__(self, values):
        self.values = values

    def toarray(self):
        return self.values


def both(x):
    return Frame(low=Column(x - 1), high=Column(x * 2))


def whole(x):
    return Sparse(x + 1)
"""
FRAMES_CASE = """
[case]
name = "toy"
title = "columns"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "both"
inputs = ["x"]
outputs = [{ name = "low", shape = ["n"] }, { name = "high", shape = ["n"] }]

[[stage]]
name = "whole"
inputs = ["x"]
shape = ["n"]
"""


def test_columns_and_sparse_matrices(tmp_path: Path, run_script: RunScript) -> None:
    sources = {"toy.py": FRAMES, "toy.wrong.py": FRAMES.replace("x * 2", "x * 2.5").replace("x + 1", "x")}
    write_case(tmp_path / "suite", "toy", FRAMES_CASE, sources, otherwise.X)
    right = outcomes(tmp_path / "suite", "numpy", tmp_path / "right", run_script)
    assert {name: code for name, (code, _) in right.items()} == {"low": 0, "high": 0, "whole": 0}, right
    wrong = outcomes(tmp_path / "suite", "numpy.wrong", tmp_path / "wrong", run_script)
    assert {name: code for name, (code, _) in wrong.items()} == {"low": 0, "high": 1, "whole": 1}, wrong
