"""``harness fuzz``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options
from harness.cli.errors import say_all
from harness.cli.fuzz_shown import Shown
from harness.cli.results_folder import folder_to_write

if TYPE_CHECKING:
    from harness.conformance.plan import Plan

SECONDS = 60.0

EPILOG = """\b
Exit codes, the first that holds:
  130  it was interrupted
    2  a mistake in the command, a case.toml or a fixture
    4  an implementation crashed, hung or raised an error where the reference has a value
    1  an implementation is off
    5  nothing could be compared, or the languages part and nothing of it could be decided
    0  none is off on any input that was judged
"""


@click.command("fuzz", epilog=EPILOG)
@click.argument("case")
@options.suite
@options.globs("--impl", "implementations", "implementations")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="How long sizes are tried and inputs drawn, from when all languages are there;"
    f" {SECONDS:g} where --inputs is not given either.",
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
@options.dask
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
    dask: str | None,
    dask_wait: float,
    glove: Path | None,
) -> None:
    """Draw inputs for a case, and find one on which a language is off.

    All languages are compared on each input; where they part by more than rounding explains, true values say
    who is off, as in a run, and an input is made as small and simple as can be. Sizes and numbers are drawn
    from what the case.toml says of its inputs: docs/guides/fuzzing.md.
    """
    from harness.conformance.plan import make_plan
    from harness.store.lock import only_writer

    if dask is not None:
        from harness.cluster.connect import check_address

        check_address(dask)
    where = options.the_suite(suite)
    plan = _one_case(
        make_plan(where, cases=(case,), implementations=implementations, glove=glove), case, precision
    )
    plan = _of_ieee(plan, implementations)
    if keep:
        from harness.fuzz.keep import check_keep

        check_keep(plan.cases[0].case, plan.suite)
    ctx.with_resource(only_writer(ctx.with_resource(folder_to_write(out))))
    shown = Shown(plan, out, seed, keep=keep)
    limit = SECONDS if seconds is None and inputs is None else seconds
    if dask is None:
        interrupted = _here(shown, limit, inputs, batch)
    else:
        interrupted = _on_dask(shown, limit, inputs, batch, dask, dask_wait, glove)
    code = shown.end()
    say_all(shown.complaints)
    if interrupted:
        raise KeyboardInterrupt("interrupted; what was found until then is above")
    ctx.exit(code)


def _here(shown: Shown, seconds: float | None, inputs: int | None, batch: int) -> bool:
    """Search on this machine; whether it was interrupted."""
    from harness.fuzz.session import session
    from harness.fuzz.told import told

    interrupted = False
    with session(
        shown.plan,
        seed=shown.seed,
        seconds=seconds,
        batch=batch,
        on_finding=lambda found: shown.finding(told(found)),
    ) as opened:
        hunt = opened.hunt
        shown.begin([subject.id for subject in (hunt.reference, *hunt.others)], opened)
        hunt.warm_up()
        try:
            known = shown.known(hunt.domain)
            shown.tried(known, hunt.replay([inputs for _, inputs in known]))
            hunt.run(seconds=seconds, inputs=inputs)
        except KeyboardInterrupt:
            interrupted = True
        shown.add(hunt.tally, hunt.left_out, hunt.signs.told)
    shown.complaints += opened.complaints
    return interrupted


def _on_dask(
    shown: Shown,
    seconds: float | None,
    inputs: int | None,
    batch: int,
    address: str,
    wait: float,
    glove: Path | None,
) -> bool:
    """Search on a Dask cluster; whether it was interrupted."""
    import time

    from harness.cluster.fuzzing import fuzz_on_dask
    from harness.fuzz.domain import domain_of
    from harness.model.outcome import WORKER_FAULT

    (planned,) = shown.plan.cases
    known = shown.known(domain_of(planned.case, planned.fixture, planned.folder, planned.precisions[0]))
    begun = time.perf_counter()
    try:
        for place, searched in enumerate(
            fuzz_on_dask(
                shown.plan,
                address,
                seed=shown.seed,
                seconds=seconds,
                inputs=inputs,
                batch=batch,
                kept=[inputs for _, inputs in known],
                without=shown.out,
                wait=wait,
                glove=glove,
                say=lambda text: click.echo(text, err=True),
            )
        ):
            if isinstance(searched, str):
                shown.complaints.append(f"{WORKER_FAULT}a part of the search: {searched}")
                continue
            shown.begin(searched.names, searched)
            if place == 0:
                shown.tried(known, searched.shown)
            for found in searched.told:
                shown.finding(found)
            shown.add(searched.tally, searched.left_out, searched.signs)
            shown.complaints += searched.complaints
    except KeyboardInterrupt:
        return True
    finally:
        shown.seconds = time.perf_counter() - begun
    return False


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
