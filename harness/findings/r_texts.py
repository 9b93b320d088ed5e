"""The texts that are a document's own, also where R makes them of several: no version says them otherwise."""

from __future__ import annotations

import re

from harness.findings.sources import own_texts

_COMMENT = re.compile(r"#[^\n]*")
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_CALLED = re.compile(r"(?<![\w.$@])([A-Za-z.][\w.]*(?:::[\w.]+)?)\s*\(")
_DEFINED = re.compile(r"(?<![\w.])([A-Za-z.][\w.]*)\s*(?:<-|=)\s*function\b")
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\\n])*\"")
_FRACTION = re.compile(r"\d\.|\.\d|\d[eE][-+]?\d")
"""What R writes of a fraction into a text, which changed in its digits."""
_NAMES = """
c paste paste0 substr substring toupper tolower casefold chartr rev rep rep_len head tail list unlist
append setNames names colnames rownames dimnames row.names matrix array rbind cbind t data.frame ifelse
which which.max which.min is.na seq seq_along seq_len length nrow ncol dim function if for while return
switch print invisible sapply lapply vapply mapply Map Filter Reduce do.call apply outer union intersect
setdiff match any all sum max min mean round as.character character numeric integer logical vector
identity levels factor unique duplicated sort order with subset split replace startsWith endsWith
toString sprintf nchar cat as.numeric as.integer as.logical as.vector expand.grid rapply tapply library
require
"""
_MOVE = frozenset(_NAMES.split())
"""Functions that show, choose, join and arrange texts that they are given, and have no words of their own."""


def texts_of(code: str, language: str, printed: str) -> str:
    """Return what a document says in its own words, with what R makes of that in quotation marks.

    Parameters
    ----------
    code, language : str
        The statements that an output is computed by, and what they are written in.
    printed : str
        The output, or a value of it, as it is printed.

    Returns
    -------
    str
        In small letters.
    """
    own = own_texts(code, language)
    return f"{own} {_shown(code, printed)}" if language == "r" else own


def _shown(code: str, printed: str) -> str:
    """The quoted texts of an output; none where a function is called that may have words of its own."""
    bare = _COMMENT.sub("", _STRING.sub('""', code))
    if not set(_CALLED.findall(bare)) <= _MOVE | set(_DEFINED.findall(bare)) or "%>%" in bare:
        return ""
    return " ".join(text for text in _QUOTED.findall(printed) if not _FRACTION.search(text)).lower()
