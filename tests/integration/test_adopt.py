"""``harness adopt``: two programs become a case that runs at once and gives the verdicts that align gave."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import harness
from harness.cli import main
from harness.model import Mode, Verdict

pytest.importorskip("scipy")
PROGRAMS = Path(__file__).parents[1] / "programs"

FIRST = """\
import numpy as np

heights = np.array([1.51, 1.39, 1.36, 1.57, 1.45, 1.64])
weights = np.array([47.8, 36.5, 31.9, 53.0, 41.3, 63.0])


def centre(values):
    return values - values.mean()


h = centre(heights)
w = centre(weights)
slope = (h @ w) / (h @ h)
fitted = weights.mean() + slope * h
residuals = weights - fitted
s2 = np.sum(residuals**2) / (len(heights) - 2)
print(slope, s2)
"""
SECOND = """\
import numpy as np


def main():
    size = np.array([1.51, 1.39, 1.36, 1.57, 1.45, 1.64])
    mass = np.array([47.8, 36.5, 31.9, 53.0, 41.3, 63.0])
    X = np.column_stack([np.ones(6), size - size.mean()])
    beta = np.linalg.lstsq(X, mass, rcond=None)[0]
    slope = beta[1]
    fit = X @ beta
    rest = mass - fit
    variance = (rest @ rest) / (len(size) - 2)
    print(slope, variance)


if __name__ == "__main__":
    main()
"""


def adopted(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["adopt", *words, "--suite", str(folder / "suite")])


def write(folder: Path, first: str, second: str) -> tuple[str, str]:
    paths = folder / "before.py", folder / "after.py"
    for path, text in zip(paths, (first, second), strict=True):
        path.write_text(text, encoding="utf-8")
    return str(paths[0]), str(paths[1])


def failing(folder: Path, case: str, implementation: str) -> list[str]:
    """Run the case; the stages of which an implementation fails on the reference's inputs."""
    results = harness.run(folder / "suite", cases=case, values=False)
    assert {cell.verdict for cell in results.cells} <= {Verdict.PASS, Verdict.FAIL, Verdict.NOT_RUN}
    failed = [cell for cell in results.cells if cell.verdict is Verdict.FAIL and cell.mode is Mode.ISOLATED]
    assert str(results.outcome) == ("DIVERGENCE" if failed else "AGREEMENT")
    assert {cell.implementation for cell in failed} <= {implementation}
    return [cell.stage for cell in failed]


def test_two_programs_in_one_language(tmp_path: Path) -> None:
    done = adopted(tmp_path, *write(tmp_path, FIRST, SECOND), "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.output)
    assert said["outcome"] == "AGREEMENT"
    assert {each["name"] for each in said["inputs"]} == {"heights", "weights"}
    stages = {each["name"]: each for each in said["stages"]}
    assert {"slope", "fitted", "residuals", "s2"} <= set(stages)
    assert stages["s2"]["a"].endswith("before.py:16)")
    assert stages["s2"]["b"].endswith("after.py:12)")
    assert failing(tmp_path, "before", "numpy.after") == []


def test_a_planted_fault_fails_at_its_stage(tmp_path: Path) -> None:
    wrong = SECOND.replace("(len(size) - 2)", "(len(size) - 1)")
    done = adopted(tmp_path, *write(tmp_path, FIRST, wrong))
    assert done.exit_code == 0, done.output
    assert failing(tmp_path, "before", "numpy.after") == ["s2"]


def test_what_differs_from_the_first_line_on_is_a_stage_and_not_the_fixture(tmp_path: Path) -> None:
    done = adopted(tmp_path, *write(tmp_path, FIRST, SECOND.replace("53.0", "35.0")), "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.output)
    assert said["outcome"] == "DIVERGENCE"
    assert "weights" not in {each["name"] for each in said["inputs"]}
    assert failing(tmp_path, "before", "numpy.after")[0] == "weights"


def test_a_case_that_is_there_stays(tmp_path: Path) -> None:
    words = write(tmp_path, FIRST, SECOND)
    assert adopted(tmp_path, *words, "--name", "ours").exit_code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "suite").rglob("*") if path.is_file()}
    done = adopted(tmp_path, *words, "--name", "ours")
    assert done.exit_code == 2
    assert "is there already" in done.output
    assert {path: path.read_bytes() for path in (tmp_path / "suite").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (
            "x = 1.2345\nprint(x)\n",
            "word = 'abc'\nprint(word)\n",
            "no case can be made of before.py and after.py",
        ),
        (FIRST, SECOND + "raise ValueError('no')\n", "not compared to the end"),
        ("a = 3.21\n", "b = 3.21\n", "no case can be made"),
    ],
)
def test_where_nothing_can_be_adopted_nothing_is_written(
    tmp_path: Path, first: str, second: str, why: str
) -> None:
    done = adopted(tmp_path, *write(tmp_path, first, second))
    assert done.exit_code == 2
    assert why in done.output
    assert not (tmp_path / "suite").exists()


def test_what_draws_without_a_seed_is_left_out_with_its_line(tmp_path: Path) -> None:
    noisy = "noise = np.random.normal(size=6)\nshaken = heights + 0 * noise\ntotal = shaken.sum()\n"
    words = write(tmp_path, FIRST + noisy, SECOND.replace("    print", "    total = size.sum()\n    print"))
    done = adopted(tmp_path, *words)
    assert done.exit_code == 0, done.output
    assert "before.py:18: total: line 18 draws random numbers, and no seed is set" in done.output
    assert "stage total" not in done.output
    assert failing(tmp_path, "before", "numpy.after") == []


def test_a_data_file_comes_along(tmp_path: Path) -> None:
    (tmp_path / "mass.txt").write_text("47.8 36.5 31.9 53.0 41.3 63.0", encoding="utf-8")
    read = 'import numpy as np\n\nmass = [float(word) for word in open("mass.txt").read().split()]\n'
    one = read + "logs = np.log(mass)\nspread = logs.std()\nprint(spread)\n"
    other = read + "scale = np.array([1.0, 2.0])\nlog_mass = np.log(np.array(mass))\n"
    other += "spread = np.sqrt(((log_mass - log_mass.mean()) ** 2).mean())\nprint(spread)\n"
    done = adopted(tmp_path, *write(tmp_path, one, other))
    assert done.exit_code == 0, done.output
    assert failing(tmp_path, "before", "numpy.after") == []


@pytest.mark.r
@pytest.mark.parametrize("fault", [False, True])
def test_python_and_r(tmp_path: Path, fault: bool) -> None:
    from harness.runtimes.provision.r import find_r

    if not find_r().available:
        pytest.skip("there is no R")
    pair = tmp_path / "pair"
    shutil.copytree(PROGRAMS / "first" / "regression", pair)
    if fault:
        text = (pair / "fit.R").read_text(encoding="utf-8")
        (pair / "fit.R").write_text(text.replace("/ (n - p)\n", "/ (n - 1)\n", 1), encoding="utf-8")
    done = adopted(tmp_path, str(pair / "fit.py"), str(pair / "fit.R"))
    assert done.exit_code == 0, done.output
    assert "input height: table['height'] (fit.py:26) and dat$height (fit.R:2)" in done.output
    assert failing(tmp_path, "fit", "r") == (["sigma2"] if fault else [])


@pytest.mark.r
def test_a_column_that_a_statement_adds_to_a_table_is_a_stage(tmp_path: Path) -> None:
    """Its fault is proved to be made in that statement, of which the other program has no part."""
    from harness.runtimes.provision.r import find_r

    if not find_r().available:
        pytest.skip("there is no R")
    (tmp_path / "women.csv").write_text("height,weight\n58,115\n61,123\n65,135\n72,164\n", encoding="utf-8")
    (tmp_path / "bmi.py").write_text(INDEX, encoding="utf-8")
    (tmp_path / "bmi.R").write_text(INDEX_IN_R, encoding="utf-8")
    done = adopted(tmp_path, str(tmp_path / "bmi.py"), str(tmp_path / "bmi.R"))
    assert done.exit_code == 0, done.output
    assert "DIVERGENCE: the programs part at bmi.py:5 and bmi.R:3" in done.output
    assert "z (bmi.py:5) and women$score (bmi.R:3)" in done.output
    assert failing(tmp_path, "bmi", "r") == ["z"]


INDEX = """\
import numpy as np

height, weight = np.loadtxt("women.csv", delimiter=",", skiprows=1).T
bmi = 703 * weight / height**2
z = (bmi - bmi.mean()) / bmi.std()
print("mean", bmi.mean(), "last", z[-1])
"""
INDEX_IN_R = """\
women <- read.csv("women.csv")
women$bmi <- with(women, 703 * weight / height^2)
women$score <- as.vector(scale(women$bmi))
cat("mean", mean(women$bmi), "last", tail(women$score, 1), "\\n")
"""


@pytest.mark.slow
@pytest.mark.julia
def test_julia_and_python(tmp_path: Path, julia_process: None) -> None:
    """Julia takes long to start, three times."""
    from harness.runtimes.registry import find_provision

    julia = find_provision("julia")
    if julia is None or not julia.available:
        pytest.skip("there is no Julia")
    program = """\
using Statistics
size = [1.51, 1.39, 1.36, 1.57, 1.45, 1.64]
mass = [47.8, 36.5, 31.9, 53.0, 41.3, 63.0]
X = hcat(ones(6), size .- mean(size))
β = X \\ mass
slope = β[2]
rest = mass .- X * β
variance = sum(abs2, rest) / (length(size) - 1)
println(slope, " ", variance)
"""
    (tmp_path / "after.jl").write_text(program, encoding="utf-8")
    (tmp_path / "before.py").write_text(FIRST, encoding="utf-8")
    done = adopted(tmp_path, str(tmp_path / "before.py"), str(tmp_path / "after.jl"))
    assert done.exit_code == 0, done.output
    assert failing(tmp_path, "before", "julia") == ["s2"]


WITHIN = """\
import numpy as np

x = np.array([1.5, 2.25, 4.0, 7.5])
y = x * 3.0 + 1.0


def spread(values):
    centred = values - values.mean()
    print("spread", (centred**2).sum() / (len(values) - 1))


spread(y)
"""


def test_that_no_stage_has_the_difference_is_said(tmp_path: Path) -> None:
    programs = write(tmp_path, WITHIN, WITHIN.replace(" - 1))", "))").replace("values", "data"))
    done = adopted(tmp_path, *programs)
    assert done.exit_code == 0, done.output
    assert "warning: the programs part at before.py:9 and after.py:9, and no stage has that" in done.output
    assert failing(tmp_path, "before", "numpy.after") == []
    (tmp_path / "same").mkdir()
    same = adopted(tmp_path / "same", *write(tmp_path / "same", WITHIN, WITHIN.replace("values", "data")))
    assert "warning" not in same.output


@pytest.mark.slow
@pytest.mark.r
def test_what_follows_from_a_difference_within_a_function_is_a_stage(tmp_path: Path) -> None:
    pair = Path(__file__).parents[1] / "programs" / "first" / "survival"
    first = (pair / "km.R").read_text(encoding="utf-8").splitlines()
    assert "(n - 1)" in first[29]
    first[29] = first[29].replace("(n - 1)", "n")
    (tmp_path / "km.R").write_text("\n".join(first) + "\n", encoding="utf-8")
    shutil.copy(pair / "km2.R", tmp_path)
    done = adopted(tmp_path, str(tmp_path / "km.R"), str(tmp_path / "km2.R"))
    assert done.exit_code == 0, done.output
    assert "warning" not in done.output
    assert failing(tmp_path, "km", "r.km2") == ["p"]
