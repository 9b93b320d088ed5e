"""The commands that a report tells its reader to give next."""

from __future__ import annotations

import shlex

from harness.model import Cell, Check, Precision, Record
from harness.model.outcome import is_published

USUAL_SUITE = "reference_impls"
"""The default suite of a command."""

NAMED = frozenset({Check.IDENTITY, Check.PUBLISHED})
"""Checks of which a stage may have several."""


def options(record: Record) -> list[str]:
    """Return the options that every command needs to work on the suite of this record."""
    suite = record.header.suite
    return [] if suite in {USUAL_SUITE, ""} else ["--suite", suite]


def show(record: Record, cell: Cell) -> str:
    """The command that shows what each implementation returns there, in the cell's mode and worst sample."""
    words = ["harness", "show", cell.case, cell.stage, *options(record)]
    return shlex.join([*words, *place(cell)])


def reproduce(record: Record, cell: Cell) -> str:
    """The command that writes a stand-alone script for a cell; none for an article's own code."""
    if is_published(cell.implementation):
        return ""
    words = ["harness", "reproduce", cell.case, cell.stage, cell.implementation, *options(record)]
    words += [*place(cell), "--check", str(cell.check)]
    if cell.check in NAMED:
        words += ["--against", cell.against]
    return shlex.join(words)


def place(cell: Cell) -> list[str]:
    """The options that name the mode, the precision and the worst sample of a cell."""
    words = ["--mode", str(cell.mode)]
    if cell.precision is not Precision.FLOAT64:
        words += ["--precision", str(cell.precision)]
    if cell.worst_sample not in {"", "default"}:
        words += ["--sample", cell.worst_sample]
    return words
