"""Executables that are given texts, dates, what is missing, frames and dictionaries as .csv files."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import harness
from harness.model import Verdict
from harness.numerics.missing import NA_BITS
from harness.store.fixture_writer import write_fixture
from harness.store.typed_columns import text_codes

CASE = """
[case]
name = "kinds"
title = "values of every kind"
origin = "here"
fixture = "kinds"

[inputs]
word = { shape = ["n"], dtype = "text", missing = true }
group = { shape = ["n"], dtype = "category", levels = ["low", "high"] }
day = { shape = ["n"], dtype = "date", missing = true }
at = { shape = ["n"], dtype = "time" }
x = { shape = ["n"], missing = true }
flag = { shape = ["n"], dtype = "bool", missing = true }
frame = { parts = { age = ["n"], name = { shape = ["n"], dtype = "text" } } }
model = { parts = { W = ["d", "d"], b = { shape = ["d"] } } }

[[stage]]
name = "shout"
inputs = ["word"]
shape = ["n"]
dtype = "text"
missing = true

[[stage]]
name = "same_group"
inputs = ["group"]
shape = ["n"]
dtype = "category"

[[stage]]
name = "next_day"
inputs = ["day"]
shape = ["n"]
dtype = "date"
missing = true

[[stage]]
name = "same_time"
inputs = ["at"]
shape = ["n"]
dtype = "time"

[[stage]]
name = "twice"
inputs = ["x", "flag"]
outputs = [
    { name = "x2", shape = ["n"], missing = true, nan = true, tolerance = { rule = "exact" } },
    { name = "no", shape = ["n"], dtype = "bool", missing = true, tolerance = { rule = "exact" } },
]

[[stage]]
name = "older"
inputs = ["frame"]
parts = { age = { shape = ["n"] }, name = { shape = ["n"], dtype = "text" } }

[[stage]]
name = "step"
inputs = ["model"]
parts = { W = { shape = ["d", "d"] }, b = { shape = ["d"] } }
"""
NUMPY = """
import numpy as np

def shout(word):
    return [None if w is None else w.upper() for w in word]

def same_group(group):
    return group

def next_day(day):
    return day + np.timedelta64(1, "D")

def same_time(at):
    return at

def twice(x, flag):
    return x * 2, ~flag

def older(frame):
    return {"age": frame["age"] + 1, "name": frame["name"]}

def step(model):
    return {"W": model["W"] * 2, "b": model["b"] - 1}
"""
PROGRAM = """
import csv
import datetime
import sys
from pathlib import Path

stage, given, taken = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])

def read(name):
    return (given / f"{name}.csv").read_text(encoding="utf-8").splitlines()

def write(name, lines):
    (taken / f"{name}.csv").write_text("".join(f"{line}\\n" for line in lines), encoding="utf-8")

if stage == "shout":
    write("shout", ["NA" if line == "NA" else line.upper() for line in read("word")])
elif stage == "same_group":
    write("same_group", read("group"))
    write("same_group.levels", read("group.levels"))
elif stage == "next_day":
    one = datetime.timedelta(days=1)
    write("next_day", ["NA" if d == "NA" else datetime.date.fromisoformat(d) + one for d in read("day")])
elif stage == "same_time":
    write("same_time", read("at"))
elif stage == "twice":
    write("x2", ["NA" if x == "NA" else repr(2 * float(x)) for x in read("x")])
    write("no", ["NA" if f == "NA" else {"1": "FALSE", "0": "TRUE"}[f] for f in read("flag")])
elif stage == "older":
    with (given / "frame.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with (taken / "older.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, ["name", "age"])
        out.writeheader()
        out.writerows({"name": row["name"], "age": repr(float(row["age"]) + 1)} for row in rows)
elif stage == "step":
    write("step.W", [",".join(repr(2 * float(x)) for x in line.split(",")) for line in read("model.W")])
    write("step.b", [repr(float(x) - 1) for x in read("model.b")])
"""
WRONG = {
    "shout": ("line.upper()", "line.title()"),
    "same_group.levels": ('read("group.levels")', 'read("group.levels")[::-1]'),
    "next_day": ("days=1", "days=2"),
    "same_time": ('read("at")', '[line.replace(":00", ":01") for line in read("at")]'),
    "x2": ('"NA" if x == "NA"', '"NaN" if x == "NA"'),
    "no": ('"NA" if f == "NA"', '"TRUE" if f == "NA"'),
    "older.name": ('"name": row["name"]', '"name": row["name"].strip()'),
    "step.b": ("- 1)", "+ 1)"),
}


def suite_of(folder: Path, programs: dict[str, str], form: str = "csv") -> Path:
    case = folder / "kinds"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    (case / "kinds.py").write_text(NUMPY, encoding="utf-8")
    for name, text in programs.items():
        (case / f"{name}.txt").write_text(text, encoding="utf-8")
        command = [sys.executable, f"{name}.txt", "{stage}", "{inputs}", "{outputs}"]
        (case / f"kinds.{name}.program.toml").write_text(f"command = {command}\nformat = '{form}'\n")
    na = np.array([NA_BITS], dtype=np.uint64).view(np.float64)[0]
    arrays: dict[str, np.ndarray] = {
        "word": text_codes(np.array(['say "so"', "a,b", chr(0x10FFFF), "NA"])),
        "group": text_codes(np.array(["high", "low", "high", "low"])),
        "day": np.array(["2024-02-28", "1969-12-31", "NaT", "2023-12-31"], "datetime64[D]").astype(np.int64),
        "at": np.array(["2024-02-29T23:00", "1969-12-31T23:59:59.5", "2000-01-01", "2038-01-19T03:14:07"],
                       "datetime64[us]").astype(np.int64),
        "x": np.array([1.5, na, np.nan, -0.0]),
        "flag": np.array([1.0, na, 0.0, 0.0]),
        "frame.age": np.array([40.5, 1.0, 2.25, 3.0]),
        "frame.name": text_codes(np.array(["Ann ", "B, C", "naïve ☃", ""])),
        "model.W": np.arange(9.0).reshape(3, 3) / 7,
        "model.b": np.arange(3.0) / 3,
    }  # fmt: skip
    write_fixture(
        folder / "fixtures" / "kinds",
        version=1, title="kinds", origin="here", licence="MIT", generator=[{"kind": "by hand"}],
        arrays=arrays, origins=dict.fromkeys(arrays, "here"), nonfinite=["x", "flag"],
    )  # fmt: skip
    return folder


def test_values_of_every_kind(tmp_path: Path) -> None:
    programs = {"right": PROGRAM}
    for name, (old, new) in WRONG.items():
        assert PROGRAM.count(old) == 1, name
        programs[name.replace(".", "_")] = PROGRAM.replace(old, new)
    results = harness.run(suite_of(tmp_path, programs))
    off: dict[str, set[str]] = {}
    for cell in results.cells:
        if cell.verdict is not Verdict.PASS:
            assert cell.verdict is Verdict.FAIL, cell
            off.setdefault(cell.implementation, set()).add(cell.stage)
    assert off == {f"program.{name.replace('.', '_')}": {name} for name in WRONG}
    judged = {cell.stage for cell in results.cells if cell.implementation == "program.right"}
    assert judged == set(results.record.header.cases[0].values)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('write("next_day", ["NA"', 'write("next_day", ["soon"', "line 3 has 'soon', which is no date"),
        ('{"1": "FALSE"', '{"1": "maybe"', "no.csv: line 1 has 'maybe', which is no truth value"),
        ('["name", "age"]', '["name"], extrasaction="ignore"', "older.csv: its header has no age, but name"),
        ('write("same_group.levels"', 'write("levels"', "wrote same_group.csv and no same_group.levels.csv"),
        ('write("step.b"', 'write("b"', "the program wrote no step.b.csv"),
        ("line.upper() for", "chr(34) + 'a' + chr(34) + 'b' for", "line 1 has a quote inside of a field"),
    ],
)  # fmt: skip
def test_what_a_program_writes_that_is_not_due(old: str, new: str, why: str, tmp_path: Path) -> None:
    assert PROGRAM.count(old) == 1
    results = harness.run(suite_of(tmp_path, {"wrong": PROGRAM.replace(old, new)}))
    reasons = [cell.reason for cell in results.cells if cell.verdict is not Verdict.PASS]
    assert reasons
    assert any(why in reason for reason in reasons), reasons


def test_numpy_s_format_holds_numbers_alone(tmp_path: Path) -> None:
    results = harness.run(suite_of(tmp_path, {"right": PROGRAM}, form="npy"))
    said = {cell.reason for cell in results.cells if cell.implementation == "program.right"}
    assert 'shout takes or returns more than plain numbers: format = "csv" holds them (case.toml)' in said
