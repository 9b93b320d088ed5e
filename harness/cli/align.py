"""``harness align``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options

if TYPE_CHECKING:
    from harness.programs.alignment import Aligned
    from harness.programs.program import Program

EPILOG = """\b
Exit codes:
    0  AGREEMENT: all results that could be matched agree
    1  DIVERGENCE: results differ; the statements that may be the cause are listed
    2  a mistake in the command, or a file that cannot be used
    3  a language is not here
    4  FAULT: a program failed or did not end; what could be said until there is printed
    5  INCOMPLETE: no result of one could be matched with a result of the other
"""


@click.command("align", epilog=EPILOG)
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path))
@click.option("--args-a", default="", metavar="TEXT", help="Arguments of the first program.")
@click.option("--args-b", default="", metavar="TEXT", help="Arguments of the second program.")
@click.option("--language-a", default="", metavar="NAME", help="Which chunks of the first, a document.")
@click.option("--language-b", default="", metavar="NAME", help="Which chunks of the second, a document.")
@click.option(
    "--map", "maps", multiple=True, metavar="NAME=NAME", help="Variables that are the same; may be repeated."
)
@options.names("--ignore", "Variables that are matched with nothing.")
@click.option("--timeout", default=120.0, show_default=True, help="Seconds for one run of a program.")
@click.option("--matches", "all_matches", is_flag=True, help="List all matches, not only those that differ.")
@click.option("--markdown", is_flag=True, help="Print Markdown, for a comment.")
@click.option(
    "--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page with the two side by side."
)
@options.as_json
@options.debug
@click.pass_context
def align(
    ctx: click.Context,
    a: Path,
    b: Path,
    args_a: str,
    args_b: str,
    language_a: str,
    language_b: str,
    maps: tuple[str, ...],
    ignore: tuple[str, ...],
    timeout: float,
    all_matches: bool,
    markdown: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Run two existing programs, match their variables, and find the first statement that differs.

    A and B are programs in Python (.py), R (.R) or Julia (.jl), or documents with code (.ipynb, .Rmd, .qmd),
    run as they are, each in a copy of its folder, in the sandbox where there is one; or both are folders that
    `probe` wrote (harness new probe).
    """
    from harness.errors import ExitCode, UsageError
    from harness.model.outcome import Outcome
    from harness.programs.probed import aligned_traces, is_trace
    from harness.programs.program import as_program
    from harness.programs.say import as_markdown, as_object, as_text

    given = {}
    for text in maps:
        one, equals, other = text.partition("=")
        if not equals or not one or not other:
            raise UsageError(f"--map {text}: two names are due", advice="--map NAME=NAME")
        given[one] = other
    if is_trace(a) or is_trace(b):
        if not (is_trace(a) and is_trace(b)):
            raise UsageError("one is a trace, and the other is not", advice="harness align a.trace b.trace")
        both = aligned_traces(a, b, given=given, ignored=ignore)
    else:
        both = _run(
            as_program(a, shlex.split(args_a), language_a.lower()),
            as_program(b, shlex.split(args_b), language_b.lower()),
            timeout, given, ignore,
        )  # fmt: skip
    alignment = both.said
    if html is not None:
        from harness.programs.page import render

        _write(html, render(both))
    if as_json:
        from harness.report.as_json import dumps

        click.echo(dumps(as_object(alignment)))
    else:
        click.echo(as_markdown(alignment) if markdown else as_text(alignment, all_matches=all_matches))
    codes = {
        Outcome.AGREEMENT: ExitCode.OK, Outcome.DIVERGENCE: ExitCode.DIVERGENCE,
        Outcome.FAULT: ExitCode.WORKER_FAILED, Outcome.INCOMPLETE: ExitCode.INCOMPLETE,
    }  # fmt: skip
    ctx.exit(codes[alignment.outcome])


def _run(
    first: Program, second: Program, timeout: float, given: Mapping[str, str], ignored: Iterable[str]
) -> Aligned:
    from harness.programs.alignment import aligned
    from harness.sessions.sandbox import Limits, find_sandbox

    # They are the user's own programs, run as `python a.py` would run them.
    sandbox = find_sandbox(unsandboxed=True)
    limits = Limits(chunk_seconds=timeout)
    return aligned(first, second, sandbox, limits=limits, given=given, ignored=ignored)


def _write(path: Path, page: str) -> None:
    from harness.errors import UsageError
    from harness.store.atomic import write_whole

    try:
        write_whole({path: page.encode()})
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror or error}", path=path) from error
