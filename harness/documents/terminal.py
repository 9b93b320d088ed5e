"""Listings of a terminal in which a script of the document is run, with what it prints below the command."""

from __future__ import annotations

import re

import msgspec

from harness.documents.languages import OUTPUT
from harness.documents.listing import SHELL, looks_typed
from harness.documents.model import Chunk

_CALLED = frozenset({"", "sh", "shell", "bash", "zsh", "console", "terminal", "shell-session", *OUTPUT})
"""What such a listing is called."""
_COMMAND = re.compile(r"\s*(?:[\w.@~/:-]+)?\$ (?P<typed>\S.*)")
_RUNS = re.compile(
    r"(?:(?P<program>python[\d.]*(?:\.exe)?|Rscript|julia)(?: -[\w-]+)* )?"
    r"(?P<file>(?:\./)?[\w./-]+\.(?P<kind>py|R|jl))"
    r"(?P<given>\s+\S.*)?\s*"
)
_LANGUAGES = {"py": "python", "R": "r", "jl": "julia"}


class ScriptRun(msgspec.Struct, frozen=True):
    """What a script prints in a terminal.

    Attributes
    ----------
    language, text : str
        The script's language, and what it prints.
    skipped : int
        Lines of the listing above that text.
    unclear : str
        Why it cannot be told that the code above is what was run; empty where it may be.
    """

    language: str
    text: str
    skipped: int
    unclear: str = ""


def script_run(name: str, text: str) -> ScriptRun | None:
    """Return what a terminal's listing shows of a script; None where it runs none, or none prints anything.

    Parameters
    ----------
    name, text : str
        What the listing is called, in small letters, and its text.
    """
    lines = text.rstrip("\n").split("\n")
    typed = [(place, found["typed"]) for place, line in enumerate(lines) if (found := _COMMAND.match(line))]
    if not typed and name in SHELL and not any(map(looks_typed, lines[1:])):
        typed = [(0, lines[0])]
    if name not in _CALLED or not typed or any(line.strip() for line in lines[: typed[0][0]]):
        return None
    for number, (place, command) in enumerate(typed):
        script = _RUNS.fullmatch(command)
        if script is None or not (script["program"] or script["file"].startswith("./")):
            continue
        end = typed[number + 1][0] if number + 1 < len(typed) else len(lines)
        printed = "\n".join(lines[place + 1 : end]).rstrip()
        if not printed.strip():
            continue
        unclear = ""
        if script["given"]:
            unclear = f"it is run with arguments ({' '.join(command.split())})"
        elif len(typed) > 1:
            unclear = "several commands are run in the terminal"
        return ScriptRun(_LANGUAGES[script["kind"]], f"{printed}\n", place + 1, unclear)
    return None


def unclear_above(ran: ScriptRun, above: Chunk | None) -> str:
    """Say why what a script prints may be of other code than what stands above it; empty where it is not.

    Parameters
    ----------
    ran : ScriptRun
        From `script_run`.
    above : Chunk or None
        The code that an output there would belong to.
    """
    if ran.unclear:
        return ran.unclear
    if above is None or above.prompts or above.language != ran.language:
        return "the script is not the code above it"
    return "the code above it has other outputs" if above.output else ""
