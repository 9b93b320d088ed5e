"""``harness history``."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli import options
from harness.cli.report import read


@click.command("history")
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@options.as_json
@options.debug
def history(records: tuple[Path, ...], as_json: bool) -> None:
    """Show how verdicts, errors and times moved over several records.

    Each DIR is a folder with a results.jsonl, or a record. harness report --history draws the same.
    """
    from harness.report.history import summarize

    runs = sorted((summarize(read(record)) for record in records), key=lambda run: run.started)
    if as_json:
        import msgspec

        from harness.report.as_json import dumps

        click.echo(dumps({"schema": 1, "runs": [msgspec.to_builtins(run) for run in runs]}))
        return
    from rich.table import Table
    from rich.text import Text

    from harness.cli.console import stdout
    from harness.report.text import number, seconds, visible

    names = list(dict.fromkeys(name for run in runs for name in run.used))
    table = Table(
        title="Runs",
        caption="largest error/limit, and from the truth in ULP; time of each runtime",
    )
    articles = ["articles"] if any(run.wrong for run in runs) else []
    for column in ("started", "harness", "verdicts", *names, *articles, "work"):
        table.add_column(visible(column), overflow="fold")
    for run in runs:
        verdicts = ", ".join(f"{n} {verdict}" for verdict, n in run.verdicts.items())
        busy = "\n".join(f"{runtime} {seconds(spent)}" for runtime, spent in run.busy.items())
        errors = [
            "\n".join(filter(None, [number(run.used.get(name)), number(run.error.get(name))])) or "-"
            for name in names
        ]
        wrong = "\n".join(f"{name} {n:g} wrong" for name, n in run.wrong.items())
        outcome = f"{run.outcome}{', PARTIAL' if run.partial else ''}\n{verdicts}"
        row = (run.started, run.harness, outcome, *errors, *([wrong] if articles else []), busy)
        table.add_row(*(Text(visible(text)) for text in row))
    stdout().print(table)
