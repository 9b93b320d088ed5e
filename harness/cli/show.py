"""``harness show``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options
from harness.cli.errors import say_all

if TYPE_CHECKING:
    from harness.conformance.plan import PlannedCase
    from harness.conformance.show import Values
    from harness.model import Array, Value

_SHOWN = 400


@click.command("show")
@click.argument("case")
@click.argument("stage")
@options.suite
@options.globs("--impl", "implementations", "implementations")
@options.globs("--sample", "samples", "samples")
@click.option(
    "--precision",
    default="float64",
    show_default=True,
    help="The floating-point format to run in.",
)
@click.option(
    "--mode",
    type=click.Choice(["chained", "isolated"]),
    default="chained",
    show_default=True,
    help="On its own upstream values, or on the reference's.",
)
@options.glove
@options.debug
@click.pass_context
def show(
    ctx: click.Context,
    case: str,
    stage: str,
    suite: Path | None,
    implementations: tuple[str, ...],
    samples: tuple[str, ...],
    precision: str,
    mode: str,
    glove: Path | None,
) -> None:
    """Show what each implementation returns for STAGE of CASE.

    Digits are the shortest that give the same number back. Of several samples the first is shown, unless
    --sample chooses. The exit code is 4 if an implementation crashed, timed out or raised an error, in STAGE
    or in one that it needs, in any of the samples; and if a worker died between two calls.
    """
    from harness.cli.console import stdout
    from harness.conformance.plan import make_plan
    from harness.conformance.show import observe_stage
    from harness.errors import ExitCode
    from harness.model import Failure, Mode
    from harness.model.outcome import NO_ANSWER

    plan = make_plan(
        options.the_suite(suite),
        cases=(case,),
        implementations=implementations,
        samples=samples,
        precisions=(precision,),
        glove=glove,
    )
    planned = the_case(plan.cases, case, stage)
    observed, complaints = observe_stage(plan, case, stage, Mode(mode))
    console = stdout()
    value = planned.case.values[stage]
    names = list(planned.fixture.samples)
    shown = names if samples != ("*",) else names[:1]
    for sample in shown:
        console.print(f"{case} {stage}, sample {sample}, {precision}, {mode}", markup=False)
        for name, text in texts(observed, planned.case.reference, sample, value).items():
            console.print(f"\n{name}: {text}", markup=False, soft_wrap=True)
    if len(shown) < len(names):
        console.print(f"\n{len(names) - len(shown)} more samples: --sample GLOB chooses", markup=False)
    say_all(complaints)
    values = (array for by_sample in observed.values() for array in by_sample.values())
    verdicts = {value.verdict for value in values if isinstance(value, Failure)}
    ctx.exit(ExitCode.WORKER_FAILED if verdicts & NO_ANSWER or complaints else ExitCode.OK)


def the_case(cases: tuple[PlannedCase, ...], case: str, stage: str) -> PlannedCase:
    """The case of this name, which has this stage.

    Raises
    ------
    UsageError
        There is no such case or stage.
    """
    from harness.errors import UsageError

    for planned in cases:
        if planned.case.name == case:
            if stage in planned.case.values:
                return planned
            advice = f"there are: {', '.join(planned.case.values)}"
            raise UsageError(f"{case} has no stage {stage!r}", advice=advice)
    raise UsageError(f"no case is called {case!r}", advice="show takes one case by its whole name")


def texts(
    observed: Mapping[str, Values], reference: str, sample: str, value: Value | None = None
) -> dict[str, str]:
    """For each implementation its array and how far it is from the reference's, or why there is none.

    The declared ``value`` says what its numbers are: texts, dates, or numbers of which some are missing.
    """
    from harness.conformance.coded import readable
    from harness.conformance.declared_kinds import as_numbers, is_plain
    from harness.errors import CompareError
    from harness.model import Failure
    from harness.numerics import compare
    from harness.report.text import errors

    expected = observed[reference][sample] if reference in observed else None
    by_name = {}
    for name, by_sample in observed.items():
        array = by_sample[sample]
        if isinstance(array, Failure):
            by_name[name] = f"{array.verdict}: {array.reason}"
            continue
        shown = readable(value, array)
        kind = "text" if shown.dtype.kind == "U" else f"{shown.dtype}".replace("object", f"{array.dtype}")
        lines = [f"{kind} {array.shape}", text_of(shown)]
        if name != reference and expected is not None and not isinstance(expected, Failure):
            try:
                ours, theirs = array, expected
                if value is not None and not is_plain(value) and ours.shape == theirs.shape:
                    ours, theirs = as_numbers(ours, theirs)
                stats = compare(ours, theirs)
                if value is not None and value.dtype == "text":
                    lines.append(f"from {reference}: {int((array != expected).sum())} of {array.size} differ")
                    by_name[name] = "\n".join(lines)
                    continue
                lines.append(f"from {reference}: {'; '.join(errors(stats))}")
            except CompareError as error:
                lines.append(f"from {reference}: {error.message}")
        by_name[name] = "\n".join(lines)
    return by_name


def text_of(array: Array) -> str:
    """Return all elements of a small array with all digits; of a large array, the corners."""
    import numpy as np

    return np.array2string(array, floatmode="unique", threshold=_SHOWN, max_line_width=110)
