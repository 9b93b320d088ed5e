"""Truth values behind knitr's mark, of which no two are swapped for certain."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.findings.random_numbers import machine_in
from harness.findings.swapped import _says_little
from tests.unit.findings.made_runs import Ran, chunk, left


@pytest.mark.parametrize("mark", ["", "## ", "#> "])
def test_truth_values_are_little(mark: str) -> None:
    assert _says_little(f"{mark}[1] TRUE")
    assert not _says_little(f"{mark}[1] 23.5")


def test_the_system_that_code_runs_on() -> None:
    assert machine_in("xfun::is_macos()") == machine_in("Sys.islinux()") == 1
    assert machine_in("is_window(x)") is None


def test_two_outputs_that_are_published_alike_are_not_swapped() -> None:
    chunks = [
        chunk(0, "collect(x)", "julia", output="2-element Array{Int64,1}:\n1\n2\n"),
        chunk(1, "x[collect(x)]", "julia", output="2-element Array{Int64,1}:\n1\n2\n"),
    ]
    said = judged(Ran(chunks, [left("2-element Array{Int64,1}:\n 1\n 2\n")] * 2))
    assert [str(block.answer) for block in said.blocks] == ["reproduced", "reproduced"]
    assert not said.findings
