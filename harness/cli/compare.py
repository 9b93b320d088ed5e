"""``harness compare``."""

from __future__ import annotations

import math
from collections.abc import Iterable
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

    The files are .npy, .npz, .safetensors, .csv, .parquet, .mat, .rds or ONNX's .pb; of a table with a
    header each column is an array. Arrays are matched by name; where each file holds one, its name does not
    matter. The exit code is 0 if every value is equal (NaN to NaN, 0.0 to -0.0), else 1; with
    --limit or --ulp, if every value is within it, or within both.
    """
    from harness.errors import CompareError, ExitCode
    from harness.numerics import compare as compare_arrays
    from harness.store.arrays import bfloat16_in
    from harness.store.data_files import read_numbers

    # Without limits, values must be equal; with --ulp alone, the absolute error is not limited.
    bound = 0.0 if limit is None and ulp is None else limit
    stats_by_name = {}
    sides = read_numbers(actual), read_numbers(expected)
    halves = bfloat16_in(actual), bfloat16_in(expected)
    for name, names in matched(*sides).items():
        ours, theirs = (side[key] for side, key in zip(sides, names, strict=True))
        half = [key in side for side, key in zip(halves, names, strict=True)]
        try:
            if half[0] != half[1]:
                dtypes = (ours.dtype, theirs.dtype)
                forms = [
                    "bfloat16" if is_half else dtype for is_half, dtype in zip(half, dtypes, strict=True)
                ]
                raise CompareError(f"dtypes differ: actual is {forms[0]}, expected is {forms[1]}")
            if half[0]:
                stats_by_name[name] = compare_arrays(
                    bits16(ours), bits16(theirs), limit=bound, dtype="bfloat16"
                )
            else:
                stats_by_name[name] = compare_arrays(ours, theirs, limit=bound)
        except CompareError as error:
            raise CompareError(f"{name}: {error.message}", path=actual, advice=error.advice) from error
    if as_json:
        from harness.report.as_json import comparison_object, dumps

        click.echo(dumps(comparison_object(stats_by_name)))
    else:
        from harness.cli.console import stdout
        from harness.report.terminal_stats import stats_table

        for name, stats in stats_by_name.items():
            stdout().print(stats_table(stats, name))
    most = math.inf if ulp is None else ulp
    within = all(stats.beyond == 0 and stats.max_ulp <= most for stats in stats_by_name.values())
    ctx.exit(ExitCode.OK if within else ExitCode.DIVERGENCE)


def bits16(array: Array) -> Array:
    """Return the bit patterns of bfloat16 values that are stored as float32."""
    import numpy as np

    return (array.view(np.uint32) >> np.uint32(16)).astype(np.uint16)


def matched(actual: Iterable[str], expected: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Names of the pairs of arrays to compare, by what they are called in the result.

    Raises
    ------
    CompareError
        The files do not hold the same names.
    """
    from harness.errors import CompareError

    ours, theirs = list(actual), list(expected)
    if len(ours) == len(theirs) == 1:
        (name,), (other,) = ours, theirs
        return {name if name == other else f"{name} / {other}": (name, other)}
    if lonely := sorted({*ours} ^ {*theirs}):
        raise CompareError(f"in one file only: {', '.join(lonely)}")
    return {name: (name, name) for name in ours}
