"""``harness compare``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options

if TYPE_CHECKING:
    from harness.model import Array


@click.command("compare")
@click.argument("actual", type=click.Path(path_type=Path))
@click.argument("expected", type=click.Path(path_type=Path))
@click.option(
    "--limit", type=click.FloatRange(min=0), metavar="NUMBER", help="How large an absolute error may be."
)
@click.option(
    "--ulp",
    type=click.FloatRange(min=0),
    metavar="NUMBER",
    help="How many units in the last place it may be.",
)
@options.as_json
@options.debug
@click.pass_context
def compare(
    ctx: click.Context, actual: Path, expected: Path, limit: float | None, ulp: float | None, as_json: bool
) -> None:
    """Say how far the arrays of two files lie apart.

    The files are .npy, .npz or .safetensors. Arrays are matched by name; where each file holds one, its
    name does not matter. The exit code is 0 if every value is equal (NaN to NaN, 0.0 to -0.0), else 1; with
    --limit or --ulp, if every value is within it, or within both.
    """
    from harness.errors import CompareError, ExitCode
    from harness.numerics import compare as compare_arrays
    from harness.store.arrays import read_array_file

    # With neither, values are equal; with --ulp alone, any absolute error will do.
    bound = 0.0 if limit is None and ulp is None else limit
    found = {}
    for name, (ours, theirs) in matched(read_array_file(actual), read_array_file(expected)).items():
        try:
            found[name] = compare_arrays(ours, theirs, limit=bound)
        except CompareError as error:
            raise CompareError(f"{name}: {error.message}", path=actual, advice=error.advice) from error
    if as_json:
        from harness.report.as_json import comparison_object, dumps

        click.echo(dumps(comparison_object(found)))
    else:
        from harness.cli.console import stdout
        from harness.report.terminal import stats_table

        for name, stats in found.items():
            stdout().print(stats_table(stats, name))
    most = math.inf if ulp is None else ulp
    within = all(stats.beyond == 0 and stats.max_ulp <= most for stats in found.values())
    ctx.exit(ExitCode.OK if within else ExitCode.DIVERGENCE)


def matched(actual: dict[str, Array], expected: dict[str, Array]) -> dict[str, tuple[Array, Array]]:
    """Pairs of arrays to compare.

    Raises
    ------
    CompareError
        The files do not hold the same names, or hold nothing.
    """
    from harness.errors import CompareError

    if len(actual) == len(expected) == 1:
        (name, ours), (other, theirs) = *actual.items(), *expected.items()
        return {name if name == other else f"{name} / {other}": (ours, theirs)}
    if not actual and not expected:
        raise CompareError("there is no array in these files")
    if actual.keys() != expected.keys():
        lonely = sorted(actual.keys() ^ expected.keys())
        raise CompareError(f"in one file only: {', '.join(lonely)}")
    return {name: (ours, expected[name]) for name, ours in actual.items()}
