"""First calls, in which languages compile, apart from later ones."""

from collections.abc import Callable

import pytest

from harness.model import CallTimes, Cell, Record
from harness.report import html, times

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


def timed(cell: MakeCell, stage: str, who: str, first: float | None, later: float | None) -> Cell:
    seconds = (first or 0.0) + 2 * (later or 0.0)
    return cell(stage, "PASS", who, seconds=seconds, calls=CallTimes(first=first, later=later))


def test_compilation_is_no_work_of_a_case(cell: MakeCell, record: MakeRecord) -> None:
    cells = [
        timed(cell, stage, who, *both)
        for stage in ("Q", "K")
        for who, both in {"numpy": (0.25, 0.125), "julia": (3.0, 0.0625)}.items()
    ]
    (row,) = times.times(record(*cells))
    assert (row.took["julia"].first, row.took["julia"].later) == (6.0, 0.125)
    # The bar is of the work: Julia's is the shorter one.
    assert row.share == {"numpy": 1.0, "julia": 0.5}
    page = html.render(record(*cells))
    assert "6 s first call, 125 ms later" in page
    assert "3 s first call, 62.5 ms later" in page


def test_a_single_call_is_said_to_be_the_first(cell: MakeCell, record: MakeRecord) -> None:
    cells = [
        timed(cell, "Q", who, first, None) for who, first in {"numpy": 1e-3, "r": 4e-3, "julia": 6.15}.items()
    ]
    (row,) = times.times(record(*cells))
    assert times.said(row.took["julia"]) == "6.15 s first call"
    assert row.share["julia"] == 1.0
    assert "6.15 s first call<" in html.render(record(*cells))


@pytest.mark.parametrize(
    ("first", "later", "expected"),
    [
        ([1.0, 2.0], [0.5, 0.25], "3 s first call, 750 ms later"),
        # A stage that failed in all other samples has no later call: the sum would be of fewer stages.
        ([1.0, 2.0], [0.5, None], "3 s first call"),
        # The worker was warm.
        ([None, None], [0.5, 0.25], "750 ms later"),
        ([1.0, None], [0.5, None], "3 s"),
    ],
)
def test_a_sum_has_every_stage(
    cell: MakeCell,
    record: MakeRecord,
    first: list[float | None],
    later: list[float | None],
    expected: str,
) -> None:
    cells = [
        cell(stage, "PASS", "r", seconds=1.5, calls=CallTimes(first=one, later=others))
        for stage, one, others in zip(("Q", "K"), first, later, strict=True)
    ]
    (row,) = times.times(record(*cells))
    assert times.said(row.took["r"]) == expected


def test_records_without_calls_show_all_of_them_together(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS", "r", seconds=0.5), cell("Q", "PASS", "julia", seconds=1.0))
    (row,) = times.times(run)
    assert times.said(row.took["r"]) == "500 ms"
    assert row.share == {"r": 0.5, "julia": 1.0}


def test_stages_that_gave_nothing_take_nothing_away(cell: MakeCell, record: MakeRecord) -> None:
    run = record(timed(cell, "Q", "r", 0.5, 0.25), cell("K", "ERROR", "r"), cell("Q", "NOT_RUN", "julia"))
    (row,) = times.times(run)
    assert times.said(row.took["r"]) == "500 ms first call, 250 ms later"
    # What was not run took no time, and not 0 s of it.
    assert row.share == {"r": 1.0}
    assert "0 s" not in html.render(run)
