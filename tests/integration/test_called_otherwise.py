"""Stages that are methods of classes, functions of other names, and functions of modules and packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.conformance.coded import signature_of
from harness.conformance.plan import make_plan
from harness.errors import CaseError
from harness.model import Check, Verdict
from tests.integration.one_case import run_case, write_case

CASE = """
[case]
name = "toy"
title = "classes"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "total"
inputs = ["x"]
shape = []
call = { "numpy*" = "numpy:sum", torch = "torch:sum", "r*" = "base::sum", "julia*" = "Base.sum" }

[[stage]]
name = "scaled"
inputs = ["x", "total"]
construct = ["total"]
shape = ["n"]
call = { "n*" = "Scaler.apply", "t*" = "helper:Scaler.apply", "r*" = "Scaler$apply", "j*" = "Scaler.scale" }

[[stage]]
name = "fit"
inputs = ["x"]
outputs = [{ name = "low", shape = [] }, { name = "high", shape = [] }]
call = { "numpy*" = "Range.fit", "torch*" = "Range.fit", "r*" = "Range$fit", "julia*" = "Range.fit!" }
"""
PYTHON = """
class Scaler:
    def __init__(self, total):
        self.total = total

    def apply(self, x):
        return x / self.total


class Range:
    def __init__(self):
        self.low = self.high = None

    def fit(self, x):
        self.high, self.low = x.max(), x.min()
"""
SOURCES = {
    "toy.py": PYTHON,
    "toy_torch.py": PYTHON.replace("class Scaler", "class Other"),
    "toy.R": """
Scaler <- setRefClass("Scaler", fields = list(total = "numeric"), methods = list(
  initialize = function(total, ...) {
    total <<- total
    callSuper(...)
  },
  apply = function(x) x / total
))
Range <- setRefClass("Range", fields = list(low = "numeric", high = "numeric"), methods = list(
  fit = function(x) {
    high <<- max(x)
    low <<- min(x)
    invisible(NULL)
  }
))
""",
    "toy.jl": """
struct Scaler
    total::Float64
end
scale(s::Scaler, x) = x ./ s.total
mutable struct Range
    low::Float64
    high::Float64
    Range() = new()
end
function fit!(r::Range, x)
    r.high, r.low = maximum(x), minimum(x)
    return nothing
end
""",
}
WRONG = {
    "toy.wrong.py": PYTHON.replace("x / self.total", "x * self.total").replace(
        "x.max(), x.min()", "x.min(), x.max()"
    ),
    "toy.wrong.R": SOURCES["toy.R"].replace("x / total", "x * total").replace("low <<- min", "low <<- mean"),
    "toy.wrong.jl": SOURCES["toy.jl"].replace("./ s", ".* s").replace("minimum(x)", "first(x) + 1"),
}
CASES = {
    "torch": ("toy_torch.py", {}, []),
    "numpy": (None, {"toy.wrong.py": WRONG["toy.wrong.py"]}, ["scaled", "low", "high"]),
    "r": ("toy.R", {"toy.wrong.R": WRONG["toy.wrong.R"]}, ["scaled", "low"]),
    "julia": ("toy.jl", {"toy.wrong.jl": WRONG["toy.wrong.jl"]}, ["scaled", "low"]),
}
X = [1.5, 2.5, 4.75]


@pytest.mark.parametrize(
    "runtime",
    [
        "numpy", pytest.param("torch", marks=pytest.mark.torch), pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=pytest.mark.julia),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("interpreted_julia")
def test_methods_are_called_with_their_objects(tmp_path: Path, runtime: str) -> None:
    file, more, expected = CASES[runtime]
    sources = {"toy.py": PYTHON, **({file: SOURCES[file]} if file else {}), **more}
    if runtime == "torch":
        # It belongs to toy_torch.py, and is no implementation.
        sources["helper.py"] = PYTHON
    record = run_case(tmp_path, "toy", CASE, sources, X)
    off = [cell for cell in record.cells if cell.verdict is not Verdict.PASS]
    assert [cell for cell in off if not cell.implementation.endswith(".wrong")] == []
    assert {cell.stage for cell in record.cells if cell.implementation == runtime} == {
        "total", "scaled", "low", "high",
    }  # fmt: skip
    alone = {cell.stage: cell.verdict for cell in off if cell.mode == "isolated"}
    assert alone == dict.fromkeys(expected, Verdict.FAIL)
    # A method of the reference has a true value like a function.
    assert {c.stage for c in record.cells if c.check is Check.ORACLE} == {"total", "scaled", "low", "high"}


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    sources = {
        "toy.py": PYTHON,
        "toy.none.py": "",
        "toy.method.py": PYTHON.replace("def apply", "def other"),
        "toy.arity.py": PYTHON.replace("def __init__(self, total)", "def __init__(self, total, more)"),
    }
    record = run_case(tmp_path, "toy", CASE, sources, X)
    said = {
        cell.implementation: (cell.verdict, cell.reason)
        for cell in record.cells
        if cell.stage == "scaled" and cell.mode == "isolated" and cell.verdict is not Verdict.PASS
    }
    assert said == {
        "numpy.none": (Verdict.FAIL, "there is no function Scaler in Scaler.apply"),
        "numpy.method": (Verdict.FAIL, "there is no function apply in Scaler.apply"),
        "numpy.arity": (
            Verdict.FAIL,
            "Scaler(total, more) cannot take the stage's 1 inputs: missing a required argument: 'more'",
        ),
    }


def test_the_pattern_of_an_implementation_chooses_what_is_called(tmp_path: Path) -> None:
    write_case(tmp_path, "toy", CASE, {"toy.py": PYTHON}, X)
    case = make_plan(tmp_path).cases[0].case
    scaled = case.stages[1]
    assert signature_of(case, scaled, "numpy.fast") == {"call": "Scaler.apply", "construct": [1]}
    assert signature_of(case, scaled, "fortran") == {}


def test_a_constructor_takes_inputs_of_its_stage(tmp_path: Path) -> None:
    text = CASE.replace('construct = ["total"]', 'construct = ["high"]')
    write_case(tmp_path, "toy", text, {"toy.py": PYTHON}, X)
    with pytest.raises(CaseError, match="'high' is no input of stage 'scaled'"):
        make_plan(tmp_path)
