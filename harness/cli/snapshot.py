"""``harness snapshot``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options
from harness.cli.errors import say_all

if TYPE_CHECKING:
    from harness.conformance.plan import Plan
    from harness.conformance.take_snapshots import Moved, RecordedRuntime
    from harness.errors import ExitCode

_SHOWN = 12


@click.command("snapshot")
@options.suite
@options.globs("--case", "cases", "cases")
@options.globs("--impl", "implementations", "implementations")
@click.option(
    "--check", is_flag=True, help="Write nothing; say which bits are others than when the snapshot was made."
)
@options.debug
@click.pass_context
def snapshot(
    ctx: click.Context,
    suite: Path | None,
    cases: tuple[str, ...],
    implementations: tuple[str, ...],
    check: bool,
) -> None:
    """Write down what each implementation returns, live, for machines that lack its runtime.

    The snapshots lie in fixtures/snapshots; harness run --replay answers from them. What crashed, timed out
    or raised gets none: the snapshot that is there stays, and the exit code is 4; so it is where a worker
    died between two calls. With --check, it is 1 if a bit moved, or a snapshot is missing or no longer
    stands for its implementation.
    """
    from harness.conformance.plan import make_plan

    plan = make_plan(options.the_suite(suite), cases=cases, implementations=implementations)
    ctx.exit(_check(plan) if check else _record(plan))


def _record(plan: Plan) -> ExitCode:
    from harness.conformance.take_snapshots import record
    from harness.errors import ExitCode

    total = count = faults = 0
    complaints: list[str] = []
    for written in record(plan, complaints.append):
        faults += written.fault
        what = f"{written.case} {written.implementation} {written.precision}"
        click.echo(f"{what}: {written.reason}" if written.reason else f"{what}: {written.size:,} bytes")
        total, count = total + written.size, count + (written.size > 0)
    failed = f"; {faults} failed and were not recorded" if faults else ""
    click.echo(f"{count} snapshots, {total:,} bytes{failed}")
    say_all(complaints)
    if faults or complaints:
        return ExitCode.WORKER_FAILED
    return ExitCode.OK if count else ExitCode.DIVERGENCE


def _check(plan: Plan) -> ExitCode:
    from harness.conformance.take_snapshots import check
    from harness.errors import ExitCode

    same = bad = not_run = faults = 0
    complaints: list[str] = []
    for recorded_runtime in check(plan, complaints.append):
        faults += recorded_runtime.fault
        bad += recorded_runtime.live and bool(recorded_runtime.reason or recorded_runtime.moved)
        same += recorded_runtime.live and not recorded_runtime.reason and not recorded_runtime.moved
        not_run += not recorded_runtime.live
        for line in lines(recorded_runtime):
            click.echo(line)
    click.echo(f"{same} snapshots have every bit, {bad} do not, {not_run} could not be checked")
    say_all(complaints)
    if faults or complaints:
        return ExitCode.WORKER_FAILED
    return ExitCode.OK if same and not bad else ExitCode.DIVERGENCE


def lines(checked: RecordedRuntime) -> Iterable[str]:
    """What a person needs to know of one snapshot; nothing if all is as it was."""
    what = f"{checked.case} {checked.implementation} {checked.precision}"
    if checked.reason:
        yield f"{what}: {'' if checked.live else 'not checked: '}{checked.reason}"
    if checked.moved:
        yield f"{what}: {len(checked.moved)} outputs moved"
        yield f"  then {checked.then}"
        yield f"  now  {checked.now}"
    for moved in checked.moved[:_SHOWN]:
        yield f"  {moved.mode} {moved.output}: {_how_far(moved)}"
    if len(checked.moved) > _SHOWN:
        yield f"  ... and {len(checked.moved) - _SHOWN} more"


def _how_far(moved: Moved) -> str:
    from harness.report.text import counted

    where = f"{moved.samples} samples, worst {moved.worst_sample}"
    if moved.reason:
        return f"{moved.reason} ({where})"
    return f"{counted(moved.elements, 'element')}, up to {moved.max_ulp:.6g} ULP ({where})"
