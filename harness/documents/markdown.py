"""Markdown, R Markdown and Quarto: fences, tabs and headings, by markdown-it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import msgspec

from harness.documents.admonitions import without_frames
from harness.documents.html_code import code_blocks
from harness.documents.html_tables import tables_as_text
from harness.documents.loose_prompts import as_listings
from harness.documents.model import DocumentKind, Note
from harness.documents.quoted_fences import with_quoted_ends
from harness.documents.raw_html import without_marks
from harness.documents.shortcodes import fenced

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_DIV = re.compile(r":{3,}(?:[ \t]*(?P<attributes>\{.*\}|[^\s:{][^\s{]*)(?:[ \t]+:+)?)?")
_ATTRIBUTES = re.compile(r"\{:\s*\.(?:language-)?(?P<name>[\w+-]+)\s*\}")
_INDENTED_FENCE = re.compile(r"(?:```|~~~)")
_ADMONITION = re.compile(
    r"[\w.-]+/(?:note|tip|caution|warning|advanced|important)|\{(?:note|tip|caution|warning|important|hint)\}"
)
_HEADER = re.compile(r"(?m)^(?P<fence>[ \t>]*`{3,})(?P<options>[ \t]*\{\w[^\n]*`[^\n]*\}[ \t]*)$")
"""The head of a chunk with code in its caption, which opens one for knitr, and no fence of CommonMark's."""
_NO_BACKTICK = "\N{MODIFIER LETTER GRAVE ACCENT}"
_TABSET = re.compile(r"(?:^|[\s{.])panel-tabset(?=[\s}]|$)")


class Fence(msgspec.Struct, frozen=True):
    """A block that matters here; lines are counted from 1, fences included.

    ``text`` is a fence's content, a heading's or paragraph's text, or the front matter. ``tabset`` counts
    the tabsets met so far, so that equal numbers and tracks mean the same tab. ``classes`` are those of the
    fenced div that it stands in. ``unread`` is an output that cannot be read, and its info the reason.
    """

    kind: Literal["fence", "indented", "html", "unclosed", "heading", "prose", "front", "tab", "unread"]
    line: int
    end_line: int
    text: str
    info: str = ""
    level: int = 0
    track: str = ""
    tabset: int = 0
    classes: str = ""

    @property
    def first_line(self) -> int:
        """The line that its text begins on."""
        return self.line + (self.kind in ("fence", "unclosed", "html"))


class Blocks(msgspec.Struct, frozen=True):
    """A document's blocks in order, and remarks on unpaired fenced divs.

    ``handed`` says whether a block is given values or code that the document does not show.
    """

    blocks: tuple[Fence, ...]
    notes: tuple[Note, ...] = ()
    handed: bool = False


class _Div(msgspec.Struct):
    line: int
    tabset: int = 0
    level: int = 0
    tab: str = ""
    classes: str = ""


def read_blocks(text: str, kind: DocumentKind) -> Blocks:
    """Parse a document's block structure; tabs of ``::: panel-tabset`` become tracks."""
    shown = _HEADER.sub(_without_backticks, text) if kind != "markdown" else as_listings(text)
    tokens = _parser(kind).parse(
        tables_as_text(fenced(without_frames(without_marks(with_quoted_ends(shown)))))
    )
    lines = text.rstrip().split("\n")
    blocks: list[Fence] = []
    notes: list[Note] = []
    divs: list[_Div] = []
    tabs = [_Div(0)]
    tabsets = 0
    for number, token in enumerate(tokens):
        line, end = (token.map[0] + 1, token.map[1]) if token.map else (0, 0)
        tab = tabs[-1]
        match token.type:
            case "front_matter":
                blocks.append(Fence("front", line, end, token.content))
            case "div_open":
                is_tabset = _TABSET.search(token.info) is not None
                tabsets += is_tabset
                divs.append(_Div(line, tabset=tabsets if is_tabset else 0, classes=token.info))
                if is_tabset:
                    tabs.append(divs[-1])
                    blocks.append(Fence("tab", line, end, ""))
            case "div_close" if not divs:
                notes.append(Note(line=line, text="a ::: closes no div"))
            case "div_close":
                if divs.pop().tabset:
                    tabs.pop()
                    blocks.append(Fence("tab", line, end, ""))
            case "heading_open":
                title = _without_attributes(tokens[number + 1].content)
                level = int(token.tag[1:])
                if tab.tabset and divs[-1] is tab and tab.level in (0, level):
                    tab.level, tab.tab = level, title
                    blocks.append(Fence("tab", line, end, title))
                else:
                    blocks.append(Fence("heading", line, end, title, level=level))
            case "fence" if _ADMONITION.fullmatch(token.info.strip()):
                blocks += moved(read_blocks(token.content, kind).blocks, line)
            case "fence":
                # What looks like the head of a chunk may be a line of this one.
                content = token.content if _NO_BACKTICK in text else token.content.replace(_NO_BACKTICK, "`")
                closed = token.content.count("\n") == end - line - 1
                closed = closed or (end < len(lines) and lines[line - 1].lstrip().startswith(">"))
                blocks.append(
                    Fence(
                        "fence" if closed else "unclosed",
                        line,
                        end,
                        content,
                        info=token.info.strip(),
                        track=tab.tab,
                        tabset=tab.tabset,
                        classes=divs[-1].classes if divs else "",
                    )
                )
            case "code_block" if _INDENTED_FENCE.match(token.content):  # the text of a footnote
                inner = moved(read_blocks(token.content, kind).blocks, line - 1)
                blocks += [block for block in inner if block.kind == "fence"]
            case "code_block":
                blocks.append(
                    Fence(
                        "indented",
                        line,
                        end,
                        token.content,
                        track=tab.tab,
                        tabset=tab.tabset,
                        classes=divs[-1].classes if divs else "",
                    )
                )
            case "html_block" if "<pre" in token.content:
                blocks += [
                    Fence(
                        "html",
                        max(0, line + code.line - 1),
                        end,
                        code.text,
                        code.language,
                        0,
                        tab.tab,
                        tab.tabset,
                    )
                    for code in code_blocks(token.content)
                ]
            case "inline" if tokens[number - 1].type != "heading_open":
                named = _ATTRIBUTES.fullmatch(token.content.strip())
                if named and blocks and blocks[-1].kind == "fence" and blocks[-1].end_line == line - 1:
                    blocks[-1] = msgspec.structs.replace(blocks[-1], info=named["name"])
                else:
                    classes = divs[-1].classes if divs else ""
                    blocks.append(Fence("prose", line, end, token.content, classes=classes))
            case _:
                pass
    notes += [Note(line=div.line, text="a ::: div is never closed") for div in divs]
    return Blocks(tuple(blocks), tuple(notes))


def _without_backticks(header: re.Match[str]) -> str:
    return header["fence"] + header["options"].replace("`", _NO_BACKTICK)


def moved(blocks: tuple[Fence, ...], lines: int) -> list[Fence]:
    """Blocks of a text that stands inside of another, by the lines of that one; its headings are left out."""
    return [
        msgspec.structs.replace(block, line=block.line + lines, end_line=block.end_line + lines)
        for block in blocks
        if block.kind not in ("heading", "front")
    ]


def _without_attributes(title: str) -> str:
    """Take ``{#id .class}`` off the end of a heading."""
    title = title.strip()
    return title[: title.rfind("{")].rstrip() if title.endswith("}") and "{" in title else title


def _parser(kind: DocumentKind) -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    parser = MarkdownIt("commonmark").use(front_matter_plugin).disable(["inline", "text_join"])
    if kind != "markdown":
        # knitr and Quarto find chunks at any indentation and inside HTML
        parser.disable(["code", "html_block"])
    parser.block.ruler.before("fence", "div", _div, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    return parser


def _div(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read one line of Pandoc's fenced divs; the walk over the tokens pairs them."""
    if state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    match = _DIV.fullmatch(line.strip())
    if match is None:
        return False
    if not silent:
        token: Token = state.push("div_open" if match["attributes"] else "div_close", "div", 0)
        token.info = match["attributes"] or ""
        token.map = [start, start + 1]
        state.line = start + 1
    return True
