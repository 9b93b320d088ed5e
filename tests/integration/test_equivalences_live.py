"""Values up to a sign, an order or names, with real workers: right ones pass, wrong ones are found."""

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
from harness.model import OF_A_STAGE, Basis, Record, Verdict
from harness.report import html
from tests.integration.one_case import alone, run_case, with_faults
from tests.marks import in_slow

RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

CASE = """
[case]
name = "toy"
title = "one equivalence a stage"
origin = "here"
fixture = "toy"

[inputs]
x = ["n", "d"]

[[stage]]
name = "vectors"
inputs = ["x"]
shape = ["d", "d"]
up_to = "sign of columns"

[[stage]]
name = "first"
inputs = ["x"]
shape = ["d"]
up_to = "sign"

[[stage]]
name = "groups"
inputs = ["x"]
shape = ["n"]
dtype = "int"
up_to = "labels"
tolerance = { rule = "exact" }

[[stage]]
name = "sorted_rows"
inputs = ["x"]
shape = ["n", "d"]
up_to = "permutation of rows"
tolerance = { rule = "exact" }

[[stage]]
name = "elements"
inputs = ["x"]
shape = ["m"]
up_to = "set"
tolerance = { rule = "ulp", value = 2, reason = "a product" }

[[stage]]
name = "turned"
inputs = ["x"]
shape = ["n", "d"]
up_to = "rotation"
tolerance = { rule = "norm", value = 1e-13, reason = "a product" }

[[stage]]
name = "wave"
inputs = ["x"]
shape = ["n"]
dtype = "complex"
up_to = "phase"
tolerance = { rule = "norm", value = 1e-13, reason = "a product" }
"""

NUMPY = """
import numpy as np

def vectors(x):
    return np.linalg.eigh(x.T @ x)[1]

def first(x):
    return np.linalg.eigh(x.T @ x)[1][:, 0]

def groups(x):
    return (x[:, 0] > 0) * 1 + (x[:, 1] > 0) * 2

def sorted_rows(x):
    return x[np.argsort(x[:, 0])]

def elements(x):
    return (x * 3).ravel()

def turned(x):
    return x[:, ::-1].copy()

def wave(x):
    return np.exp(1j * x[:, 0])
"""

R = """
vectors <- function(x) {
  v <- eigen(crossprod(x), symmetric = TRUE)$vectors
  v[, ncol(v):1]
}
first <- function(x) -vectors(x)[, 1]
groups <- function(x) {
  names <- paste(x[, 1] > 0, x[, 2] > 0)
  match(names, unique(names))
}
sorted_rows <- function(x) x[order(x[, 2]), ]
elements <- function(x) sort(as.vector(3 * x))
turned <- function(x) x %*% qr.Q(qr(matrix(c(2, 1, 1, 0, 3, 1, 1, 0, 4), 3)))
wave <- function(x) exp(1i * (x[, 1] + 0.7))
"""

FAULTS = {
    "vectors": ("v[, ncol(v):1]", "v[, 1:ncol(v)]"),
    "first": ("-vectors(x)[, 1]", "-vectors(x)[, 1] * 1.0000001"),
    "groups": ("match(names, unique(names))", "match(names, unique(names)) %/% 2L"),
    "sorted_rows": ("x[order(x[, 2]), ]", "apply(x, 2, sort)"),
    "elements": ("sort(as.vector(3 * x))", "rep(max(3 * x), length(x))"),
    "turned": ("x %*%", "1.000001 * x %*%"),
    "wave": ("x[, 1] + 0.7", "x[, 1] * 1.000001 + 0.7"),
}
X = np.random.default_rng(11).normal(size=(8, 3))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> tuple[Record, Path]:
    suite = tmp_path_factory.mktemp("suite")
    return run_case(suite, "toy", CASE, with_faults(NUMPY, R, FAULTS), X), suite


@pytest.mark.r
def test_right_ones_pass_and_say_up_to_what(record: tuple[Record, Path]) -> None:
    cells = [cell for cell in record[0].cells if cell.implementation == "r" and cell.check in OF_A_STAGE]
    assert {(cell.stage, cell.verdict, cell.reason) for cell in cells} == {
        ("vectors", Verdict.PASS, "up to sign of columns"),
        ("first", Verdict.PASS, "up to sign"),
        ("groups", Verdict.PASS, "up to labels"),
        ("sorted_rows", Verdict.PASS, "up to permutation of rows"),
        ("elements", Verdict.PASS, "up to set"),
        ("turned", Verdict.PASS, "up to rotation"),
        ("wave", Verdict.PASS, "up to phase"),
    }
    # No sign is free that the case does not have turned: the vectors have true values.
    bases = {cell.stage: cell.basis for cell in cells}
    assert (bases["vectors"], bases["first"]) == (Basis.DERIVED, Basis.DERIVED)
    assert not any(cell.undecided for cell in cells)
    assert all(pair.agree for pair in record[0].pairs if (pair.left, pair.right) == ("numpy", "r"))
    assert "up to sign of columns; derived" in html.render(record[0])


@pytest.mark.r
@pytest.mark.parametrize("stage", FAULTS)
def test_a_wrong_one_is_found_at_its_stage(record: tuple[Record, Path], stage: str) -> None:
    cells = alone(record[0], f"r.{stage}")
    off = {cell.stage for cell in cells if cell.verdict is Verdict.FAIL}
    # The first vector follows from all of them.
    assert off == ({"vectors", "first"} if stage == "vectors" else {stage})


@pytest.mark.r
@pytest.mark.parametrize("stage", ["vectors", in_slow("sorted_rows"), in_slow("turned")])
def test_a_script_judges_as_the_cell_does(
    record: tuple[Record, Path], stage: str, tmp_path: Path, run_script: RunScript
) -> None:
    plan = make_plan(record[1])
    for implementation, status in (("r", 0), (f"r.{stage}", 1)):
        script = reproduce(plan, "toy", stage, implementation)
        assert "What is expected is, of all that is the same up to" in " ".join(script.text.split("\n# "))
        done = run_script("r", write(script, tmp_path))
        assert done.returncode == status, done.stdout + done.stderr


@pytest.mark.r
def test_the_audit_finds_every_fault_but_what_the_case_says_is_the_same(record: tuple[Record, Path]) -> None:
    done = CliRunner().invoke(
        main, ["audit", "--suite", str(record[1]), "--impl", "r", "--level", "boundary", "--json"]
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["survivors"] == [], found["survivors"]
    same = {
        (one["mutant"]["place"].split()[0], one["mutant"]["fault"])
        for one in found["equivalent"]
        if "the case says that the two are the same" in one["reason"]
    }
    assert ("sorted_rows", "two rows swapped") in same
    assert ("vectors", "two rows swapped") not in same
    assert {place for place, _ in same} <= {"sorted_rows", "elements", "groups", "turned"}
