"""Turns exceptions into one line on stderr and an exit code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from harness.cli.output import unbreakable
from harness.cli.signals import ending
from harness.errors import ExitCode, HarnessError

SIGNAL = 128
"""A shell adds this to the number of the signal that ended a process."""


class Guarded(click.Group):
    """A group whose commands end with a message and the error's exit code; with ``--debug``, a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with unbreakable(), ending() as received:
            try:
                return self._invoke(ctx)
            finally:
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
