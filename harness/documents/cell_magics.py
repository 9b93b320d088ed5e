"""Cells of a notebook that IPython hands to a program, or writes into a file: as calls of IPython."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from harness.documents.engines import of_this_machine

_PROGRAMS = frozenset({"bash", "sh", "script", "perl", "ruby"})
_FILES = frozenset({"file", "writefile"})
_KEPT = re.compile(r"--(?:out|err|proc)[= ]\s*([^\W\d]\w*)")
"""Names under which IPython keeps what a program printed."""
_FIRST = re.compile(r"%%(?P<name>\w+)[ \t]*(?P<line>[^\n]*)\n?")


class CellMagic(NamedTuple):
    """A cell as code of Python, with as many lines as below its magic, and why it accuses nobody."""

    code: str
    doubtful: str


def through_ipython(source: str) -> CellMagic | None:
    """Return a cell that is no Python as a call of IPython; None where it is something else.

    Parameters
    ----------
    source : str
        The cell.
    """
    found = _FIRST.match(source)
    if found is None or found["name"] not in _PROGRAMS | _FILES:
        return None
    name, line = found["name"], found["line"].strip()
    # As a transformer of IPython gives it: the last line has its end.
    body = source[found.end() :].rstrip("\n") + "\n"
    lines = " ".join(f"{_text(part)}\n" for part in body.splitlines(keepends=True)).rstrip("\n")
    kept = "".join(f"{variable} = " for variable in _KEPT.findall(line) if name in _PROGRAMS)
    begun = f"{kept}None; " if kept else ""
    code = f"{begun}get_ipython().run_cell_magic({_text(name)}, {_text(line)}, {lines})\n"
    if name in _FILES:
        return CellMagic(code, "it says whether the file was there before")
    program = line.split(" ")[0] if name == "script" and line else name
    return CellMagic(code, of_this_machine(program))


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
