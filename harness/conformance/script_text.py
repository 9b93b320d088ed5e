"""Texts of other languages in a script in Python, as they are read best."""

from __future__ import annotations


def literal_text(text: str) -> str:
    """An expression for a text of many lines: as it is between three quotes, where that is possible."""
    if "'''" not in text and not text.endswith(("'", "\\")) and "\r" not in text:
        return f"r'''{text}'''"
    lines = ",\n".join(map(repr, text.splitlines(keepends=True)))
    return f'"".join([\n{lines}\n])'
