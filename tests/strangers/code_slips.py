"""Code that was changed after its output was made: a constant is another, an argument is set or not."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

from harness.documents.model import Chunk, Document

_TRUTHS = {"TRUE": "FALSE", "True": "False", "true": "false"}
_TRUTHS |= {new: old for old, new in _TRUTHS.items()}
_TRUTH = re.compile(r"\b(?:TRUE|FALSE|True|False|true|false)\b")
_CONSTANT = re.compile(r"(?<![\w.#\"'\[])\d+(?:\.\d+)?(?![\w.\"'])")
_SKIPPED = re.compile(
    r"^\s*(?:#|%|!|library\(|require\(|import\b|from\b|using\b|par\(|plot)|\bdigits\s*=|width\s*="
)
_SHORTEST = 6
"""Letters of a line of code that may be changed."""


def code_changes(
    document: Document, source: str, draw: random.Random
) -> Iterator[tuple[Chunk, str, str, str]]:
    """Yield a chunk, a line of its code, what it may become, and the whole text with that.

    Parameters
    ----------
    document, source : Document, str
        As it was read. A line that stands in it more than once is left as it is.
    draw : random.Random
        The generator. One constant or truth value of each line is another.
    """
    lines = [(chunk, row) for chunk in document.chunks for row in chunk.code.split("\n")]
    draw.shuffle(lines)
    for chunk, row in lines:
        if len(row) < _SHORTEST or _SKIPPED.search(row) or not (new := _changed(row, draw)):
            continue
        there, put = row, new
        if document.kind == "notebook":
            there, put = (json.dumps(text, ensure_ascii=False)[1:-1] for text in (row, new))
        if source.count(there) == 1:
            yield chunk, row, new, source.replace(there, put)


def _changed(row: str, draw: random.Random) -> str:
    """A line of code with another constant, or with an argument that is set or not."""
    code = row.partition("#")[0]
    found = [*_CONSTANT.finditer(code), *_TRUTH.finditer(code)]
    if not found:
        return ""
    at = draw.choice(found)
    if at[0] in _TRUTHS:
        new = _TRUTHS[at[0]]
    elif "." in at[0]:
        new = f"{float(at[0]) + draw.choice((0.5, 1, 2)):g}"
    else:
        new = str(int(at[0]) + draw.choice((1, 2, 3)))
    return row[: at.start()] + new + row[at.end() :]
