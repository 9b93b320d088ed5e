"""``harness new case --from``: existing files become a case that runs, and a fault in one is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.authoring.read_others import read_other
from harness.model import Absent
from harness.runtimes.provision.r import find_r
from harness.store.cases import load_case
from harness.store.record import read_record

Harness = Callable[..., Result]

PYTHON = """\
import csv

import numpy as np


def fit(X, y):
    A = X - X.mean(axis=0)
    return A.T @ y


def rest(X, y, beta):
    return y - X @ beta, y.mean()


def main(path="d.csv"):
    rows = [list(map(float, row)) for row in list(csv.reader(open(path)))[1:]]
    y, X = np.array(rows)[:, 0], np.array(rows)[:, 1:]
    beta = fit(X, y)
    left, centre = rest(X, y, beta)
    print(left)


main()
"""
PORT = """\
def FIT(y, x):
    return (x - x.mean(0)).T @ y


def rest(X, Y, beta):
    return {"mean": Y.mean(), "left": Y - X @ beta}
"""
R = """\
fit <- function(y, x) t(sweep(x, 2, colMeans(x))) %*% y

rest <- function(x, y, beta) list(left = y - x %*% beta, centre = mean(y))

d <- read.csv("d.csv")
x <- as.matrix(d[, -1])
print(rest(x, d$y, fit(d$y, x)))
"""
DATA = "y,a,b\n1,0.5,2\n2,1.5,1\n4,2.5,7\n8,0,1\n"


@pytest.fixture(autouse=True)
def files(harness: Harness) -> None:
    for name, text in (("fit.py", PYTHON), ("port.py", PORT), ("fit.R", R), ("d.csv", DATA)):
        Path(name).write_text(text, encoding="utf-8")


def test_two_files_and_a_table_are_compared_at_once(harness: Harness) -> None:
    pytest.importorskip("flint")
    written = harness("new", "case", "fit", "--from", "fit.py", "port.py", "--data", "d.csv")
    assert written.exit_code == 0, written.output
    for line in (
        "main() calls: fit, rest",
        "input X: float64 [4, 2], the columns a, b side by side",
        "input y: float64 [4], y of the data",
        "fit.py: a copy of fit.py; what runs it is a comment (line 23)",
        "fit.port.py: the stage fit is FIT(y, X)",
        "fit.port.py: the stage rest is rest(X, y, fit), left, mean of what it returns",
        "next: harness run --case fit",
    ):
        assert line in written.stdout
    case = load_case(Path("conformance/fit"))
    assert [(stage.name, stage.inputs) for stage in case.stages] == [
        ("fit", ("X", "y")), ("rest", ("X", "y", "fit")),
    ]  # fmt: skip
    assert {name: value.shape for name, value in case.values.items()} == {
        "fit": ("d",), "left": ("n",), "centre": (),
    }  # fmt: skip
    ran = harness("run")
    assert ran.exit_code == 0, ran.output
    record = read_record(Path("results/results.jsonl"))
    assert {cell.implementation for cell in record.cells} == {"numpy", "numpy.port"}
    port = Path("conformance/fit/fit.port.py")
    port.write_text(port.read_text(encoding="utf-8").replace("Y.mean()", "Y.sum() / 3"), encoding="utf-8")
    assert harness("run").exit_code == 1
    failed = {
        (cell.implementation, cell.stage)
        for cell in read_record(Path("results/results.jsonl")).cells
        if cell.verdict == "FAIL"
    }
    assert {stage for _, stage in failed} == {"centre"}


@pytest.mark.r
@pytest.mark.slow
def test_r_is_adapted_to_the_python_file(harness: Harness) -> None:
    """R is started four times; the README's first example, a fast test, takes the same way."""
    if not find_r().available:
        pytest.skip("there is no R")
    pytest.importorskip("flint")
    written = harness("new", "case", "fit", "--from", "fit.py", "fit.R", "d.csv")
    assert written.exit_code == 0, written.output
    assert "fit.R: a copy of fit.R; what runs it is a comment (lines 5-7)" in written.stdout
    assert "fit.R: the stage fit is fit(y, X), its result as a vector" in written.stdout
    source = Path("conformance/fit/fit.R").read_text(encoding="utf-8")
    assert "# d <- read.csv" in source
    Path("conformance/fit/case.toml").write_text(
        Path("conformance/fit/case.toml").read_text(encoding="utf-8").replace('"n"] }', '"n", 1] }'),
        encoding="utf-8",
    )
    ran = harness("run")
    record = read_record(Path("results/results.jsonl"))
    fit = [cell.verdict for cell in record.cells if (cell.stage, cell.implementation) == ("fit", "r")]
    assert fit == ["PASS", "PASS"], ran.output
    centre = [cell.verdict for cell in record.cells if (cell.stage, cell.implementation) == ("centre", "r")]
    assert centre == ["PASS", "PASS"]


@pytest.mark.julia
@pytest.mark.slow
def test_functions_of_a_julia_file(tmp_path: Path) -> None:
    """Julia takes its time to start, and more to compile what reads the file."""
    path = tmp_path / "fit.jl"
    text = '''using Statistics
const K = 2
"""What it is."""
function fit(X::Matrix, y; tol = 1)
    beta = X \\ y
    return beta
end
both(x, k = K) = (mean = mean(x), top = x[1] * k)
main(path) = println(fit([1.0 2.0], both(path).mean))
main("d.csv")
'''
    path.write_text(text, encoding="utf-8")
    read = read_other(path, text, "julia")
    if read.unread:
        pytest.skip(read.unread)
    known = {
        each.name: (each.line, [(one.name, one.optional) for one in each.arguments], each.returns, each.keyed)
        for each in read.functions
    }
    assert known["fit"][1:] == ([("X", False), ("y", False)], ("beta",), False)
    assert known["both"] == (8, [("x", False), ("k", True)], ("mean", "top"), True)
    assert [call.function for call in read.block("main").calls] == ["both", "fit"]  # type: ignore[union-attr]
    assert read.left_out == ((10, 10),)


def test_without_a_file_s_language_it_is_copied_as_it_is(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.authoring.read_others.find_provision", lambda name: None)
    gone = Absent(runtime="r", language="R", reason="there is no R")
    monkeypatch.setattr("harness.runtimes.registry.Registry.launch", launched(gone))
    written = harness("new", "case", "fit", "--from", "fit.py", "fit.R", "d.csv")
    assert written.exit_code == 0, written.output
    assert "fit.R: a copy of fit.R, as it is: there is no R here to read it" in written.stdout
    assert Path("conformance/fit/fit.R").read_text(encoding="utf-8") == R
    alone = harness("new", "case", "other", "--from", "fit.R", "d.csv")
    assert alone.exit_code == 2
    assert "it is the reference" in alone.stderr


def launched(gone: Absent) -> Callable[..., object]:
    from harness.runtimes.registry import Registry

    launch = Registry.launch
    return lambda self, name: gone if name == "r" else launch(self, name)


def test_samples_and_numbers_become_the_fixture(harness: Harness) -> None:
    Path("e.csv").write_text("y,a,b\n1,2,3\n3,2,1\n", encoding="utf-8")
    written = harness(
        "new", "case", "two", "--from", "fit.py", "--data", "d.csv", "--data", "e.csv", "--input", "X=b,a"
    )
    assert written.exit_code == 0, written.output
    assert harness("regenerate", "--check").exit_code == 0
    listed = harness("show", "two", "fit", "--sample", "e")
    assert listed.exit_code == 0, listed.output
    assert "[-2.  0.]" in listed.stdout


def test_a_helper_file_comes_along(harness: Harness) -> None:
    Path("helper.py").write_text("def half(x):\n    return x / 2\n", encoding="utf-8")
    Path("uses.py").write_text(
        "from helper import half\n\n\ndef f(x):\n    return half(x)\n", encoding="utf-8"
    )
    written = harness("new", "case", "uses", "--from", "uses.py", "--input", "x=1.5,2")
    assert written.exit_code == 0, written.output
    assert "helper.py: a copy, because uses.py takes it" in written.stdout
    assert Path("conformance/uses/helper.py").is_file()


def test_a_folder_of_helpers_comes_along(harness: Harness) -> None:
    for name, text in (
        ("uses.py", "from parts.power import power\n\n\ndef f(x):\n    return power(x)\n"),
        ("other.py", "import parts.power as p\n\n\ndef f(x):\n    return p.power(x)\n"),
        ("parts/power.py", "from . import constants\n\n\ndef power(x):\n    return x**constants.K\n"),
        ("parts/constants.py", "import secrets\n\nK = 2\n"),
        ("parts/unused.py", ""),
        ("secrets.py", ""),
    ):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    written = harness("new", "case", "uses", "--from", "uses.py", "--input", "x=1.5,2")
    assert written.exit_code == 0, written.output
    assert "parts/constants.py: a copy, because uses.py takes it" in written.stdout
    folder = Path("conformance/uses")
    copied = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert copied == {"uses.py", "parts/power.py", "parts/constants.py"}
    added = harness("new", "impl", "uses", "numpy", "--label", "other", "--from", "other.py")
    assert added.exit_code == 0, added.output
    assert "a copy" not in added.stdout
    Path("parts/power.py").write_text("def power(x):\n    return x\n", encoding="utf-8")
    again = harness("new", "impl", "uses", "numpy", "--label", "again", "--from", "other.py")
    assert again.exit_code == 2
    assert "takes parts/power.py, and another file that is not the same has that name" in again.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["fit", "--from", "none.py"], "none.py: cannot be read: No such file"),
        (["fit", "--from", "fit.py"], "nothing says what 'X' of fit() is; there is no --data"),
        (["fit", "--from", "fit.py", "d.csv", "--input", "Z=1"], "no stage takes 'Z'"),
        (["fit", "--from", "fit.py", "d.csv", "--input", "X"], "is not NAME=WHAT"),
        (["fit", "--from", "fit.py", "d.csv", "--input", "X=a"], "fit.py:19: rest() cannot be run"),
        (["fit", "--from", "bad.py", "d.csv"], "bad.py:1: is not Python"),
        (["fit", "--from", "empty.py", "d.csv"], "no function of it can be a stage"),
        (["fit", "--data", "d.csv"], "need --from"),
        (["function", "--from", "fit.py", "d.csv"], "reserved word"),
        (["fit", "--from", "d.csv"], "--from takes .py, .R and .jl files"),
        (["fit", "--from", "fit.py", "fit.py", "fit.py", "d.csv"], "two files would both be 'numpy.fit'"),
    ],
)
def test_a_mistake_leaves_nothing_behind(harness: Harness, args: list[str], message: str) -> None:
    Path("bad.py").write_text("def f(:\n", encoding="utf-8")
    Path("empty.py").write_text("x = 1\n", encoding="utf-8")
    result = harness("new", "case", *args)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert not list(Path().rglob("case.toml"))
    assert not list(Path().rglob("fixture.toml"))


def test_names_that_are_not_in_the_other_file_are_listed(harness: Harness) -> None:
    Path("one.py").write_text(
        "def centre(y):\n    return y - y.mean()\n\n\ndef spread(y):\n    return y.std()\n"
    )
    Path("two.py").write_text("def Centre(y):\n    return y - y.mean()\n\n\ndef sd(y):\n    return y.std()\n")
    done = harness("new", "case", "names", "--from", "one.py", "two.py", "--data", "d.csv")
    assert done.exit_code == 0, done.output
    assert "two.py has no function spread, in any spelling" in done.output
    assert "it has sd, which one.py has not" in done.output
    assert [stage.name for stage in load_case(Path("conformance/names")).stages] == ["centre"]


def test_where_no_name_is_common_both_sides_are_listed(harness: Harness) -> None:
    Path("one.py").write_text("def centre(y):\n    return y - y.mean()\n")
    Path("two.py").write_text("def middle(y):\n    return y - y.mean()\n")
    done = harness("new", "case", "names", "--from", "one.py", "two.py", "--data", "d.csv")
    assert done.exit_code == 2
    assert "two.py has no function centre" in done.output
    assert "it has middle, which one.py has not" in done.output


def test_a_stage_that_the_other_file_cannot_take_is_left_out(harness: Harness) -> None:
    pytest.importorskip("flint")
    centre = "def centre(y):\n    return y - y.mean()\n\n\n"
    Path("one.py").write_text(f"{centre}def score(y, a):\n    return (y * a).sum()\n")
    Path("two.py").write_text(f"{centre}def score(y):\n    return y.sum()\n")
    done = harness("new", "case", "names", "--from", "one.py", "two.py", "--data", "d.csv")
    assert done.exit_code == 0, done.output
    assert "two.py:5: score(y) cannot take the 2 inputs of the stage score, which is left out" in done.stdout
    assert [stage.name for stage in load_case(Path("conformance/names")).stages] == ["centre"]
    assert harness("run").exit_code == 0


def test_what_needs_a_stage_that_is_left_out_says_why(harness: Harness) -> None:
    last = "def last(score):\n    return score * 2\n\n\ndef {0}(score):\n    return score\n\n\n"
    Path("one.py").write_text(f"{last.format('other')}def score(y, a):\n    return (y * a).sum()\n")
    Path("two.py").write_text(f"{last.format('another_one')}def score(y):\n    return y.sum()\n")
    done = harness(
        "new", "case", "names", "--from", "one.py", "two.py", "--input", "y=1,2", "--input", "a=3,4"
    )
    assert done.exit_code == 2, done.output
    assert "score(y) cannot take the 2 inputs of the stage score, which is left out" in done.stderr
    assert "has no function" not in done.stderr
    assert not list(Path().rglob("case.toml"))


def test_a_module_that_is_missing_is_to_be_installed(harness: Harness) -> None:
    Path("one.py").write_text("import nowhere.inner\n\n\ndef centre(y):\n    return y - y.mean()\n")
    done = harness("new", "case", "one", "--from", "one.py", "--data", "d.csv")
    assert done.exit_code == 2, done.output
    assert "one.py: cannot be imported: ModuleNotFoundError: No module named 'nowhere'" in done.stderr
    assert "install nowhere" in done.stderr
    assert "--input" not in done.stderr


def test_of_a_function_that_is_defined_twice_the_last_is_a_stage(harness: Harness) -> None:
    first = "def f(y):\n    return y * 2\n\n\n"
    Path("one.py").write_text(f"{first}def f(y):\n    return y * 3\n")
    done = harness("new", "case", "one", "--from", "one.py", "--data", "d.csv")
    assert done.exit_code == 0, done.output
    stages = load_case(Path("conformance/one")).stages
    assert [(stage.name, stage.inputs) for stage in stages] == [("f", ("y",))]


@pytest.mark.r
@pytest.mark.slow
def test_of_r_the_last_definition_counts_and_a_mistake_is_one_line(harness: Harness) -> None:
    if find_r().executable is None:
        pytest.skip("there is no R")
    path = Path("bad.R")
    path.write_text("f <- function(x) x\nf <- function(y) {\n  y\n}\n", encoding="utf-8")
    source = read_other(path, path.read_text(encoding="utf-8"), "r")
    assert [(each.name, each.line) for each in source.functions] == [("f", 2)]
    path.write_text("f <- function(x) {\n  x * 2\n", encoding="utf-8")
    done = harness("new", "case", "one", "--from", "fit.py", "bad.R", "--data", "d.csv")
    assert done.exit_code == 2, done.output
    assert "bad.R:3: is not R: unexpected end of input\n" in done.stderr


def test_a_key_that_is_taken_because_it_is_left_is_said(harness: Harness) -> None:
    done = harness("new", "case", "fit", "--from", "fit.py", "port.py", "--data", "d.csv", "--input", "X=a,b")
    assert done.exit_code == 0, done.output
    assert (
        "port.py:5: rest returns no centre: mean, the one name that is left, is taken for it" in done.output
    )


def test_a_person_pairs_functions_that_names_pair_wrongly(harness: Harness) -> None:
    pytest.importorskip("flint")
    Path("a.py").write_text("def mid(y):\n    return y.mean()\n\n\ndef low(y):\n    return y.min()\n")
    Path("b.py").write_text("def low(y):\n    return y.mean()\n\n\ndef least(y):\n    return y.min()\n")
    done = harness("new", "case", "one", "--from", "a.py", "b.py", "--data", "d.csv")
    assert done.exit_code == 0, done.output
    assert "b.py has no function mid" in done.stdout
    assert "--pair NAME=FUNCTION would say which two are one" in done.stdout
    assert harness("run", "--case", "one").exit_code == 1
    pairs = ["--pair", "mid=low", "--pair", "low=least"]
    done = harness("new", "case", "two", "--from", "a.py", "b.py", "--data", "d.csv", *pairs)
    assert done.exit_code == 0, done.output
    assert "two.b.py: the stage mid is low(y)" in done.stdout
    assert harness("run", "--case", "two").exit_code == 0


def test_a_stage_does_not_replace_what_its_function_calls(harness: Harness) -> None:
    Path("f.py").write_text("def sum(x):\n    return x.sum()\n", encoding="utf-8")
    Path("g.py").write_text("def total(x):\n    return sum(x)\n", encoding="utf-8")
    written = harness("new", "case", "s", "--from", "f.py", "g.py", "--pair", "sum=total", "--input", "x=1,2")
    assert written.exit_code == 0, written.output
    assert "the stage sum_stage is total(x)" in written.stdout
    ran = harness("run", "--case", "s")
    assert ran.exit_code == 0, ran.output
