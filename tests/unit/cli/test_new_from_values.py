"""harness new case --from: values that functions return and take, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.store.cases import load_case
from harness.store.record import read_record

Harness = Callable[..., Result]


@pytest.fixture(autouse=True)
def data(harness: Harness) -> None:
    Path("d.csv").write_text("y,a,b\n1,0.5,2\n2,1.5,1\n4,2.5,7\n8,0,1\n", encoding="utf-8")


def test_what_no_stage_can_return_names_function_file_and_line(harness: Harness) -> None:
    Path("set.py").write_text(
        "def f(y):\n    return y\n\n\ndef kinds_of(y):\n    return set(y)\n", encoding="utf-8"
    )
    done = harness("new", "case", "sets", "--from", "set.py", "--data", "d.csv")
    assert done.exit_code == 2
    assert "set.py:5: kinds_of() cannot be a stage: what it returns is a set" in done.stderr
    assert "return an array, a number, a text, a date, or a dictionary or list of these" in done.stderr


def test_a_dictionary_or_frame_that_is_taken_is_made_of_columns(harness: Harness) -> None:
    pytest.importorskip("flint")
    text = 'def f(d, k=2):\n    return d["a"] * k + d["y"].sum()\n\n\n'
    text += 'def g(d):\n    return d.get("b") - d.a.mean()\n'
    Path("frame.py").write_text(text, encoding="utf-8")
    written = harness("new", "case", "frame", "--from", "frame.py", "--data", "d.csv")
    assert written.exit_code == 0, written.output
    assert (
        "input d: by name, d.a: float64 [4], a of the data, d.y: float64 [4], y of the data" in written.stdout
    )
    names = [value.name for value in load_case(Path("conformance/frame")).inputs]
    assert names == ["d.a", "d.y", "d.b"]
    assert harness("run").exit_code == 0
    Path("frame.py").write_text(text.replace('"b"', '"z"'), encoding="utf-8")
    lacking = harness("new", "case", "frame2", "--from", "frame.py", "--data", "d.csv")
    assert lacking.exit_code == 2
    assert "nothing says what 'z' is, which f() takes of 'd'; the data has: y, a, b" in lacking.stderr
    assert "--input d.z=COLUMN" in lacking.stderr
    given = harness("new", "case", "frame2", "--from", "frame.py", "--data", "d.csv", "--input", "d.z=3")
    assert given.exit_code == 0, given.output


def test_labels_and_levels_are_a_category(harness: Harness) -> None:
    text = 'def group(y):\n    return {"labels": ["a", "b"], "levels": ["b", "a"]}\n\n\n'
    Path("one.py").write_text(f"{text}def f(group, y):\n    return y\n")
    Path("two.py").write_text(f"{text}def f(group, y):\n    return y\n".replace('["b", "a"]', '["a", "b"]'))
    done = harness("new", "case", "groups", "--from", "one.py", "two.py", "--data", "d.csv")
    assert done.exit_code == 0, done.output
    assert "one.py:1: group() returns category" in done.stdout
    assert harness("run").exit_code == 1
    cells = read_record(Path("results/results.jsonl")).cells
    assert {cell.stage for cell in cells if cell.verdict == "FAIL"} == {"group.levels"}


OTHERS = """\
mid <- function(d) {
  made <- list()
  made$least <- min(d$y)
  made$word <- paste0("v", length(d$y))
  made$gap <- c(NA, d[["a"]][1])
  made
}

again <- function(mid, k) mid$least * k
day <- function(d) as.Date("2020-01-02")
group <- function(d) factor(c("u", "v"))
"""


OTHERS_JULIA = """\
using Dates
mid(d) = Dict("least" => minimum(d.y), "word" => "v$(length(d.y))", "gap" => [missing, d[:a][1]])
again(mid, k) = mid.least * k
day(d) = Date(2020, 1, 2)
group(d) = (labels = ["u", "v"], levels = ["u", "v"])
"""


def made_of(harness: Harness, reference: str, other: str) -> dict[str, str]:
    """A case of an R and a Julia file, and how each of its outputs was judged."""
    Path("one.R").write_text(OTHERS, encoding="utf-8")
    Path("two.jl").write_text(OTHERS_JULIA, encoding="utf-8")
    written = harness("new", "case", "kinds", "--from", reference, other, "d.csv", "--input", "k=2")
    if "there is no" in written.output:
        pytest.skip(written.output)
    assert written.exit_code == 0, written.output
    case = load_case(Path("conformance/kinds"))
    assert {name: (value.dtype, value.missing) for name, value in case.values.items()} == {
        "mid.least": ("float", False),
        "mid.word": ("text", False),
        "mid.gap": ("float", True),
        "again": ("float", False),
        "day": ("date", False),
        "group": ("text", False),
        "group.levels": ("text", False),
    }
    assert [value.name for value in case.inputs] == ["d.y", "d.a", "k"]
    harness("run")
    cells = read_record(Path("results/results.jsonl")).cells
    return {cell.stage: cell.verdict for cell in cells if cell.check == "reference"}


@pytest.mark.r
@pytest.mark.julia
@pytest.mark.slow
@pytest.mark.usefixtures("interpreted_julia")
@pytest.mark.parametrize("both", [("one.R", "two.jl"), ("two.jl", "one.R")])
def test_values_of_an_r_or_julia_file_are_described(harness: Harness, both: tuple[str, str]) -> None:
    """Julia takes its time to start, and more to compile what reads the file."""
    judged = made_of(harness, *both)
    assert set(judged.values()) == {"PASS"}
    assert set(judged) == {"mid.least", "mid.word", "mid.gap", "again", "day", "group", "group.levels"}


def test_an_empty_result_has_a_size_of_its_own(harness: Harness) -> None:
    text = "def large(x):\n    return x[x > 9]\n\n\ndef small(x):\n    return x[x < -9]\n"
    Path("f.py").write_text(text, encoding="utf-8")
    Path("g.py").write_text(text, encoding="utf-8")
    assert harness("new", "case", "cut", "--from", "f.py", "g.py", "--input", "x=1,2").exit_code == 0
    case = load_case(Path("conformance/cut"))
    assert {name: value.shape for name, value in case.values.items()} == {"large": ("d",), "small": ("k",)}
    ran = harness("run", "--case", "cut")
    assert ran.exit_code == 0, ran.output
    assert "nothing was compared" not in ran.output
    other = Path("conformance/cut/cut.g.py")
    other.write_text(text.replace("> 9", "> 1"), encoding="utf-8")
    assert harness("run", "--case", "cut").exit_code == 1


def test_a_list_that_is_taken_whole_stays_one(harness: Harness) -> None:
    text = (
        "def layers(x):\n    return [x * 2, x[:1]]\n\n\n"
        "def forward(layers):\n    return layers[0] + layers[1]\n"
    )
    Path("f.py").write_text(text, encoding="utf-8")
    Path("g.py").write_text(text.replace("+ layers[1]", "- layers[1]"), encoding="utf-8")
    written = harness("new", "case", "net", "--from", "f.py", "g.py", "--input", "x=1.5,2,4")
    assert written.exit_code == 0, written.output
    shown = harness("show", "net", "forward", "--impl", "numpy")
    assert "[4.5 5.5 9.5]" in shown.stdout, shown.output
    assert harness("run", "--case", "net", "--impl", "numpy").exit_code == 0
    assert harness("run", "--case", "net").exit_code == 1
