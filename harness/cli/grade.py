"""``harness grade``."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli import options
from harness.cli.report import read, save

GRADED = "graded"


@click.command("grade")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--tolerance",
    "written",
    multiple=True,
    metavar="[CASE/STAGE:]RULE[=NUMBERS]",
    help="E.g. ulp=8, exact, or four_word/weights:absolute=1e-12; may be repeated, the last holds.",
)
@options.suite
@options.glove
@click.option(
    "--out", type=click.Path(path_type=Path), help=f"Folder for the new record; DIR/{GRADED} when not given."
)
@options.as_json
@options.debug
@click.pass_context
def grade(
    ctx: click.Context,
    folder: Path,
    written: tuple[str, ...],
    suite: Path | None,
    glove: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Judge recorded observations again, by other tolerances; no implementation is run.

    The cases and implementations are those of the record in DIR, the observations those that harness snapshot
    keeps beside the fixtures. Without --tolerance, the limits are those that each case.toml states now. What
    an article's own code computed is not recorded there, and left out; what was found in articles is kept.
    """
    from harness.cli.results_folder import folder_to_write
    from harness.cli.run import report as print_report
    from harness.conformance.grade import parse_tolerance, regrade
    from harness.conformance.plan import make_plan
    from harness.conformance.run import run as run_plan
    from harness.errors import UsageError
    from harness.model import outcome_of
    from harness.model.outcome import is_published
    from harness.report.files import Request, rendered
    from harness.report.view import implementations

    tolerances = [parse_tolerance(text) for text in written]
    record = read(folder)
    # What an article's own code computed is not recorded beside the fixtures.
    names = tuple(name for name in implementations(record) if not is_published(name))
    if not names:
        raise UsageError("this record has no cells to grade", path=folder)
    plan = make_plan(
        options.the_suite(suite),
        cases=tuple(dict.fromkeys(cell.case for cell in record.cells)),
        implementations=names,
        precisions=tuple(dict.fromkeys(cell.precision.value for cell in record.cells)),
        glove=glove,
    )
    where = out or (folder if folder.is_dir() else folder.parent) / GRADED
    ctx.with_resource(folder_to_write(where))
    graded = run_plan(regrade(plan, tolerances), out=where, replay="always", others=record.documents)
    save(where, rendered(Request(record=graded, base=record)))
    print_report(graded, as_json=as_json)
    ctx.exit(outcome_of(graded).exit_code)
