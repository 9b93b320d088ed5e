"""Listings of a terminal in which a script of the document is run, with what it prints below the command."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from harness.documents.beside import read_beside
from harness.documents.languages import OUTPUT
from harness.documents.listing import SHELL, looks_typed
from harness.documents.model import Chunk

_CALLED = frozenset({"", "sh", "shell", "bash", "zsh", "console", "terminal", "shell-session", *OUTPUT})
"""What such a listing is called."""
_COMMAND = re.compile(r"\s*(?:[\w.@~/:-]+)?\$ (?P<typed>\S.*)")
_RUNS = re.compile(
    r"(?:(?P<program>python[\d.]*(?:\.exe)?|Rscript|julia)(?P<options>(?: -[\w-]+)*) )?"
    r"(?P<file>(?:\./)?[\w./-]+\.(?P<kind>py|R|jl))"
    r"(?P<given>\s+\S.*)?\s*"
)
_OLD = re.compile(r"python2")
_ASKS = re.compile(
    r"__file__|\bargv\b|argparse|optparse|\binput\(|stdin|readline|commandArgs|\bARGS\b|PROGRAM_FILE"
)
"""What a script is given by who runs it."""
_TO_STDERR = re.compile(r"stderr|\blogging\b|\bwarn\w*|\bmessage\(|@(?:info|warn|error|debug)\b")
_LANGUAGES = {"py": "python", "R": "r", "jl": "julia"}


class ScriptRun(msgspec.Struct, frozen=True):
    """What a script prints in a terminal.

    Attributes
    ----------
    language, text : str
        The script's language, and what it prints.
    skipped : int
        Lines of the listing above that text.
    file : str
        The script, as it is named; empty where options or an older Python may make another program of it.
    unclear : str
        Why it cannot be told that the code above is what was run; empty where it may be.
    """

    language: str
    text: str
    skipped: int
    file: str = ""
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
        plain = not script["options"] and not _OLD.match(script["program"] or "")
        return ScriptRun(
            _LANGUAGES[script["kind"]], f"{printed}\n", place + 1, script["file"] if plain else "", unclear
        )
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
        beside = f", and {ran.file} is not beside the document" if ran.file else ""
        return f"the script is not the code above it{beside}"
    return "the code above it has other outputs" if above.output else ""


def script_beside(ran: ScriptRun, document: Path, above: Chunk | None) -> str:
    """Return the text of the script that is run, where it stands beside the document; else nothing.

    Parameters
    ----------
    ran : ScriptRun
        From `script_run`.
    document : Path
        The document.
    above : Chunk or None
        The code that an output there would belong to: where it is a part of the script, it is what is run.
    """
    text = read_beside(document, ran.file) if ran.file and not ran.unclear else ""
    if not isinstance(text, str) or (above is not None and above.code.strip() in text):
        return ""
    return text


def not_the_scripts(text: str) -> str:
    """Say why what a terminal shows may be more, or other, than what a script prints; empty where it is not.

    Parameters
    ----------
    text : str
        The script.
    """
    if asks := _ASKS.search(text):
        return f"the script may take something of who runs it ({asks[0].rstrip('(')})"
    if tells := _TO_STDERR.search(text):
        return f"the terminal shows what the script writes to standard error too ({tells[0].rstrip('(')})"
    return ""
