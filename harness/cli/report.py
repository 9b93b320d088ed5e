"""``harness report``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options

if TYPE_CHECKING:
    from harness.model import Record
    from harness.report.files import Content


def _kind(name: str, what: str) -> Callable[[options.Command], options.Command]:
    return click.option(f"--{name}", "kinds", flag_value=name, multiple=True, help=f"Write {what}")


@click.command("report")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@_kind("html", "report.html: one page, for a person.")
@_kind("junit", "junit.xml: for a CI.")
@_kind("markdown", "summary.md: for a CI's summary.")
@_kind("badge", "badge.json and badge.svg.")
@_kind("csv", "cells.csv: every cell, to plot.")
@_kind("parquet", "cells.parquet; needs pyarrow.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder to write to; DIR when not given.")
@click.option(
    "--base", type=click.Path(path_type=Path), help="An older record: summary.md tells what changed since."
)
@click.option(
    "--history",
    "earlier",
    multiple=True,
    type=click.Path(path_type=Path),
    help="An older record, drawn in report.html beside this one; may be repeated.",
)
@options.debug
def report(
    folder: Path, kinds: tuple[str, ...], out: Path | None, base: Path | None, earlier: tuple[Path, ...]
) -> None:
    """Render the record in DIR again: the page, JUnit, Markdown, badge and CSV, or what is named.

    DIR is a folder with a results.jsonl, or the record itself. Nothing else is read: no runtime, no fixture.
    """
    from harness.report.condensed import read_condensed
    from harness.report.files import USUAL, Request, rendered
    from harness.store.record import file_in

    path = file_in(folder)
    asked = Request(
        # What changed is said of every cell.
        record=read_condensed(path) if base is None else read(path),
        path=path,
        base=None if base is None else read(base),
        earlier=[read(older) for older in earlier],
    )
    where = out or (folder if folder.is_dir() else folder.parent)
    for path, size in save(where, rendered(asked, kinds or (*USUAL, "csv"))).items():
        click.echo(f"{path}: {size:,} bytes")


def read(where: Path) -> Record:
    """Read the record in a folder, or in this file; a partial one if there is no other.

    Raises
    ------
    RecordError
        There is none, or it is damaged.
    """
    from harness.store.record import find_record

    return find_record(where)


def save(folder: Path, files: Mapping[str, Content]) -> dict[Path, int]:
    """Write files whole or not at all, and return their sizes.

    Raises
    ------
    UsageError
        The folder cannot be written to.
    """
    from harness.errors import UsageError
    from harness.store.atomic import write_whole

    try:
        return write_whole({folder / name: content for name, content in files.items()})
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror or error}", path=folder, advice="give --out another folder"
        ) from error
