"""Every rule that a case can state, with real workers: right ones pass, wrong ones are found."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.conformance.cell_script import write
from harness.conformance.plan import make_plan
from harness.conformance.reproduce import reproduce
from harness.conformance.run import run
from harness.model import OF_A_STAGE, Check, Record, Verdict
from harness.report import html
from harness.store.fixture_writer import write_fixture
from tests.integration.one_case import alone, run_case, with_faults

RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

CASE = """
[case]
name = "toy"
title = "one rule a stage"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "close"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "allclose", rtol = 1e-9, atol = 1e-12, reason = "test" }

[[stage]]
name = "residual"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "norm", value = 1e-14, of = "x", reason = "a backward error" }

[[stage]]
name = "rounded"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "digits", digits = 9, reason = "the last digits are lost" }

[[stage]]
name = "orbit"
inputs = ["x"]
shape = [200]
show = "curve"
tolerance = { rule = "relative", value = 1e-9, horizon = 20, reason = "the logistic map is chaotic" }

[[stage]]
name = "by_sample"
inputs = ["x"]
shape = ["n"]
[stage.tolerance]
rule = "exact"
by_sample = [{ samples = "def*", rule = "ulp", value = 2, reason = "quotient" }]

[[stage]]
name = "begun"
inputs = ["orbit"]
shape = []
meaning = "follows from what is judged"
"""

NUMPY = """
import numpy as np

def close(x):
    return np.sin(x)

def residual(x):
    return (x + 0.1) - x - 0.1

def rounded(x):
    return 1000 * x + 1.25

def orbit(x):
    y = np.zeros(200, dtype=x.dtype)
    y[0] = 0.3
    for k in range(1, 200):
        y[k] = 3.9 * y[k - 1] * (1 - y[k - 1])
    return y

def by_sample(x):
    return x / 3

def begun(orbit):
    return orbit[:10].sum()
"""

R = """
close <- function(x) sin(x)
residual <- function(x) (x - 0.1) - x + 0.1
rounded <- function(x) (x + 0.00125) * 1000 * (1 + 4e-10)
orbit <- function(x) {
  y <- 0.3
  for (k in 2:200) y[k] <- 3.9 * (y[k - 1] - y[k - 1]^2)
  y
}
by_sample <- function(x) x * (1 / 3)
begun <- function(orbit) sum(orbit[1:10])
"""

FAULTS = {
    "close": ("sin(x)", "sin(x) + 1e-8"),
    "residual": ("- x + 0.1", "- x + 0.1 + 1e-12"),
    "rounded": ("1 + 4e-10", "1 + 1e-5"),
    "orbit": ("3.9 *", "3.90000001 *"),
    "by_sample": ("x * (1 / 3)", "x * (1 / 3) * (1 + 1e-15)"),
    "begun": ("1:10", "1:11"),
}
X = np.linspace(0.5, 9.0, 7)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> tuple[Record, Path]:
    suite = tmp_path_factory.mktemp("suite")
    return run_case(suite, "toy", CASE, with_faults(NUMPY, R, FAULTS), X), suite


@pytest.mark.r
def test_right_ones_pass_and_say_what_is_not_judged(record: tuple[Record, Path]) -> None:
    cells = [cell for cell in record[0].cells if cell.implementation == "r" and cell.check in OF_A_STAGE]
    assert {cell.stage for cell in cells} == set(FAULTS)
    assert {(cell.stage, cell.verdict) for cell in cells} == {(stage, Verdict.PASS) for stage in FAULTS}
    for cell in cells:
        beyond = "180 of 200 elements are beyond the horizon and not judged: up to 0."
        assert cell.reason.startswith(beyond) is (cell.stage == "orbit"), cell
    pairs = [pair for pair in record[0].pairs if (pair.left, pair.right) == ("numpy", "r")]
    assert len(pairs) == len(FAULTS)
    assert all(pair.agree for pair in pairs)


@pytest.mark.r
@pytest.mark.parametrize("stage", FAULTS)
def test_a_wrong_one_is_found_at_its_stage(record: tuple[Record, Path], stage: str) -> None:
    cells = alone(record[0], f"r.{stage}")
    assert {cell.stage for cell in cells if cell.verdict is Verdict.FAIL} == {stage}
    assert {cell.verdict for cell in cells if cell.stage != stage} == {Verdict.PASS}


@pytest.mark.r
@pytest.mark.parametrize(
    "stage", ["orbit", *(pytest.param(name, marks=pytest.mark.slow) for name in ("residual", "rounded"))]
)
def test_a_script_judges_as_the_cell_does(
    record: tuple[Record, Path], stage: str, tmp_path: Path, run_script: RunScript
) -> None:
    plan = make_plan(record[1])
    for implementation, status in (("r", 0), (f"r.{stage}", 1)):
        done = run_script("r", write(reproduce(plan, "toy", stage, implementation), tmp_path))
        assert done.returncode == status, done.stdout + done.stderr
    if stage == "orbit":
        assert "180 of " in done.stdout
        assert "elements left out" in done.stdout
        assert "of 20 elements are beyond their limit" in done.stdout


@pytest.mark.r
def test_the_page_shows_the_rule(record: tuple[Record, Path]) -> None:
    page = html.render(record[0])
    for text in (
        "allclose, 1e-12 + 1e-09 of what is expected: test",
        "1e-14 of the largest magnitude of x: a backward error",
        "9 significant digits: the last digits are lost",
        "1e-09 relative in the first 20 of the first axis: the logistic map",
        "exact; in def* 2 ULP: quotient",
    ):
        assert text in page


@pytest.mark.r
def test_the_audit_finds_every_fault_that_is_judged(record: tuple[Record, Path]) -> None:
    done = CliRunner().invoke(
        main, ["audit", "--suite", str(record[1]), "--impl", "r", "--level", "boundary", "--json"]
    )
    found = json.loads(done.stdout)
    tried = found["equivalent"]
    reasons = {one["reason"] for one in tried if one["mutant"]["place"].startswith("orbit")}
    assert any("not one bit changes in the first 20 of the first axis" in reason for reason in reasons)
    assert found["survivors"] == [], found["survivors"]


DATA = """
[case]
name = "data"
title = "values from elsewhere"
origin = "here"
fixture = "data"

[inputs]
x = ["n"]

[[stage]]
name = "thirds"
inputs = ["x"]
shape = ["n"]
expected = { array = "due", tolerance = { rule = "digits", digits = 9, reason = "another program" } }

[[stage]]
name = "roots"
inputs = ["x"]
shape = ["n"]
expected = { table = "printed.csv" }
"""


@pytest.fixture
def with_data(tmp_path: Path) -> Path:
    """A suite whose stages have expected values as data; `r.off` is off in both."""
    suite = tmp_path / "suite"
    reference = (
        "import numpy as np\n\ndef thirds(x):\n    return x / 3\n\ndef roots(x):\n    return np.sqrt(x)\n"
    )
    r = "thirds <- function(x) x / 3\nroots <- function(x) sqrt(x)\n"
    case = suite / "data"
    case.mkdir(parents=True)
    for name, text in {
        "case.toml": DATA,
        "data.py": reference,
        "data.R": r,
        "data.off.R": r.replace("x / 3", "x / 3 * (1 + 1e-8)").replace("sqrt(x)", "sqrt(x) + 1e-3"),
        "printed.csv": "# roots\ndefault, 1.414, 1.732\n",
    }.items():
        (case / name).write_text(text, encoding="utf-8")
    arrays = {"x": np.array([2.0, 3.0]), "due": np.array([0.666666666667, 1.0])}
    write_fixture(
        suite / "fixtures" / "data",
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays=arrays,
        origins=dict.fromkeys(arrays, "here"),
    )
    return suite


@pytest.mark.r
def test_everybody_is_compared_with_data(with_data: Path) -> None:
    cells = {
        (cell.implementation, cell.stage): cell
        for cell in run(make_plan(with_data), out=None).cells
        if cell.check == "expected"
    }
    assert {key: cell.verdict for key, cell in cells.items()} == {
        ("numpy", "thirds"): Verdict.PASS,
        ("numpy", "roots"): Verdict.PASS,
        ("r", "thirds"): Verdict.PASS,
        ("r", "roots"): Verdict.PASS,
        ("r.off", "thirds"): Verdict.FAIL,
        ("r.off", "roots"): Verdict.FAIL,
    }
    assert cells["r", "thirds"].reason == "12.3 significant digits agree"


@pytest.mark.r
@pytest.mark.parametrize(
    ("stage", "implementation", "status"),
    [
        # Each is run by the harness, and then by R alone.
        pytest.param("thirds", "r", 0, marks=pytest.mark.slow),
        pytest.param("thirds", "r.off", 1, marks=pytest.mark.slow),
        ("roots", "r.off", 1),
    ],
)
def test_a_script_compares_with_data_as_the_cell_does(
    with_data: Path, tmp_path: Path, run_script: RunScript, stage: str, implementation: str, status: int
) -> None:
    script = reproduce(make_plan(with_data), "data", stage, implementation, check=Check.EXPECTED)
    done = run_script("r", write(script, tmp_path))
    assert done.returncode == status, done.stdout + done.stderr
