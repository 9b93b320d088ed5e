"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def _remember_debug(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta["harness.debug"] = True


debug = click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    callback=_remember_debug,
    help="Show the traceback of an error.",
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")

suite = click.option(
    "--suite",
    type=click.Path(path_type=Path),
    help="Folder of cases; when not given: this folder, the one in it, or reference_impls/ upwards.",
)

glove = click.option(
    "--glove",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    envvar="HARNESS_GLOVE",
    show_envvar=True,
    help="Word vectors in GloVe's text format.",
)


def globs(name: str, parameter: str, what: str) -> Callable[[Command], Command]:
    """An option that takes a glob pattern and may be repeated."""
    return click.option(
        name,
        parameter,
        multiple=True,
        default=("*",),
        metavar="GLOB",
        help=f"Only {what} whose name matches; may be repeated; !GLOB leaves out.",
    )


def names(name: str, what: str) -> Callable[[Command], Command]:
    """An option that takes names, separated by commas, and may be repeated."""

    def split(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
        items = (item.strip() for text in given for item in text.split(","))
        return tuple(dict.fromkeys(item for item in items if item))

    return click.option(name, multiple=True, callback=split, metavar="LIST", help=what)


def dask(command: Command) -> Command:
    """Where else than here."""
    address = click.option(
        "--dask",
        metavar="ADDRESS",
        help="Use the workers of the Dask scheduler at this address, such as tcp://10.0.0.1:8786; local:N"
        " starts N of them here.",
    )
    wait = click.option(
        "--dask-wait",
        "dask_wait",
        type=click.FloatRange(min=0),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="How long to wait for a Dask worker while there is none that can be used.",
    )
    return address(wait(command))


def the_suite(given: Path | None) -> Path:
    """The suite that was named, or the one that this folder belongs to.

    Raises
    ------
    UsageError
        There is none.
    """
    from harness.errors import UsageError
    from harness.store.suites import current_folder, find_suite

    if given is None:
        return find_suite(current_folder())
    if not given.is_dir():
        raise UsageError("no such folder", path=given, advice="--suite takes a folder of case folders")
    return given


def new_suite(given: Path | None) -> Path:
    """The suite that was named, need it be there or not; else this folder's, or a new one called conformance.

    Raises
    ------
    UsageError
        This folder holds several.
    """
    from harness.errors import UsageError
    from harness.store.suites import current_folder, find_suite, suites_in

    if given is not None:
        return given
    here = current_folder().resolve()
    try:
        suite = find_suite(here)
        return suite.relative_to(here) if suite.is_relative_to(here) else suite
    except UsageError:
        if suites_in(here):
            raise
        return Path("conformance")
