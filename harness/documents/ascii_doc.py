"""AsciiDoc as blocks: listings with the language that the line above them names, literal blocks, headings.

Written from Asciidoctor's documentation of blocks: https://docs.asciidoctor.org/asciidoc/latest/blocks/.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

import msgspec

from harness.documents.markdown import Blocks, Fence

_VERBATIM = re.compile(r"(?:-{4,}|\.{4,}|`{3,})")
_UNSEEN = re.compile(r"(?:/{4,}|\+{4,}|[|!,:]={3,})")
_FRAME = re.compile(r"(?:={4,}|\*{4,}|_{4,}|--|\+)")
"""What stands around blocks that are read as if it were not there; or goes on with an item of a list."""
_FENCED = re.compile(r"```+[ \t]*(?P<name>[\w+-]+)[ \t]*")
_ATTRIBUTES = re.compile(r"\[(?P<list>[^\[\]\n]*)\][ \t]*")
_HEADING = re.compile(r"(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*)")
_TITLE = re.compile(r"\.(?P<title>[^\s.].*)")
_SET = re.compile(r":(?P<name>[\w-]+)!?:[ \t]*(?P<value>.*)")
_DIRECTIVE = re.compile(r"(?:include|ifdef|ifndef|ifeval|endif|image|toc|video|audio)::.*|//(?!/).*|//")
_INCLUDES = re.compile(r"^[ \t]*include::", re.MULTILINE)
_CALLOUT = re.compile(r"[ \t]*(?:(?:#|//|;;)[ \t]*)?(?:<(?:\d+|\.)>[ \t]*)+$", re.MULTILINE)
_EXPLAINED = re.compile(r"^<(?:\d+|\.)>[ \t]", re.MULTILINE)
_ROLE = re.compile(r"(?:.*[._-])?(?:outputs?|results?)", re.I)
_DRAWN = re.compile(r"\[?(?:plantuml|ditaa|graphviz|mermaid|a2s|blockdiag|vega|stem|latexmath)\b")
"""Of what a picture is made."""
ELSEWHERE = "include"
"""The language of a listing whose code stands in another file."""


class _Style(msgspec.Struct):
    """What the lines above a block say of it."""

    language: str = ""
    source: bool = False
    output: bool = False
    drawn: bool = False


def ascii_doc_blocks(text: str) -> Blocks:
    """Return the headings, paragraphs and listings of a document, in order.

    Parameters
    ----------
    text : str
        AsciiDoc. The numbers that refer to remarks below a listing are taken off its lines, where there are
        such remarks. A listing with the role of an output (``[.output]``) is one; of tables, comments and
        what is passed through nothing is left.
    """
    reader = _Lines(text.split("\n"), explained=_EXPLAINED.search(text) is not None)
    reader.read()
    return Blocks(tuple(reader.blocks))


class _Lines:
    """The lines of a document, and what has been made of them so far."""

    def __init__(self, lines: Sequence[str], *, explained: bool) -> None:
        self.blocks: list[Fence] = []
        self._lines = lines
        self._explained = explained
        self._usual = ""
        self._style = _Style()

    def read(self) -> None:
        """Take all lines."""
        at = 0
        while at < len(self._lines):
            at = self._next(at)

    def _next(self, at: int) -> int:
        """Take what begins on a line; return where the next begins."""
        line = self._lines[at].rstrip()
        if fenced := _FENCED.fullmatch(line):
            self._style = _Style(fenced["name"], source=True)
            return self._delimited(at, line[: line.index(fenced["name"])].strip())
        if _VERBATIM.fullmatch(line):
            return self._delimited(at, line)
        if _UNSEEN.fullmatch(line):
            return self._end(at, line) + 1
        if attributes := _ATTRIBUTES.fullmatch(line):
            self._styled(attributes["list"])
            return at + 1
        if self._style.source and line.strip() and not _TITLE.fullmatch(line):
            return self._paragraph(at, listed=True)
        if not line.strip() or _FRAME.fullmatch(line) or _DIRECTIVE.fullmatch(line):
            return at + 1
        if heading := _HEADING.fullmatch(line):
            self._style = _Style()
            level = len(heading["marks"])
            self.blocks.append(Fence("heading", at + 1, at + 1, heading["title"].strip(" ="), level=level))
            return at + 1
        if found := _SET.fullmatch(line):
            self._usual = found["value"] if found["name"] == "source-language" else self._usual
            return at + 1
        if title := _TITLE.fullmatch(line):
            self.blocks.append(Fence("prose", at + 1, at + 1, f"{title['title']}:"))
            return at + 1
        return self._paragraph(at, listed=line.startswith((" ", "\t")))

    def _styled(self, given: str) -> None:
        """Read a list of attributes: ``source,python``, ``,python``, ``.output``, ``role=output``."""
        first, *rest = [part.strip().strip("\"'") for part in given.split(",")]
        style, _, option = first.partition("%")
        if style in ("source", "") and rest and "=" not in rest[0]:
            self._style = _Style(rest[0].partition("%")[0], source=True)
        elif style == "source":
            self._style = _Style(self._usual, source=True)
        self._style.drawn = _DRAWN.match(style) is not None
        roles = [
            part for part in (first, option, *rest) if part.startswith((".", "role", "output", "result"))
        ]
        if any(_ROLE.fullmatch(role.removeprefix("role=").strip("\"'")) for role in roles):
            self._style.output = True

    def _end(self, at: int, mark: str) -> int:
        """The line that closes a block; the last one where none does."""
        closing = (n for n in range(at + 1, len(self._lines)) if self._lines[n].rstrip() == mark)
        return next(closing, len(self._lines) - 1)

    def _delimited(self, at: int, mark: str) -> int:
        end = self._end(at, mark)
        self._listing(at, end, "\n".join(self._lines[at + 1 : end]))
        return end + 1

    def _listing(self, at: int, end: int, text: str) -> None:
        """Take a listing whose first line stands below a line."""
        style, self._style = self._style, _Style()
        if not text.strip() or style.drawn or _DRAWN.match(text):
            return
        text = textwrap.dedent(_CALLOUT.sub("", text) if self._explained else text)
        name = "output" if style.output else style.language.lower()
        if _INCLUDES.search(text) and style.source:
            name = ELSEWHERE
        self.blocks.append(Fence("fence", at + 1, end + 1, f"{text}\n", name))

    def _paragraph(self, at: int, *, listed: bool) -> int:
        """Take the lines down to a blank one, or to one that begins something else."""
        end = at + 1
        while end < len(self._lines) and self._lines[end].strip() and not self._begins(self._lines[end]):
            end += 1
        text = "\n".join(self._lines[at:end])
        if listed and self._style.source:
            self._listing(at - 1, end - 1, text)
        elif listed:
            text = textwrap.dedent(text.expandtabs())
            self.blocks.append(Fence("indented", at + 1, end, f"{text}\n"))
        elif not _EXPLAINED.match(text):  # remarks on a listing stand between it and what it prints
            self.blocks.append(Fence("prose", at + 1, end, text))
        self._style = _Style()
        return end

    def _begins(self, line: str) -> bool:
        line = line.rstrip()
        kinds = (_VERBATIM, _UNSEEN, _FENCED, _ATTRIBUTES, _FRAME)
        return any(kind.fullmatch(line) for kind in kinds)
