"""``harness adopt``."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from harness.cli import options

EPILOG = """\b
Exit codes:
    0  the case is written; harness run says whether the two agree
    2  a mistake in the command, a program that does not run, or nothing that a case can be made of
    3  a language is not here
"""


@click.command("adopt", epilog=EPILOG)
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path))
@click.option("--name", default="", help="The case's name; else that of the first program.")
@click.option("--suite", type=click.Path(path_type=Path), help="Folder of cases; made where there is none.")
@click.option("--args-a", default="", metavar="TEXT", help="Arguments of the first program.")
@click.option("--args-b", default="", metavar="TEXT", help="Arguments of the second program.")
@click.option("--language-a", default="", metavar="NAME", help="Which chunks of the first, a document.")
@click.option("--language-b", default="", metavar="NAME", help="The same of the second.")
@click.option(
    "--map", "maps", multiple=True, metavar="NAME=NAME", help="Variables that are the same; may be repeated."
)
@options.names("--ignore", "Variables that are matched with nothing.")
@click.option("--timeout", default=120.0, show_default=True, help="Seconds for one run of a program.")
@options.as_json
@options.debug
def adopt(
    a: Path,
    b: Path,
    name: str,
    suite: Path | None,
    args_a: str,
    args_b: str,
    language_a: str,
    language_b: str,
    maps: tuple[str, ...],
    ignore: tuple[str, ...],
    timeout: float,
    as_json: bool,
) -> None:
    """Make a case of two existing programs, which harness run compares from then on.

    A and B are aligned as harness align does it. Each variable that both set at their top level becomes a
    stage: the statements between it and the variables that it is computed from, with the imports, functions
    and data files that they need. Values that both begin with are the fixture. Nothing is overwritten.
    """
    from harness.adoption.adopt import adopt as make
    from harness.adoption.said import as_object, as_text
    from harness.cli.new import check_name, run_command
    from harness.cli.new_files import fixtures_of
    from harness.programs.program import as_program
    from harness.programs.said import given_maps
    from harness.sessions.sandbox import Limits, find_sandbox
    from harness.store.samples_of_files import plain_name

    first = as_program(a, shlex.split(args_a), language_a.lower())
    second = as_program(b, shlex.split(args_b), language_b.lower())
    called = name or plain_name(a.stem)
    check_name(called, "case")
    where = options.new_suite(suite)
    made = make(
        first, second, called, where, fixtures_of(where) / called, find_sandbox(unsandboxed=True),
        limits=Limits(chunk_seconds=timeout), given=given_maps(maps), ignored=ignore,
    )  # fmt: skip
    command = run_command(where, called)
    if as_json:
        from harness.report.as_json import dumps

        click.echo(dumps(as_object(made, command)))
    else:
        click.echo(as_text(made, command))
