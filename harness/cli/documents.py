"""``harness documents``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.documents.patch import DocumentSpec

EPILOG = """\b
Exit codes, the first that holds:
  130  interrupted
    2  a mistake in the command, or a document that cannot be read (the others are run)
    4  the harness failed while it ran a document (the others are run)
    1  a finding of severity "wrong"
    0  none
"""


@click.command("documents", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option("--run-unevaluated", is_flag=True, help="Run the chunks that the document itself does not run.")
@click.option("--as-script", is_flag=True, help="Run the document as a script, not as at a prompt.")
@click.option("--trust", is_flag=True, help="Run the code of these documents without being asked.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for a page of findings for each document."
)
@options.suite
@options.glove
@options.as_json
@options.debug
@click.pass_context
def documents(
    ctx: click.Context,
    paths: tuple[Path, ...],
    run_unevaluated: bool,
    as_script: bool,
    trust: bool,
    out: Path | None,
    suite: Path | None,
    glove: Path | None,
    as_json: bool,
) -> None:
    """Run articles and notebooks, hold them to what they print, and list what is wrong with them.

    PATH is a document (.md, .Rmd, .qmd, .ipynb) or a folder of them.
    """
    from harness.documents.engine import Plan
    from harness.documents.findings.examine import examine
    from harness.documents.findings.knowledge import load_knowledge
    from harness.documents.report import as_object, exit_code, summary, text_page, write_pages
    from harness.documents.sandbox import find_sandbox, requires_trust
    from harness.report.as_json import dumps
    from harness.runtimes.registry import Registry

    found = tuple(_documents(paths))
    if out is not None:
        from harness.cli.run import ready_to_write

        ready_to_write(out)
    ask = (lambda question: click.confirm(question, err=True)) if sys.stdin.isatty() else None
    requires_trust(found, trust, ask)
    folder, specs = _specs(suite)
    knowledge = load_knowledge(folder)
    registry, sandbox = Registry.load(folder), find_sandbox()
    plan = Plan(mode="script" if as_script else "prompt", run_unevaluated=run_unevaluated, glove=glove)
    examined = []
    for path in found:
        with _told(path) as on_step:
            examined.append(
                examine(
                    path,
                    registry=registry,
                    sandbox=sandbox,
                    plan=plan,
                    specs=specs,
                    knowledge=knowledge,
                    suite=folder,
                    on_step=on_step,
                )
            )
        if not as_json:
            click.echo(text_page(examined[-1]))
    if as_json:
        click.echo(dumps(as_object(examined)))
    else:
        click.echo(summary(examined))
    if out is not None:
        pages = write_pages(examined, out)
        if not as_json:
            click.echo(f"{len(pages)} pages in {out}")
    ctx.exit(exit_code(examined))


def _documents(paths: tuple[Path, ...]) -> Iterator[Path]:
    """The documents themselves, and those in the folders, by name."""
    from harness.documents.parse import KINDS
    from harness.errors import UsageError

    for path in paths:
        if path.is_dir():
            # A folder's README describes it.
            inside = [
                each for each in sorted(path.iterdir()) if each.suffix.lower() in KINDS and each.is_file()
            ]
            inside = [each for each in inside if each.stem.lower() != "readme"]
            if not inside:
                raise UsageError("no document in this folder", path=path, advice=f"known: {', '.join(KINDS)}")
            yield from inside
        elif path.exists():
            yield path
        else:
            raise UsageError("no such document", path=path)


def _specs(suite: Path | None) -> tuple[Path, tuple[DocumentSpec, ...]]:
    """The suite, and what its cases know of documents; outside of any suite, nothing."""
    from harness.documents.patch import load_document_specs
    from harness.errors import HarnessError
    from harness.store.cases import find_suite

    if suite is None:
        try:
            folder = find_suite(Path.cwd())
        except HarnessError:
            return Path.cwd(), ()
    else:
        folder = options.the_suite(suite)
    return folder, load_document_specs(folder)


@contextmanager
def _told(path: Path) -> Iterator[Callable[[str], None]]:
    """Something to tell what is being done: a line that goes away again, on a terminal."""
    from harness.cli.console import stderr

    console = stderr()
    if not console.is_terminal:
        yield lambda _step: None
        return
    with console.status(path.name) as status:
        yield lambda step: status.update(f"{path.name}: {step}")
