"""``harness streams``."""

from __future__ import annotations

import click

from harness.cli import options


@click.command("streams")
@click.option("--versions", is_flag=True, hidden=True, help="Taken as it was; the versions are always there.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed to start from.")
@options.debug
def streams(seed: int, **_: bool) -> None:
    """Say what each language draws from a seed, in which versions: to tell which one an author had."""
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import stdout
    from harness.streams.versions import report

    table = Table(title=f"Random streams of seed {seed}")
    for column in ("language", "versions", "call", "numbers"):
        table.add_column(column, overflow="fold")
    for row in report(seed):
        numbers = row.refused or " ".join(f"{value:.8g}" for value in row.values)
        table.add_row(*map(Text, (row.language, row.versions, row.call, numbers)))
    stdout().print(table)
