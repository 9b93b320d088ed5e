"""Categories as R and Julia have them: factors, ordered ones and those of data frames; arrays of a package.

Julia's package is a stand-in with the interface of CategoricalArrays that is used: what `categorical`,
`levels` and `levels!` take and return, elements that are no texts, and missing ones. The package itself was
not tried.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Verdict
from harness.store.fixture_writer import write_fixture
from harness.store.typed_columns import text_codes

CASE = """
[case]
name = "groups"
title = "categories"
origin = "here"
fixture = "groups"

[inputs]
group = { shape = ["n"], dtype = "category", levels = ["low", "high", "none"], missing = true }
x = ["n"]

[[stage]]
name = "regroup"
inputs = ["group"]
shape = ["n"]
missing = true
dtype = "category"

[[stage]]
name = "table"
inputs = ["regroup", "x"]
outputs = [
    { name = "g", shape = ["n"], dtype = "category", missing = true },
    { name = "twice", shape = ["n"] },
]
"""
NUMPY = """
def parts(group):
    labels = getattr(group, "labels", group)
    levels = getattr(group, "categories", getattr(group, "levels", None))
    return [None if label is None or label != label else label for label in labels], list(levels)

def regroup(group):
    labels, levels = parts(group)
    return {"labels": labels, "levels": levels[::-1]}

def table(regroup, x):
    labels, levels = parts(regroup)
    return {"labels": labels, "levels": levels}, 2 * x
"""
R = """
regroup <- function(group) factor(group, levels = rev(levels(group)))
table <- function(regroup, x) data.frame(twice = 2 * x, g = regroup)
"""
JULIA = """
push!(LOAD_PATH, @__DIR__)
using CategoricalArrays
function regroup(group)
    group isa CategoricalArray || error("a CategoricalArray is expected")
    return levels!(copy(group), reverse(levels(group)))
end
table(regroup, x) = (g = regroup, twice = 2 .* x)
"""
STAND_IN = """
module CategoricalArrays
export CategoricalArray, CategoricalValue, categorical, levels, levels!

struct CategoricalValue
    label::String
end
Base.print(io::IO, value::CategoricalValue) = print(io, value.label)

mutable struct CategoricalArray{N} <: AbstractArray{Union{Missing,CategoricalValue},N}
    refs::Array{Int,N}
    pool::Vector{String}
end
function categorical(labels::AbstractArray)
    pool = sort(unique(skipmissing(labels)))
    return CategoricalArray(refs(labels, pool), pool)
end
refs(labels, pool) = Int[ismissing(label) ? 0 : findfirst(isequal(label), pool) for label in labels]
Base.size(array::CategoricalArray) = size(array.refs)
function Base.getindex(array::CategoricalArray, i::Int)
    return array.refs[i] == 0 ? missing : CategoricalValue(array.pool[array.refs[i]])
end
Base.copy(array::CategoricalArray) = CategoricalArray(copy(array.refs), copy(array.pool))
levels(array::CategoricalArray) = copy(array.pool)
function levels!(array::CategoricalArray, pool)
    array.refs .= refs([ismissing(item) ? missing : string(item) for item in array], pool)
    array.pool = collect(pool)
    return array
end
end
"""
SOURCES = {
    "groups.py": NUMPY,
    "groups.R": R,
    "groups.ordered.R": R.replace("rev(levels(group)))", "rev(levels(group)), ordered = TRUE)"),
    "groups.wrong.R": R.replace("rev(levels(group))", "levels(group)").replace(
        "g = regroup", "g = rev(regroup)"
    ),
    "groups.text.R": R.replace("factor(group, levels = rev(levels(group)))", "as.character(group)"),
    "groups.jl": JULIA,
    "groups.wrong.jl": JULIA.replace("reverse(levels(group))", "levels(group)"),
    "CategoricalArrays.jl": STAND_IN,
}


@pytest.mark.r
@pytest.mark.julia
@pytest.mark.usefixtures("interpreted_julia")
def test_categories_are_what_each_language_has(tmp_path: Path) -> None:
    case = tmp_path / "groups"
    case.mkdir()
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    for name, source in SOURCES.items():
        (case / name).write_text(source, encoding="utf-8")
    arrays: dict[str, np.ndarray] = {
        "group": text_codes(np.array(["high", "low", "high", chr(0x10FFFF)])),
        "x": np.array([1.5, 2.0, -1.0, 0.0]),
    }
    write_fixture(
        tmp_path / "fixtures" / "groups",
        version=1, title="groups", origin="here", licence="MIT", generator=[{"kind": "by hand"}],
        arrays=arrays, origins=dict.fromkeys(arrays, "here"),
    )  # fmt: skip
    record = run(make_plan(tmp_path), out=None)
    assert not record.header.absent
    off: dict[str, dict[str, str]] = {}
    for cell in record.cells:
        if cell.verdict is not Verdict.PASS and cell.mode == "isolated":
            off.setdefault(cell.implementation, {})[cell.stage] = cell.reason
    assert {who: set(stages) for who, stages in off.items()} == {
        "r.wrong": {"regroup.levels", "g"},
        "r.text": {"regroup", "regroup.levels"},
        "julia.wrong": {"regroup.levels"},
    }
    assert "a factor is expected" in off["r.text"]["regroup"]
