"""Turns exceptions into one line on stderr and an exit code."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import Any

import click

from harness.cli.output import unbreakable
from harness.cli.signals import ending
from harness.errors import ExitCode, HarnessError

SIGNAL = 128
"""A shell adds this to the number of the signal that ended a process."""


SAVING = frozenset(
    {"run", "snapshot", "record", "audit", "documents", "regenerate", "report", "export", "new"}
)
"""Commands whose results are files: what they print has no part in their exit code."""

OF_THE_MACHINE = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.EIO,
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EACCES,
        errno.EPERM,
    }
)
"""Files and folders that went, filled up or were closed while a command used them."""


class Guarded(click.Group):
    """A group whose commands end with a message and the error's exit code; with ``--debug``, a traceback."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Parse the command line and run the command."""
        self.saves = False
        with unbreakable() as lost:
            try:
                return super().main(*args, **options)
            except SystemExit as end:
                if not end.code and lost() and not self.saves:
                    raise SystemExit(ExitCode.USAGE) from end
                raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with ending() as received:
            try:
                return self._invoke(ctx)
            finally:
                self.saves = ctx.invoked_subcommand in SAVING
                if received:
                    ctx.exit(SIGNAL + received[0])

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HarnessError as error:
            _traceback_if_debug(ctx)
            click.echo(f"error: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt as error:
            click.echo(str(error) or "interrupted", err=True)
            ctx.exit(ExitCode.INTERRUPTED)
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except Exception as error:
            _traceback_if_debug(ctx)
            if isinstance(error, OSError) and error.errno in OF_THE_MACHINE:
                where = f"{error.filename}: " if error.filename else ""
                click.echo(f"error: {where}{error.strerror}", err=True)
                ctx.exit(ExitCode.USAGE)
            click.echo(
                f"error: a fault in the harness: {type(error).__name__}: {error}\n"
                "  -> please report it, with what --debug prints",
                err=True,
            )
            ctx.exit(ExitCode.INTERNAL)


def say_all(complaints: Iterable[str]) -> None:
    """Print on stderr what went wrong and is in no result."""
    for complaint in complaints:
        click.echo(complaint, err=True)


def _traceback_if_debug(ctx: click.Context) -> None:
    if ctx.meta.get("harness.debug"):
        import traceback

        traceback.print_exc()
