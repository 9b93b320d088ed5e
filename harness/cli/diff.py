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

    found = compare(read(old), read(new))
    if as_json:
        import msgspec

        from harness.report.as_json import dumps

        click.echo(dumps({"schema": 1, **msgspec.to_builtins(found)}))
    elif markdown:
        from harness.report.markdown import changes

        click.echo("\n".join(changes(found)))
    else:
        _show(found)
    ctx.exit(ExitCode.DIVERGENCE if found.regressed else ExitCode.OK)


def _show(found: CellChange) -> None:
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import stdout
    from harness.report.diff import SAME
    from harness.report.text import counted, number, short

    console = stdout()
    if found.same:
        console.print(SAME)
        return
    groups = (
        ("Worse", [(one.name, one.before, one.now) for one in found.worse]),
        ("Better", [(one.name, one.before, one.now) for one in found.better]),
        ("Other verdicts", [(one.name, one.before, one.now) for one in found.other]),
        (
            "Largest absolute errors that grew",
            [(one.name, number(one.before), number(one.now)) for one in found.grown],
        ),
        ("Findings that came or went", [(one.name, one.before, one.now) for one in found.findings]),
        ("Versions that moved", [(one.name, one.before, one.now) for one in found.versions]),
    )
    for title, rows in groups:
        if not rows:
            continue
        table = Table(title=f"{title}: {len(rows)}")
        for column in ("what", "before", "now"):
            table.add_column(column, overflow="fold")
        for row in rows[:_SHOWN]:
            table.add_row(*(Text(short(one)) for one in row))
        if len(rows) > _SHOWN:
            table.add_row(f"and {len(rows) - _SHOWN} more", "", "")
        console.print(table)
    console.print(
        f"{counted(len(found.worse), 'verdict')} got worse, {len(found.better)} better;"
        f" {counted(len(found.grown), 'error')} grew; {counted(len(found.findings), 'finding')} changed"
    )
