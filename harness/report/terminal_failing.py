"""What fails, on a terminal: the cells, and where to look first."""

from __future__ import annotations

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from harness.model import Cell, Record, Verdict
from harness.report import commands, view
from harness.report.terminal_words import SHOWN, add_row, how, plain, verdict
from harness.report.text import figures, on_the_reference_s_inputs, short, wrong

_ELEMENTS = 3


def failing(cells: tuple[Cell, ...]) -> Group:
    """The cells that make the run fail, both modes in one row; what only inherited its error is counted."""
    rows: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells:
        if not cell.inherited:
            key = (cell.case, cell.stage, cell.implementation, cell.precision, cell.check, cell.verdict)
            rows.setdefault(key, []).append(cell)
    table = Table(title="Failing cells")
    for column in ("case", "stage", "implementation", "how", "verdict", "reason"):
        table.add_column(column, overflow="fold")
    for cell, *others in list(rows.values())[:SHOWN]:
        modes = " + ".join(dict.fromkeys(c.mode for c in (cell, *others)))
        reason = [cell.reason, figures(cell)]
        add_row(
            table,
            cell.case,
            cell.stage,
            cell.implementation,
            how(cell, modes),
            verdict(cell),
            plain("\n".join(filter(None, reason))),
        )
    notes = []
    if len(rows) > SHOWN:
        notes.append(f"... and {len(rows) - SHOWN} more: see the record")
    if inherited := sum(cell.inherited for cell in cells):
        notes.append(f"{inherited} more only inherited their error from a stage before them")
    return Group(table, *map(Text, notes))


def first_divergence(record: Record, first: view.Divergence) -> Panel:
    """Where to look first; a known divergence that no longer shows is called so."""
    cell = first.cell
    lines = [
        f"case {cell.case}, stage {cell.stage}, implementation {cell.implementation}"
        f" ({how(cell, cell.mode)})",
        cell.reason,
        figures(cell),
        *wrong(cell)[:_ELEMENTS],
    ]
    lines.append(on_the_reference_s_inputs(cell, first.isolated))
    lines.append(f"next: {short(commands.show(record, cell), 1000)}")
    title = "No longer shows" if cell.verdict is Verdict.XPASS else "First divergence"
    return Panel(plain("\n".join(filter(None, lines))), title=title, title_align="left")
