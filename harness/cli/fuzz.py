"""``harness fuzz``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options
from harness.cli.errors import say_all
from harness.cli.results_folder import folder_to_write

if TYPE_CHECKING:
    from harness.conformance.plan import Plan
    from harness.errors import ExitCode
    from harness.fuzz.hunt import Finding
    from harness.fuzz.session import Session

SECONDS = 60.0
DATABASE = "examples"
"""The folder of inputs that are kept, in that of the results."""

EPILOG = """\b
Exit codes, the first that holds:
  130  it was interrupted
    2  a mistake in the command, a case.toml or a fixture
    4  an implementation crashed, hung or raised an error where the reference has a value
    1  an implementation is off
    5  no other implementation could be compared
    0  none is off on any input that was judged
"""


@click.command("fuzz", epilog=EPILOG)
@click.argument("case")
@options.suite
@options.globs("--impl", "implementations", "implementations")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help=f"How long inputs are drawn; {SECONDS:g} where --inputs is not given either.",
)
@click.option("--inputs", type=click.IntRange(min=1), help="How many inputs are drawn.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Another one draws other inputs; the same one the same.",
)
@click.option("--precision", help="In which format; by default the first of the case.")
@click.option(
    "--batch",
    type=click.IntRange(min=1, max=65536),
    default=512,
    show_default=True,
    help="Inputs that a language is given at once: fewer where a stage takes long.",
)
@click.option("--keep", is_flag=True, help="Add each input that is found to the case's fixture, as a sample.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("results", "fuzz"),
    show_default=True,
    help="Folder for scripts that show what is found, and for the inputs, which are tried first next time.",
)
@options.glove
@options.debug
@click.pass_context
def fuzz(
    ctx: click.Context,
    case: str,
    suite: Path | None,
    implementations: tuple[str, ...],
    seconds: float | None,
    inputs: int | None,
    seed: int,
    precision: str | None,
    batch: int,
    keep: bool,
    out: Path,
    glove: Path | None,
) -> None:
    """Draw inputs for a case, and find one on which a language is off.

    All languages are compared on each input; where they part by more than rounding explains, true values say
    who is off, as in a run, and an input is made as small and simple as can be. Sizes and numbers are drawn
    from what the case.toml says of its inputs: docs/guides/fuzzing.md.
    """
    from harness.conformance.plan import make_plan
    from harness.fuzz.session import session
    from harness.store.lock import only_writer

    where = options.the_suite(suite)
    plan = _one_case(
        make_plan(where, cases=(case,), implementations=implementations, glove=glove), case, precision
    )
    plan = _of_ieee(plan, implementations)
    ctx.with_resource(only_writer(ctx.with_resource(folder_to_write(out))))
    shown = _Shown(plan, out, seed, keep=keep)
    with session(plan, seed=seed, batch=batch, on_finding=shown.finding) as opened:
        shown.begin(opened)
        limit = SECONDS if seconds is None and inputs is None else seconds
        interrupted = False
        try:
            shown.replay(opened)
            opened.hunt.run(seconds=limit, inputs=inputs)
        except KeyboardInterrupt:
            interrupted = True
        code = shown.end(opened)
    say_all(opened.complaints)
    if interrupted:
        raise KeyboardInterrupt("interrupted; what was found until then is above")
    ctx.exit(code)


def _one_case(plan: Plan, case: str, precision: str | None) -> Plan:
    """The plan with one case in one precision."""
    import msgspec

    from harness.errors import UsageError

    if len(plan.cases) > 1:
        names = ", ".join(planned.case.name for planned in plan.cases)
        raise UsageError(f"{case!r} matches several cases: {names}", advice="name one")
    (planned,) = plan.cases
    known = {found.value: found for found in planned.precisions}
    if precision is not None and precision not in known:
        raise UsageError(
            f"{planned.case.name} has no precision {precision!r}", advice=f"there are: {', '.join(known)}"
        )
    chosen = known[precision] if precision else planned.precisions[0]
    return msgspec.structs.replace(plan, cases=(msgspec.structs.replace(planned, precisions=(chosen,)),))


def _of_ieee(plan: Plan, patterns: tuple[str, ...]) -> Plan:
    """The plan without what reckons otherwise than IEEE 754 says, unless it is named: that is known."""
    from fnmatch import fnmatchcase

    import msgspec

    named = [pattern for pattern in patterns if pattern != "*" and not pattern.startswith("!")]
    (planned,) = plan.cases
    kept = []
    for implementation in planned.implementations:
        why = plan.registry.specs[implementation.runtime].not_ieee
        if why and not any(fnmatchcase(implementation.id, pattern) for pattern in named):
            click.echo(f"{implementation.id} is left out, unless --impl names it: {why}", err=True)
        else:
            kept.append(implementation)
    chosen = msgspec.structs.replace(planned, implementations=tuple(kept))
    return msgspec.structs.replace(plan, cases=(chosen,))


class _Shown:
    """Prints what is found, and keeps it."""

    def __init__(self, plan: Plan, out: Path, seed: int, *, keep: bool) -> None:
        from harness.fuzz.kept import Kept

        (planned,) = plan.cases
        self.plan = plan
        self.planned = planned
        self.out = out
        self.seed = seed
        self.keep = keep
        self.kept = Kept(out / DATABASE, planned.case.name, planned.precisions[0])
        self.findings: list[Finding] = []

    def begin(self, opened: Session) -> None:
        """Say what is compared, and what is drawn."""
        from harness.fuzz.say import drawn

        hunt = opened.hunt
        names = ", ".join(subject.id for subject in (hunt.reference, *hunt.others))
        click.echo(f"{self.planned.case.name} in {names}, {self.planned.precisions[0]}", err=True)
        for line in drawn(hunt.domain, opened.refused):
            click.echo(line, err=True)
        for name, why in opened.missing.items():
            click.echo(f"{name} is left out: {why}", err=True)
        hunt.warm_up()

    def replay(self, opened: Session) -> None:
        """Try what was found before; forget what is mended."""
        hunt = opened.hunt
        # Who is not asked cannot be shown to be mended.
        everybody = not self.plan.left_out.get("implementations") and not opened.missing
        for subject in (hunt.reference, *hunt.others):
            known = self.kept.load(hunt.domain, subject.id)
            for inputs, shows in zip(known, hunt.replay(known), strict=True):
                if not shows and everybody:
                    self.kept.forget(inputs, subject.id)

    def finding(self, finding: Finding) -> None:
        """Print a finding, write its scripts, keep its input."""
        from harness.fuzz.keep import keep
        from harness.fuzz.say import finding_lines
        from harness.fuzz.scripts import write_scripts

        self.findings.append(finding)
        for line in finding_lines(finding, len(self.findings)):
            click.echo(line)
        self.kept.save(finding.inputs, finding.accusation.implementation)
        case = self.planned.case.name
        implementation, stage = finding.accusation.place
        written, missing = write_scripts(finding, self.out / case / f"{stage}.{implementation}")
        if written:
            names = ", ".join(path.parent.name for path in written)
            click.echo(f"   scripts that show it, of {names}: {written[0].parents[1]}")
        for why in missing:
            click.echo(f"   no script for {why}")
        if self.keep:
            origin = f"harness fuzz {case} --seed {self.seed}: {implementation} was off in {stage}"
            sample = keep(self.planned.case, self.plan.suite, finding.inputs, origin)
            click.echo(f"   kept as the sample {sample} of the fixture {self.planned.fixture.name}")

    def end(self, opened: Session) -> ExitCode:
        """Say what was done; the exit code."""
        from harness.errors import ExitCode
        from harness.fuzz.hunt import is_fault
        from harness.fuzz.say import ended

        for line in ended(opened.hunt.tally, self.findings, self.seed):
            click.echo(line)
        opened.complaints.extend(dict.fromkeys(opened.hunt.tally.faults))
        for name, why in opened.hunt.left_out.items():
            click.echo(f"{name} was left out on the way: {why}")
        if any(map(is_fault, self.findings)) or opened.hunt.tally.faults:
            return ExitCode.WORKER_FAILED
        if self.findings:
            return ExitCode.DIVERGENCE
        return ExitCode.OK if opened.hunt.others else ExitCode.INCOMPLETE
