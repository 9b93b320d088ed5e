"""``harness audit``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options
from harness.cli.errors import say_all
from harness.cli.results_folder import folder_to_write

if TYPE_CHECKING:
    from rich.console import Console

    from harness.audit.types import Audit, Tried

FILE = "audit.json"
_SHOWN = 40
SECONDS_A_LINE = 30.0
"""Between two lines on progress, where standard error is no terminal."""


@click.command("audit")
@options.suite
@options.globs("--case", "cases", "cases")
@options.globs("--impl", "implementations", "implementations")
@click.option(
    "--level",
    type=click.Choice(["boundary", "source", "both"]),
    default="both",
    show_default=True,
    help="Put faults into what the workers returned, into the sources, or into both.",
)
@click.option("--out", type=click.Path(path_type=Path), help=f"Folder for {FILE}.")
@options.dask
@options.as_json
@options.debug
@click.pass_context
def audit(
    ctx: click.Context,
    suite: Path | None,
    cases: tuple[str, ...],
    implementations: tuple[str, ...],
    level: str,
    out: Path | None,
    dask: str | None,
    dask_wait: float,
    as_json: bool,
) -> None:
    """Put known faults into every stage of every implementation, and count those that are found.

    Arrays come from the snapshots where they stand, else from live runs; sources of NumPy, PyTorch and R are
    changed and run live. The exit code is 0 only if every fault is found, and 4 if a worker died between two
    calls.
    """
    import msgspec

    from harness.audit.audit import audit as run
    from harness.audit.types import Level
    from harness.cli.console import progress_bar, stdout
    from harness.conformance.plan import make_plan
    from harness.errors import ExitCode
    from harness.model.outcome import WORKER_FAULT
    from harness.store.atomic import write_whole

    if dask is not None:
        from harness.cluster.connect import check_address

        check_address(dask)
    if out is not None:
        ctx.with_resource(folder_to_write(out))
    where = options.the_suite(suite)
    plan = make_plan(where, cases=cases)
    picked = make_plan(where, cases=cases, implementations=implementations)
    chosen = {
        (planned.case.name, implementation.id)
        for planned in picked.cases
        for implementation in planned.implementations
    }
    levels = frozenset(Level) if level == "both" else frozenset({Level(level)})
    with progress_bar(every=SECONDS_A_LINE) as show:
        if dask is None:
            result = run(plan, frozenset(chosen), levels=levels, on_progress=show)
        else:
            from harness.cluster.auditing import audit_on_dask

            result = audit_on_dask(
                plan,
                frozenset(chosen),
                dask,
                levels=levels,
                without=out,
                wait=dask_wait,
                on_progress=show,
                say=lambda text: click.echo(text, err=True),
            )
    text = msgspec.json.format(msgspec.json.encode(as_object(result)), indent=2)
    if out is not None:
        write_whole({out / FILE: text + b"\n"})
    if as_json:
        click.echo(text.decode())
    else:
        render(result, stdout())
    died = [complaint for complaint in result.complaints if complaint.startswith(WORKER_FAULT)]
    say_all(died)
    if died:
        ctx.exit(ExitCode.WORKER_FAILED)
    ctx.exit(ExitCode.OK if result.perfect else ExitCode.DIVERGENCE)


def as_object(result: Audit) -> dict[str, object]:
    """The audit as one JSON object."""
    import msgspec

    fields = msgspec.to_builtins(result)
    return {
        "schema": 1,
        "score": {"injected": result.injected, "killed": result.killed, "perfect": result.perfect},
        **fields,
    }


def render(result: Audit, console: Console) -> None:
    """Print the table, the survivors, what proves the equivalent ones, and the score."""
    from collections import Counter

    from rich.table import Table

    from harness.model.outcome import WORKER_FAULT

    table = Table(title="Faults put in, and found")
    table.add_column("case", overflow="fold")
    table.add_column("fault", overflow="fold")
    for name in ("injected", "killed", "equivalent", "survived"):
        table.add_column(name, justify="right")
    last = ""
    for line in result.tallies:
        if last and line.case != last:
            table.add_section()
        counts = (line.injected, line.killed, line.equivalent, line.survived)
        name = line.case if line.case != last else ""
        table.add_row(name, f"{line.level}: {line.fault}", *(str(number) for number in counts))
        last = line.case
    console.print(table)
    proofs = Counter((tried.mutant.fault, _general(tried.reason)) for tried in result.equivalent)
    for (fault, proof), count in sorted(proofs.items()):
        console.print(f"equivalent: {count} x {fault}: {proof}", markup=False)
    untold = [tried for tried in result.equivalent if tried.tells]
    for tried in untold[:_SHOWN]:
        console.print(f"equal on the fixture only: {_named(tried)}; {tried.tells}", markup=False)
    for survivor in result.survivors[:_SHOWN]:
        console.print(f"SURVIVED {_named(survivor)}: {survivor.reason}", markup=False)
        console.print(
            f"  killed by {survivor.tells}" if survivor.tells else "  no input was found that kills it"
        )
    for left, what in ((len(untold), "equal on the fixture only"), (len(result.survivors), "survivors")):
        if left > _SHOWN:
            console.print(f"... and {left - _SHOWN} more {what}: --json has all")
    for complaint in result.complaints:
        if not complaint.startswith(WORKER_FAULT):
            console.print(f"not audited: {complaint}", markup=False)
    # Rounded down, so that 100 % means all of them.
    share = 10_000 * result.killed // result.injected / 100 if result.injected else 0.0
    sources = ", ".join(f"{name} {source}" for name, source in result.sources.items())
    console.print(
        f"{result.killed:,} of {result.injected:,} faults found, {share:g} %: {_by_level(result)};"
        f" {len(result.equivalent):,} more were equivalent, and are no faults"
        f"  ({sources}) in {result.seconds:.1f} s"
    )


def _by_level(audit: Audit) -> str:
    """How many faults were found of those at the workers' boundary, and of those in sources."""
    from harness.audit.types import Level

    where = {Level.BOUNDARY: "in what workers returned", Level.SOURCE: "in sources"}
    parts = []
    for level, place in where.items():
        lines = [line for line in audit.tallies if line.level is level]
        if lines:
            killed, injected = sum(line.killed for line in lines), sum(line.injected for line in lines)
            parts.append(f"{killed:,} of {injected:,} {place}")
    return ", ".join(parts) or "none was put in"


def _general(reason: str) -> str:
    """Return a proof without the numbers and names of its case."""
    import re

    return re.sub(r"\d[\d.e+-]*(?= (?:values|times))|(?<=but in ).*(?=, zero)|'[^']*'", "...", reason)


def _named(tried: Tried) -> str:
    mutant = tried.mutant
    sample = f" [{mutant.sample}]" if mutant.sample else ""
    return f"{mutant.case} {mutant.implementation} {mutant.precision}: {mutant.fault}: {mutant.place}{sample}"
