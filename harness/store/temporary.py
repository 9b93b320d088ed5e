"""Folders for temporary files."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder for temporary files, and remove it at the end.

    Yields
    ------
    folder : Path
        Empty, in the system's folder for temporary files.
    """
    folder = tempfile.TemporaryDirectory(prefix="harness-", ignore_cleanup_errors=True)
    try:
        yield Path(folder.name)
    finally:
        try:
            folder.cleanup()
        finally:
            # A signal, or a process that wrote a last file, may have cut the removal short.
            folder.cleanup()
