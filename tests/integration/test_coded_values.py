"""Texts, categories, dates, missing numbers, values by name and place, and inputs that samples leave out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.audit.boundary import Target, inject
from harness.audit.types import InjectedFault
from harness.cli.show import texts
from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Cell, Record, Value, Verdict
from harness.numerics.missing import NA_BITS
from harness.store.fixture_writer import write_fixture
from harness.store.typed_columns import text_codes
from tests.integration.one_case import run_case

CASE = """
[case]
name = "kinds"
title = "values of every kind"
origin = "here"
fixture = "kinds"

[inputs]
word = { shape = ["n"], dtype = "text", missing = true }
group = { shape = ["n"], dtype = "category", levels = ["low", "high", "none"], missing = true }
day = { shape = ["n"], dtype = "date", missing = true }
at = { shape = ["n"], dtype = "time" }
x = { shape = ["n"], missing = true }
count = { shape = ["n"], dtype = "int", missing = true }
model = { parts = { W = ["n", "d"], b = { shape = ["d"] } } }
layers = { parts = [["d"], ["n"]] }
shift = { shape = [], optional = true }
grid = ["...", "d"]

[[stage]]
name = "shout"
inputs = ["word"]
shape = ["n"]
missing = true
dtype = "text"

[[stage]]
name = "regroup"
inputs = ["group"]
shape = ["n"]
missing = true
dtype = "category"

[[stage]]
name = "next_day"
inputs = ["day"]
shape = ["n"]
dtype = "date"
missing = true

[[stage]]
name = "later"
inputs = ["at"]
shape = ["n"]
dtype = "time"

[[stage]]
name = "gaps"
inputs = ["x"]
shape = ["n"]
missing = true
nan = true
tolerance = { rule = "exact" }

[[stage]]
name = "known"
inputs = ["count"]
shape = ["n"]
dtype = "int"
missing = true
tolerance = { rule = "exact" }

[[stage]]
name = "step"
inputs = ["model", "layers"]
parts = { W = { shape = ["n", "d"] }, b = { shape = ["d"] } }

[[stage]]
name = "apply"
inputs = ["step", "shift"]
shape = ["d"]

[[stage]]
name = "fold"
inputs = ["grid"]
shape = ["..."]

[[stage]]
name = "kept"
inputs = ["word"]
shape = ["m"]
dtype = "text"
"""

SOURCES = {
    "kinds.py": """
import numpy as np

def shout(word):
    return [None if w is None else w.upper() + "é" for w in word]

def regroup(group):
    other = {"none": "other"}
    if hasattr(group, "rename_categories"):
        return group.rename_categories(other)
    return {"labels": group.labels, "levels": [other.get(level, level) for level in group.levels]}

def next_day(day):
    return day + np.timedelta64(1, "D")

def later(at):
    return at + np.timedelta64(90, "s")

def gaps(x):
    return x * 2

def known(count):
    return [None if c is np.ma.masked else int(c) + 1 for c in count]

def step(model, layers):
    return {"b": model["b"] + layers[0], "W": model["W"] * layers[1][:, None]}

def apply(step, shift=10.0):
    return step["W"].sum(axis=0) + step["b"] + shift

def fold(grid):
    return grid.sum(axis=-1)

def kept(word):
    return np.array([w for w in word if w == "nowhere"], dtype=str)
""",
    "kinds_torch.py": """
import numpy as np
import torch

def shout(word):
    return np.array([None if w is None else w.upper() + "é" for w in word], dtype=object)

def regroup(group):
    if hasattr(group, "rename_categories"):
        return group.rename_categories({"none": "other"})
    return group._replace(levels=["low", "high", "other"])

def next_day(day):
    return day + np.timedelta64(1, "D")

def later(at):
    return at + np.timedelta64(90, "s")

def gaps(x):
    return x * 2

def known(count):
    return count + 1

def step(model, layers):
    return {"W": model["W"] * layers[1][:, None], "b": model["b"] + layers[0]}

def apply(step, shift=10.0):
    return step["W"].sum(dim=0) + step["b"] + shift

def fold(grid):
    return grid.sum(dim=-1)

def kept(word):
    return []
""",
    "kinds.R": """
shout <- function(word) ifelse(is.na(word), NA, paste0(toupper(word), "\\u00e9"))
regroup <- function(group) {
  levels(group)[levels(group) == "none"] <- "other"
  group
}
next_day <- function(day) day + 1
later <- function(at) at + 90
gaps <- function(x) x * 2
known <- function(count) count + 1L
step <- function(model, layers) list(W = model$W * layers[[2]], b = model$b + layers[[1]])
apply <- function(step, shift = 10) colSums(step$W) + step$b + shift
fold <- function(grid) {
  if (is.null(dim(grid))) sum(grid) else base::apply(grid, seq_len(length(dim(grid)) - 1), sum)
}
kept <- function(word) word[word %in% "nowhere"]
""",
    "kinds.jl": """
using Dates
shout(word) = [ismissing(w) ? missing : uppercase(w) * "é" for w in word]
regroup(group) = (labels = group.labels, levels = replace(group.levels, "none" => "other"))
next_day(day) = [ismissing(d) ? missing : d + Day(1) for d in day]
later(at) = at .+ Second(90)
gaps(x) = x .* 2
known(count) = count .+ 1
step(model, layers) = (W = model.W .* layers[2], b = model.b .+ layers[1])
apply(step, shift = 10.0) = vec(sum(step.W, dims = 1)) .+ step.b .+ shift
fold(grid) = ndims(grid) == 1 ? sum(grid) : dropdims(sum(grid, dims = ndims(grid)), dims = ndims(grid))
kept(word) = String[w for w in word if isequal(w, "nowhere")]
""",
}

WRONG = {
    "shout": {"py": ('"é"', '"e"'), "R": ("NA, paste0", '"NA", paste0'), "jl": ('"é"', '"É"')},
    "regroup": {
        "py": ('{"none": "other"}', '{"none": "rest"}'),
        "R": ("  group\n}", '  factor(as.character(group))\n}'),
        "jl": ('"none" => "other"', '"low" => "other"'),
    },
    "next_day": {"py": ('(1, "D")', '(2, "D")'), "R": ("day + 1", "day + 31"), "jl": ("Day(1)", "Month(1)")},
    "later": {"py": ('90, "s"', '9, "s"'), "R": ("at + 90", "at + 9"), "jl": ("Second(90)", "Second(9)")},
    "gaps": {
        "py": ("x * 2", "(x * 2).filled(np.nan)"),
        "R": ("x * 2", "ifelse(is.na(x), NaN, x * 2)"),
        "jl": ("x .* 2", "coalesce.(x .* 2, NaN)"),
    },
    "known": {
        "py": ("None if c is np.ma.masked", "0 if c is np.ma.masked"),
        "R": ("count + 1L", "ifelse(is.na(count), 0L, count + 1L)"),
        "jl": ("count .+ 1", "coalesce.(count .+ 1, 0)"),
    },
    "step": {
        "py": ('{"b"', '{"c"'), "R": ("list(W", "list(w"), "jl": ("model.b .+ layers[1]", "model.b"),
    },
    "apply": {
        "py": ("shift=10.0", "shift=1.0"), "R": ("shift = 10)", "shift = 1)"), "jl": ("= 10.0", "= 1.0"),
    },
    "fold": {
        "py": ("axis=-1", "axis=0"), "R": ("length(dim(grid)) - 1", "1"),
        "jl": ("sum(grid, dims = ndims(grid)), dims = ndims(grid)", "sum(grid, dims = 1), dims = 1"),
    },
    "kept": {"py": ('"nowhere"', '"a"'), "R": ('"nowhere"', '"a"'), "jl": ('"nowhere"', '"a"')},
}  # fmt: skip
"""In each language one stage that is wrong: what it replaces, and by what."""


def faulty(ending: str) -> str:
    """A source in which every stage is wrong."""
    source = SOURCES[f"kinds.{ending}"]
    for stage, by_ending in WRONG.items():
        old, new = by_ending[ending]
        assert source.count(old) == 1, (stage, ending)
        source = source.replace(old, new)
    return source


def write(suite: Path, sources: dict[str, str], text: str = CASE) -> None:
    case = suite / "kinds"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(text, encoding="utf-8")
    for name, source in sources.items():
        (case / name).write_text(source, encoding="utf-8")
    na = np.array([NA_BITS], dtype=np.uint64).view(np.float64)[0]
    rng = np.random.default_rng(1)
    word = np.array(["a", "", chr(0x10FFFF), "naïve ☃"])
    arrays: dict[str, np.ndarray] = {
        "word": text_codes(word),
        "group": text_codes(np.array(["high", "low", "high", chr(0x10FFFF)])),
        "day": np.array(["2024-02-28", "1969-12-31", "NaT", "2023-12-31"], "datetime64[D]").astype(np.int64),
        "at": np.array(["2024-02-29T23:59:00", "1969-12-31T23:59:59.5", "2000-01-01", "2038-01-19T03:14:07"],
                       "datetime64[us]").astype(np.int64),
        "x": np.array([1.5, na, np.nan, -0.0]),
        "count": np.array([3.0, na, 0.0, -7.0]),
        "model.W": rng.normal(size=(4, 3)),
        "model.b": rng.normal(size=3),
        "layers.1": rng.normal(size=3),
        "layers.2": rng.normal(size=4),
        "with/shift": np.array(0.25),
        "with/grid": rng.normal(size=(2, 5, 3)),
        "without/grid": rng.normal(size=(4, 3)),
        "flat/grid": rng.normal(size=3),
    }  # fmt: skip
    write_fixture(
        suite / "fixtures" / "kinds",
        version=1, title="kinds", origin="here", licence="MIT", generator=[{"kind": "by hand"}],
        arrays=arrays, origins=dict.fromkeys(arrays, "here"), samples=["with", "without", "flat"],
        nonfinite=["x", "count"],
    )  # fmt: skip


def not_passed(record: Record) -> list[Cell]:
    return [cell for cell in record.cells if cell.verdict is not Verdict.PASS]


EXPECTED = {
    "py": {
        "shout": "3 of 4 elements beyond the limit, first at [0]: 'Ae' where 'Aé' is expected",
        "regroup.levels": "1 of 3 elements beyond the limit, first at [2]: 'rest' where 'other' is expected",
        "next_day": "first at [0]: 2024-03-01 where 2024-02-29 is expected",
        "later": "first at [0]: 2024-02-29T23:59:09.000000 where 2024-03-01T00:00:30.000000 is expected",
        "gaps": "missing (NA) in 1 place on one side only, first at [1]: NaN where NA is expected",
        "known": "first at [1]: 0 where NA is expected",
        "step.W": "step: returned a dict with c, W: b missing",
        "step.b": "step: returned a dict with c, W: b missing",
        "apply": "3 of 3 elements beyond the limit",
        "fold": "shape (5, 3) where (...1=2, ...2=5) is expected",
        "kept": "shape (1) where (0) is expected",
    },
    "R": {
        "shout": "first at [2]: 'NA' where NA is expected",
        "regroup.levels": "shape (2) where (3) is expected",
        "next_day": "first at [0]: 2024-03-30 where 2024-02-29 is expected",
        "later": "first at [0]: 2024-02-29T23:59:09.000000 where 2024-03-01T00:00:30.000000 is expected",
        "gaps": "first at [1]: NaN where NA is expected",
        "known": "first at [1]: 0 where NA is expected",
        "step.W": "step: returned w too, which the case does not declare",
        "step.b": "step: returned w too, which the case does not declare",
        "apply": "3 of 3 elements beyond the limit",
        "fold": "shape (2) where (...1=2, ...2=5) is expected",
        "kept": "shape (1) where (0) is expected",
    },
    "jl": {
        "shout": "first at [0]: 'AÉ' where 'Aé' is expected",
        "regroup.levels": "first at [0]: 'other' where 'low' is expected",
        "next_day": "first at [0]: 2024-03-28 where 2024-02-29 is expected",
        "later": "first at [0]: 2024-02-29T23:59:09.000000 where 2024-03-01T00:00:30.000000 is expected",
        "gaps": "first at [1]: NaN where NA is expected",
        "known": "first at [1]: 0 where NA is expected",
        "step.b": "3 of 3 elements beyond the limit",
        "apply": "3 of 3 elements beyond the limit",
        "fold": "shape (5, 3) where (...1=2, ...2=5) is expected",
        "kept": "shape (1) where (0) is expected",
    },
}


@pytest.mark.parametrize(
    ("ending", "implementation"),
    [
        ("py", "numpy"),
        pytest.param("R", "r", marks=pytest.mark.r),
        pytest.param("jl", "julia", marks=pytest.mark.julia),
    ],
)
@pytest.mark.usefixtures("interpreted_julia")
def test_what_is_right_passes_and_what_is_wrong_fails_at_its_stage(
    tmp_path: Path, ending: str, implementation: str
) -> None:
    sources = {"kinds.py": SOURCES["kinds.py"], f"kinds.{ending}": SOURCES[f"kinds.{ending}"]}
    write(tmp_path, {**sources, f"kinds.wrong.{ending}": faulty(ending)})
    record = run(make_plan(tmp_path), out=None)
    assert [
        (c.implementation, c.stage, c.reason) for c in not_passed(record) if "." not in c.implementation
    ] == []
    stages = {c.stage for c in record.cells if c.implementation == implementation}
    assert stages == {*EXPECTED["py"], "regroup"}
    wrong = {
        c.stage: c for c in not_passed(record) if c.mode == "isolated" and c.implementation.endswith(".wrong")
    }
    assert wrong.keys() == EXPECTED[ending].keys()
    for stage, reason in EXPECTED[ending].items():
        assert wrong[stage].verdict is Verdict.FAIL, (stage, wrong[stage])
        assert reason in wrong[stage].reason, stage


@pytest.mark.torch
def test_values_beside_tensors(tmp_path: Path) -> None:
    write(tmp_path, {name: SOURCES[name] for name in ("kinds.py", "kinds_torch.py")})
    assert [
        (c.implementation, c.stage, c.reason) for c in not_passed(run(make_plan(tmp_path), out=None))
    ] == []


def test_what_pandas_returns(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    source = SOURCES["kinds.py"]
    changes = {
        "import numpy as np": "import numpy as np\nimport pandas as pd",
        "return [None if c is np.ma.masked else int(c) + 1 for c in count]": (
            'return pd.array([None if c is np.ma.masked else int(c) + 1 for c in count], dtype="Int64")'
        ),
        'return at + np.timedelta64(90, "s")': "return pd.Series(at) + pd.Timedelta(seconds=90)",
        'return [None if w is None else w.upper() + "é" for w in word]': (
            'return pd.Series([pd.NA if w is None else w.upper() + "é" for w in word], dtype="string")'
        ),
    }
    for old, new in changes.items():
        assert source.count(old) == 1
        source = source.replace(old, new)
    late = source.replace("seconds=90", "seconds=9").replace(
        "[None if c is np.ma.masked", "[0 if c is np.ma.masked"
    )
    write(tmp_path, {"kinds.py": SOURCES["kinds.py"], "kinds.pandas.py": source, "kinds.late.py": late})
    off = {(cell.implementation, cell.stage) for cell in not_passed(run(make_plan(tmp_path), out=None))}
    assert off == {("numpy.late", "later"), ("numpy.late", "known")}


def test_text_is_shown_and_counted() -> None:
    value = Value(name="word", shape=("n",), dtype="text", missing=True)
    words = np.array(["a", chr(0x10FFFF), "b"])
    observed = {"numpy": {"default": words}, "r": {"default": np.array(["a", "NA", "b"])}}
    shown = texts(observed, "numpy", "default", value)
    assert shown["numpy"] == "text (3,)\n['a' 'NA' 'b']"
    assert shown["r"] == "text (3,)\n['a' 'NA' 'b']\nfrom numpy: 1 of 3 differ"
    days = {"numpy": {"default": np.array([19782, -(2**63)])}, "r": {"default": np.array([19783, -(2**63)])}}
    shown = texts(days, "numpy", "default", Value(name="day", shape=("n",), dtype="date", missing=True))
    assert shown["numpy"].endswith("['2024-02-29'        'NaT']")
    assert "max abs 1" in shown["r"]


def test_a_fault_is_put_into_text() -> None:
    target = Target(array=np.array(["ab", "", "c"]), limit=np.zeros(3), exact=True, other=None)
    by_fault = {one.fault: one.array for one in inject(target, np.random.default_rng(0))}
    moved = by_fault[InjectedFault.FOUR_LIMITS]
    assert sorted(len(text) for text in moved) in ([0, 1, 3], [0, 2, 2], [1, 1, 2])
    assert sorted(by_fault[InjectedFault.ROWS_SWAPPED].tolist()) == ["", "ab", "c"]


def test_text_is_replayed_from_a_snapshot(tmp_path: Path) -> None:
    case = """
[case]
name = "toy"
title = "text"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "label"
inputs = ["x"]
shape = ["n"]
dtype = "text"
"""
    source = "def label(x):\n    return ['low' if one < 2 else 'hïgh' for one in x]\n"
    sources = {"toy.py": source, "toy.again.py": source, "toy.wrong.py": source.replace("'low'", "'lów'")}
    record = run_case(tmp_path, "toy", case, sources, [1.0, 2.0, 3.0], replay="always")
    cells = [cell for cell in record.cells if cell.check == "reference" and cell.mode == "isolated"]
    assert {cell.source for cell in cells} == {"replayed"}
    verdicts = {cell.implementation: (cell.verdict, cell.reason) for cell in cells}
    assert verdicts["numpy.again"][0] is Verdict.PASS
    assert verdicts["numpy.wrong"][0] is Verdict.FAIL
    assert "first at [0]: 'lów' where 'low' is expected" in verdicts["numpy.wrong"][1]
