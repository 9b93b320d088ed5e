"""A run in a few lines: its outcome, where to look first, and what changed since the one before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.model import Cell, ErrorStats, Record, WrongElement
from harness.report.since import since

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]

OFF: dict[str, Any] = {
    "stats": ErrorStats(count=4, max_abs=0.5, max_abs_index=(1,), max_rel=0.25, max_ulp=1e15, beyond=1),
    "limit": 1e-9,
    "relation": "factor 1.25 = n/(n - 1) with n = 5",
    "wrong": (WrongElement(index=(1,), actual="2.5", due="2", limit=1e-9),),
    "reason": "1 of 4 elements beyond the limit, first at [1]",
}


def test_the_first_run_says_what_it_came_to(cell: MakeCell, record: MakeRecord) -> None:
    (line,) = since(None, record(cell("Q", "PASS"), cell("Q", "PASS", implementation="torch")))
    assert line.startswith("AGREEMENT")
    assert "Torch and R compute the same thing" in line


def test_where_it_starts_what_it_is_to_the_right_value_and_what_got_worse(
    cell: MakeCell, record: MakeRecord
) -> None:
    lines = since(record(cell("Q", "PASS")), record(cell("Q", "FAIL", **OFF)))
    assert lines[0].startswith("DIVERGENCE")
    assert lines[1].strip().startswith("four_word, stage Q, implementation r (chained")
    assert "relation: factor 1.25 = n/(n - 1) with n = 5" in lines[2]
    assert lines[3].strip() == "[1]: 2.5, and 2 is due, limit 1e-09"
    assert lines[4].startswith("  worse: four_word Q r chained")
    assert lines[4].endswith("PASS -> FAIL")


def test_what_got_better(cell: MakeCell, record: MakeRecord) -> None:
    _, line = since(record(cell("Q", "FAIL", **OFF)), record(cell("Q", "PASS")))
    assert line.startswith("  better: ")


def test_a_file_that_cannot_be_loaded_is_one_line(cell: MakeCell, record: MakeRecord) -> None:
    before = record(*(cell(stage, "PASS") for stage in ("Q", "K", "V")))
    broken = record(*(cell(stage, "ERROR", reason="unexpected '{' (line 5)") for stage in ("Q", "K", "V")))
    (line,) = since(before, broken)
    assert line.startswith("FAULT")
    assert "implementation r: ERROR: unexpected '{' (line 5)" in line


def test_only_some_changes_are_listed(cell: MakeCell, record: MakeRecord) -> None:
    stages = [f"s{number}" for number in range(9)]
    lines = since(
        record(*(cell(s, "FAIL", **OFF) for s in stages)), record(*(cell(s, "PASS") for s in stages))
    )
    assert [line.split(":")[0].strip() for line in lines[1:]] == ["better"] * 6
    assert lines[-1] == "  better: 4 more cells"


def test_what_comes_back_is_one_line_and_no_change(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(*(cell(s, "PASS", implementation=who) for s in "QKVZ" for who in ("numpy", "r", "torch")))
    # While the reference is broken, nobody is compared.
    lost = (cell(s, "NOT_RUN", against="torch") for s in "QKVZ")
    broken = record(*(cell(s, "ERROR", implementation="numpy", reason="no") for s in "QKVZ"), *lost)
    first, *more = since(broken, whole)
    assert first.startswith("AGREEMENT")
    assert "  compared, and not before: 8 cells, of torch, r" in more
    assert len(more) == 1 + 4
    assert all(line.startswith("  better: four_word ") for line in more[:4])


def test_what_is_gone_is_no_longer_compared(cell: MakeCell, record: MakeRecord) -> None:
    whole = record(cell("Q", "PASS"), cell("K", "PASS"), cell("Q", "PASS", implementation="torch"))
    lines = since(whole, record(cell("Q", "PASS", implementation="torch")))
    assert lines[1:] == ("  no longer compared: 2 cells, of r",)


def test_what_comes_and_fails_is_worse(cell: MakeCell, record: MakeRecord) -> None:
    *_, line = since(record(cell("K", "PASS")), record(cell("K", "PASS"), cell("Q", "FAIL", **OFF)))
    assert line.startswith("  worse: four_word Q r chained")
    assert line.endswith("not compared -> FAIL")
