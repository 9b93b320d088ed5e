"""Errors and times over several runs."""

import math
from collections.abc import Callable

from harness.model import Cell, ErrorStats, Footer, Record
from harness.report import history

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


def test_a_run_in_figures(cell: MakeCell, record: MakeRecord) -> None:
    run = history.summarize(
        record(
            cell("Q", "PASS", stats=ErrorStats(count=1, used=0.25), ulp_of_stage=0.5, check="oracle"),
            cell("K", "PASS", stats=ErrorStats(count=1, used=0.75)),
            cell("V", "PASS", stats=ErrorStats(count=1, used=9.0), check="identity"),
            cell("Q", "NOT_RUN", "julia"),
            footer=Footer(partial=False, busy={"r": 2.0}),
        )
    )
    assert run.used == {"r": 0.75}
    assert run.error == {"r": 0.5}
    assert run.busy == {"r": 2.0}
    assert run.verdicts == {"PASS": 3, "NOT_RUN": 1}


def test_trends_are_in_the_order_of_time(cell: MakeCell, record: MakeRecord) -> None:
    def at(started: str, used: float, who: str) -> Record:
        return record(cell("Q", "PASS", who, stats=ErrorStats(count=1, used=used)), started=started)

    (trend,) = history.trends([at("2026-02-01", 0.5, "r"), at("2026-01-01", 0.25, "julia")])
    assert trend.runs == ("2026-01-01", "2026-02-01")
    rows = dict(trend.rows)
    assert rows["julia"][0] == 0.25
    assert math.isnan(rows["julia"][1])
    assert rows["r"][1] == 0.5
    assert "<svg" in trend.picture
