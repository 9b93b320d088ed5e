"""``harness list``."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli import options


@click.command("list")
@options.suite
@options.debug
def list_(suite: Path | None) -> None:
    """Show the cases: their stages, precisions and implementations."""
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import stdout
    from harness.errors import UsageError
    from harness.runtimes.registry import Registry
    from harness.store.cases import load_case
    from harness.store.suites import case_folders

    where = options.the_suite(suite)
    registry = Registry.load(where)
    table = Table(caption=str(where))
    for column in ("case", "title", "stages", "precisions", "implementations"):
        table.add_column(column, overflow="fold", justify="right" if column == "stages" else "left")
    folders = case_folders(where)
    if not folders:
        raise UsageError("no case here", path=where, advice="a suite is a folder of folders with a case.toml")
    for folder in folders:
        case = load_case(folder)
        names = [implementation.id for implementation in registry.implementations(folder)]
        table.add_row(
            case.name, Text(case.title), str(len(case.stages)), ", ".join(case.precisions), ", ".join(names)
        )
    stdout().print(table)
