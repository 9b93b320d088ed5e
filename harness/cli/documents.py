"""``harness documents``."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import document_options, options
from harness.cli.signals import deferrable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.findings.examine import Detector, Examination
    from harness.model.article import Examined

EPILOG = """\b
Exit codes, the first that holds:
  130  interrupted; the documents that were complete are in the record; 128 + n: signal n ended it
    2  a mistake in the command, a document that cannot be read (the others are run), or a package
       that --fix could not install
    3  a language that --require names could not be run in a document that needs it
    4  the harness failed while it ran a document (the others are run)
    1  something is wrong: the code gives something else than is printed, in two fresh runs that agree
    5  incomplete: a document shows outputs, and none of them is reproduced or wrong
    0  neither
"""


@click.command("documents", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@document_options.run_unevaluated
@click.option(
    "--deep",
    is_flag=True,
    help="Run it again in other orders, with other sizes, and more: a result that depends on them is found.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=600.0,
    show_default=True,
    help="Time for the further runs of --deep, for each document; what it does not reach is listed.",
)
@click.option("--as-script", is_flag=True, help="Run the document as a script, not as at a prompt.")
@document_options.trust
@document_options.unsandboxed
@options.names(
    "--require", "Languages that must be there, e.g. r,julia; a missing one ends with exit code 3."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for the record, its reports, and a page of findings for each document.",
)
@click.option(
    "--fix",
    is_flag=True,
    help="Offer to install Python and R packages that a document lacks into its own folder, and check it.",
)
@click.option(
    "--diff",
    "base",
    type=click.Path(path_type=Path),
    help="Folder or record of an earlier run: only findings that it did not have are shown, and count.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "sarif", "github"]),
    default="text",
    show_default=True,
    help="What is printed: a page, JSON, a comment in Markdown, SARIF, or GitHub's annotations.",
)
@options.suite
@options.glove
@options.as_json
@options.debug
@click.pass_context
def documents(
    ctx: click.Context,
    paths: tuple[Path, ...],
    run_unevaluated: bool,
    deep: bool,
    seconds: float,
    as_script: bool,
    trust: bool,
    unsandboxed: bool,
    require: tuple[str, ...],
    out: Path | None,
    fix: bool,
    base: Path | None,
    form: str,
    suite: Path | None,
    glove: Path | None,
    as_json: bool,
) -> None:
    """Run articles and notebooks, hold them to what they print, and list what is wrong with them.

    PATH is a document (.md, .rst, .Rmd, .qmd, .ipynb, .org, .adoc, .html) or a folder of them.
    """
    form = "json" if as_json else form
    earlier = _earlier(base)
    folder = document_options.the_suite(suite)
    vouched, sandbox = document_options.vouched_for(
        paths, trust=trust, unsandboxed=unsandboxed, suite=folder if suite is None else None
    )
    document_options.known_languages(require)
    import msgspec

    from harness.cli.console import status_line
    from harness.cli.own_packages import OwnPackages
    from harness.documents.engine import RunSettings
    from harness.errors import ExitCode
    from harness.findings.articles import examine_all
    from harness.findings.examine import QUICK
    from harness.findings.exchange import only_new
    from harness.findings.report import exit_code, lacking, text_page

    written, lock = None, None
    if out is not None:
        from harness.cli.results_folder import folder_to_write
        from harness.store.lock import only_writer

        document_options.check_unique_names(vouched)
        written = ctx.with_resource(folder_to_write(out))
        lock = ctx.with_resource(only_writer(written))
    plan = RunSettings(
        mode="script" if as_script else "prompt",
        run_unevaluated=run_unevaluated,
        glove=glove,
        roots=tuple(path for path in paths if path.is_dir()),
    )
    detectors = _experiments() if deep else QUICK
    examine = partial(examine_all, sandbox=sandbox, suite=folder, detectors=detectors, seconds=seconds)

    def show(examination: Examination) -> None:
        if form == "text":
            click.echo(text_page(*only_new([examination.examined], earlier)))

    begun = time.perf_counter()
    examined: list[Examination] = []
    interrupted, pages, unfixed = "", 0, False
    with deferrable() as defer:
        try:
            with status_line() as on_step:
                for examination in examine(vouched, plan=plan, on_step=on_step):
                    examined.append(examination)
                    show(examination)
            for place, document in enumerate(vouched) if fix else ():
                packages = OwnPackages(document, sandbox)
                # What is installed may show what else is lacking.
                while packages.added_for(examined[place].examined):
                    fuller = msgspec.structs.replace(plan, **packages.folders)
                    (examined[place],) = examine([document], plan=fuller)
                    show(examined[place])
                unfixed |= packages.refused
            defer()
        except KeyboardInterrupt as error:
            defer()
            from harness.conformance.early import reason_of

            interrupted = reason_of(error) if len(examined) < len(vouched) else ""
        if written is not None and lock is not None:
            lock.renew()
            # Before anything more is printed, which may get lost.
            pages = _write(examined, folder, written, time.perf_counter() - begun, interrupted)
    examineds = only_new([examination.examined for examination in examined], earlier)
    _print(form, examineds, {path.name: path for path in vouched}, require)
    for language, why in lacking(examineds, require).items():
        click.echo(f"required, and missing: {language}: {why}", err=True)
    if out is not None and form == "text":
        click.echo(f"{pages} pages of findings, the record and its reports in {out}")
    if interrupted:
        left = ", ".join(path.name for path in vouched if path.name not in {e.document for e in examineds})
        click.echo(
            f"{interrupted}: {len(examined)} of {len(vouched)} documents are complete, not {left}", err=True
        )
        ctx.exit(ExitCode.INTERRUPTED)
    ctx.exit(ExitCode.USAGE if unfixed else exit_code(examineds, require))


def _experiments() -> Sequence[Detector]:
    """Return all detectors, with those that run a document again and again."""
    from harness.findings.experiments import DETECTORS

    return DETECTORS


def _earlier(base: Path | None) -> tuple[Examined, ...]:
    """Return the documents of an earlier run."""
    from harness.cli.report import read

    return tuple(read(base).documents) if base is not None else ()


def _print(
    form: str, examined: Sequence[Examined], paths: Mapping[str, Path], require: Sequence[str]
) -> None:
    """Print what was found; in the form of a page, what stands below those of the documents."""
    from harness.findings.exchange import github_annotations, markdown_comment, sarif
    from harness.findings.report import as_object, summary
    from harness.report.as_json import dumps

    match form:
        case "json":
            click.echo(dumps(as_object(examined, require)))
        case "markdown":
            click.echo(markdown_comment(examined), nl=False)
        case "sarif":
            click.echo(dumps(sarif(examined, paths)))
        case "github":
            click.echo("\n".join(github_annotations(examined, paths)))
        case _:
            click.echo(summary(examined))


def _write(
    examined: Sequence[Examination], suite: Path | None, out: Path, seconds: float, interrupted: str
) -> int:
    """Write the record, its reports, and a page for each document; return how many pages."""
    from harness.cli.report import save
    from harness.findings.articles import write_record
    from harness.findings.report import write_pages
    from harness.report.files import Request, rendered

    record = write_record(examined, suite=suite, out=out, seconds=seconds, interrupted=interrupted)
    save(out, rendered(Request(record=record)))
    return len(write_pages([examination.examined for examination in examined], out))
