"""``harness regenerate``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli import options

if TYPE_CHECKING:
    from harness.store.regenerate import RegeneratedFixture


@click.command("regenerate")
@click.argument("fixtures", nargs=-1, metavar="[FIXTURE]...")
@options.suite
@click.option("--check", is_flag=True, help="Write nothing; say whether the fixtures still come out.")
@click.option(
    "--accept",
    is_flag=True,
    help="Overwrite arrays that differ and changes not yet committed; take edited data as it is.",
)
@options.debug
@click.pass_context
def regenerate(
    ctx: click.Context, fixtures: tuple[str, ...], suite: Path | None, check: bool, accept: bool
) -> None:
    """Make fixtures again from the generators in their fixture.toml; all of them if none is named.

    The random streams of R, Julia, PyTorch and NumPy come from harness.streams: none of the languages has to
    be there. Data that no generator makes is kept; edited data is taken as it is with --accept, which writes
    its checksum and shapes. The exit code is 1 if a stored fixture no longer comes out, bit for bit.
    """
    from harness.errors import ExitCode, UsageError
    from harness.store.accept import accept_data
    from harness.store.regenerate import check as check_fixture
    from harness.store.regenerate import fixture_folders, write

    if check and accept:
        raise UsageError("--check writes nothing, and --accept overwrites", advice="give one of them")
    where = options.the_suite(suite)
    folders = fixture_folders(where)
    for name in fixtures:
        if name not in folders:
            raise UsageError(f"no fixture is called {name!r}", advice=f"there are: {', '.join(folders)}")
    if not folders:
        raise UsageError("there is no fixture", path=where)
    code = ExitCode.OK
    for name in fixtures or folders:
        taken = accept_data(folders[name]) if accept else []
        for change in taken:
            click.echo(f"{name}: {change}")
        checked = check_fixture(folders[name], describes=accept)
        for line in lines(checked):
            click.echo(line)
        if checked.differences and not accept and (check or checked.stored):
            code = ExitCode.DIVERGENCE
            if not check:
                click.echo("  not written: --accept overwrites")
        elif not check and write(folders[name], accept=accept):
            click.echo("  written")
    ctx.exit(code)


def lines(checked: RegeneratedFixture) -> Iterable[str]:
    """What a person needs to know of one fixture."""
    from harness.report.text import counted

    made = f"{checked.arrays - len(checked.data)} arrays ({', '.join(checked.kinds)})"
    if not checked.differences and len(checked.data) == checked.arrays:
        yield f"{checked.name}: {checked.arrays} arrays are data, and as their checksum says"
        return
    if not checked.differences:
        kept = f", {len(checked.data)} are data and kept" if checked.data else ""
        yield f"{checked.name}: {made} come out, bit for bit{kept}"
        return
    yield f"{checked.name}: {len(checked.differences)} of {made} do not come out"
    for difference in checked.differences:
        how = difference.reason or (
            f"{difference.elements} of {counted(difference.count, 'element')} differ,"
            f" up to {difference.max_ulp:.6g} ULP,"
            f" first at {list(difference.first)}"
        )
        yield f"  {difference.array}: {how}"
    if checked.since:
        yield f"  stored since {checked.since}"
