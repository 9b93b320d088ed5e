"""``harness completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from harness.cli import options

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@options.debug
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes a shell complete the commands and options.

    For bash 4.4 or newer, put eval "$(harness completion bash)" into ~/.bashrc; for zsh, the same with
    zsh into ~/.zshrc; for fish, save it as ~/.config/fish/completions/harness.fish.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    # Not the program's own name: as `python -m harness` it has none that a shell could complete.
    click.echo(kind(ctx.find_root().command, {}, "harness", "_HARNESS_COMPLETE").source())
