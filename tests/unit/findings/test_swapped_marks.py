"""Truth values behind knitr's mark, of which no two are swapped for certain."""

from __future__ import annotations

import pytest

from harness.findings.random_numbers import machine_in
from harness.findings.swapped import _says_little


@pytest.mark.parametrize("mark", ["", "## ", "#> "])
def test_truth_values_are_little(mark: str) -> None:
    assert _says_little(f"{mark}[1] TRUE")
    assert not _says_little(f"{mark}[1] 23.5")


def test_the_system_that_code_runs_on() -> None:
    assert machine_in("xfun::is_macos()") == machine_in("Sys.islinux()") == 1
    assert machine_in("is_window(x)") is None
