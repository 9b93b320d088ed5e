"""What has been read of a document so far, block by block: its chunks, their outputs, what is unread."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from harness.documents.comment_output import read_comments
from harness.documents.engines import holds_text
from harness.documents.languages import SUPPORTED
from harness.documents.left_open import LeftOpen
from harness.documents.listing import first_word, names_output
from harness.documents.markdown import Fence
from harness.documents.model import Chunk, DataBlock, DocumentKind, Note, OutputBlock, UnreadOutput
from harness.documents.output_words import leads_to_output

_REMARKS = re.compile(r"(?m)^[ \t]*#.*$")


class Collected:
    """Knows which chunk an output block would belong to; ``prose`` is what stands since the last listing."""

    def __init__(self, path: Path, kind: DocumentKind, notes: list[Note]) -> None:
        self.path, self.kind, self.notes = path, kind, notes
        self.chunks: list[Chunk] = []
        self.data: list[DataBlock] = []
        self.unread: list[UnreadOutput] = []
        self.files: list[str] = []
        self.awaits_output = False
        self.prose = ""
        self._left_open = LeftOpen()

    @property
    def source(self) -> str:
        """The file that the blocks stand in, where it is not the document."""
        return self.files[-1] if self.files else ""

    def before(self, block: Fence) -> Chunk | None:
        """Return the chunk that an output there would belong to."""
        before = self.chunks[-1] if self.chunks else None
        if before is None or not self.awaits_output or before.track != block.track:
            return None
        if before.supported and not before.included and not _REMARKS.sub("", before.code).strip():
            return None  # remarks alone print nothing
        # A transcript shows its own output; knitr's, in the next listing.
        follows = (before.language == "r" and not self.prose.strip()) or leads_to_output(self.prose)
        silent = not before.output and follows
        own = before.prompts and not silent and not names_output(first_word(block.info), block)
        return None if own else before

    def attach(self, output: OutputBlock) -> None:
        """Take an output of the last chunk."""
        before = self.chunks[-1]
        self.chunks[-1] = msgspec.structs.replace(before, output=(*before.output, output))

    def leave_unread(self, block: Fence, why: str) -> None:
        """Count a block that looks like an output and is not taken as one."""
        self.unread.append(UnreadOutput(line=block.line, text=block.text.strip()[:200], why=why))

    def chunk(
        self, block: Fence, language: str, code: str, *, skipped: int = 0, executable: bool = False
    ) -> Chunk:
        """Return the next chunk, with the outputs that stand in its comments; it is not taken yet."""
        start = block.first_line + skipped
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
            source=self.source,
            supported=supported,
            output=comments.blocks if comments else (),
        )

    def add(self, chunk: Chunk) -> None:
        """Take the next chunk."""
        if holds_text(chunk.language):
            self.note(chunk.line, f"{chunk.language} holds text: there is nothing to run")
        elif not chunk.supported:
            self.note(chunk.line, f"no engine runs {chunk.language}: the chunk is kept, and not run")
        self.chunks.append(self._left_open.marked(chunk, self.prose))
        self.awaits_output = True

    def note(self, line: int, text: str) -> None:
        """Keep a remark on a line."""
        self.notes.append(Note(line=line, text=text))
