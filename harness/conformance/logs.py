"""The files that workers print into: ``RUNTIME.N.stderr``, one for each start of a worker."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from harness.errors import UsageError

FOLDER = "logs"
"""The folder of logs beside a run's record."""

LARGEST = 1 << 24
"""Largest size of a log in bytes; of a larger one the end is kept."""

KEPT = 1 << 20

_LOG = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\.[0-9]+\.stderr")


def fresh_folder(folder: Path) -> None:
    """Make a folder for logs, and remove those of an earlier run; other files stay.

    Raises
    ------
    UsageError
        It cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for log in _logs(folder):
            log.unlink()
    except OSError as error:
        raise UsageError(
            f"cannot write here: {error.strerror}", path=folder, advice="give --out another folder"
        ) from error


def tidy(folder: Path) -> None:
    """Remove the empty logs, cut the huge ones, and remove the folder if nothing is in it."""
    try:
        for log in _logs(folder):
            size = log.stat().st_size
            if not size:
                log.unlink()
            elif size > LARGEST:
                _keep_the_end(log)
        if not any(folder.iterdir()):
            folder.rmdir()
    except OSError:
        # An error here must not affect the results.
        return


def _logs(folder: Path) -> Iterator[Path]:
    return (path for path in list(folder.iterdir()) if _LOG.fullmatch(path.name) and path.is_file())


def _keep_the_end(log: Path) -> None:
    with log.open("r+b") as file:
        file.seek(-KEPT, os.SEEK_END)
        end = file.read()
        file.seek(0)
        file.write(end)
        file.truncate()
