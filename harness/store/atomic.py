"""Files that are either the old ones or the whole new ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def write_whole(files: Mapping[Path, bytes]) -> None:
    """Write files so that a reader, or a crash, sees the old content of each or the new, never a part.

    None takes its place before all are on the disk.

    Raises
    ------
    OSError
        If one cannot be written; all are then as they were.
    """
    drafts = {path: path.with_name(f".{path.name}.{os.getpid()}.tmp") for path in files}
    try:
        for path, draft in drafts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("wb") as file:
                file.write(files[path])
                file.flush()
                os.fsync(file.fileno())
        for path, draft in drafts.items():
            draft.replace(path)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
