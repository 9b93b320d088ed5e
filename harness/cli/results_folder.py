"""The folder that a command writes its results into."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.errors import UsageError


@contextlib.contextmanager
def folder_to_write(out: Path) -> Iterator[Path]:
    """Make a folder before anything runs; one that was made and got nothing is removed at the end.

    Yields
    ------
    Path
        Its path, whatever becomes of the current folder.

    Raises
    ------
    UsageError
        It cannot be made or written to.
    """
    made = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            where = out.resolve()
    except FileExistsError as error:
        raise UsageError("this is a file", path=out, advice="--out takes a folder") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"cannot write here: {reason}", path=out, advice="give --out another folder"
        ) from error
    try:
        yield where
    finally:
        if made:
            with contextlib.suppress(OSError):
                where.rmdir()
