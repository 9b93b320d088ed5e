"""What changed between two records."""

import math
from collections.abc import Callable

import pytest

from harness.model import Cell, ErrorStats, Record, RuntimeInfo
from harness.report import diff

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


@pytest.mark.parametrize(
    ("before", "now", "where"),
    [
        ("PASS", "FAIL", "worse"),
        ("PASS", "XFAIL", "worse"),
        ("PASS", "NOT_RUN", "worse"),
        ("FAIL", "ERROR", "worse"),
        ("XFAIL", "XPASS", "worse"),
        ("FAIL", "PASS", "better"),
        ("NOT_RUN", "PASS", "better"),
        ("TIMEOUT", "ERROR", "other"),
    ],
)
def test_verdicts_that_moved(cell: MakeCell, record: MakeRecord, before: str, now: str, where: str) -> None:
    cell_change = diff.compare(record(cell("Q", before)), record(cell("Q", now)))
    moved = {name: getattr(cell_change, name) for name in ("worse", "better", "other")}
    assert {name for name, changed in moved.items() if changed} == {where}
    (change,) = moved[where]
    assert (change.before, change.now) == (before, now)
    assert change.name == "four_word Q r chained float64 reference numpy"


def test_cells_that_came_and_went(cell: MakeCell, record: MakeRecord) -> None:
    both = cell("Q", "PASS")
    gone = diff.compare(record(both, cell("K", "PASS")), record(both))
    assert [(changed.before, changed.now) for changed in gone.worse] == [("PASS", diff.ABSENT)]
    came = diff.compare(record(both), record(both, cell("K", "PASS"), cell("V", "FAIL")))
    assert [(changed.before, changed.now) for changed in came.other] == [(diff.ABSENT, "PASS")]
    assert [(changed.before, changed.now) for changed in came.worse] == [(diff.ABSENT, "FAIL")]
    unrun = diff.compare(record(both, cell("K", "NOT_RUN")), record(both))
    assert (unrun.worse, len(unrun.other)) == ((), 1)


@pytest.mark.parametrize(
    ("before", "now", "grew"),
    [(1.0, 2.0, True), (1.0, 1.9, False), (0.0, 1e-300, True), (2.0, 1.0, False), (0.0, 0.0, False),
     (1.0, math.nan, True), (math.nan, math.nan, False), (1.0, math.inf, True), (math.inf, math.inf, False)],
)  # fmt: skip
def test_errors_that_grew(cell: MakeCell, record: MakeRecord, before: float, now: float, grew: bool) -> None:
    runs = [record(cell("Q", "PASS", stats=ErrorStats(count=1, max_abs=error))) for error in (before, now)]
    assert bool(diff.compare(*runs).grown) is grew


def test_versions_that_moved(cell: MakeCell, record: MakeRecord) -> None:
    old = record(cell("Q", "PASS"), fixtures={"four_word": "aa"})
    newer = {"r": RuntimeInfo(runtime="r", language="R", version="4.3", libraries={"rpy2": "3.6"})}
    new = record(cell("Q", "PASS"), runtimes=newer, fixtures={"four_word": "bb"}, locale="C.UTF-8")
    moved = {version.name: (version.before, version.now) for version in diff.compare(old, new).versions}
    assert moved["r: R"] == ("1.2.3", "4.3") or moved["r: R"] == (diff.ABSENT, "4.3")
    assert moved["r: rpy2"] == (diff.ABSENT, "3.6")
    assert moved["fixture four_word"] == ("aa", "bb")
    assert moved["locale"] == ("C", "C.UTF-8")
    assert "CPU" not in moved


def test_a_record_is_the_same_as_itself(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL", stats=ErrorStats(count=1, max_abs=math.nan)))
    assert diff.compare(run, run).same
