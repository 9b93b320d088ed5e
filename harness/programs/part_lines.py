"""In which line of a Julia statement over several lines each part of it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from harness.programs.code_tokens import statement_lines
from harness.programs.trace import Trace

_SPACE = re.compile(r"[\s()]")


def place_parts(trace: Trace, file: str, lines: Sequence[str]) -> None:
    """Give the parts of statements the lines in which they are written, where their texts say it.

    Parameters
    ----------
    trace : Trace
        Of a Julia program, of whose statements only the first line is known.
    file : str
        The name of the program's file.
    lines : sequence of str
        Of the program.
    """
    plain = [_SPACE.sub("", line) for line in lines]
    for number, site in trace.sites.items():
        if site.kind != "part" or site.file != file or not 1 <= site.line <= len(lines):
            continue
        name = _SPACE.sub("", site.name)
        own = statement_lines(lines, site.line)
        found = [line for line in own if name in plain[line - 1]]
        if found and found[0] != site.line:
            trace.sites[number] = msgspec.structs.replace(site, line=found[0])
