"""What a document's own code sets for the chunks after it: ``knitr::opts_chunk$set(...)``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from harness.documents.model import Document
from harness.documents.options import Options, parse_header
from harness.errors import DocumentError

_SET = re.compile(r"^[ \t]*(?:knitr::)?opts_chunk\$set\(", re.MULTILINE)
_OWN = re.compile(r"(?<![\w.:$])(?:opts_(?:chunk|knit|hooks|template|current)|knit_(?:hooks|engines))\$")
_ATTACHED = re.compile(r"\b(?:library|require)\(\s*[\"']?knitr\b")
ATTACHED = "suppressPackageStartupMessages(library(knitr))"
"""What editors that knit a document ran before it, so that its first chunk may use knitr's own names."""
_REMARK = re.compile(r"#[^\n\"']*$", re.MULTILINE)


def set_in_code(code: str, path: Path, line: int) -> Options:
    """Return the options that a chunk's code sets for later chunks.

    Parameters
    ----------
    code : str
        R code.
    path, line : Path, int
        Where it stands.

    Returns
    -------
    Options
        Those that are literals; what R would have to compute is left out.
    """
    values: dict[str, Any] = {}
    for found in _SET.finditer(code):
        inside = _arguments(_REMARK.sub("", code[found.end() :]))
        if inside is None:
            continue
        try:
            _, options = parse_header(f"r , {inside}", path=path, line=line)
        except DocumentError:
            continue
        values |= {name: value for name, value in options.values.items() if name not in options.expressions}
    values.pop("label", None)
    return msgspec.structs.replace(Options(), values=values)


def _arguments(text: str) -> str | None:
    """Return what stands before the bracket that closes the call."""
    depth = 1
    quote = ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        else:
            depth += {"(": 1, ")": -1}.get(char, 0)
            if depth == 0:
                return text[:at]
    return None


def takes_knitr_as_attached(document: Document) -> bool:
    """Whether a document's code uses knitr's own names, and attaches knitr nowhere.

    Parameters
    ----------
    document : Document
        As it was read.
    """
    if document.kind not in ("rmarkdown", "quarto"):
        return False
    code = "\n".join(chunk.code for chunk in document.chunks if chunk.language == "r")
    return _OWN.search(code) is not None and _ATTACHED.search(code) is None
