"""Files that are either the old ones or the whole new ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path


def write_whole(files: Mapping[Path, bytes | Iterable[bytes]]) -> dict[Path, int]:
    """Write files so that a reader, or a crash, sees the old content of each or the new, never a part.

    None takes its place before all are on the disk. What comes in pieces is written piece by piece.

    Returns
    -------
    dict of Path to int
        How many bytes each has.

    Raises
    ------
    OSError
        If one cannot be written; all are then as they were.
    """
    drafts = {path: path.with_name(f".{path.name}.{os.getpid()}.tmp") for path in files}
    sizes = {}
    try:
        for path, draft in drafts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("wb") as file:
                content = files[path]
                for piece in [content] if isinstance(content, bytes) else content:
                    file.write(piece)
                sizes[path] = file.tell()
                file.flush()
                os.fsync(file.fileno())
        for path, draft in drafts.items():
            draft.replace(path)
        return sizes
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
