"""``harness doctor``."""

from __future__ import annotations

import click

from harness.cli import options


@click.command("doctor")
@click.option("--fix", "install", is_flag=True, help="Install what is missing.")
@options.debug
def doctor(install: bool) -> None:
    """Show which runtimes are found, and what to do about those that are not."""
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import stdout
    from harness.runtimes.doctor import check, fix, rows

    provisions = fix(say=lambda line: click.echo(line, err=True)) if install else check()
    table = Table(show_lines=True)
    for column in ("runtime", "state", "version", "hosting", "what to do"):
        table.add_column(column, overflow="fold")
    for row in rows(provisions):
        table.add_row(*map(Text, row))
    stdout().print(table)
