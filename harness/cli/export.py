"""``harness export``."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli import options
from harness.cli.errors import say_all


@click.command("export")
@click.argument("case")
@options.suite
@options.globs("--sample", "samples", "samples")
@click.option(
    "--precision",
    type=click.Choice(["float64", "float32", "float16"]),
    default="float64",
    show_default=True,
    help="The floating-point format.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("vectors"),
    show_default=True,
    help="Folder of the vectors; an older export of the case in it is replaced.",
)
@options.glove
@options.debug
@click.pass_context
def export(
    ctx: click.Context,
    case: str,
    suite: Path | None,
    samples: tuple[str, ...],
    precision: str,
    out: Path,
    glove: Path | None,
) -> None:
    """Write the inputs, true values, limits and expected values of CASE, for tests that need no harness.

    They are JSON, a table and .npy files; conforms.R and conforms.jl beside them hold a value against them in
    testthat and in Julia's Test. The exit code is 4 if the reference's worker crashed, or
    died between two calls.
    """
    from harness.conformance.export import make_vectors
    from harness.conformance.plan import make_plan
    from harness.errors import ExitCode
    from harness.store.vectors import write_vectors

    plan = make_plan(
        options.the_suite(suite), cases=(case,), samples=samples, precisions=(precision,), glove=glove
    )
    vectors = make_vectors(plan)
    place = write_vectors(vectors, out)
    without = sum(vector.expected is None for vector in vectors.vectors)
    coarse = sum(vector.basis == "coarse" and vector.expected is not None for vector in vectors.vectors)
    click.echo(f"{place}: {len(vectors.vectors)} vectors, {coarse} of them coarse, {without} not known")
    say_all(vectors.complaints)
    ctx.exit(ExitCode.WORKER_FAILED if vectors.complaints else ExitCode.OK)
