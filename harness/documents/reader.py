"""Blocks of Markdown, one after the other, as chunks with their options and outputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from harness.documents import listing
from harness.documents.beside import DEEPEST, INCLUDE, read_beside
from harness.documents.collected import Collected
from harness.documents.engines import by_another, of_this_machine, written_by
from harness.documents.inline import inline_code
from harness.documents.knitr_defaults import set_in_code
from harness.documents.languages import canonical
from harness.documents.markdown import Fence, moved, read_blocks
from harness.documents.model import (
    Chunk,
    Document,
    DocumentKind,
    Note,
    OutputBlock,
)
from harness.documents.options import (
    Options,
    defaults,
    load_yaml,
    merge,
    parse_comments,
    parse_header,
    split_comments,
)
from harness.documents.output_words import heads_output, leads_to_output
from harness.documents.pipe_tables import data_frame_below
from harness.documents.prose_model import Paragraph
from harness.documents.prose_numbers import prose_numbers
from harness.documents.raw_output import is_printed
from harness.documents.take_listing import take_listing
from harness.errors import DocumentError

_MYST = re.compile(r"\{(?P<name>code-cell|code-block|code)\}[ \t]*(?P<language>[\w+-]*)")
_CLASS = re.compile(r"\.([\w+-]+)")
_PICTURES = re.compile(r"(?:\s*!\[[^\]\n]*\]\([^()\n]*\)(?:\{[^{}\n]*\})?)+\s*")
"""A paragraph of pictures, which says nothing of what stands below it."""


class Reader:
    """Takes one block after the other."""

    def __init__(self, path: Path, kind: DocumentKind, notes: list[Note]) -> None:
        self.found = Collected(path, kind, notes)
        self.header: dict[str, Any] = {}
        self.defaults = Options()
        self.heading = ""
        self.tracks: dict[str, None] = {}
        self.labels: dict[str, int] = {}
        self.paragraphs: list[Paragraph] = []
        self.beside: list[Paragraph] = []
        self.knitr = kind == "rmarkdown"
        self.handed = False
        """Whether its blocks are given values or code that the document does not show."""

    def given(self, options: Options, header: dict[str, Any]) -> None:
        """Take the defaults that the document's project gives it."""
        self.defaults = options
        self.header = {key: header[key] for key in ("engine",) if key in header}

    def take(self, block: Fence) -> None:
        """Take the next block."""
        match block.kind:
            case "front":
                what, path = "the front matter", self.found.path
                try:
                    header = load_yaml(block.text, what=what, path=path, line=block.line + 1)
                except DocumentError:
                    if self.found.kind != "markdown":
                        raise
                    # Plain Markdown may begin with a line across the page.
                    self.found.note(block.line, f"{what} cannot be read: taken as text between two lines")
                    for inner in moved(read_blocks(block.text, "markdown").blocks, block.line):
                        self.take(inner)
                    return
                own = defaults(header)
                self.header |= header
                self.defaults = merge(self.defaults, own)
                self.found.notes += own.notes
            case "heading" if self.found.awaits_output and heads_output(block.text):
                self.found.prose = f"{block.text.strip(' :*')}:"
            case "heading" | "tab":
                if block.level == 1 and not self.heading:
                    self.heading = block.text
                self.found.awaits_output = False
                self.found.prose = ""
                self._paragraph(block)
            case "prose" if self.found.awaits_output and listing.is_table(block, self.found.chunks[-1]):
                table = OutputBlock(line=block.line, text=block.text, info="table", kind="table")
                self.found.attach(table)
            case "prose" if self.found.awaits_output and (
                frame := data_frame_below(block, self.found.chunks[-1], self.found.prose)
            ):
                self.found.attach(frame)
            case "prose" if (
                self.found.kind == "markdown"  # elsewhere it may be code that knitr runs
                and not self.found.prose.strip()
                and self.found.before(block) is not None
                and (said := listing.said_output(block.text))
            ):
                self.found.attach(OutputBlock(line=block.line, text=said, info="value", certain=False))
            case "prose" if include := INCLUDE.fullmatch(block.text.strip()):
                self._follow(include["name"], block.line)
            case "prose" if _PICTURES.fullmatch(block.text):
                pass
            case "prose":
                self.found.prose = f"{self.found.prose}\n\n{block.text}" if self.found.prose else block.text
                self._paragraph(block)
            case "unclosed" if self.found.kind == "markdown":
                self.found.note(block.line, "a fence is opened here and never closed: it is read to its end")
                self.take(msgspec.structs.replace(block, kind="fence"))
            case "unclosed":
                raise DocumentError(
                    "a fence is opened here and never closed",
                    path=self.found.path,
                    line=block.line,
                    advice="close it with the same characters, at the same depth of lists and quotes",
                )
            case "unread":
                self.found.leave_unread(block, block.info)
            case "fence":
                if block.track:
                    self.tracks.setdefault(block.track)
                self._fence(block)
                self.found.prose = ""
            case "indented" | "html":
                take_listing(self.found, block, block.info, display=self.found.kind != "markdown")
                self.found.prose = ""

    def document(self) -> Document:
        """Return the document of all blocks that were taken; one that runs nothing is read as a page is."""
        chunks = tuple(self.found.chunks)
        if any(chunk.output for chunk in chunks) and not any(chunk.executable for chunk in chunks):
            chunks = tuple(msgspec.structs.replace(chunk, evaluated=True) for chunk in chunks)
        title = self.header.get("title") or self.heading or self.found.path.stem
        return Document(
            path=self.found.path,
            kind=self.found.kind,
            title=str(title),
            engine=str(self.header.get("engine") or ""),
            tracks=tuple(self.tracks),
            chunks=chunks,
            data=tuple(self.found.data),
            notes=tuple(sorted(self.found.notes, key=lambda note: note.line)),
            unread=tuple(sorted(self.found.unread, key=lambda output: output.line)),
            prose=tuple(self.paragraphs),
            numbers=tuple(prose_numbers(self.beside, chunks)),
            inline=tuple(inline_code(self.paragraphs)) if self.found.kind != "markdown" else (),
        )

    def _fence(self, block: Fence) -> None:
        info = block.info
        if not info.strip("{} "):  # knitr takes no chunk without an engine
            info = ""
        if info.startswith("{{"):  # Quarto shows such a chunk and does not run it
            take_listing(self.found, block, info.strip("{}"), display=True)
        elif myst := _MYST.fullmatch(info):
            self._directive(block, myst["name"], myst["language"].lower())
        elif name := listing.listed_as(info):
            take_listing(self.found, block, name, display=self.found.kind != "markdown")
        elif info.startswith("{") and not info.startswith(("{.", "{#", "{=")):
            self._executable(block)
        elif not info.startswith("{="):
            named = _CLASS.search(info) if info.startswith("{") else None
            take_listing(
                self.found, block, named[1] if named else info, display=self.found.kind != "markdown"
            )

    def _directive(self, block: Fence, name: str, language: str) -> None:
        """Take a code cell of MyST, which Jupyter runs, or a code block, which is only shown."""
        if name != "code-cell":
            take_listing(self.found, block, language, display=self.found.kind != "markdown")
            return
        lines = block.text.split("\n")
        count = next((n for n, line in enumerate(lines) if not line.startswith(":")), len(lines))
        kernel = self.header.get("kernelspec")
        spoken = language or str(kernel.get("name", "python") if isinstance(kernel, dict) else "python")
        code = "\n".join(lines[count:])
        chunk = self.found.chunk(block, canonical(spoken.split("-")[0]), code, skipped=count, executable=True)
        tags = "\n".join(lines[:count])
        self.found.add(
            msgspec.structs.replace(
                chunk,
                executable=True,
                evaluated="skip-execution" not in tags,
                error="raises-exception" in tags,
            )
        )

    def _executable(self, block: Fence) -> None:
        inside = block.info[1:].rpartition("}")[0] or block.info[1:]
        language, header = parse_header(inside, path=self.found.path, line=block.line)
        comments, code = split_comments(block.text)
        in_code = parse_comments(comments, path=self.found.path, line=block.line + 1)
        self.found.notes += [*header.notes, *in_code.notes]
        if self._is_output(language, code):
            take_listing(self.found, block, "", display=self.found.kind != "markdown")
            return
        options = merge(self.defaults, header, in_code)
        engine = self.defaults.values.get("engine")
        if language == "r" and isinstance(engine, str):
            language = canonical(engine)
        children = options.values.get("child")
        if children and "child" not in options.expressions:
            for name in children if isinstance(children, list) else [children]:
                self._follow(str(name), block.line)
            return
        elsewhere = self._code_of(options, block, code)
        if options.label and not self.found.files and (elsewhere is None or "ref.label" in options.values):
            first = self.labels.setdefault(options.label, block.line)
            if first != block.line and self.found.kind != "markdown":
                raise DocumentError(
                    f"two chunks have the label {options.label!r}: lines {first} and {block.line}",
                    path=self.found.path,
                    line=block.line,
                    advice="labels are unique in a document",
                )
        doubtful, own = "", ""
        if written := written_by(language, options.values.get("engine.opts"), code):
            language, code = "r", written
        elif self.knitr and (handed := by_another(language, options, code)):
            doubtful, own = of_this_machine(language), code
            language, code = "r", handed
        chunk = self.found.chunk(block, language, code, skipped=len(comments), executable=True)
        if elsewhere is not None:
            chunk = msgspec.structs.replace(chunk, code=elsewhere.code, code_line=elsewhere.code_line)
        self.found.add(
            msgspec.structs.replace(
                chunk,
                label=options.label,
                options=options.values,
                executable=True,
                evaluated=options.flag("eval", True),
                echo=options.flag("echo", True),
                error=options.flag("error", False),
                doubtful=doubtful,
                own=own,
            )
        )
        if language == "r" and options.flag("eval", True):
            self.defaults = merge(self.defaults, set_in_code(code, self.found.path, block.line))

    def _is_output(self, language: str, code: str) -> bool:
        """Whether what stands in braces below code is what that prints, perhaps coloured as a shell's."""
        prose = self.found.prose.strip()
        if not self.found.awaits_output or (prose and not leads_to_output(prose)):
            return False
        return is_printed(code, self.found.chunks[-1].language if language in listing.SHELL else language)

    def _code_of(self, options: Options, block: Fence, code: str) -> Chunk | None:
        """Return the chunk whose code an empty chunk takes: that of its label, or of ``ref.label``."""
        if code.strip():
            return None
        named = options.values.get("ref.label", options.label)
        if not named or "ref.label" in options.expressions:
            return None
        return next((chunk for chunk in self.found.chunks if chunk.label == named), None)

    def _follow(self, name: str, line: int) -> None:
        """Take the blocks of a file that the document includes."""
        if name in self.found.files or len(self.found.files) >= DEEPEST:
            self.found.note(
                line, f"{name} is not followed: it includes itself, or files are nested too deeply"
            )
            return
        text = read_beside(self.found.path, name)
        if isinstance(text, Note):
            self.found.note(line, text.text)
            return
        self.found.files.append(name)
        for block in read_blocks(text, self.found.kind).blocks:
            if block.kind != "front":
                self.take(block)
        self.found.files.pop()

    def _paragraph(self, block: Fence) -> None:
        if self.found.files:
            return
        paragraph = Paragraph(block.line, block.text, len(self.found.chunks) - 1)
        self.paragraphs.append(paragraph)
        if block.kind == "prose" and self.found.chunks and self.found.awaits_output:
            self.beside.append(paragraph)
