"""Bytes of a file as text: one message for what is not UTF-8."""

from __future__ import annotations

from pathlib import Path

from harness.errors import HarnessError


def decode_utf8(data: bytes, path: Path, error: type[HarnessError]) -> str:
    """Return the text of a file's bytes.

    Parameters
    ----------
    data : bytes
        All of the file, from its beginning.
    path : Path
        Its name, for the message.
    error : type of HarnessError
        What to raise.

    Raises
    ------
    HarnessError
        The given ``error``, if the bytes are not UTF-8; with the line.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise error(
            f"is not UTF-8: byte 0x{data[problem.start]:02x} at offset {problem.start}",
            path=path,
            line=data.count(b"\n", 0, problem.start) + 1,
            advice="save the file as UTF-8",
        ) from problem
