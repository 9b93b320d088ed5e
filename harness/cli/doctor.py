"""``harness doctor``."""

from __future__ import annotations

import click

from harness.cli import options
from harness.runtime_names import NAMES, RuntimeName


@click.command("doctor")
@click.argument("names", nargs=-1, type=click.Choice(NAMES), metavar="[RUNTIME]...")
@click.option("--fix", "install", is_flag=True, help="Install what is missing.")
@options.debug
def doctor(names: tuple[RuntimeName, ...], install: bool) -> None:
    """Show which runtimes are found, and what to do about those that are not.

    RUNTIME is r, julia, torch, c, cpp, fortran, jax, onnx, node, octave, oracle, which computes the true
    values, or documents: what articles are run with; without one, all are looked for. With --fix, only those
    that are named are installed; without one, all but jax, onnx and octave, the largest.
    """
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import stdout
    from harness.name import clash
    from harness.runtimes.doctor import USUAL, check, fix, rows

    if said := clash():
        click.echo(f"warning: {said}", err=True)
    provisions = (
        fix(say=lambda line: click.echo(line, err=True), names=names or USUAL)
        if install
        else check(names=names or NAMES)
    )
    table = Table(show_lines=True)
    for column in ("runtime", "state", "version", "hosting", "what to do"):
        table.add_column(column, overflow="fold")
    for row in rows(provisions):
        table.add_row(*map(Text, row))
    stdout().print(table)
