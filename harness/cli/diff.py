"""``harness diff``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options
from harness.cli.report import read

if TYPE_CHECKING:
    from harness.report.diff import CellChange

_SHOWN = 40


@click.command("diff")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--markdown", is_flag=True, help="Print Markdown, for a comment.")
@options.as_json
@options.debug
@click.pass_context
def diff(ctx: click.Context, old: Path, new: Path, markdown: bool, as_json: bool) -> None:
    """Say what changed from one record to another: verdicts, printed output, findings, errors, versions.

    OLD and NEW are folders with a results.jsonl, or records. The exit code is 1 if a verdict got
    worse, or something new is wrong in an article.
    """
    from harness.errors import ExitCode
    from harness.report.diff import compare

    cell_change = compare(read(old), read(new))
    if as_json:
        import msgspec

        from harness.report.as_json import dumps

        click.echo(dumps({"schema": 1, **msgspec.to_builtins(cell_change)}))
    elif markdown:
        from harness.report.markdown import changes

        click.echo("\n".join(changes(cell_change)))
    else:
        _show(cell_change)
    ctx.exit(ExitCode.DIVERGENCE if cell_change.regressed else ExitCode.OK)


def _show(cell_change: CellChange) -> None:
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import stdout
    from harness.report.diff import SAME
    from harness.report.text import counted, number, short

    console = stdout()
    if cell_change.same:
        console.print(SAME)
        return
    groups = (
        ("Worse", [(changed.name, changed.before, changed.now) for changed in cell_change.worse]),
        ("Better", [(changed.name, changed.before, changed.now) for changed in cell_change.better]),
        ("Other verdicts", [(changed.name, changed.before, changed.now) for changed in cell_change.other]),
        (
            "Largest absolute errors that grew",
            [(grown.name, number(grown.before), number(grown.now)) for grown in cell_change.grown],
        ),
        (
            "Findings that came or went",
            [(finding.name, finding.before, finding.now) for finding in cell_change.findings],
        ),
        (
            "Versions that moved",
            [(version.name, version.before, version.now) for version in cell_change.versions],
        ),
    )
    for title, rows in groups:
        if not rows:
            continue
        table = Table(title=f"{title}: {len(rows)}")
        for column in ("what", "before", "now"):
            table.add_column(column, overflow="fold")
        for row in rows[:_SHOWN]:
            table.add_row(*(Text(short(text)) for text in row))
        if len(rows) > _SHOWN:
            table.add_row(f"and {len(rows) - _SHOWN} more", "", "")
        console.print(table)
    console.print(
        f"{counted(len(cell_change.worse), 'verdict')} got worse, {len(cell_change.better)} better;"
        f" {counted(len(cell_change.grown), 'error')} grew;"
        f" {counted(len(cell_change.findings), 'finding')} changed"
    )
