"""Errors in ULP, and where they say nothing."""

from collections.abc import Callable
from typing import Any

from harness.model import Cell, Check, ErrorStats, Mode, Precision, Record
from harness.report import accuracy, history

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


def oracle_cell(cell: MakeCell, stage: str, name: str, used: float, **more: Any) -> Cell:
    stats = ErrorStats(count=4, max_abs=used * 1e-16, used=used)
    return cell(stage, "PASS", name, stats=stats, check=Check.ORACLE, limit=1e-16, **more)


def test_accuracy_names_the_most_accurate(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(
        oracle_cell(cell, "Q", "r", 0.1, ulp_of_stage=0.7),
        oracle_cell(cell, "Q", "numpy", 0.1, ulp_of_stage=0.9),
        oracle_cell(cell, "Q", "r", 0.1, ulp_of_stage=0.6, mode=Mode.ISOLATED),
        oracle_cell(cell, "Q", "numpy", 0.1, ulp_of_stage=0.4, mode=Mode.ISOLATED),
        cell("K", "PASS", stats=ErrorStats(count=4)),
    )
    (row,) = accuracy.accuracy(whole)
    assert (row.stage, row.best) == ("Q", ("numpy",))
    assert row.chained == {"numpy": 0.9, "r": 0.7}
    assert row.isolated == {"numpy": 0.4, "r": 0.6}


def test_where_true_values_cancel_no_ulp_is_shown(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(
        oracle_cell(cell, "Kb", "r", 0.1, ulp_of_stage=65537.0),
        oracle_cell(cell, "Kb", "numpy", 0.1, ulp_of_stage=300.0),
        oracle_cell(cell, "Q", "r", 0.1, ulp_of_stage=65536.0),
    )
    assert accuracy.cancelling(whole) == {("four_word", "Kb", Precision.FLOAT64)}
    kb, q = accuracy.accuracy(whole)
    assert (kb.cancel, kb.best) == (True, ())
    assert (q.cancel, q.best) == (False, ("r",))
    assert accuracy.largest_by_runtime(whole) == {"r": 65536.0}
    assert history.summarize(whole).error == {"r": 65536.0}
    assert accuracy.why_no_ulp(accuracy.cancelling(whole)) == (
        "no ULP of the stage where the true values cancel, so that rounding alone makes over 65,536 of them:"
        " four_word Kb"
    )
    assert accuracy.why_no_ulp([]) == ""


def test_an_error_that_rounding_does_not_explain_is_shown_in_ulp(cell: MakeCell, record: MakeRecord) -> None:
    wrong = cell("Q", "FAIL", check=Check.ORACLE, ulp_of_stage=1e15)
    assert accuracy.cancelling(record(wrong)) == frozenset()
    assert accuracy.largest(record(wrong)) == {"r": 1e15}
