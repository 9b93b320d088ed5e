"""A page of HTML as blocks, as R Markdown, Quarto, nbconvert, Jekyll, Sphinx and Documenter write it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec

from harness.documents.html_listing import Element, listing_of
from harness.documents.html_tables import CALLED, Rows
from harness.documents.markdown import Blocks, Fence

_CONTAINERS = frozenset({"article", "body", "details", "div", "figure", "main", "section", "table", "td"})
_ENDS = frozenset({"pre", "h1", "h2", "h3", "h4", "p", "table"})
"""What stands in no listing, and ends one that is not closed."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_TEXT = frozenset({"p", "li", "dt", "dd", "blockquote", "figcaption", "summary", "caption"})
_UNSEEN = frozenset(
    {"aside", "button", "footer", "head", "math", "nav", "noscript", "select", "style", "svg"}
)
_NUMBERS = frozenset(
    {"gutter", "lineno", "linenos", "linenodiv", "rouge-gutter", "line-numbers", "lineNumbers", "headerlink"}
    | {"jp-InputPrompt", "jp-OutputPrompt", "anchorjs-link", "anchor", "toc", "TOC", "sidebar"}
)
"""Numbers of lines, and links beside a text, which nobody reads as a part of it."""
_BESIDE = frozenset({"a", "div", "pre", "span", "td", "ul"})
_PAGED = "data-pagedtable-source"
_NOT_SHOWN = "a table that a script draws from JSON"


class _Capture(msgspec.Struct):
    """What is read at the moment: a heading, a paragraph, a listing or a table."""

    kind: str
    line: int
    level: int = 0
    text: list[str] = msgspec.field(default_factory=list)
    codes: list[Element] = msgspec.field(default_factory=list)


def page_blocks(text: str) -> Blocks:
    """Return the headings, paragraphs, listings and tables of a page, in order.

    Parameters
    ----------
    text : str
        HTML.

    Returns
    -------
    Blocks
        A listing is called what its classes, and those of what it stands in, say: a language, or an output. A
        table of pandas is one too; other tables are pipe tables. What a page does not show is left out.
    """
    reader = _Page()
    reader.feed(text)
    reader.close()
    reader.flush()
    return Blocks(tuple(reader.blocks))


class _Page(HTMLParser):
    """Takes tag after tag; ``_inside`` are the open containers with their classes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Fence] = []
        self._inside: list[Element] = []
        self._taken: _Capture | None = None
        self._rows: Rows | None = None
        self._skipped, self._depth = "", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipped:
            self._depth += tag == self._skipped
            return
        element = Element.of(tag, attrs)
        line = self.getpos()[0]
        beside = (tag in _BESIDE and element.classes & _NUMBERS) or (
            tag == "div" and "prompt" in element.classes
        )
        if tag == "script" or tag in _UNSEEN or beside:
            if tag == "script" and any(name == _PAGED for name, _ in attrs):
                self.flush()
                self.blocks.append(Fence("unread", line, line, "", _NOT_SHOWN))
            self._skipped, self._depth = tag, 1
            return
        if self._listing is not None and tag not in _ENDS:
            self._in_listing(self._listing, tag, element)
        elif tag in _CONTAINERS:
            self.flush()
            self._inside.append(element)
            if tag == "table":
                self._rows = Rows()
                self._rows.line = line
        elif tag == "pre":
            self.flush()
            self._rows = None
            self._taken = _Capture("pre", 0, codes=[element])
        elif tag in _HEADINGS or tag in _TEXT:
            self.flush()
            kind = "heading" if tag in _HEADINGS else "prose"
            self._taken = _Capture(kind, line, _HEADINGS.get(tag, 0))
        elif self._taken is not None and tag in ("code", "tt", "br"):
            self._taken.text.append("\n" if tag == "br" else "`")
        if self._rows is not None:
            self._rows.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            self._depth -= tag == self._skipped
            if not self._depth:
                self._skipped = ""
            return
        if self._rows is not None:
            self._rows.handle_endtag(tag)
            if tag == "table":
                self._table(self._rows)
                self._rows = None
        if self._listing is not None and tag not in _ENDS:
            return
        if tag in _CONTAINERS:
            last = next((n for n in reversed(range(len(self._inside))) if self._inside[n].tag == tag), None)
            self.flush()
            if last is not None:
                del self._inside[last:]
        elif tag == "pre" or tag in _HEADINGS or tag in _TEXT:
            self.flush()
        elif tag in ("code", "tt") and self._taken is not None:
            self._taken.text.append("`")

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        if self._rows is not None:
            self._rows.handle_data(data)
        elif self._taken is not None:
            if self._taken.kind == "pre" and not self._taken.line:
                # The line end right behind the tag is none of the text.
                self._taken.line = self.getpos()[0] + data.startswith("\n")
                data = data.removeprefix("\n")
            self._taken.text.append(data)
        elif data.strip():
            self._taken = _Capture("prose", self.getpos()[0], text=[data])

    def flush(self) -> None:
        """Take what has been read as a block."""
        taken, self._taken = self._taken, None
        text = "".join(taken.text) if taken is not None else ""
        if taken is None or not text.strip():
            return
        if taken.kind == "pre":
            named = listing_of(taken.codes, self._inside)
            text = text.rstrip() + "\n"
            end = taken.line + text.count("\n")
            self.blocks.append(
                Fence("fence", taken.line - 1, end, text, named.info, classes=" ".join(named.classes))
            )
        else:
            classes = " ".join(listing_of([], self._inside).classes)
            self.blocks.append(
                Fence(
                    "heading" if taken.level else "prose",
                    taken.line,
                    self.getpos()[0],
                    _lines(text),
                    level=taken.level,
                    classes=classes,
                )
            )

    @property
    def _listing(self) -> _Capture | None:
        return self._taken if self._taken is not None and self._taken.kind == "pre" else None

    def _in_listing(self, listing: _Capture, tag: str, element: Element) -> None:
        """Take a tag inside of a listing: Documenter and pkgdown show code and its output as lines of one."""
        again = tag == "code" and any(code.tag == "code" for code in listing.codes)
        if tag == "br" or ((again or tag == "div") and listing.text and not listing.text[-1].endswith("\n")):
            listing.text.append("\n")
        if tag == "code":
            listing.codes.append(element)

    def _table(self, rows: Rows) -> None:
        table = self._inside[-1] if self._inside else None
        if not rows.rows or table is None or table.tag != "table":
            return
        end = self.getpos()[0]
        if "dataframe" in table.classes:
            text = "\n".join("  ".join(row).rstrip() for row in rows.rows) + "\n"
            self.blocks.append(Fence("fence", rows.line - 1, end, text, CALLED))
            return
        head, *body = ["| " + " | ".join(row) + " |" for row in rows.rows]
        line = "|" + " --- |" * len(rows.rows[0])
        classes = " ".join(listing_of([], self._inside).classes)
        self.blocks.append(Fence("prose", rows.line, end, "\n".join([head, line, *body]), classes=classes))


def _lines(text: str) -> str:
    """A text without the blanks that a page does not show."""
    return re.sub(r"[ \t]*\n[ \t\n]*", "\n", re.sub(r"[ \t\xa0]+", " ", text)).strip()
