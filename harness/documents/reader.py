"""Blocks of Markdown, one after the other, as chunks with their options and outputs."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import msgspec

from harness.documents import listing
from harness.documents.beside import DEEPEST, INCLUDE, read_beside
from harness.documents.comment_output import read_comments
from harness.documents.engines import holds_text, written_by
from harness.documents.examples import is_example
from harness.documents.inline import Prose, inline_code
from harness.documents.knitr_defaults import set_in_code
from harness.documents.labelled import without_label
from harness.documents.languages import DATA, SUPPORTED, canonical
from harness.documents.left_open import LeftOpen
from harness.documents.listing import first_word, names_output
from harness.documents.markdown import Fence, read_blocks
from harness.documents.model import (
    Chunk,
    DataBlock,
    Document,
    DocumentKind,
    Note,
    OutputBlock,
    UnreadOutput,
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
from harness.documents.pipe_tables import data_frame_below
from harness.documents.prompted import at_the_margin, called_otherwise, chunks_of
from harness.documents.prose_numbers import Paragraph, prose_numbers
from harness.documents.terminal import ScriptRun, script_run, unclear_above
from harness.documents.transcript import first_prompt, prompt_of
from harness.errors import DocumentError

_MYST = re.compile(r"\{(?P<name>code-cell|code-block|code)\}[ \t]*(?P<language>[\w+-]*)")
_DOCTEST_SETUP = re.compile(
    r"^DocTestSetup\s*=\s*(?:quote\n(?P<quoted>.*?)^end|:\((?P<expression>.*)\)\s*$)",
    re.DOTALL | re.MULTILINE,
)
_OTHER_PROMPTS = frozenset({"haskell", "hs", "purescript"})
"""Languages that have ``>>>`` for a prompt of their own."""
_NEAR = 300
_CLASS = re.compile(r"\.([\w+-]+)")


class Reader:
    """Takes one block after the other; knows which chunk an output block would belong to."""

    def __init__(self, path: Path, kind: DocumentKind, notes: list[Note]) -> None:
        self.path, self.kind, self.notes = path, kind, notes
        self.header: dict[str, Any] = {}
        self.defaults = Options()
        self.heading = ""
        self.chunks: list[Chunk] = []
        self.data: list[DataBlock] = []
        self.tracks: dict[str, None] = {}
        self.labels: dict[str, int] = {}
        self.unread: list[UnreadOutput] = []
        self.awaits_output = False
        self.left_open = LeftOpen()
        self.prose = ""
        self.files: list[str] = []
        self.paragraphs: list[Prose] = []
        self.beside: list[Paragraph] = []

    def given(self, options: Options, header: dict[str, Any]) -> None:
        """Take the defaults that the document's project gives it."""
        self.defaults = options
        self.header = {key: header[key] for key in ("engine",) if key in header}

    def take(self, block: Fence) -> None:
        """Take the next block."""
        match block.kind:
            case "front":
                header = load_yaml(block.text, what="the front matter", path=self.path, line=block.line + 1)
                own = defaults(header)
                self.header |= header
                self.defaults = merge(self.defaults, own)
                self.notes += own.notes
            case "heading" | "tab":
                if block.level == 1 and not self.heading:
                    self.heading = block.text
                self.awaits_output = False
                self.prose = ""
                self._paragraph(block)
            case "prose" if self.awaits_output and listing.is_table(block, self.chunks[-1].code):
                table = OutputBlock(line=block.line, text=block.text, info="table", kind="table")
                self._attach(table)
            case "prose" if self.awaits_output and (
                frame := data_frame_below(block, self.chunks[-1], self.prose)
            ):
                self._attach(frame)
            case "prose" if include := INCLUDE.fullmatch(block.text.strip()):
                self._follow(include["name"], block.line)
            case "prose":
                self.prose = f"{self.prose}\n\n{block.text}" if self.prose else block.text
                self._paragraph(block)
            case "unclosed":
                raise DocumentError(
                    "a fence is opened here and never closed",
                    path=self.path,
                    line=block.line,
                    advice="close it with the same characters, at the same depth of lists and quotes",
                )
            case "fence":
                if block.track:
                    self.tracks.setdefault(block.track)
                self._fence(block)
                self.prose = ""
            case "indented" | "html":
                self._listing(block, block.info, display=self.kind != "markdown")
                self.prose = ""

    def document(self) -> Document:
        """Return the document of all blocks that were taken."""
        chunks = tuple(self.chunks)
        title = self.header.get("title") or self.heading or self.path.stem
        return Document(
            path=self.path,
            kind=self.kind,
            title=str(title),
            engine=str(self.header.get("engine") or ""),
            tracks=tuple(self.tracks),
            chunks=chunks,
            data=tuple(self.data),
            notes=tuple(sorted(self.notes, key=lambda note: note.line)),
            unread=tuple(sorted(self.unread, key=lambda output: output.line)),
            numbers=tuple(prose_numbers(self.beside, chunks)),
            inline=tuple(inline_code(self.paragraphs)) if self.kind != "markdown" else (),
        )

    def _fence(self, block: Fence) -> None:
        info = block.info
        if info.startswith("{{"):  # Quarto shows such a chunk and does not run it
            self._listing(block, info.strip("{}"), display=True)
        elif myst := _MYST.fullmatch(info):
            self._directive(block, myst["name"], myst["language"].lower())
        elif name := listing.listed_as(info):
            self._listing(block, name, display=self.kind != "markdown")
        elif info.startswith("{") and not info.startswith(("{.", "{#", "{=")):
            self._executable(block)
        elif not info.startswith("{="):
            named = _CLASS.search(info) if info.startswith("{") else None
            self._listing(block, named[1] if named else info, display=self.kind != "markdown")

    def _directive(self, block: Fence, name: str, language: str) -> None:
        """Take a code cell of MyST, which Jupyter runs, or a code block, which is only shown."""
        if name != "code-cell":
            self._listing(block, language, display=self.kind != "markdown")
            return
        lines = block.text.split("\n")
        count = next((n for n, line in enumerate(lines) if not line.startswith(":")), len(lines))
        kernel = self.header.get("kernelspec")
        spoken = language or str(kernel.get("name", "python") if isinstance(kernel, dict) else "python")
        code = "\n".join(lines[count:])
        chunk = self._chunk(block, canonical(spoken.split("-")[0]), code, skipped=count, executable=True)
        tags = "\n".join(lines[:count])
        self._add(
            msgspec.structs.replace(
                chunk,
                executable=True,
                evaluated="skip-execution" not in tags,
                error="raises-exception" in tags,
            )
        )

    def _executable(self, block: Fence) -> None:
        inside = block.info[1:].rpartition("}")[0] or block.info[1:]
        language, header = parse_header(inside, path=self.path, line=block.line)
        comments, code = split_comments(block.text)
        in_code = parse_comments(comments, path=self.path, line=block.line + 1)
        self.notes += [*header.notes, *in_code.notes]
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
        if options.label and not self.files and (elsewhere is None or "ref.label" in options.values):
            first = self.labels.setdefault(options.label, block.line)
            if first != block.line:
                raise DocumentError(
                    f"two chunks have the label {options.label!r}: lines {first} and {block.line}",
                    path=self.path,
                    line=block.line,
                    advice="labels are unique in a document",
                )
        if written := written_by(language, options.values.get("engine.opts"), code):
            language, code = "r", written
        chunk = self._chunk(block, language, code, skipped=len(comments), executable=True)
        if elsewhere is not None:
            chunk = msgspec.structs.replace(chunk, code=elsewhere.code, code_line=elsewhere.code_line)
        self._add(
            msgspec.structs.replace(
                chunk,
                label=options.label,
                options=options.values,
                executable=True,
                evaluated=options.flag("eval", True),
                echo=options.flag("echo", True),
                error=options.flag("error", False),
            )
        )
        if language == "r" and options.flag("eval", True):
            self.defaults = merge(self.defaults, set_in_code(code, self.path, block.line))

    def _code_of(self, options: Options, block: Fence, code: str) -> Chunk | None:
        """Return the chunk whose code an empty chunk takes: that of its label, or of ``ref.label``."""
        if code.strip():
            return None
        named = options.values.get("ref.label", options.label)
        if not named or "ref.label" in options.expressions:
            return None
        return next((chunk for chunk in self.chunks if chunk.label == named), None)

    def _follow(self, name: str, line: int) -> None:
        """Take the blocks of a file that the document includes."""
        if name in self.files or len(self.files) >= DEEPEST:
            self._note(line, f"{name} is not followed: it includes itself, or files are nested too deeply")
            return
        text = read_beside(self.path, name)
        if isinstance(text, Note):
            self._note(line, text.text)
            return
        self.files.append(name)
        for block in read_blocks(text, self.kind).blocks:
            if block.kind != "front":
                self.take(block)
        self.files.pop()

    def _paragraph(self, block: Fence) -> None:
        if self.files:
            return
        self.paragraphs.append(Prose(block.line, block.text, len(self.chunks) - 1))
        if block.kind == "prose" and self.chunks and self.awaits_output:
            self.beside.append(Paragraph(block.line, block.text, len(self.chunks) - 1))

    def _listing(self, block: Fence, info: str, *, display: bool) -> None:
        name = first_word(info)
        above = self.chunks[-1].code if self.chunks and self.chunks[-1].supported else ""
        awaited = self.awaits_output
        if (ran := script_run(name, block.text)) is not None:
            self._terminal(block, ran)
            return
        reading = listing.reading_of(block, name, prose=self.prose, awaited=awaited, above=above)
        language = canonical(name)
        if language == "python" or (not name and reading is not None):
            block = without_label(block, language if name else "")
        prompt = ""
        if language in SUPPORTED or not name or name in listing.CONSOLE:
            spoken = language if language in SUPPORTED else ""
            block = at_the_margin(block, spoken)
            prompt = prompt_of(spoken, block.text)
        elif name not in _OTHER_PROMPTS:
            block, prompt = called_otherwise(block)
        if reading is not None and not (prompt and not reading.certain):
            before = self._before(block)
            if before is None:
                why = f"the {name or 'plain'} block follows no chunk: not taken as output"
                if names_output(name, block):
                    self._unread(block, why)
                else:
                    self._note(block.line, why)
            else:
                # Behind an output and prose of its own, it may be of something else than the chunk.
                certain = reading.certain and not (before.output and self.prose.strip())
                reading = msgspec.structs.replace(reading, certain=certain, example=is_example(self.prose))
                for output in listing.outputs_of(block, reading, name or block.info, before.language):
                    self._attach(output)
        elif name == "@meta" and (setup := _DOCTEST_SETUP.search(block.text)):
            code = textwrap.dedent((setup["quoted"] or setup["expression"]).strip("\n"))
            line = block.text.count("\n", 0, setup.start("quoted" if setup["quoted"] else "expression"))
            chunk = self._chunk(block, "julia", f"{code.strip()}\n", skipped=line)
            self._add(msgspec.structs.replace(chunk, evaluated=not display))
            self.awaits_output = False
        elif name in DATA and awaited and above and listing.is_called_output(self.prose):
            self._unread(
                block, f"the text calls the {name} block an output, of other code than what is shown"
            )
        elif name in DATA:
            self._data(block, name)
        elif prompt:
            self._transcript(block, prompt, display=display)
        elif not name:
            if self.awaits_output:
                self._unread(block, "a listing without a language, and prose between it and the code")
            elif block.kind == "fence":
                self._note(block.line, "a fence without a language is taken neither as code nor as output")
        else:
            begins = first_prompt(language, block.text)
            code = block.text if begins < 0 else block.text[:begins]
            chunk = self._chunk(block, language, code)
            self._add(msgspec.structs.replace(chunk, evaluated=not display))
            if begins >= 0:
                rest = block.line + code.count("\n")
                below = msgspec.structs.replace(block, line=rest, text=block.text[begins:])
                self._transcript(below, prompt_of(language, below.text), display=display)

    def _terminal(self, block: Fence, ran: ScriptRun) -> None:
        """Take what a script prints in a terminal as the output of the code above, where that may be it."""
        before = self._before(block)
        unclear = unclear_above(ran, before)
        if before is None or unclear:
            self._unread(block, f"a script is run in a terminal: {unclear}")
            return
        shown = msgspec.structs.replace(block, text=ran.text, line=block.line + ran.skipped)
        reading = listing.Reading("printed", certain=False, example=is_example(self.prose))
        for output in listing.outputs_of(shown, reading, "terminal", before.language):
            self._attach(output)

    def _before(self, block: Fence) -> Chunk | None:
        before = self.chunks[-1] if self.chunks else None
        if before is None or not self.awaits_output or before.track != block.track:
            return None
        # A transcript shows its own output.
        return None if before.prompts and not names_output(first_word(block.info), block) else before

    def _attach(self, output: OutputBlock) -> None:
        before = self.chunks[-1]
        self.chunks[-1] = msgspec.structs.replace(before, output=(*before.output, output))

    def _unread(self, block: Fence, why: str) -> None:
        self.unread.append(UnreadOutput(line=block.line, text=block.text.strip()[:200], why=why))
        self._note(block.line, why)

    def _data(self, block: Fence, name: str) -> None:
        names = re.findall(rf"\w[\w.-]*\.{name}\b", self.prose[-_NEAR:])
        self.data.append(
            DataBlock(line=block.line + 1, text=block.text, info=name, file=names[-1] if names else "")
        )
        self.awaits_output = False

    def _transcript(self, block: Fence, prompt: str, *, display: bool) -> None:
        source = self.files[-1] if self.files else ""
        found = chunks_of(block, prompt, index=len(self.chunks), source=source, evaluated=not display)
        self.notes += found.notes
        for chunk in found.chunks:
            self._add(chunk)

    def _chunk(
        self, block: Fence, language: str, code: str, *, skipped: int = 0, executable: bool = False
    ) -> Chunk:
        start = block.line + 1 + skipped
        supported = language in SUPPORTED
        comments = read_comments(code, language, start, values=not executable) if supported else None
        self.unread += comments.unread if comments else ()
        return Chunk(
            index=len(self.chunks),
            line=block.line,
            end_line=block.end_line,
            code_line=start,
            language=language,
            code=code,
            track=block.track,
            source=self.files[-1] if self.files else "",
            supported=supported,
            output=comments.blocks if comments else (),
        )

    def _add(self, chunk: Chunk) -> None:
        if holds_text(chunk.language):
            self._note(chunk.line, f"{chunk.language} holds text: there is nothing to run")
        elif not chunk.supported:
            self._note(chunk.line, f"no engine runs {chunk.language}: the chunk is kept, and not run")
        self.chunks.append(self.left_open.marked(chunk, self.prose))
        self.awaits_output = True

    def _note(self, line: int, text: str) -> None:
        self.notes.append(Note(line=line, text=text))
