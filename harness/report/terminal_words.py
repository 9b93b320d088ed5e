"""What the parts of the terminal's report have in common: styles, figures, and how much is listed."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from harness.model import Cell, ErrorStats, Verdict
from harness.report.text import index, short

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
    """A row in which text is text, whatever it holds."""
    table.add_row(*(plain(value) if isinstance(value, str) else value for value in values))


def how(cell: Cell, modes: str) -> str:
    """Modes, precision and check of a cell."""
    check = "" if cell.check == "reference" else f", {cell.check}"
    return f"{modes}, {cell.precision}{check}"


def figures(stats: ErrorStats | None, sample: str, limit: float | None) -> str:
    """The errors of a comparison in one line."""
    if stats is None:
        return ""
    at = f" at {index(stats.max_abs_index)}" if stats.max_abs_index else ""
    ulp = number(stats.max_ulp)
    parts = [
        f"max abs {number(stats.max_abs)}{at}, max rel {number(stats.max_rel)}, {ulp} ULP",
        "" if limit is None else f"limit {number(limit)}",
        f"sample {sample}" if sample else "",
    ]
    return "; ".join(filter(None, parts))


def number(value: float | None) -> str:
    """Three digits; nothing for None."""
    if value is None:
        return ""
    return f"{value:.3g}"
