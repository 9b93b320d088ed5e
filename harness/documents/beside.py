"""Files beside a document that belong to it: children, includes, code, and the defaults of its project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.documents.model import Note
from harness.documents.options import Options, defaults, load_yaml
from harness.documents.source import read_text
from harness.errors import DocumentError

INCLUDE = re.compile(r"\{\{<\s*include\s+(?P<name>[^\s>]+)\s*>\}\}")
DEEPEST = 5
"""Files inside of each other, at most."""
_PROJECT = ("_quarto.yml", "_quarto.yaml")
_FOLDER = "_metadata.yml"


def file_beside(document: Path, name: str) -> Path | str:
    """Find a file that a document names.

    Parameters
    ----------
    document : Path
        The document.
    name : str
        As it stands there, relative to the document's folder.

    Returns
    -------
    Path or str
        A text says why it is not followed: only files inside the document's folder are, links resolved.
    """
    folder = document.parent.resolve()
    found = (folder / name.lstrip("/")).resolve()
    if not found.is_relative_to(folder):
        return f"{name} lies outside of the document's folder, and is not followed"
    if not found.is_file():
        return f"{name} is not there"
    return found


def read_beside(document: Path, name: str) -> str | Note:
    """Return the text of a file that a document names; a note of line 0 says why it cannot be read."""
    found = file_beside(document, name)
    if isinstance(found, str):
        return Note(line=0, text=found)
    try:
        return read_text(found).text
    except DocumentError as error:
        return Note(line=0, text=f"{name}: {error.message}")


def project_options(document: Path) -> tuple[Options, dict[str, Any], tuple[Note, ...]]:
    """Return what Quarto's project says of every document of its folder.

    Parameters
    ----------
    document : Path
        A ``.qmd`` file.

    Returns
    -------
    tuple of Options, dict and tuple of Note
        The chunks' defaults; the whole mapping; notes on files that cannot be read.
    """
    mapping: dict[str, Any] = {}
    notes: list[Note] = []
    for path in _project_files(document):
        try:
            found = load_yaml(read_text(path).text, what=path.name, path=path, line=1)
        except DocumentError as error:
            notes.append(Note(line=1, text=f"{path.name} is not followed: {error.message}"))
            continue
        for key, value in found.items():
            both = isinstance(value, dict) and isinstance(mapping.get(key), dict)
            mapping[key] = {**mapping[key], **value} if both else value
    return defaults(mapping), mapping, tuple(notes)


def _project_files(document: Path) -> Iterator[Path]:
    """Yield the project's file, then those of the folders down to the document's."""
    folders = [document.parent.resolve(), *document.parent.resolve().parents][:DEEPEST]
    for number, folder in enumerate(folders):
        project = next((folder / name for name in _PROJECT if (folder / name).is_file()), None)
        if project is not None:
            yield project
            for inner in reversed(folders[: number + 1]):
                if (inner / _FOLDER).is_file():
                    yield inner / _FOLDER
            return
        if (folder / ".git").exists():
            return
