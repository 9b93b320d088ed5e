"""The text of an implementation's file, for what quotes or changes it."""

from __future__ import annotations

from pathlib import Path

from harness.errors import CaseError
from harness.store.regular_file import read_regular


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
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CaseError(
            f"is not UTF-8: byte 0x{data[error.start]:02x}",
            path=path,
            line=data.count(b"\n", 0, error.start) + 1,
            advice="save the file as UTF-8: a changed or quoted copy of it has this encoding",
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
