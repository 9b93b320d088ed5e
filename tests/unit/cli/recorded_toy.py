"""The toy suite, recorded while a runtime called gone was there; runs of it, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.model import Cell, Source, Verdict
from harness.store.record import read_record

Harness = Callable[..., Result]


GONE = """
[[runtime]]
id = "gone"
language = "Gone"
suffix = ".gone"
command = ["{python}", "-P", "{workers}/__main__.py", "numpy"]
"""


NAMES = ("numpy", "numpy.wrong", "gone")


CHOSEN = [word for name in NAMES for word in ("--impl", name)]


def recorded_with_gone(harness: Harness, suite: Path) -> Path:
    before = (suite / "suite.toml").read_text(encoding="utf-8")
    (suite / "suite.toml").write_text(GONE, encoding="utf-8")
    source = (suite / "toy" / "toy.py").read_text(encoding="utf-8")
    (suite / "toy" / "toy.gone").write_text(source, encoding="utf-8")
    result = harness("snapshot", "--suite", suite, *CHOSEN)
    assert result.exit_code == 0, result.output
    assert "3 snapshots" in result.output
    (suite / "suite.toml").write_text(before, encoding="utf-8")
    return suite


# Each takes a run or two of its own; others of the kind are among the fast tests.
in_slow = pytest.mark.slow


def cells_of(harness: Harness, suite: Path, *args: str, code: int) -> dict[tuple[str, str, str], Cell]:
    result = harness("run", "--suite", suite, *CHOSEN, "--out", "out", *args)
    assert result.exit_code == code, result.output
    cells = read_record(Path("out/results.jsonl")).cells
    return {(cell.implementation, cell.mode.value, cell.stage): cell for cell in cells}


def snapshot(suite: Path, name: str) -> Path:
    return suite / "fixtures" / "snapshots" / "toy" / f"{name}.float64.safetensors"


def refused(harness: Harness, suite: Path, *args: str, code: int = 1) -> set[str]:
    cells = cells_of(harness, suite, *args, code=code)
    gone = [cell for cell in cells.values() if cell.implementation == "gone"]
    assert {(cell.verdict, cell.source) for cell in gone} == {(Verdict.NOT_RUN, Source.NONE)}
    return {cell.reason for cell in gone}
