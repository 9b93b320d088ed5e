"""Fences that are opened inside of a quotation and closed below it, without the mark of the quotation."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"(?P<quote> {0,3}(?:> ?)+)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)")


def with_quoted_ends(text: str) -> str:
    """Put the mark of a quotation before the line that closes its fence, where the author left it out.

    Parameters
    ----------
    text : str
        A document. Every line keeps its number. Without the mark, the line would open another fence, in which
        the rest of the document stands.
    """
    if "> ```" not in text and "> ~~~" not in text:
        return text
    lines = text.split("\n")
    quote = fence = ""
    for number, line in enumerate(lines):
        if fence and line.rstrip() == fence:
            lines[number] = f"{quote}{fence}"
            fence = ""
        elif (found := _QUOTED.fullmatch(line)) is not None:
            closes = fence and found["fence"].startswith(fence) and not found["info"].strip()
            quote, fence = found["quote"], "" if closes else fence or found["fence"]
        elif fence and not line.lstrip().startswith(">"):
            fence = ""
    return "\n".join(lines)
