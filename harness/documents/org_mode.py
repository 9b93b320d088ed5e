"""Org as blocks: source blocks, and the results below them that Babel wrote.

Written from Org's manual, "Working with Source Code" and "Literal Examples": https://orgmode.org/manual/.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from harness.documents.languages import LANGUAGES
from harness.documents.markdown import Blocks, Fence

_KEYWORD = re.compile(r"[ \t]*#\+(?P<key>[\w-]+)(?:\[[^\]\n]*\])?:[ \t]*(?P<value>.*)", re.I)
_BEGIN = re.compile(r"[ \t]*#\+begin_(?P<kind>\w+)[ \t]*(?P<rest>.*)", re.I)
_HEADING = re.compile(r"(?P<stars>\*+)[ \t]+(?:(?:TODO|DONE)[ \t]+)?(?P<title>.*?)(?:[ \t]+:[\w@:]+:)?[ \t]*")
_FIXED = re.compile(r"[ \t]*:(?:[ \t](?P<text>.*))?$")
_DRAWER = re.compile(r"[ \t]*:(?P<name>[\w-]+):[ \t]*")
_END = re.compile(r"[ \t]*:end:[ \t]*", re.I)
_COMMENT = re.compile(r"[ \t]*#(?:[ \t]|$)")
_TABLE = re.compile(r"[ \t]*\|")
_VERBATIM = re.compile(r"(?<!\w)([=~])(?P<code>\S(?:[^\n]*?\S)?)\1(?!\w)")
_ESCAPE = re.compile(r"^([ \t]*),(?=,*(?:\*|#\+))", re.MULTILINE)
_NOT_RUN = re.compile(r":eval[ \t]+(?:no|never)(?=\s|$)")
_OUTPUT = re.compile(r":results\b[^:]*\boutput\b")
_RETURNS = re.compile(r"^return\b", re.MULTILINE)
_KEPT = "its block is never evaluated"
_HANDED = re.compile(r":(?:var|noweb|prologue|epilogue)\b")
_PASTED = re.compile(r"^[ \t]*<<[\w-]+(?:\(.*\))?>>[ \t]*$", re.MULTILINE)
"""A line for which Org puts another block."""
_UNSEEN = ("comment", "export", "html", "latex")
_LISTED = ("example", "verbatim")
_MADE_TABLE = "a table that Org makes of a value"
_GIVEN_BACK = "Org shows what the block returns, and not what it prints"


def org_blocks(text: str) -> Blocks:
    """Return the headings, paragraphs, source blocks and results of a document, in order.

    Parameters
    ----------
    text : str
        Org. Blocks that are never evaluated are left out. A result is an output beyond doubt where its block
        says ``:results output``, or is Jupyter's: else it may be a value that Org has put in its own form.
    """
    reader = _Lines(text.split("\n"))
    reader.read()
    return Blocks(tuple(reader.blocks), handed=reader.handed)


class _Lines:
    """The lines of a document, and what has been made of them so far."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.blocks: list[Fence] = []
        self.handed = False
        self._lines = lines
        self._defaults = ""
        self._certain = False
        self._why = ""
        self._results = False
        """Whether what stands next is the result of the source block above."""

    def read(self) -> None:
        """Take all lines."""
        at = 0
        while at < len(self._lines):
            at = self._next(at)

    def _next(self, at: int) -> int:
        """Take what begins on a line; return where the next begins."""
        line = self._lines[at]
        if begin := _BEGIN.match(line):
            return self._block(at, begin["kind"].lower(), begin["rest"])
        if keyword := _KEYWORD.fullmatch(line):
            return self._keyword(at, keyword["key"].lower(), keyword["value"])
        if _FIXED.match(line):
            return self._run(at, _FIXED)
        if drawer := _DRAWER.fullmatch(line):
            if drawer["name"].lower() in ("results", "end"):
                return at + 1
            end = (n + 1 for n in range(at, len(self._lines)) if _END.fullmatch(self._lines[n]))
            return next(end, at + 1)
        if not line.strip() or _COMMENT.match(line):
            return at + 1
        if heading := _HEADING.fullmatch(line):
            self._results = False
            level = len(heading["stars"])
            self.blocks.append(Fence("heading", at + 1, at + 1, _marked(heading["title"]), level=level))
            return at + 1
        if self._results and _TABLE.match(line):
            return self._run(at, _TABLE)
        return self._prose(at)

    def _keyword(self, at: int, key: str, value: str) -> int:
        if key == "results":
            self._results = True
        elif key == "title":
            self.blocks.append(Fence("heading", at + 1, at + 1, value.strip(), level=1))
        elif key == "property" and value.lower().startswith("header-args"):
            self._defaults += f" {value}"
        return at + 1

    def _block(self, at: int, kind: str, rest: str) -> int:
        """Take a block up to its end; one without an end is a line of text."""
        ends = re.compile(rf"[ \t]*#\+end_{re.escape(kind)}\b.*", re.I)
        end = next((n for n in range(at + 1, len(self._lines)) if ends.fullmatch(self._lines[n])), 0)
        if not end or (kind not in (*_LISTED, *_UNSEEN, "src")):
            return at + 1
        text = _ESCAPE.sub(r"\1", textwrap.dedent("\n".join(self._lines[at + 1 : end]).expandtabs()))
        if kind in _LISTED:
            self._listed(at + 1, end, text)
        elif kind == "src":
            self._source(at, end, text, rest)
        return end + 1

    def _source(self, at: int, end: int, text: str, rest: str) -> None:
        if self._results:  # what Babel wraps a result in
            self._listed(at + 1, end, text)
            return
        name = rest.split(maxsplit=1)[0].lower() if rest.strip() else ""
        jupyter = name.startswith(("jupyter-", "ipython"))
        language = name.removeprefix("jupyter-").removeprefix("ess-")
        given = f"{self._defaults} {rest}"
        self._why = ""
        self.handed = self.handed or bool(_HANDED.search(given) or _PASTED.search(text))
        if _NOT_RUN.search(given):
            self._why = _KEPT
            return
        if LANGUAGES.get(language) == "python" and not jupyter and _RETURNS.search(text):
            self._why = _GIVEN_BACK
            return
        self._certain = jupyter or _OUTPUT.search(given) is not None
        self.blocks.append(Fence("fence", at + 1, end + 1, f"{text}\n", language))

    def _listed(self, first: int, end: int, text: str) -> None:
        """Take a listing whose text begins on a line, counted from 0: a result of the block above, or any."""
        results, self._results = self._results, False
        if not text.strip():
            return
        if results and self._why:
            self.blocks.append(Fence("unread", first + 1, end, text, self._why))
        elif results and self._certain:
            self.blocks.append(Fence("fence", first, end + 1, f"{text}\n", "output"))
        else:
            self.blocks.append(Fence("indented", first + 1, end, f"{text}\n"))

    def _run(self, at: int, kind: re.Pattern[str]) -> int:
        """Take the lines of one kind: those behind a colon, or of a table that is a result."""
        end = at
        while end < len(self._lines) and kind.match(self._lines[end]):
            end += 1
        if kind is _TABLE:
            self._results = False
            text = "\n".join(self._lines[at:end])
            self.blocks.append(Fence("unread", at + 1, end, text, self._why or _MADE_TABLE))
        else:
            found = [_FIXED.match(line) for line in self._lines[at:end]]
            self._listed(at, end, "\n".join((line["text"] or "") if line else "" for line in found))
        return end

    def _prose(self, at: int) -> int:
        """Take a paragraph; a link alone is a picture, which says nothing of what stands below."""
        end = at
        while (
            end < len(self._lines)
            and self._lines[end].strip()
            and not self._begins(self._lines[end], end > at)
        ):
            end += 1
        text = "\n".join(line.strip() for line in self._lines[at:end])
        if not (text.startswith("[[") and text.endswith("]]")):
            self.blocks.append(Fence("prose", at + 1, end, _marked(text)))
        self._results = False
        return max(end, at + 1)

    def _begins(self, line: str, below: bool) -> bool:
        """Whether something else than a paragraph begins on a line below one."""
        kinds = (_BEGIN, _KEYWORD, _FIXED, _DRAWER, _HEADING)
        return below and any(kind.fullmatch(line) for kind in kinds)


def _marked(text: str) -> str:
    """A text with code between backticks."""
    return _VERBATIM.sub(r"`\g<code>`", text)
