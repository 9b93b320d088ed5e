"""Reads a document as text; the error of a file that is not text names the place."""

from __future__ import annotations

from pathlib import Path

import msgspec

from harness.documents.model import Note
from harness.errors import DocumentError
from harness.store.utf8 import decode_utf8

MAX_BYTES = 16 * 2**20
BOM = b"\xef\xbb\xbf"


class Text(msgspec.Struct, frozen=True):
    """A whole document with ``\\n`` line ends, the last line ended too."""

    text: str
    notes: tuple[Note, ...]


def read_text(path: Path, *, limit: int = MAX_BYTES) -> Text:
    """Read a document.

    Raises
    ------
    DocumentError
        If the file cannot be read, is larger than ``limit`` bytes, is binary, or is not UTF-8.
    """
    try:
        if not path.is_file():
            raise DocumentError("is not a file" if path.exists() else "does not exist", path=path)
        with path.open("rb") as file:
            size = path.stat().st_size
            raw = b"" if size > limit else file.read(limit + 1)
    except OSError as problem:
        raise DocumentError(f"cannot be read: {problem.strerror}", path=path) from problem
    if max(size, len(raw)) > limit:
        raise DocumentError(
            f"has {size / 1e6:.0f} MB; the limit for one document is {limit / 1e6:.0f} MB",
            path=path,
            advice="split it, or take the data out of it",
        )
    return _decode(raw, path)


def _decode(raw: bytes, path: Path) -> Text:
    notes: list[Note] = []
    if raw.startswith(BOM):
        raw = raw.removeprefix(BOM)
        notes.append(Note(line=1, text="starts with a byte order mark, which was dropped"))
    nul = raw.find(b"\0")
    if nul >= 0:
        raise DocumentError(f"is binary: byte {nul} is zero", path=path, line=raw.count(b"\n", 0, nul) + 1)
    text = decode_utf8(raw, path, DocumentError)
    counts = {"CRLF": text.count("\r\n")}
    counts["CR"] = text.count("\r") - counts["CRLF"]
    counts["LF"] = text.count("\n") - counts["CRLF"]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    used = [f"{count} {name}" for name, count in counts.items() if count]
    if len(used) > 1:
        notes.append(Note(line=1, text=f"mixed line ends ({', '.join(used)}) were all read as LF"))
    return Text(text if text.endswith("\n") else text + "\n", tuple(notes))
