"""``harness check-worker``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options

if TYPE_CHECKING:
    from harness.runtimes.registry import Launch


@click.command("check-worker")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--runtime", metavar="ID", help="The worker of a runtime that is built in, or the suite's own.")
@options.suite
@click.option(
    "--source",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file in the worker's language with the functions that the checks call.",
)
@options.globs("--only", "only", "checks")
@click.option(
    "--patience",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    help="Seconds for a call or a load.",
)
@options.as_json
@options.debug
@click.pass_context
def check_worker(
    ctx: click.Context,
    command: tuple[str, ...],
    runtime: str | None,
    suite: Path | None,
    source: Path | None,
    only: tuple[str, ...],
    patience: float,
    as_json: bool,
) -> None:
    """Hold a worker to the protocol: harness check-worker -- COMMAND...

    COMMAND starts the worker. Each check says what the worker did and which section of docs/protocol.md it
    is of. What a worker need not have is not offered, which is no failure. Exit code 1 if a check fails.
    """
    import tempfile

    import msgspec

    from harness.audit.worker_checks.bench import Finding, Outcome
    from harness.audit.worker_checks.suite import check_worker as check
    from harness.errors import ExitCode

    launch = _launch(command, runtime, suite)

    def say(finding: Finding) -> None:
        if not as_json:
            remark = f": {finding.got}" if finding.got else ""
            section = f"  [{finding.section}]" if finding.outcome is Outcome.FAIL else ""
            click.echo(f"{finding.outcome:<11}  {finding.check}{remark}{section}")

    with tempfile.TemporaryDirectory(prefix="check-worker-", ignore_cleanup_errors=True) as kept:
        findings = check(
            launch,
            Path(kept),
            source=None if source is None else source.resolve(),
            only=only,
            patience=patience,
            say=say,
            hint=lambda text: click.echo(f"note: {text}", err=True),
        )
    count = {outcome: sum(each.outcome is outcome for each in findings) for outcome in Outcome}
    if as_json:
        told = {"command": list(launch.command), "counts": {str(key): n for key, n in count.items()}}
        text = msgspec.json.encode(told | {"findings": findings})
        click.echo(msgspec.json.format(text, indent=2))
    else:
        click.echo(", ".join(f"{number} {outcome}" for outcome, number in count.items()))
    if count[Outcome.FAIL]:
        ctx.exit(ExitCode.DIVERGENCE)


def _launch(command: tuple[str, ...], runtime: str | None, suite: Path | None) -> Launch:
    import shutil

    from harness.errors import UsageError
    from harness.model import Absent
    from harness.runtimes.registry import Launch, Registry

    if (runtime is None) == (not command):
        raise UsageError(
            "name one worker: a command after --, or a runtime with --runtime",
            advice="harness check-worker -- python3 my_worker.py",
        )
    if runtime is None:
        program = shutil.which(command[0])
        if program is None:
            raise UsageError(
                f"there is no program {command[0]}", advice="name one that is on PATH, or its path"
            )
        return Launch(command=(str(Path(program).absolute()), *command[1:]))
    registry = Registry.load(options.the_suite(suite) if suite is not None else Path())
    if runtime not in registry.specs:
        raise UsageError(f"there is no runtime {runtime!r}", advice=f"there are: {', '.join(registry.specs)}")
    launch = registry.launch(runtime)
    if isinstance(launch, Absent):
        raise UsageError(f"{launch.language} is missing: {launch.reason}", advice="; ".join(launch.advice))
    return launch
