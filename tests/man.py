"""Write the manual page from the command line itself: ``python tests/man.py docs/man/harness.1``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from harness import __version__
from harness.cli import main
from harness.name import DISTRIBUTION

EXITS = {
    0: "what was compared agrees, or is a known divergence",
    1: "something diverges, or a document is wrong",
    2: "a mistake in what was typed, or in a file; it is named, with its line",
    3: "a runtime that is required is missing, or a Dask cluster",
    4: "a worker crashed, hung, or sent nonsense",
    5: "something that should have been compared was not",
    70: "an error of the harness itself",
    130: "interrupted",
}
VARIABLES = {
    "HARNESS_CACHE": "the folder of true values, compiled code and a Julia of its own",
    "HARNESS_GLOVE": "a file of word vectors in the text format of GloVe, for the cases that look words up",
}


def page() -> str:
    """The manual page, in the language of man(7)."""
    context = click.Context(main, info_name="harness")
    lines = [
        f'.TH HARNESS 1 "" "{DISTRIBUTION} {__version__}" "User commands"',
        ".SH NAME",
        r"harness \- one algorithm in several languages, stage by stage: who agrees, who is off",
        ".SH SYNOPSIS",
        ".B harness",
        r".I COMMAND\fR [\fIARGUMENTS\fR] [\fIOPTIONS\fR]",
        ".SH DESCRIPTION",
        escape(
            "Runs the implementations of a case on shared inputs, each in its own language, compares them"
            " stage by stage with true values or with each other, and says with numbers who agrees, who is"
            " off, and where it starts. Each command has --help."
        ),
        ".SH COMMANDS",
    ]
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        if command is None or command.hidden:
            continue
        inside = command.commands.items() if isinstance(command, click.Group) else [("", command)]
        for word, leaf in inside:
            here = click.Context(leaf, info_name=f"{name} {word}".strip())
            usage = " ".join(piece for piece in leaf.collect_usage_pieces(here) if piece != "[OPTIONS]")
            lines += [".TP", rf"\fB{escape(f'{name} {word}'.strip())}\fR {escape(usage)}".rstrip()]
            lines += [escape(leaf.get_short_help_str(400))]
    lines += [".SH EXIT STATUS"]
    for code, meaning in EXITS.items():
        lines += [".TP", str(code), escape(meaning)]
    lines += [".SH ENVIRONMENT"]
    for name, meaning in VARIABLES.items():
        lines += [".TP", name, escape(meaning)]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Text as man(7) prints it: its hyphens can be copied, and no line is a request."""
    plain = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
