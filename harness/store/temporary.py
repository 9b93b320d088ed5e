"""Folders for temporary files.

On Linux the name of each says which process made it, so that the next one removes what a killed one left.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.errors import UsageError

PREFIX = "harness-"
"""How the name of every such folder begins."""

_OWNED = re.compile(rf"{PREFIX}(?P<pid>[0-9a-f]+)_(?P<start>[0-9a-f]+)_(?P<where>[0-9a-f]{{8}})_\w+")
_START = 19
"""The place of a process's start in `/proc/PID/stat`, behind its name: in ticks since the machine's own."""


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder for temporary files, and remove it at the end.

    Yields
    ------
    folder : Path
        Empty, in the system's folder for temporary files.

    Raises
    ------
    UsageError
        It cannot be made.
    """
    _removed_once()
    try:
        folder = tempfile.TemporaryDirectory(prefix=owned_prefix(), ignore_cleanup_errors=True)
    except OSError as error:
        raise UsageError(
            f"no folder for temporary files: {error.strerror}",
            path=error.filename,
            advice="set TMPDIR to a folder that is there and can be written to",
        ) from error
    try:
        yield Path(folder.name)
    finally:
        try:
            folder.cleanup()
        finally:
            # A signal, or a process that wrote a last file, may have cut the removal short.
            folder.cleanup()


def owned_prefix() -> str:
    """How the name of a folder of this process begins; on other systems than Linux it names no process."""
    start = _start_of(os.getpid())
    where = _where()
    return PREFIX if start is None or where is None else f"{PREFIX}{os.getpid():x}_{start:x}_{where}_"


def remove_left_behind(parent: Path) -> list[Path]:
    """Remove the folders of this user whose process is gone, by its number and the time of its start.

    Those of another machine, start of the machine or container cannot be told from living ones, and stay; so
    does what does not say whose it is.

    Parameters
    ----------
    parent : Path
        The system's folder for temporary files.

    Returns
    -------
    list of Path
        What was removed.
    """
    if (where := _where()) is None:
        return []
    removed = []
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            owner = _OWNED.fullmatch(entry.name)
            if owner is None or owner["where"] != where or not _is_own_folder(entry):
                continue
            # A process that cannot be looked at is alive, and so is one that has not said when it began.
            if _may_be_alive(int(owner["pid"], 16), int(owner["start"], 16)):
                continue
            shutil.rmtree(entry.path, ignore_errors=True)
            removed.append(Path(entry.path))
    return removed


@functools.cache
def _removed_once() -> None:
    remove_left_behind(Path(tempfile.gettempdir()))


def _is_own_folder(entry: os.DirEntry[str]) -> bool:
    with contextlib.suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
    return False


def _may_be_alive(pid: int, start: int) -> bool:
    try:
        now = _start_of(pid)
    except OSError:
        return True
    return now == start


def _start_of(pid: int) -> int | None:
    """When a process was started; None where there is none, or on another system.

    Raises
    ------
    OSError
        It is there, and cannot be looked at.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name is in brackets, and may have any sign in it.
    return int(text.rpartition(")")[2].split()[_START])


@functools.cache
def _where() -> str | None:
    """The machine since its start, and the space of process numbers; None on other systems than Linux."""
    if sys.platform != "linux":
        return None
    try:
        if Path("/proc/self").readlink().name != str(os.getpid()):
            # What is mounted there counts processes otherwise.
            return None
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
        return hashlib.sha256(f"{boot}{Path('/proc/self/ns/pid').readlink()}".encode()).hexdigest()[:8]
    except OSError:
        return None
