"""Texts that scripts in Python have in common, and those of other languages, as they are read best."""

from __future__ import annotations

GIVE_UP = """\
def _give_up(why, end=_system._exit):
    print(why, flush=True)
    end(1)
"""
"""How a script ends that cannot have a value; ``_system`` is its module ``os``, before it is guarded."""


def literal_text(text: str) -> str:
    """An expression for a text of many lines: as it is between three quotes, where that is possible."""
    if "'''" not in text and not text.endswith(("'", "\\")) and "\r" not in text:
        return f"r'''{text}'''"
    lines = ",\n".join(map(repr, text.splitlines(keepends=True)))
    return f'"".join([\n{lines}\n])'
