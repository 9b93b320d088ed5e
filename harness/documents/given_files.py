"""The files that a document's code may read: beside it, below it, and in the repository that it lies in."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.documents.model import Document

_QUOTED = re.compile(r"[\"']([^\"'\n*?]{1,200})[\"']")
_PATTERN = re.compile(r"[\"']((?:[\w.-]+/)*[\w.-]*\*[\w.-]*\.[A-Za-z]\w{0,6})[\"']")
"""``data/*.csv``: in the last part of a path alone, and with an ending."""
_MATCHES = re.compile(r"glob\b|\blist\.files\(")
_MOST = 100


class FilesGiven(NamedTuple):
    """Files that a document's code may read, and why others beside it are left out.

    ``files`` are named from the document's folder, as its code names them. Where some lie above that folder,
    ``place`` is where in the repository it lies.
    """

    files: dict[str, Path]
    left_out: tuple[str, ...]
    place: str = ""


def files_beside(document: Document, folder: Path, roots: Sequence[Path] = ()) -> FilesGiven:
    """Files that the document's code names and that lie beside it, or that the document itself holds.

    Those above its folder are given where both lie in one repository, and none of a hidden folder. Links are
    followed within the document's folder alone, or the repository: who wrote the document may have made them,
    and whoever runs it may read more than its author.

    Parameters
    ----------
    document : Document
        Its data blocks are written to ``folder`` where no such file lies beside it.
    folder : Path
        An existing folder.
    roots : sequence of Path
        Folders that were given to be read, of which one takes the repository's place where there is none.
    """
    code = "\n".join(chunk.code for chunk in document.chunks)
    beside = document.path.parent
    real_folder = os.path.realpath(beside)
    files = {}
    left_out = []
    for path in sorted(beside.iterdir()):
        imported = path.suffix == ".py" and re.search(rf"\b(?:import|from)\s+{re.escape(path.stem)}\b", code)
        if (path.name not in code and not imported) or path.name == document.path.name:
            continue
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(real_folder):
            left_out.append(f"{path.name}: a link that leaves the document's folder is not followed")
        elif path.is_file():
            files[path.name] = real
        elif not path.is_dir():
            left_out.append(f"{path.name}: it is not a regular file")
    files |= _below(beside, real_folder, code)
    for block in document.data:
        name = Path(block.file).name
        if name and name not in files:
            path = folder / name
            path.write_text(block.text, encoding="utf-8")
            path.chmod(0o644)
            files[name] = path
    above, place = _above(Path(real_folder), code, roots)
    return FilesGiven(files | above, tuple(left_out), place)


def _below(beside: Path, real_folder: str, code: str) -> dict[str, Path]:
    """Files in folders below the document's, which its code names by their path or their folder."""
    files: dict[str, Path] = {}
    for name in _named(code, beside):
        plain = os.path.normpath(name)
        if plain.startswith(("..", "/", ".")) or not (beside / plain).exists():
            continue
        given = sorted((beside / plain).iterdir())[:_MOST] if (beside / plain).is_dir() else [beside / plain]
        for path in given:
            real = Path(os.path.realpath(path))
            if real.is_file() and real.is_relative_to(real_folder):
                files[str(path.relative_to(beside))] = real
    return files


def _named(code: str, folder: Path) -> list[str]:
    """Names of files and folders in code, and of what its patterns find, from a folder on."""
    names = _QUOTED.findall(code)
    for pattern in _PATTERN.findall(code) if _MATCHES.search(code) else ():
        within, _, last = os.path.normpath(pattern).rpartition("/")
        if not (folder / within).is_dir():
            continue
        found = sorted(path.name for path in (folder / within).iterdir() if path.name[:1] != ".")
        names += [str(Path(within) / name) for name in fnmatch.filter(found, last)[:_MOST]]
    return list(dict.fromkeys(names))


def _above(folder: Path, code: str, roots: Sequence[Path]) -> tuple[dict[str, Path], str]:
    """Files above a folder, in its repository or a given folder, which code names by a path."""
    root = repository_of(folder) or _root_among(roots, folder)
    if root is None:
        return {}, ""
    files: dict[str, Path] = {}
    for name in _named(code, folder):
        if not os.path.normpath(name).startswith("../"):
            continue
        named = Path(os.path.normpath(folder / name))
        for path in _files_at(named, root):
            files[os.path.relpath(path, folder)] = Path(os.path.realpath(path))
    return files, str(folder.relative_to(root)) if files else ""


def repository_of(folder: Path) -> Path | None:
    """Return the root of the repository that a folder lies in; a home folder is none.

    Parameters
    ----------
    folder : Path
        Links in it are resolved.
    """
    root = next((path for path in (folder, *folder.parents) if (path / ".git").exists()), None)
    return None if root is None or _holds_home(root) else root


def _holds_home(folder: Path) -> bool:
    return Path(os.path.realpath(Path.home())).is_relative_to(folder)


def _root_among(roots: Sequence[Path], folder: Path) -> Path | None:
    real = [Path(os.path.realpath(root)) for root in roots if root.is_dir()]
    return next((root for root in real if folder.is_relative_to(root) and not _holds_home(root)), None)


def _files_at(path: Path, root: Path) -> Iterator[Path]:
    """Yield a file, or the files of a folder, where they lie below a root and in no hidden folder."""
    if not path.is_relative_to(root) or path == root or not path.exists():
        return
    for file in sorted(path.iterdir())[:_MOST] if path.is_dir() else [path]:
        hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
        real = Path(os.path.realpath(file))
        inside = real.is_relative_to(root)
        if inside and not hidden:
            hidden = any(part.startswith(".") for part in real.relative_to(root).parts)
        if inside and not hidden and real.is_file():
            yield file
