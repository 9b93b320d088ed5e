"""What one case's R file sets when it is loaded changes no cell of another case."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Verdict
from harness.store.fixture_writer import write_fixture

CASE = """
[case]
name = "{name}"
title = "t"
origin = "o"
fixture = "d"

[inputs]
x = ["n"]

[[stage]]
name = "out"
inputs = ["x"]
shape = ["n"]
"""
SOUND = {"py": "import numpy as np\ndef out(x):\n    return np.full(3, x.mean())\n",
         "R": "out <- function(x) { as.integer('a'); rep(mean(x), 3) }\n"}  # fmt: skip


FIRST = {
    "sets": ("options(warn = 2)", Verdict.ERROR, "converted from warning"),
    "hides": (
        "assign('mean', function(x) 7, globalenv())",
        Verdict.ERROR,
        "the file assigns mean outside of",
    ),
    "adds": ("assign('mine', function(x) 7, globalenv())", Verdict.PASS, ""),
    "z": ("", Verdict.PASS, ""),
}
"""By case, in the order in which they are loaded: what its R file begins with, and what becomes of it."""


@pytest.mark.r
def test_another_case_is_as_it_is_alone(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    x = np.array([1.0, 2.0, 6.0])
    write_fixture(
        suite / "fixtures" / "d", version=1, title="t", origin="o", licence="MIT",
        generator=[{"kind": "by hand"}], arrays={"x": x}, origins={"x": "o"},
    )  # fmt: skip
    for name, (head, *_) in FIRST.items():
        (suite / name).mkdir()
        (suite / name / "case.toml").write_text(CASE.format(name=name), encoding="utf-8")
        (suite / name / f"{name}.py").write_text(SOUND["py"], encoding="utf-8")
        (suite / name / f"{name}.R").write_text(f"{head}\n{SOUND['R']}", encoding="utf-8")
    record = run(make_plan(suite), out=tmp_path / "out")
    if not any(cell.implementation == "r" for cell in record.cells):
        pytest.skip("there is no R")
    for name, (_, verdict, said) in FIRST.items():
        cells = [cell for cell in record.cells if (cell.case, cell.implementation) == (name, "r")]
        assert {cell.verdict for cell in cells} == {verdict}, name
        assert all(said in cell.reason for cell in cells), name
