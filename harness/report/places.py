"""What cells are about: one output of a case in a precision. Pure."""

from __future__ import annotations

from harness.model import Cell, Precision
from harness.report.text import case_label, short

Place = tuple[str, str, Precision]
"""A case, a stage's output and a precision."""


def place_of(cell: Cell) -> Place:
    """The output that a cell is about."""
    return (cell.case, cell.stage, cell.precision)


def named(place: Place) -> str:
    """A case, its precision where it is not float64, and the output."""
    case, stage, precision = place
    return f"{case_label(short(case), precision)} {short(stage)}"
