"""What a program prints in several versions, of which each has a line that is written otherwise."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from harness.programs.launch import Program, command_of, enclosed_run
from harness.sessions.sandbox import Limits, Sandbox
from harness.store.temporary import temporary_folder

_RUNNERS = Path(__file__).resolve().parent / "runners"
_SUFFIX = {"python": ".py", "r": ".R", "julia": ".jl"}


class Printouts(NamedTuple):
    """What each version prints, None where it fails or does not end; and the processor time of all.

    None for all where the program without a change does not print there what it prints by itself.
    """

    printed: list[str | None] | None
    seconds: float


def printouts(
    program: Program, sandbox: Sandbox, versions: Sequence[str], *, limits: Limits, seconds: float, as_is: str
) -> Printouts:
    """Run versions of a program.

    Parameters
    ----------
    program : Program
        Of which these are versions.
    sandbox, limits
        How it is run; ``chunk_seconds`` is for all of them.
    versions : sequence of str
        The whole text of each.
    seconds : float
        Of processor time, for each.
    as_is : str
        What the program prints by itself.
    """
    if program.language == "python":
        command: tuple[str, ...] = (sys.executable, "-P", str(_RUNNERS / "python_versions.py"))
    else:
        runner = f"{program.language}_versions{_SUFFIX[program.language]}"
        # Of several threads a forked process has one, which would wait for the others.
        alone = ("--threads=1",) if program.language == "julia" else ()
        command = (*command_of(program.language)[0][:-1], *alone, str(_RUNNERS / runner))
    with temporary_folder() as folder:
        texts = folder / "versions"
        texts.mkdir()
        for number, text in enumerate(["\n".join(program.source) + "\n", *versions]):
            (texts / f"{number}{_SUFFIX[program.language]}").write_text(text, encoding="utf-8")
        for path in (texts, *texts.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        words = [*command, str(texts), str(max(1, math.ceil(seconds)))]
        run = enclosed_run(program, sandbox, limits, folder, words, [texts])
    found: list[str | None] = [None] * (1 + len(versions))
    for piece in run.printed.split("\x1e")[1:]:
        at, _, rest = piece.partition("\n")
        text, ended, status = rest.rpartition("\x1f")
        right = status.strip() == "0"
        if at == "0" and ended and not (right and text.split() == as_is.split()):
            return Printouts(None, run.processor_seconds)
        if ended and right and at.isdigit() and int(at) < len(found):
            found[int(at)] = text
    return Printouts(found[1:], run.processor_seconds)
