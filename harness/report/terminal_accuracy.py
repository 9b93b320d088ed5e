"""How accurate every implementation is, as a table for a terminal."""

from __future__ import annotations

from rich.console import Group
from rich.table import Table

from harness.model import Precision, Record
from harness.report import view
from harness.report.accuracy import DASH, Accuracy, cancelling, why_no_ulp
from harness.report.accuracy import accuracy as accuracy_rows
from harness.report.terminal_words import add_row, number, plain


def accuracy(record: Record) -> Group:
    """Who is most accurate on each stage."""
    names = view.implementations(record)
    table = Table(
        title="Accuracy",
        caption="error in ULP of the stage's largest value: its own / with what came before; * least",
    )
    for column in ("case", "stage", *names):
        table.add_column(plain(column), overflow="fold")
    for row in accuracy_rows(record):
        label = row.case if row.precision is Precision.FLOAT64 else f"{row.case} {row.precision}"
        add_row(table, label, row.stage, *(_errors(row, name) for name in names))
    return Group(table, *([plain(why)] if (why := why_no_ulp(cancelling(record))) else []))


def _errors(row: Accuracy, name: str) -> str:
    if row.cancel:
        return DASH
    if name not in row.chained and name not in row.isolated:
        return "-"
    least = "*" if name in row.best else ""
    return f"{number(row.isolated.get(name))}{least} / {number(row.chained.get(name))}"
