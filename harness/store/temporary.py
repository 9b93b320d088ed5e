"""Folders for temporary files."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.errors import UsageError


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
    try:
        folder = tempfile.TemporaryDirectory(prefix="harness-", ignore_cleanup_errors=True)
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
