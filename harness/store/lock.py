"""One command at a time writes into a folder, or a record."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from harness.errors import RecordError


class WriterLock:
    """A lock that this process has, once it is made.

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

    def __init__(self, path: Path, place: Path, advice: str) -> None:
        self._path, self._place, self._advice = path, place, advice
        self._acquire()

    def _acquire(self) -> None:
        self._lock = FileLock(self._path, timeout=0)
        try:
            self._lock.acquire()
        except Timeout as error:
            raise RecordError("another run is writing here", path=self._place, advice=self._advice) from error
        # While it is open, no other file gets its number.
        self._file = self._path.stat()

    @property
    def in_place(self) -> bool:
        """Whether the file still has its name: the folder may have been removed, and made again."""
        try:
            return os.path.samestat(self._file, self._path.stat())
        except OSError:
            return False

    def renew(self) -> None:
        """Acquire the lock again where its file was removed, with its folder.

        Raises
        ------
        RecordError
            Another process has it now, or the file cannot be made.
        """
        if self.in_place:
            return
        self._lock.release()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._acquire()
        except OSError as error:
            raise RecordError(f"cannot be written: {error.strerror}", path=self._place) from error

    def release(self) -> None:
        """Give the lock up, and remove its file; a file that another process has made there stays."""
        if not self._lock.is_locked:
            return
        # Removed while it is locked: whoever opened it before then has a file without a name, which filelock
        # refuses; whoever opens it after makes a new one. On Windows, release removes it.
        with contextlib.suppress(OSError):
            if self.in_place:
                self._path.unlink()
        self._lock.release()


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[WriterLock]:
    """Keep a folder of results for this process, so that record and reports are of one run.

    Yields
    ------
    WriterLock
        To be renewed before reports are written.

    Raises
    ------
    RecordError
        Another process has it, or it cannot be written to.
    """
    try:
        lock = WriterLock(
            folder / ".writing.lock", folder, "wait for it, or choose another folder with --out"
        )
    except OSError as error:
        raise RecordError(
            f"cannot be written: {error.strerror}", path=folder, advice="choose another folder with --out"
        ) from error
    try:
        yield lock
    finally:
        lock.release()
