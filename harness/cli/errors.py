"""From exceptions to one line on stderr and an exit code."""

from __future__ import annotations

import sys
from typing import Any

import click

from harness.errors import ExitCode, HarnessError


class Guarded(click.Group):
    """A group whose commands end with a message and the error's exit code; with ``--debug``, a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show a case's symbols must not end the run.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except HarnessError as error:
            _traceback_if_debug(ctx)
            click.echo(f"error: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(ExitCode.INTERRUPTED)
        except (click.exceptions.Exit, click.Abort, click.ClickException, BrokenPipeError):
            raise
        except Exception as error:
            _traceback_if_debug(ctx)
            click.echo(
                f"error: a fault in the harness: {type(error).__name__}: {error}\n"
                "  -> please report it, with what --debug prints",
                err=True,
            )
            ctx.exit(ExitCode.INTERNAL)


def _traceback_if_debug(ctx: click.Context) -> None:
    if ctx.meta.get("harness.debug"):
        import traceback

        traceback.print_exc()
