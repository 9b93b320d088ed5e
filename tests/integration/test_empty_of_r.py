"""Results of nothing: R's are logical, and fit an output of real numbers that has no elements."""

from __future__ import annotations

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Mode, Record, Verdict
from harness.runtimes.provision.r import find_r
from harness.store.fixture_writer import write_fixture

pytest.importorskip("flint")
pytestmark = pytest.mark.r

CASE = """
[case]
name = "empty"
title = "an array without elements"
origin = "here"
fixture = "empty"

[inputs]
x = ["n"]

[[stage]]
name = "size"
inputs = ["x"]
shape = ["n"]
"""
NUMPY = "import numpy as np\n\n\ndef size(x):\n    return np.where(x > 0, x, -x)\n"
R = "size <- function(x) ifelse(x > 0, x, -x)\n"
LONG = "size <- function(x) rep(TRUE, 2)\n"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    if not find_r().available:
        pytest.skip("R is not there")
    suite = tmp_path_factory.mktemp("empty") / "suite"
    folder = suite / "empty"
    folder.mkdir(parents=True)
    (folder / "case.toml").write_text(CASE, encoding="utf-8")
    (folder / "empty.py").write_text(NUMPY, encoding="utf-8")
    for name, source in (("", R), (".long", LONG)):
        (folder / f"empty{name}.R").write_text(source, encoding="utf-8")
    write_fixture(
        suite / "fixtures" / "empty",
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.zeros(0)},
        origins={"x": "here"},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_CACHE", str(tmp_path_factory.mktemp("cache")))
        return run(make_plan(suite), out=None)


def reasons(record: Record, implementation: str) -> set[str]:
    return {
        cell.reason
        for cell in record.cells
        if cell.implementation == implementation and cell.mode == Mode.CHAINED
    }


def test_a_logical_result_of_nothing_is_not_called_another_type(record: Record) -> None:
    verdicts = {cell.verdict for cell in record.cells if cell.implementation == "r"}
    assert verdicts
    assert verdicts <= {Verdict.PASS, Verdict.NOT_RUN}
    assert not any("dtype" in reason for reason in reasons(record, "r"))


def test_a_logical_result_of_something_still_is(record: Record) -> None:
    assert any("where float64 is expected" in reason for reason in reasons(record, "r.long"))
