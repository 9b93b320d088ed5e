"""A copy keeps what a file is made of, and takes from elsewhere; a comment is what runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.authoring.helpers import find_helpers, helpers_of, outside_of
from harness.authoring.left_out import without
from harness.authoring.read_others import read_other
from harness.authoring.read_python import read_python
from harness.authoring.sources import Source

JULIA = '''\
module M
export g
g(x) = 2x
end
using .M
include("helper.jl")
if !isdefined(Main, :helped2)
    include(joinpath(@__DIR__, "helper2.jl"))
end
abstract type Shape end
Base.@kwdef struct P <: Shape
    x::Float64 = 1.0
end
@enum Color red green
macro twice(e)
    :(2 * $(esc(e)))
end
"""What it is."""
f(x) = helped(x) .+ 1
@inline function h(x)
    return x .+ 1
end
d = [1.0, 2.0]
if length(ARGS) > 0
    include(ARGS[1])
    println(d)
end
@show f(d)
println(h(f(d)))
'''
R = """\
suppressPackageStartupMessages(library(stats))
if (!exists("helped")) { source("helper.R") }
setClass("P", representation(x = "numeric"))
Q <- setClass("Q", representation(x = "numeric"))
setGeneric("area", function(s) standardGeneric("area"))
setMethod("area", "P", function(s) s@x)
f <- function(x) area(new("P", x = x))
if (length(commandArgs(TRUE))) { source("helper.R"); print(f(2)) }
print(f(1))
"""
PYTHON = """\
from functools import partial
from typing import TypeVar, Union
import numpy as np
T = TypeVar("T", bound=np.ndarray)
Both = Union[list, np.ndarray]
Other = np.ndarray | list
KEY = "two"
ROWS = int("3")
def logged(function, prefix):
    return function
traced = partial(logged, prefix=KEY)
@traced
def f(x: T, *more: Both, rows=ROWS) -> Other:
    return 2 * x
x = np.ones(3)
print(f(x))
"""
MADE = """\
k <- as.numeric("3")
helper <- Vectorize(function(a, b = 1) a * k)
total <- compiler::cmpfun((function(x) sum(helper(x))))
doubled <- sapply(1:3, function(i) 2 * i)
print(total(doubled))
"""


def test_what_annotations_defaults_and_decorators_use_is_kept() -> None:
    read = read_python(Path("t.py"), PYTHON)
    assert read.left_out == ((15, 15), (16, 16))
    assert {"logged", "f"} & read.inner == {"logged"}


@pytest.mark.r
def test_a_function_of_r_that_another_one_makes_is_one(tmp_path: Path) -> None:
    read = read_other(written(tmp_path / "t.R", MADE), MADE, "r")
    if read.unread:
        pytest.skip(read.unread)
    assert read.left_out == ((4, 4), (5, 5))
    assert [(each.name, each.required) for each in read.functions] == [("helper", ("a",)), ("total", ("x",))]


@pytest.mark.julia
@pytest.mark.slow
def test_julia(tmp_path: Path) -> None:
    read = read_other(written(tmp_path / "t.jl", JULIA), JULIA, "julia")
    if read.unread:
        pytest.skip(read.unread)
    assert [each.name for each in read.functions] == ["f", "h"]
    left = [line for line in without(JULIA, read.left_out).split("\n") if line.startswith("# ")]
    assert left == [f"# {line}" for line in JULIA.split("\n")[22:29]]


@pytest.mark.r
def test_r(tmp_path: Path) -> None:
    read = read_other(written(tmp_path / "t.R", R), R, "r")
    if read.unread:
        pytest.skip(read.unread)
    assert read.left_out == ((8, 8), (9, 9))


@pytest.mark.parametrize("suffix", [".jl", ".R"])
def test_files_that_are_named_in_quotes_come_along(tmp_path: Path, suffix: str) -> None:
    text = f'include("lib/a{suffix}")\nsource(file.path("lib", "b{suffix}"))\nf(x) = "none{suffix}"\n'
    files = {
        f"lib/a{suffix}": f'include("c{suffix}")',
        f"lib/b{suffix}": f'source("lib/d{suffix}"); source("../e{suffix}"); source("../../above{suffix}")',
        **{f"{name}{suffix}": "" for name in ("lib/c", "lib/d", "e", "not", "../above")},
    }
    folder = tmp_path / "folder"
    for name, inside in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        written(path, inside)
    source = Source(path=written(folder / f"x{suffix}", text), runtime="", text=text)
    assert [*helpers_of(source)] == [f"{name}{suffix}" for name in ("e", "lib/a", "lib/b", "lib/c", "lib/d")]


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_what_lies_outside_of_the_folder_is_said(tmp_path: Path) -> None:
    written(tmp_path / "lib" / "h.R", "h <- function(x) x\n")
    written(tmp_path / "own" / "near.R", "near <- function(x) x\n")
    text = 'source("../lib/h.R")\nsource("near.R")\n# source("../lib/h.R")\nx <- "../lib/none.R"\n'
    of_r = Source(path=written(tmp_path / "own" / "t.R", text), runtime="r", text=text)
    assert outside_of(of_r) == ("../lib/h.R",)
    text = 'import sys\nsys.path.insert(0, "../lib")\nprint("../lib")\n'
    of_python = Source(path=written(tmp_path / "own" / "t.py", text), runtime="numpy", text=text)
    assert outside_of(of_python) == ("../lib",)
    (tmp_path / "case").mkdir()
    told = find_helpers(tmp_path / "case", [(of_r, "c.R"), (of_python, "c.py")]).told
    assert told[0] == "near.R: a copy, because t.R takes it"
    assert [line.partition(":")[0] for line in told] == ["near.R", "../lib/h.R", "../lib"]
