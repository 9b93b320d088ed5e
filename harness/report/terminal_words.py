"""What the parts of the terminal's report have in common: styles, figures, and how much is listed."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from harness.model import Basis, Cell, Verdict
from harness.report.text import short

STYLES: Mapping[Verdict, str] = {
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.XFAIL: "yellow",
    Verdict.XPASS: "bold red",
    Verdict.ERROR: "bold magenta",
    Verdict.TIMEOUT: "bold magenta",
    Verdict.UNSUPPORTED: "dim",
    Verdict.NOT_RUN: "dim",
}

LONGEST = 2000
"""Characters of a text that are shown."""

SHOWN, NAMED = 20, 6
"""How many rows a list has, and how many names a line."""


def plain(text: str) -> Text:
    """Foreign text: nothing invisible, no markup, of no more than a screen."""
    return Text(short(text, LONGEST))


def add_row(table: Table, *values: str | Text) -> None:
    """Add a row whose strings are shown as they are, without markup."""
    table.add_row(*(plain(value) if isinstance(value, str) else value for value in values))


def verdict(cell: Cell) -> Text:
    """A cell's verdict as a word, and that it rests on a coarse limit."""
    coarse = cell.basis is Basis.COARSE and cell.verdict is not Verdict.NOT_RUN
    return Text(f"{cell.verdict}{' coarse' if coarse else ''}", STYLES[cell.verdict])


def how(cell: Cell, modes: str) -> str:
    """Modes, precision and check of a cell."""
    check = "" if cell.check == "reference" else f", {cell.check}"
    return f"{modes}, {cell.precision}{check}"


def number(value: float | None) -> str:
    """Three digits; nothing for None."""
    if value is None:
        return ""
    return f"{value:.3g}"
