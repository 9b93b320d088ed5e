"""Exceptions for a run that is no agreement; their text is what a person needs to see first."""

from __future__ import annotations

from collections.abc import Iterator

from harness.model import Cell, Outcome, Precision, Record, outcome_of
from harness.report import view
from harness.report.explain_stage import explained

SHOWN = 5
"""Stages that are explained; of the others there is a number."""


class ConformanceError(AssertionError):
    """A run is no agreement: FAULT or INCOMPLETE; DIVERGENCE is the subclass `DivergenceError`.

    Parameters
    ----------
    record : Record
        The run.

    Attributes
    ----------
    record : Record
        The run.
    outcome : Outcome
        What it came to.
    """

    def __init__(self, record: Record) -> None:
        super().__init__("\n".join(_lines(record)))
        self.record = record
        self.outcome = outcome_of(record).outcome


class DivergenceError(ConformanceError):
    """An implementation differs, or a known divergence no longer shows."""


def error_of(record: Record) -> ConformanceError | None:
    """The exception that a run calls for; None for AGREEMENT."""
    match outcome_of(record).outcome:
        case Outcome.AGREEMENT:
            return None
        case Outcome.DIVERGENCE:
            return DivergenceError(record)
        case Outcome.FAULT | Outcome.INCOMPLETE:
            return ConformanceError(record)


def _lines(record: Record) -> Iterator[str]:
    result = outcome_of(record)
    yield f"{result.outcome}: {result.reasons[0] if result.reasons else ''}"
    stages: dict[tuple[str, str, str, Precision], list[Cell]] = {}
    for cell in view.told_once(view.ordered(record)):
        stages.setdefault((cell.case, cell.stage, cell.implementation, cell.precision), []).append(cell)
    failing = [cells for cells in stages.values() if any(cell.verdict in view.FAILING for cell in cells)]
    # What follows from an earlier stage is told last.
    failing.sort(key=lambda cells: all(cell.inherited for cell in cells if cell.verdict in view.FAILING))
    for cells in failing[:SHOWN]:
        yield explained(cells)
        yield from _element(cells)
    if len(failing) > SHOWN:
        yield f"and {len(failing) - SHOWN} more stages"
    yield from (f"also: {reason}" for reason in result.reasons[1:SHOWN])


def _element(cells: list[Cell]) -> Iterator[str]:
    """The element to look at in the first comparison that fails, and how many are beyond their limit."""
    for cell in cells:
        if cell.verdict in view.FAILING and cell.stats is not None:
            place = view.place_of_error(cell.stats)
            where = "" if place is None else f", first at {list(place)}"
            yield f"  {cell.stats.beyond:,} of {cell.stats.count:,} elements are beyond their limit{where}"
            return
