"""One command at a time writes into a folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from harness.errors import RecordError


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Keep a folder of results for this process, so that record and reports are of one run.

    Raises
    ------
    RecordError
        Another process has it, or it cannot be written to.
    """
    lock = FileLock(folder / ".writing.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise RecordError(
            "another run is writing here",
            path=folder,
            advice="wait for it, or choose another folder with --out",
        ) from error
    except OSError as error:
        raise RecordError(f"cannot be written: {error.strerror}", path=folder) from error
    try:
        yield
    finally:
        # Removed while it is locked: filelock refuses a file without a name, which others may have opened.
        with contextlib.suppress(OSError):
            Path(lock.lock_file).unlink()
        lock.release()
