"""The commands that a report tells its reader to give next."""

from __future__ import annotations

import shlex

from harness.model import Cell, Precision, Record
from harness.report.published import is_published

USUAL_SUITE = "reference_impls"
"""The suite that a command takes where none is named."""


def options(record: Record) -> list[str]:
    """What every command needs, so that it is about the suite of this record."""
    suite = record.header.suite
    return [] if suite in {USUAL_SUITE, ""} else ["--suite", suite]


def show(record: Record, cell: Cell) -> str:
    """The command that shows what each implementation returns there."""
    words = ["harness", "show", cell.case, cell.stage, *options(record)]
    if cell.precision is not Precision.FLOAT64:
        words += ["--precision", str(cell.precision)]
    return shlex.join(words)


def reproduce(record: Record, cell: Cell) -> str:
    """The command that writes a stand-alone script for a cell; none for an article's own code."""
    if is_published(cell.implementation):
        return ""
    words = ["harness", "reproduce", cell.case, cell.stage, cell.implementation, *options(record)]
    if cell.precision is not Precision.FLOAT64:
        words += ["--precision", str(cell.precision)]
    if cell.worst_sample not in {"", "default"}:
        words += ["--sample", cell.worst_sample]
    return shlex.join(words)
