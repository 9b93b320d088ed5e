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
@click.argument("more", nargs=-1, type=click.Path(path_type=Path), metavar="[C...]")
@click.option("--args-a", default="", metavar="TEXT", help="Arguments of the first program.")
@click.option("--args-b", default="", metavar="TEXT", help="Arguments of the second program, and of more.")
@click.option("--language-a", default="", metavar="NAME", help="Which chunks of the first, a document.")
@click.option("--language-b", default="", metavar="NAME", help="The same of the second, and of more.")
@click.option(
    "--map", "maps", multiple=True, metavar="NAME=NAME", help="Variables that are the same; may be repeated."
)
@options.names("--ignore", "Variables that are matched with nothing.")
@click.option("--timeout", default=120.0, show_default=True, help="Seconds for one run of a program.")
@click.option(
    "--seconds",
    default=300.0,
    show_default=True,
    help="Of processor time, after which nothing more is tried.",
)
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
    more: tuple[Path, ...],
    args_a: str,
    args_b: str,
    language_a: str,
    language_b: str,
    maps: tuple[str, ...],
    ignore: tuple[str, ...],
    timeout: float,
    seconds: float,
    all_matches: bool,
    markdown: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Run two existing programs, match their variables, and find the first statement that differs.

    A and B are programs in Python (.py), R (.R) or Julia (.jl), or documents with code (.ipynb, .Rmd, .qmd),
    run as they are, each in a copy of its folder, in the sandbox where there is one; or both are folders that
    `probe` wrote (harness new probe). Of more than two, each is compared with the first.
    """
    from harness.errors import ExitCode, UsageError
    from harness.model.outcome import Outcome
    from harness.programs.probed import aligned_traces, is_trace
    from harness.programs.program import as_program
    from harness.programs.said import given_maps
    from harness.programs.say import as_markdown, as_object, as_text

    given = given_maps(maps)
    if html is not None and more:
        raise UsageError("--html: a page shows two programs", advice="harness align A B --html FILE")
    found: list[Aligned] = []
    for beside in (b, *more):
        if is_trace(a) != is_trace(beside):
            raise UsageError("one is a trace, and the other is not", advice="harness align a.trace b.trace")
        if is_trace(a):
            found.append(aligned_traces(a, beside, given=given, ignored=ignore))
            continue
        first = as_program(a, shlex.split(args_a), language_a.lower())
        second = as_program(beside, shlex.split(args_b), language_b.lower())
        found.append(_run(first, second, timeout, seconds, given, ignore))
    if html is not None:
        from harness.programs.page import render

        _write(html, render(found[0]))
    codes = {
        Outcome.FAULT: ExitCode.WORKER_FAILED, Outcome.DIVERGENCE: ExitCode.DIVERGENCE,
        Outcome.INCOMPLETE: ExitCode.INCOMPLETE, Outcome.AGREEMENT: ExitCode.OK,
    }  # fmt: skip
    # Of several, what is worst is said first.
    worst = min((one.said.outcome for one in found), key=[*codes].index)
    if as_json:
        from harness.report.as_json import dumps

        pairs = [as_object(one.said) for one in found]
        several = {"outcome": str(worst), "a": str(a)}
        named = [{"b": str(path)} | pair for path, pair in zip((b, *more), pairs, strict=True)]
        click.echo(dumps(several | {"pairs": named} if more else pairs[0]))
    else:
        texts = [
            as_markdown(one.said) if markdown else as_text(one.said, all_matches=all_matches) for one in found
        ]
        heads = [f"{a} and {path}" for path in (b, *more)]
        if more:
            texts = [f"{'### ' * markdown}{head}\n\n{text}" for head, text in zip(heads, texts, strict=True)]
        click.echo("\n\n".join(texts))
    ctx.exit(codes[worst])


def _run(
    first: Program,
    second: Program,
    timeout: float,
    seconds: float,
    given: Mapping[str, str],
    ignored: Iterable[str],
) -> Aligned:
    from harness.programs.alignment import aligned
    from harness.sessions.sandbox import Limits, find_sandbox

    # They are the user's own programs, run as `python a.py` would run them.
    sandbox = find_sandbox(unsandboxed=True)
    limits = Limits(chunk_seconds=timeout)
    return aligned(first, second, sandbox, limits=limits, seconds=seconds, given=given, ignored=ignored)


def _write(path: Path, page: str) -> None:
    from harness.errors import UsageError
    from harness.store.atomic import write_whole

    try:
        write_whole({path: page.encode()})
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror or error}", path=path) from error
