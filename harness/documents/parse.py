"""A document as chunks of code with the output that it claims for them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from harness.documents.languages import DATA, OUTPUT, SUPPORTED, canonical
from harness.documents.markdown import Fence, read_blocks
from harness.documents.model import Chunk, DataBlock, Document, DocumentKind, Note, OutputBlock
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
from harness.documents.source import read_text
from harness.documents.transcript import is_transcript, split_transcript
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
            case "prose":
                self.prose = block.text
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
        chunk = self._chunk(block, language, code, skipped=len(comments))
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
        if self._is_output(block, name):
            self._output(block, name)
        elif name in DATA:
            self._data(block, name)
        elif not name:
            self._note(block.line, "a fence without a language is taken neither as code nor as output")
        elif is_transcript(canonical(name), block.text):
            self._transcript(block, canonical(name), display=display)
        else:
            chunk = self._chunk(block, canonical(name), block.text)
            self._add(msgspec.structs.replace(chunk, evaluated=not display))

    def _is_output(self, block: Fence, name: str) -> bool:
        lines = [line.lstrip() for line in block.text.split("\n") if line.strip()]
        marks = ("#>",) if name and name not in OUTPUT else ("#>", "##")
        if lines and all(line.startswith(marks) for line in lines):
            return True
        direct = self.awaits_output and (not self.prose or self.prose.rstrip().endswith((":", "：")))
        return name in OUTPUT or (not name and direct)

    def _output(self, block: Fence, name: str) -> None:
        before = self.chunks[-1] if self.chunks else None
        if before is None or not self.awaits_output or before.track != block.track:
            self._note(block.line, f"a {name or 'plain'} block follows no chunk: not taken as output")
            return
        output = OutputBlock(line=block.line + 1, text=block.text.rstrip("\n"), info=name or block.info)
        self.chunks[-1] = msgspec.structs.replace(before, output=(*before.output, output))

    def _data(self, block: Fence, name: str) -> None:
        names = re.findall(rf"\w[\w.-]*\.{name}\b", self.prose[-_NEAR:])
        self.data.append(
            DataBlock(line=block.line + 1, text=block.text, info=name, file=names[-1] if names else "")
        )
        self.awaits_output = False

    def _transcript(self, block: Fence, language: str, *, display: bool) -> None:
        first = block.line + 1
        for entry in split_transcript(language, block.text):
            if entry.other:
                self._note(first + entry.line, "an entry at Julia's pkg, shell or help prompt was left out")
            elif entry.code.strip():
                output = OutputBlock(line=first + entry.output_line, text=entry.output, info="prompt")
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

    def _chunk(self, block: Fence, language: str, code: str, *, skipped: int = 0) -> Chunk:
        start = block.line + 1 + skipped
        return Chunk(
            index=len(self.chunks),
            line=block.line,
            end_line=block.end_line,
            code_line=start,
            language=language,
            code=code,
            track=block.track,
            supported=language in SUPPORTED,
            output=comment_output(code, start),
        )

    def _add(self, chunk: Chunk) -> None:
        if not chunk.supported:
            self._note(chunk.line, f"no engine runs {chunk.language}: the chunk is kept, and not run")
        self.chunks.append(chunk)
        self.awaits_output = True

    def _note(self, line: int, text: str) -> None:
        self.notes.append(Note(line=line, text=text))


def comment_output(code: str, first: int) -> tuple[OutputBlock, ...]:
    """Return the runs of ``#>`` lines inside a chunk; ``first`` is the line of its first line of code."""
    runs: list[tuple[int, list[str]]] = []
    for number, line in enumerate(code.split("\n"), first):
        if not line.startswith("#>"):
            continue
        if runs and runs[-1][0] + len(runs[-1][1]) == number:
            runs[-1][1].append(line)
        else:
            runs.append((number, [line]))
    return tuple(OutputBlock(line=line, text="\n".join(lines), info="comment") for line, lines in runs)
