"""Whether the text above an output says that it is only an example of one."""

from __future__ import annotations

import re

_EXAMPLE = re.compile(
    r"\b(?:something like|similar|roughly|approximately|depend(?:s|ing) on"
    r"|(?:may|might|will) (?:look|differ|vary)"
    r"|such as|format|template|(?:sample|example) (?:file|input|outputs?|results?)|contents? of)\b"
    r"|\b(?:for|if|with|when|where|given|setting|using|try)\s+`?[^\W\d]\w*`?\s*(?:=|is|to)\s*`?[-\d'\"\[]"
    r"|(?<!\w)[\w/-]*\w\.[A-Za-z]\w{0,4}[`*\"')]*\s*[:：]\s*$",
    re.I,
)
_NEAR = 240
"""Characters before an output that speak of it."""


def is_example(prose: str) -> bool:
    """Say whether prose calls what it leads to alike, of another input, or a file; its last sentences tell.

    Parameters
    ----------
    prose : str
        What stands between an output and the code above.
    """
    last = re.split(r"\n\s*\n", prose.strip())[-1][-_NEAR:]
    return _EXAMPLE.search(last) is not None
