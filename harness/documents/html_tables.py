"""Tables of pandas in the HTML that nbconvert puts into Markdown, as the text that they show."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_TABLE = re.compile(
    r"(?ms)^<div>[ \t]*\n(?:<style[^>]*>.*?</style>[ \t]*\n)?"
    r"(?P<table><table[^>\n]*\bclass=\"dataframe\"[^>\n]*>.*?</table>)[ \t]*\n"
    r"(?:<p>(?P<size>\d+ rows × \d+ columns)</p>[ \t]*\n)?</div>[ \t]*$"
)
CALLED = "dataframe-output"
"""The name of the fence that takes a table's place."""


def tables_as_text(text: str) -> str:
    """Return Markdown in which the tables of pandas are fences; every other line keeps its number.

    Parameters
    ----------
    text : str
        The text of a document. A style sheet has blank lines, behind which Markdown ends the HTML.
    """
    return _TABLE.sub(_fence, text) if 'class="dataframe"' in text else text


def _fence(found: re.Match[str]) -> str:
    reader = Rows()
    reader.feed(found["table"])
    reader.close()
    lines = ["  ".join(row).rstrip() for row in reader.rows]
    if found["size"]:
        lines += ["", f"[{found['size'].replace('×', 'x')}]"]
    height = found[0].count("\n") + 1
    if height < len(lines) + 2 or any("```" in line for line in lines):
        return found[0]
    shown = [f"```{CALLED}", *lines, "```"]
    return "\n".join(shown + [""] * (height - len(shown)))


class Rows(HTMLParser):
    """Collects the cells of each row; a cell's line breaks are blanks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.line = 0
        self._within = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a row or a cell."""
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td") and self.rows:
            self.rows[-1].append("")
            self._within = True

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        if tag in ("th", "td"):
            self._within = False

    def handle_data(self, data: str) -> None:
        """Take text of a cell."""
        if self._within:
            self.rows[-1][-1] = " ".join(f"{self.rows[-1][-1]} {data}".split())
