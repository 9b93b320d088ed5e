"""Engines of knitr that hold text and no program: what is said of their chunks, and files that they write."""

from __future__ import annotations

import json
import re

_TEXTS = frozenset({"asis", "block", "block2", "cat", "comment", "css", "embed", "js", "verbatim"})
_FILE = re.compile(r"list\(\s*file\s*=\s*(?P<quote>[\"'])(?P<name>[^\"'\\\n]+)(?P=quote)\s*\)")


def holds_text(engine: str) -> bool:
    """Whether an engine's chunks are put into the document, or into a file, and not run."""
    return engine in _TEXTS


def written_by(engine: str, options: object, text: str) -> str | None:
    """Return code of R that writes a chunk into a file, as knitr's engine ``cat`` does.

    Parameters
    ----------
    engine : str
        The chunk's engine.
    options : object
        Its ``engine.opts``, as text.
    text : str
        What it holds.

    Returns
    -------
    str or None
        Of as many lines as the text; None where no file is named, or by an expression.
    """
    found = _FILE.fullmatch(str(options or "").strip()) if engine == "cat" else None
    if found is None:
        return None
    lines = ",\n".join(json.dumps(line, ensure_ascii=False) for line in text.rstrip("\n").split("\n"))
    return f'cat(c({lines}), file = {json.dumps(found["name"], ensure_ascii=False)}, sep = "\\n")\n'
