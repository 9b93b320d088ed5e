"""Code blocks that are written as HTML: ``<pre><code class="language-r">``."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|sourceCode |lang-|brush: ?)?(?P<name>r|python|py|julia|jl)(?=\s|$)", re.I
)


class HtmlCode(msgspec.Struct, frozen=True):
    """One ``<pre>``: the line of the HTML that its text starts on, counted from 0, its language and text."""

    line: int
    language: str
    text: str


def code_blocks(html: str) -> list[HtmlCode]:
    """Return the text of every ``<pre>`` of a piece of HTML, tags taken off and entities resolved."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.blocks


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[HtmlCode] = []
        self._start: int | None = None
        self._language = ""
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "pre":
            self._start, self._language, self._text = self.getpos()[0] - 1, "", []
        if self._start is not None and tag in ("pre", "code"):
            given = dict(attrs)
            named = given.get("data-lang") or given.get("class") or ""
            found = _LANGUAGE.search(named)
            if found is not None:
                self._language = found["name"].lower()

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre" and self._start is not None:
            text = "".join(self._text)
            self.blocks.append(HtmlCode(self._start, self._language, text.rstrip("\n") + "\n"))
            self._start = None

    def handle_data(self, data: str) -> None:
        if self._start is not None:
            self._text.append(data)
