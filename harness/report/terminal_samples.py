"""The verdict of every sample, on a terminal."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from harness.model import Record, SampleVerdict, Verdict
from harness.report import by_sample, view
from harness.report.terminal_words import STYLES, add_row, plain
from harness.report.text import case_label, number, short


def samples(record: Record) -> Table:
    """One row for each stage, mode, check and sample; an entry has the verdict and the share of the limit."""
    names = view.implementations(record)
    table = Table(title="By sample", caption="verdict, error as a share of the limit, and why it is no PASS")
    for column in ("case", "stage", "how", "sample"):
        table.add_column(column, overflow="fold")
    for name in names:
        table.add_column(plain(name), overflow="fold")
    for line in by_sample.lines(record):
        add_row(
            table,
            case_label(line.case, line.precision),
            line.stage,
            f"{line.mode}, {line.check}",
            line.sample,
            *(_entry(line.entries.get(name)) for name in names),
        )
    return table


def _entry(found: SampleVerdict | None) -> Text:
    if found is None:
        return Text("-")
    used = "" if found.used is None else f" {number(found.used)}"
    text = Text.assemble((str(found.verdict), STYLES[found.verdict]), used)
    if found.undecided:
        text.append(f"\n{found.undecided:,} undecidable")
    if found.reason and (found.verdict is not Verdict.PASS or found.undecided):
        text.append(f"\n{short(found.reason, 300)}", "dim")
    return text
