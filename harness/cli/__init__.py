"""The command line: parse, call, exit code. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import copy

import click

from harness import __version__
from harness.cli.adopt import adopt
from harness.cli.align import align
from harness.cli.audit import audit
from harness.cli.check_worker import check_worker
from harness.cli.compare import compare
from harness.cli.completion import completion
from harness.cli.diff import diff
from harness.cli.doctor import doctor
from harness.cli.documents import documents
from harness.cli.errors import Guarded
from harness.cli.export import export
from harness.cli.fuzz import fuzz
from harness.cli.grade import grade
from harness.cli.history import history
from harness.cli.list import list_
from harness.cli.merge import merge
from harness.cli.new import new
from harness.cli.options import debug
from harness.cli.regenerate import regenerate
from harness.cli.report import report
from harness.cli.reproduce import reproduce
from harness.cli.run import run
from harness.cli.show import show
from harness.cli.snapshot import snapshot
from harness.cli.streams import streams
from harness.cli.watch import watch

__all__ = ["main"]


def renamed(command: click.Command, old: str) -> click.Command:
    """Return a command under its old name, hidden from the help, with a note on the new name."""
    shadow = copy.copy(command)
    shadow.name, shadow.hidden, shadow.deprecated = old, True, f"it is harness {command.name} now"
    return shadow


@click.group(
    cls=Guarded,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="harness")
@debug
def main() -> None:
    """Run one algorithm in several languages, stage by stage, and say with numbers who agrees."""


main.add_command(list_)
main.add_command(run)
main.add_command(watch)
main.add_command(merge)
main.add_command(fuzz)
main.add_command(snapshot)
main.add_command(renamed(snapshot, "record"))
main.add_command(audit)
main.add_command(regenerate)
main.add_command(streams)
main.add_command(documents)
main.add_command(align)
main.add_command(adopt)
main.add_command(compare)
main.add_command(show)
main.add_command(reproduce)
main.add_command(export)
main.add_command(report)
main.add_command(grade)
main.add_command(diff)
main.add_command(history)
main.add_command(check_worker)
main.add_command(doctor)
main.add_command(completion)
main.add_command(new)
