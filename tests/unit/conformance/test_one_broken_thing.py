"""One broken thing breaks one cell: the run goes on, and its record is complete."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.conformance import coarse, evaluator, judge, observers, samples
from harness.conformance import oracle as oracle_module
from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Absent, Check, Outcome, Record, Verdict, outcome_of
from harness.store.fixture_writer import write_fixture
from harness.store.record import read_record

CASE = """
[case]
name = "toy"
title = "two stages"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]

[[stage]]
name = "more"
inputs = ["twice"]
shape = ["n"]
show = "curve"
tolerance = { rule = "exact" }

[[published]]
stage = "more"
source = "an article"
values = ["3.00", "6.00"]
"""
SOUND = "def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n    return twice + 1\n"


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    case = tmp_path / "suite" / "toy"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    (case / "toy.py").write_text(SOUND, encoding="utf-8")
    (case / "toy.second.py").write_text(SOUND, encoding="utf-8")
    write_fixture(
        tmp_path / "suite" / "fixtures" / "toy",
        version=1,
        title="two numbers",
        origin="made up",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.array([1.0, 2.5])},
        origins={"x": "made up"},
    )
    return tmp_path / "suite"


def whole(suite: Path) -> Record:
    out = suite.parent / "out"
    record = run(make_plan(suite), out=out)
    read_back = read_record(out / "results.jsonl")
    assert read_back.footer is not None
    assert not read_back.footer.partial
    assert read_back.cells == record.cells
    return read_back


def broken(record: Record) -> set[tuple[str, Check]]:
    said = [cell for cell in record.cells if cell.verdict is Verdict.ERROR]
    assert all(cell.reason == "a fault in the harness: ValueError: ragged" for cell in said)
    return {(cell.stage, cell.check) for cell in said}


def fails(*_: Any, **__: Any) -> Any:
    raise ValueError("ragged")


def test_sound(suite: Path) -> None:
    pytest.importorskip("flint")
    record = whole(suite)
    assert outcome_of(record).outcome is Outcome.AGREEMENT
    assert {cell.verdict for cell in record.cells} == {Verdict.PASS}


def test_a_diverging_value_against_print(suite: Path) -> None:
    (suite / "toy" / "toy.second.py").write_text(SOUND.replace("2 * x", "2e25 * x"), encoding="utf-8")
    record = whole(suite)
    assert outcome_of(record).exit_code == 1
    (cell,) = (
        cell
        for cell in record.cells
        if cell.check is Check.PUBLISHED and cell.implementation == "numpy.second"
    )
    assert cell.verdict is Verdict.FAIL
    assert cell.reason == "2 of 2 printed numbers differ, first: [0] is 2e+25, printed 3.00"


@pytest.mark.parametrize(
    ("module", "name", "hit"),
    [
        (
            samples,
            "judge_arrays",
            {("twice", Check.REPEAT), ("more", Check.REPEAT), ("more", Check.REFERENCE)},
        ),
        (judge, "judge_printed", {("more", Check.PUBLISHED)}),
        (oracle_module, "fill_unsampled", {("twice", Check.ORACLE)}),
        (oracle_module, "key_of", {("twice", Check.ORACLE)}),
    ],
)
def test_a_fault_of_the_harness_is_an_error_of_the_cells_it_hits(
    suite: Path, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, hit: set[tuple[str, Check]]
) -> None:
    pytest.importorskip("flint")
    monkeypatch.setattr(module, name, fails)
    record = whole(suite)
    assert hit <= broken(record)
    assert outcome_of(record).outcome is Outcome.FAULT
    rest = {cell.verdict for cell in record.cells if (cell.stage, cell.check) not in broken(record)}
    assert rest == {Verdict.PASS}


def test_a_fault_in_the_coarse_comparison(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Absent(runtime="oracle", language="Python", reason="python-flint is not installed")
    monkeypatch.setattr(observers, "find_oracle", lambda: gone)
    monkeypatch.setattr(coarse, "judge_coarse", fails)
    record = whole(suite)
    assert broken(record) == {("twice", Check.REFERENCE)}
    assert outcome_of(record).exit_code == 4


@pytest.mark.parametrize("name", ["judge_pairs", "judge_consensus", "exhibits", "expect_divergences"])
def test_a_fault_outside_of_a_cell_is_told_by_the_run(
    suite: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(evaluator, name, fails)
    record = whole(suite)
    assert broken(record) == set()
    assert record.footer is not None
    assert record.footer.complaints == ("a fault in the harness: ValueError: ragged",)
    run_outcome = outcome_of(record)
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.FAULT, 4)


def test_a_ragged_list_of_the_reference_is_its_own_error(suite: Path) -> None:
    (suite / "toy" / "toy.py").write_text(SOUND.replace("2 * x", "[[1.0], [1.0, 2.0]]"), encoding="utf-8")
    record = whole(suite)
    assert outcome_of(record).outcome in (Outcome.FAULT, Outcome.DIVERGENCE)
    cells = [cell for cell in record.cells if (cell.implementation, cell.stage) == ("numpy", "twice")]
    assert {cell.verdict for cell in cells} <= {Verdict.FAIL, Verdict.ERROR}
    assert not any(cell.reason.startswith("a fault in the harness") for cell in record.cells)


def test_a_list_that_is_ragged_for_the_oracle_alone(suite: Path) -> None:
    pytest.importorskip("flint")
    ragged = "2 * x if type(x).__name__ == 'ndarray' and x.dtype == float else [[x], [x, x]]"
    (suite / "toy" / "toy.py").write_text(SOUND.replace("2 * x", ragged), encoding="utf-8")
    record = whole(suite)
    cells = [cell for cell in record.cells if cell.stage == "twice" and cell.implementation == "numpy.second"]
    assert {(cell.verdict, str(cell.basis)) for cell in cells} == {(Verdict.PASS, "coarse")}
    assert all(cell.weaker_because for cell in cells)
