"""The text of an implementation's file, for what quotes or changes it."""

from __future__ import annotations

from pathlib import Path

from harness.errors import CaseError
from harness.store.regular_file import read_regular
from harness.store.utf8 import decode_utf8


def source_text(path: Path) -> str:
    """Read a source file, with line ends as Python reads them.

    Raises
    ------
    CaseError
        It cannot be read, or is not UTF-8; with the line.
    """
    try:
        data = read_regular(path)
    except OSError as error:
        raise CaseError(f"cannot be read: {error.strerror}", path=path) from error
    text = decode_utf8(data, path, CaseError)
    return text.replace("\r\n", "\n").replace("\r", "\n")
