"""What stands in the files that code names: names and values that no version spells otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_FILE = re.compile(r"[\"']([\w][\w./ -]*\.\w{2,5})[\"']")
_LARGE = 4_000_000
"""Bytes of a file that is looked through."""


def files_named_in(code: str, folder: Path) -> Iterator[str]:
    """Yield the texts of the files beside a document that some of its code names.

    Parameters
    ----------
    code, folder : str, Path
        The code, and the document's folder.
    """
    for name in dict.fromkeys(_FILE.findall(code)):
        path = folder / name
        if path.is_file() and path.stat().st_size <= _LARGE:
            yield path.read_text(encoding="utf-8", errors="replace")
