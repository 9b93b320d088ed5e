"""Texts that scripts in Python have in common, and those of other languages, as they are read best."""

from __future__ import annotations

GIVE_UP = """\
def _give_up(why):
    global _done
    print(why, flush=True)
    _done = True  # all is said
    raise SystemExit(1)  # temporary folders are removed
"""
"""How a script ends that cannot have a value, where no code of the source's own could catch it."""


def literal_text(text: str) -> str:
    """An expression for a text of many lines: as it is between three quotes, where that is possible."""
    if "'''" not in text and not text.endswith(("'", "\\")) and "\r" not in text:
        return f"r'''{text}'''"
    lines = ",\n".join(map(repr, text.splitlines(keepends=True)))
    return f'"".join([\n{lines}\n])'
