"""Limits that are loose, and limits that are tight."""

from collections.abc import Callable
from typing import Any

from harness.model import Cell, Check, ErrorStats, Mode, Record
from harness.report.limits import loose, tight, uses

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


def oracle_cell(
    cell: MakeCell, stage: str, name: str, used: float, verdict: str = "PASS", **more: Any
) -> Cell:
    stats = ErrorStats(count=4, max_abs=used * 1e-16, used=used)
    return cell(stage, verdict, name, stats=stats, check=Check.ORACLE, limit=1e-16, **more)


def test_limits_are_loose_or_tight_by_their_most_eager_user(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(
        oracle_cell(cell, "Q", "r", 0.01),
        oracle_cell(cell, "Q", "julia", 0.05, mode=Mode.ISOLATED),
        oracle_cell(cell, "K", "r", 0.01),
        oracle_cell(cell, "K", "julia", 0.06),
        oracle_cell(cell, "V", "r", 0.9),
        oracle_cell(cell, "scores", "r", 0.91),
        cell("maxs", "PASS", stats=ErrorStats(count=4), limit=0.0),
        cell("maxs", "PASS", check=Check.REPEAT, stats=ErrorStats(count=4, used=1.0), limit=1.0),
    )
    all_uses = uses(whole)
    assert [use.stage for use in loose(all_uses)] == ["Q"]
    assert [use.stage for use in tight(all_uses)] == ["scores"]
    assert [use.used for use in all_uses] == [0.05, 0.06, 0.9, 0.91]


def test_a_limit_that_somebody_breaks_is_not_tight_for_it(cell: MakeCell, record: MakeRecord) -> None:
    all_uses = uses(
        record(
            oracle_cell(cell, "Q", "r", 1e7, "FAIL"),
            oracle_cell(cell, "Q", "julia", 0.3),
            oracle_cell(cell, "K", "r", 30.0, "XFAIL"),
            oracle_cell(cell, "V", "r", 30.0, "FAIL"),
            oracle_cell(cell, "V", "julia", 0.95),
        )
    )
    assert [(use.stage, use.within) for use in tight(all_uses)] == [("V", 0.95)]
    assert loose(all_uses) == ()
