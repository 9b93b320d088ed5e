"""A document as chunks of code with the output that it claims for them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from harness.documents.comment_output import read_comments
from harness.documents.languages import DATA, SUPPORTED, canonical
from harness.documents.listing import is_table, output_of, reading_of
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
from harness.documents.notebook import parse_notebook
from harness.documents.options import (
    Options,
    defaults,
    load_yaml,
    merge,
    parse_comments,
    parse_header,
    split_comments,
)
from harness.documents.read_errors import as_error
from harness.documents.source import read_text
from harness.documents.transcript import language_of, prompt_of, split_transcript
from harness.errors import DocumentError

KINDS: dict[str, DocumentKind] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".rmd": "rmarkdown",
    ".qmd": "quarto",
    ".ipynb": "notebook",
}
_WORD = re.compile(r"[@\w][\w.+#-]*")
_NEAR = 300
_CLASS = re.compile(r"\.([\w+-]+)")


def parse_document(path: Path) -> Document:
    """Read a document.

    Parameters
    ----------
    path : Path
        A Markdown (``.md``), R Markdown (``.Rmd``), Quarto (``.qmd``) or Jupyter (``.ipynb``) file.

    Returns
    -------
    Document
        Its chunks in order, each with the output blocks that belong to it.

    Raises
    ------
    DocumentError
        If it cannot be read as such; with the line, where one is to blame.
    """
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise DocumentError(
            f"{path.suffix or 'a file without a suffix'} is no kind of document",
            path=path,
            advice=f"known are {', '.join(sorted(KINDS))}",
        )
    source = read_text(path)
    if kind == "notebook":
        return parse_notebook(path, source)
    blocks = read_blocks(source.text, kind)
    reader = _Reader(path, kind, [*source.notes, *blocks.notes])
    for block in blocks.blocks:
        reader.take(block)
    return reader.document()


class _Reader:
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
        self.prose = ""

    def take(self, block: Fence) -> None:
        """Take the next block."""
        match block.kind:
            case "front":
                self.header = load_yaml(
                    block.text, what="the front matter", path=self.path, line=block.line + 1
                )
                self.defaults = defaults(self.header)
                self.notes += self.defaults.notes
            case "heading" | "tab":
                if block.level == 1 and not self.heading:
                    self.heading = block.text
                self.awaits_output = False
                self.prose = ""
            case "prose" if self.awaits_output and is_table(block, self.chunks[-1].code):
                table = OutputBlock(line=block.line, text=block.text, info="table", kind="table")
                self._attach(table)
            case "prose":
                self.prose = f"{self.prose}\n\n{block.text}" if self.prose else block.text
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
        title = self.header.get("title") or self.heading or self.path.stem
        return Document(
            path=self.path,
            kind=self.kind,
            title=str(title),
            engine=str(self.header.get("engine") or ""),
            tracks=tuple(self.tracks),
            chunks=tuple(self.chunks),
            data=tuple(self.data),
            notes=tuple(sorted(self.notes, key=lambda note: note.line)),
            unread=tuple(sorted(self.unread, key=lambda output: output.line)),
        )

    def _fence(self, block: Fence) -> None:
        info = block.info
        if info.startswith("{{"):  # Quarto shows such a chunk and does not run it
            self._listing(block, info.strip("{}"), display=True)
        elif info.startswith("{") and not info.startswith(("{.", "{#", "{=")):
            self._executable(block)
        elif not info.startswith("{="):
            name = _CLASS.search(info) if info.startswith("{") else None
            self._listing(block, name[1] if name else info, display=self.kind != "markdown")

    def _executable(self, block: Fence) -> None:
        inside = block.info[1:].rpartition("}")[0] or block.info[1:]
        language, header = parse_header(inside, path=self.path, line=block.line)
        comments, code = split_comments(block.text)
        in_code = parse_comments(comments, path=self.path, line=block.line + 1)
        self.notes += [*header.notes, *in_code.notes]
        options = merge(self.defaults, header, in_code)
        if options.label:
            first = self.labels.setdefault(options.label, block.line)
            if first != block.line:
                raise DocumentError(
                    f"two chunks have the label {options.label!r}: lines {first} and {block.line}",
                    path=self.path,
                    line=block.line,
                    advice="labels are unique in a document",
                )
        chunk = self._chunk(block, language, code, skipped=len(comments), executable=True)
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

    def _listing(self, block: Fence, info: str, *, display: bool) -> None:
        word = _WORD.match(info)
        name = word[0].lower() if word else ""
        reading = reading_of(block, name, prose=self.prose, awaited=self.awaits_output)
        language = canonical(name)
        prompt = prompt_of(language, block.text) if language in SUPPORTED or not name else ""
        if reading is not None and not (prompt and not reading.certain):
            before = self._before(block)
            if before is None:
                self._unread(block, f"a {name or 'plain'} block follows no chunk: not taken as output")
            else:
                self._attach(output_of(block, reading, name or block.info, before.language))
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
            chunk = self._chunk(block, language, block.text)
            self._add(msgspec.structs.replace(chunk, evaluated=not display))

    def _before(self, block: Fence) -> Chunk | None:
        before = self.chunks[-1] if self.chunks else None
        return before if before and self.awaits_output and before.track == block.track else None

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
        first = block.line + (block.kind == "fence")
        language = language_of(prompt)
        for entry in split_transcript(prompt, block.text):
            if entry.other:
                self._note(first + entry.line, "an entry at Julia's pkg, shell or help prompt was left out")
            elif entry.code.strip():
                shown = OutputBlock(line=first + entry.output_line, text=entry.output, info="prompt")
                output = as_error(shown, language)
                self._add(
                    Chunk(
                        index=len(self.chunks),
                        line=first + entry.line,
                        end_line=first + entry.end_line,
                        code_line=first + entry.line,
                        language=language,
                        code=entry.code,
                        track=block.track,
                        evaluated=not display,
                        prompts=True,
                        output=(output,) if entry.output else (),
                    )
                )

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
            supported=supported,
            output=comments.blocks if comments else (),
        )

    def _add(self, chunk: Chunk) -> None:
        if not chunk.supported:
            self._note(chunk.line, f"no engine runs {chunk.language}: the chunk is kept, and not run")
        self.chunks.append(chunk)
        self.awaits_output = True

    def _note(self, line: int, text: str) -> None:
        self.notes.append(Note(line=line, text=text))
