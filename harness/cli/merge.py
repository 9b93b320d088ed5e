"""``harness merge``."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli import options
from harness.cli.report import read, save
from harness.cli.results_folder import folder_to_write
from harness.cli.run import report


@click.command("merge")
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Folder for the record of the whole run, and the reports that are made from it.",
)
@options.as_json
@options.debug
@click.pass_context
def merge(ctx: click.Context, records: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Put the records of all shards of a run together: what harness run --shard I/N wrote into each DIR.

    The record is that of the whole run, but for its times, and ends with its exit code. Shards of other
    files, choices or versions are refused, and so is a set in which one is missing.
    """
    from harness.model import outcome_of
    from harness.report.files import Request, rendered
    from harness.store.lock import only_writer
    from harness.store.merge import merged
    from harness.store.record import FILE, RecordWriter

    whole = merged({where: read(where) for where in records})
    where = ctx.with_resource(folder_to_write(out))
    ctx.with_resource(only_writer(where))
    assert whole.footer is not None
    with RecordWriter(where / FILE) as writer:
        writer.header(whole.header)
        for lines in (whole.exhibits, whole.cells, whole.pairs, whole.consensus):
            for line in lines:
                writer.write(line)
        writer.footer(whole.footer)
    kept = read(where)
    save(where, rendered(Request(record=kept)))
    report(kept, as_json=as_json)
    ctx.exit(outcome_of(kept).exit_code)
