"""``harness run``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options
from harness.cli.report import save

if TYPE_CHECKING:
    from harness.conformance.run import Replaying
    from harness.model import Record

EPILOG = """\b
Exit codes, the first that holds:
  130  the run was interrupted; what had been done is in the record
    2  a mistake in the command, a case.toml or a fixture; nothing was run
    3  a runtime that --require names is missing
    4  a worker crashed or timed out, or a stage raised an error
    1  a divergence: FAIL, XPASS, a complaint, or nothing was compared
    0  all as expected
"""


def _names(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    names = (name.strip() for one in given for name in one.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


@click.command("run", epilog=EPILOG)
@options.suite
@options.globs("--case", "cases", "cases")
@options.globs("--impl", "implementations", "implementations")
@options.globs("--sample", "samples", "samples")
@options.globs("--precision", "precisions", "precisions")
@options.glove
@click.option(
    "--require",
    multiple=True,
    callback=_names,
    metavar="LIST",
    help="Runtimes that must be there, e.g. r,julia,torch; a missing one ends with exit code 3.",
)
@click.option(
    "--replay",
    type=click.Choice(["missing", "always", "never"]),
    default="missing",
    show_default=True,
    help="Which runtimes are answered from the recordings instead of live.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Folder for the record, results.jsonl, and the reports that are made from it.",
)
@click.option("--accuracy", is_flag=True, help="Print the error of every stage from the truth as well.")
@options.as_json
@options.debug
@click.pass_context
def run(
    ctx: click.Context,
    suite: Path | None,
    cases: tuple[str, ...],
    implementations: tuple[str, ...],
    samples: tuple[str, ...],
    precisions: tuple[str, ...],
    glove: Path | None,
    require: tuple[str, ...],
    replay: Replaying,
    out: Path,
    accuracy: bool,
    as_json: bool,
) -> None:
    """Run the cases, compare the implementations, and print who agrees."""
    from harness.cli.console import progress_bar
    from harness.conformance.plan import make_plan
    from harness.conformance.run import run as run_plan
    from harness.report.files import Request, rendered
    from harness.report.view import exit_code

    ready_to_write(out)
    plan = make_plan(
        options.the_suite(suite),
        cases=cases,
        implementations=implementations,
        samples=samples,
        precisions=precisions,
        glove=glove,
    )
    with progress_bar() as show:
        record = run_plan(plan, out=out, require=require, replay=replay, on_progress=show)
    report(record, as_json=as_json)
    if accuracy and not as_json:
        from harness.cli.console import stdout
        from harness.report import terminal

        stdout().print(terminal.accuracy(record))
    save(out, rendered(Request(record=record)))
    ctx.exit(exit_code(record))


def report(record: Record, *, as_json: bool) -> None:
    """Print a record for a person, or for a program."""
    if as_json:
        from harness.report.as_json import dumps, record_object

        click.echo(dumps(record_object(record)))
        return
    from harness.cli.console import stdout
    from harness.report.terminal import render

    render(record, stdout())


def ready_to_write(out: Path) -> None:
    """Make the folder for the record, before anything runs.

    Raises
    ------
    UsageError
        It cannot be made or written to.
    """
    import tempfile

    from harness.errors import UsageError

    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except FileExistsError as error:
        raise UsageError("this is a file", path=out, advice="--out takes a folder") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"cannot write here: {reason}", path=out, advice="give --out another folder"
        ) from error
