"""Files that are read: regular ones, never a pipe or a device, which may have no end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


MOST_BYTES = 1 << 31
"""Bytes that a file of arrays or a record may have, which is read whole."""


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading; what cannot be read to an end is not waited for.

    Raises
    ------
    OSError
        If it cannot be opened, or is a folder, a named pipe, a device or a socket.
    """
    try:
        _refuse(path.stat(), path)
        # Another file may have taken its place since: a pipe that nobody writes into is not waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except ValueError as problem:  # a zero byte in its name
        raise OSError(errno.EINVAL, "no file can have this name") from problem
    file = os.fdopen(descriptor, "rb")
    try:
        _refuse(os.fstat(descriptor), path)
    except OSError:
        file.close()
        raise
    return file


def read_regular(path: Path, most: int = MOST_BYTES) -> bytes:
    """Read a whole file.

    Parameters
    ----------
    path : Path
        The file.
    most : int
        Bytes that such a file may have.

    Raises
    ------
    OSError
        As `open_regular`; or if it is larger than ``most``, or than memory.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            data = file.read() if size <= most else b""
        except MemoryError as problem:
            raise OSError(errno.ENOMEM, f"its {size:,} bytes do not fit into memory") from problem
    if max(size, len(data)) > most:
        raise OSError(errno.EFBIG, f"it has {size:,} bytes; such a file may have {most:,}")
    return data


def _refuse(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        raise OSError(errno.EINVAL, f"it is {kind}, not a file")
