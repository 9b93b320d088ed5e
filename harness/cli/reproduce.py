"""``harness reproduce``."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli import options
from harness.cli.errors import say_all


@click.command("reproduce")
@click.argument("case")
@click.argument("stage")
@click.argument("implementation")
@options.suite
@click.option("--sample", help="Of several samples, this one; the worst when not given.")
@click.option(
    "--precision",
    default="float64",
    show_default=True,
    help="The floating-point format to run in.",
)
@click.option(
    "--mode",
    type=click.Choice(["chained", "isolated"]),
    help="On its own upstream values, or on the reference's; where something is off when not given.",
)
@click.option(
    "--check",
    type=click.Choice(["oracle", "reference", "identity", "published", "repeat"]),
    help="What it is compared with; where something is off when not given.",
)
@click.option("--against", help="Which identity or printed source, where a stage has several.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the script; else it is printed.")
@options.glove
@options.debug
@click.pass_context
def reproduce(
    ctx: click.Context,
    case: str,
    stage: str,
    implementation: str,
    suite: Path | None,
    sample: str | None,
    precision: str,
    mode: str | None,
    check: str | None,
    against: str | None,
    out: Path | None,
    glove: Path | None,
) -> None:
    """Write a script that runs STAGE of CASE in IMPLEMENTATION's language, and needs no harness.

    STAGE is a stage or one of its outputs; of a stage with several, the first that is off is shown. The
    script holds the source file, the inputs and what is expected; it prints the largest difference and how
    many elements are beyond their limit, as the cell says, and ends with 1 while any is. Files that the
    source needs from its folder are written beside it. The exit code is 4 if the reference, or the worker,
    crashed, and if a worker died between two calls: the script is then written too.
    """
    from harness.conformance.cell_script import write
    from harness.conformance.plan import make_plan
    from harness.conformance.reproduce import reproduce as make
    from harness.errors import ExitCode
    from harness.model import Check, Mode

    where = options.the_suite(suite)
    samples = (sample,) if sample is not None else ("*",)
    plan = make_plan(where, cases=(case,), samples=samples, precisions=(precision,), glove=glove)
    script = make(
        plan,
        case,
        stage,
        implementation,
        mode=None if mode is None else Mode(mode),
        check=None if check is None else Check(check),
        against=against,
    )
    if out is None:
        click.echo(script.text, nl=False)
        if script.files:
            names = ", ".join(script.files)
            click.echo(f"it needs beside it: {names}; --out DIR writes them too", err=True)
    else:
        click.echo(write(script, out))
    say_all(script.complaints)
    ctx.exit(ExitCode.WORKER_FAILED if script.complaints else ExitCode.OK)
