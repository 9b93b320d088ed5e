"""One command at a time writes into a folder, or a record."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from harness.errors import RecordError


def acquired(path: Path, place: Path, advice: str) -> BaseFileLock:
    """Return a lock that this process has.

    Parameters
    ----------
    path : Path
        The lock's file.
    place : Path
        What it protects.
    advice : str
        What to do while another process has it.

    Raises
    ------
    RecordError
        Another process has it.
    OSError
        The file cannot be made.
    """
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise RecordError("another run is writing here", path=place, advice=advice) from error
    return lock


def release(lock: BaseFileLock) -> None:
    """Give a lock up, and remove its file."""
    # Removed while it is locked: whoever opened it before then has a file without a name, which filelock
    # refuses; whoever opens it after makes a new one. On Windows, release removes it.
    with contextlib.suppress(OSError):
        Path(lock.lock_file).unlink()
    lock.release()


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Keep a folder of results for this process, so that record and reports are of one run.

    Raises
    ------
    RecordError
        Another process has it, or it cannot be written to.
    """
    try:
        lock = acquired(folder / ".writing.lock", folder, "wait for it, or choose another folder with --out")
    except OSError as error:
        raise RecordError(f"cannot be written: {error.strerror}", path=folder) from error
    try:
        yield
    finally:
        release(lock)
