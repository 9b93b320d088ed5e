"""``harness streams``."""

from __future__ import annotations

import click

from harness.cli import options


@click.command("streams")
@click.option("--versions", is_flag=True, help="Print which versions of each language give which stream.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed to start from.")
@options.debug
def streams(versions: bool, seed: int) -> None:
    """Say what each language draws from a seed, in which versions: to tell which one an author had."""
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import stdout
    from harness.errors import UsageError
    from harness.streams.versions import report

    if not versions:
        raise UsageError("nothing to do", advice="give --versions")
    table = Table(title=f"Random streams of seed {seed}")
    for column in ("language", "versions", "call", "numbers"):
        table.add_column(column, overflow="fold")
    for row in report(seed):
        numbers = row.refused or " ".join(f"{value:.8g}" for value in row.values)
        table.add_row(*map(Text, (row.language, row.versions, row.call, numbers)))
    stdout().print(table)
