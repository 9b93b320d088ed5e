"""The data files that a program reads, found beside its functions too."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from harness.programs.program import DOCUMENTS, LANGUAGES, Program

HEADS: Mapping[str, str] = {
    "python": 'def _beside(name):\n    """A file beside this one."""\n    import os\n\n'
    "    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)",
    "r": "# A file beside this one.\n"
    "beside_ <- function(name) file.path(dirname(utils::getSrcFilename(beside_, full.names = TRUE)), name)",
    "julia": "# A file beside this one.\n_beside(name) = joinpath(@__DIR__, name)",
}
_QUOTED = re.compile(r"""(["'])([^"'\n]+)\1""")
_CALL = {"python": "_beside({})", "r": "beside_({})", "julia": "_beside({})"}
_MOST = 16 << 20


def with_paths(text: str, program: Program) -> tuple[str, list[str]]:
    """The text, in which files beside the program are found beside the text's own file; and which these are.

    Files that are sources are left as they are.
    """
    folder = program.path.resolve().parent
    found: dict[str, str] = {}
    for quote, name in _QUOTED.findall(text):
        path = folder / name
        if (
            not Path(name).is_absolute() and path.is_file() and path.resolve().is_relative_to(folder)
            and path.suffix.lower() not in (*LANGUAGES, *DOCUMENTS) and path.stat().st_size <= _MOST
        ):  # fmt: skip
            found[name] = f"{quote}{name}{quote}"
    for quoted in found.values():
        call = _CALL[program.language].format(quoted)
        if program.language == "r":
            text = re.sub(rf"file\.path\([^()]*,\s*{re.escape(quoted)}\s*\)", quoted, text)
        text = text.replace(quoted, call)
    return text, list(found)
