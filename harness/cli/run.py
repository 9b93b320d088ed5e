"""``harness run``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from harness.cli import document_options, options
from harness.cli.report import read, save
from harness.cli.results_folder import folder_to_write
from harness.cli.run_plan import RunOptions, check_dask, plan_of, sanitized
from harness.cli.signals import deferrable, deferred

if TYPE_CHECKING:
    from harness.cli.document_options import Vouched
    from harness.conformance.evaluator import Progress
    from harness.conformance.plan import Plan
    from harness.model import Cell, Examined, Record
    from harness.store.lock import WriterLock

EPILOG = """\b
Exit codes, the first that holds:
  130  the run was interrupted; what had been done is in the record; 128 + n: signal n ended it
    2  a mistake in the command, a case.toml or a fixture; nothing was run
   70  a fault in the harness itself; the record is not complete
    3  a runtime that --require names is missing, or not compared in a chosen case; no Dask cluster answers
    4  a fault: a worker crashed or timed out, a stage raised an error, or a cell could not be judged
    1  a divergence: FAIL, XPASS or a complaint
    5  incomplete: an output was not compared, or with nothing but itself
    0  agreement: every output was compared with something else, and none is off
"""


@click.command("run", epilog=EPILOG)
@options.suite
@options.globs("--case", "cases", "cases")
@options.globs("--impl", "implementations", "implementations")
@options.globs("--sample", "samples", "samples")
@options.globs("--precision", "precisions", "precisions")
@options.glove
@options.names(
    "--require", "Runtimes that must be there, e.g. r,julia,torch; a missing one ends with exit code 3."
)
@click.option(
    "--replay",
    type=click.Choice(["missing", "always", "never"]),
    default="missing",
    show_default=True,
    help="Which runtimes are answered from the snapshots instead of live.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Fail what is compared coarsely, for want of a limit that is known; leave cells with undecided"
    " elements without a verdict.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Folder for the record, results.jsonl, and the reports that are made from it.",
)
@click.option(
    "--documents",
    "documents",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Run this article, or the articles of this folder, as well: a column of the matrix, and what one run"
    " of it shows; harness documents looks further.",
)
@document_options.run_unevaluated
@document_options.trust
@document_options.unsandboxed
@click.option(
    "--shard",
    metavar="I/N",
    help="Run the I-th of N parts of the cases, one for each of several machines; harness merge puts them"
    " together.",
)
@click.option(
    "--times",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="An earlier record, by whose times the shards are balanced.",
)
@click.option(
    "--sanitize",
    is_flag=True,
    help="Compile C, C++ and Fortran with the sanitizers of addresses and of undefined behaviour: what they"
    " find is an error of the cell.",
)
@options.dask
@click.option("--accuracy", is_flag=True, help="Print the error of every stage from the truth as well.")
@click.option("--by-sample", "by_sample", is_flag=True, help="Print the verdict of every sample as well.")
@options.as_json
@options.debug
@click.pass_context
def run(ctx: click.Context, **given: Unpack[RunOptions]) -> None:
    """Run the cases, compare the implementations, and print who agrees."""
    from harness.store.lock import only_writer

    where, lock = given["out"], None
    # From the moment that the record is completed an interrupt waits, until the reports say what it says.
    with deferrable() as defer:
        try:
            where = ctx.with_resource(folder_to_write(given["out"]))
            lock = ctx.with_resource(only_writer(where))
            check_dask(given)
            _import()
            plan = plan_of(given)
            if given["sanitize"]:
                ctx.with_resource(sanitized(plan))
            _run(plan, _documents(given), given, defer)
            # The reports need it no more, and it may be large.
            del plan
        except KeyboardInterrupt as error:
            defer()
            _early(given, error)
        record = _saved(where, lock, given)
    from harness.model import outcome_of

    report(record, as_json=given["as_json"])
    if not given["as_json"]:
        _print_more(record, given)
    ctx.exit(outcome_of(record).exit_code)


def _import() -> None:
    """Import the large modules, uninterrupted: an interrupt before that could not be recorded."""
    with deferred():
        import harness.conformance.run
        import harness.report.files  # noqa: F401


def _early(given: RunOptions, interrupt: KeyboardInterrupt) -> None:
    """Write the record of a run that was interrupted early, so that an older one does not stand for it."""
    from harness.conformance.early import ended_early, write_early
    from harness.store.record import FILE, RecordWriter
    from harness.store.suites import current_folder

    record = ended_early(given["suite"] or current_folder(), None, interrupt)
    with RecordWriter(given["out"] / FILE) as writer:
        write_early(writer, record)


def _documents(given: RunOptions) -> Vouched | None:
    """The documents that the options name, which may all be run, and the sandbox to run them in."""
    if not given["documents"]:
        return None
    vouched = document_options.vouched_for(
        given["documents"], trust=given["trust"], unsandboxed=given["unsandboxed"]
    )
    document_options.check_unique_names(vouched.documents)
    return vouched


def _run(plan: Plan, vouched: Vouched | None, given: RunOptions, on_completing: Callable[[], None]) -> None:
    """Run everything, and write the record."""
    from harness.cli.console import progress_bar
    from harness.conformance.run import run as run_plan

    with progress_bar() as show:
        if given["dask"] is not None:
            _run_on_dask(plan, vouched, given, show, on_completing)
            return
        run_plan(
            plan,
            out=given["out"],
            require=given["require"],
            replay=given["replay"],
            strict=given["strict"],
            others=_examined(vouched, plan, given, show) if vouched is not None else (),
            on_progress=show,
            on_completing=on_completing,
            keep=False,
        )


def _run_on_dask(
    plan: Plan,
    vouched: Vouched | None,
    given: RunOptions,
    show: Callable[[Progress], None],
    on_completing: Callable[[], None],
) -> None:
    """Run the cases on a Dask cluster, and the documents here."""
    from harness.cluster.run import run_on_dask

    assert given["dask"] is not None
    run_on_dask(
        plan,
        given["dask"],
        out=given["out"],
        wait=given["dask_wait"],
        require=given["require"],
        replay=given["replay"],
        strict=given["strict"],
        glove=given["glove"],
        others=_examined(vouched, plan, given, show) if vouched is not None else (),
        on_progress=show,
        on_completing=on_completing,
        say=lambda text: click.echo(text, err=True),
    )


def _saved(out: Path, lock: WriterLock | None, given: RunOptions) -> Record:
    """Write the reports, before anything is printed, which may get lost: a pipe is closed, a disk is full.

    Returns
    -------
    Record
        As it lies in its file; of a large one all cells only where these are to be printed.
    """
    from harness.report.condensed import read_condensed
    from harness.report.files import Request, rendered
    from harness.store.record import FILE

    if lock is not None:
        lock.renew()
    path = out / FILE
    every = given["as_json"] or given["accuracy"] or given["by_sample"]
    record = read(path) if every else read_condensed(path)
    save(out, rendered(Request(record=record, path=path)))
    return record


def _print_more(record: Record, given: RunOptions) -> None:
    """Print the tables that are asked for by an option of their own."""
    from harness.cli.console import stdout
    from harness.report.terminal_accuracy import accuracy
    from harness.report.terminal_samples import samples

    if given["accuracy"]:
        stdout().print(accuracy(record))
    if given["by_sample"]:
        click.echo("\n".join(samples(record)))


def _examined(
    vouched: Vouched, plan: Plan, given: RunOptions, show: Callable[[Progress], None]
) -> Iterator[Cell | Examined]:
    """Yield the record lines of each document as it is examined."""
    from harness.conformance.evaluator import Progress
    from harness.documents.engine import RunSettings
    from harness.findings.articles import examine_all, lines
    from harness.findings.examine import OF_ONE_RUN

    paths, sandbox = vouched

    def on_step(path: Path, step: str) -> None:
        show(Progress(done=len(paths), total=len(paths), case=path.name, implementation=step))

    examinations = examine_all(
        paths,
        sandbox=sandbox,
        plan=RunSettings(run_unevaluated=given["run_unevaluated"], glove=given["glove"]),
        suite=plan.suite,
        detectors=OF_ONE_RUN,
        on_step=on_step,
    )
    yield from lines(examinations, (planned.case.name for planned in plan.cases))


def report(record: Record, *, as_json: bool) -> None:
    """Print a record as text, or as JSON."""
    if as_json:
        from harness.report.as_json import dumps, record_object

        click.echo(dumps(record_object(record)))
        return
    from harness.cli.console import stdout
    from harness.report.terminal import render

    render(record, stdout())
