"""The files that a source may read because they lie beside it: helpers to include, data to load.

Which of them a source reads cannot be known without running it, in any language. So all of a case's folder
count, but for the files of the harness, the sources of other implementations and headers of C: of these,
those count that one of the others names, as a quoted path or an imported module. So do files of other folders
that one of them names by a quoted path that begins with ``../``.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from harness.errors import FixtureError

MOST_BYTES = 1 << 28
"""Bytes that the files beside a case's sources may have together."""

MOST_FILES = 4096

UNREADABLE = "unreadable"
"""Stands in place of the sha256 of a file that cannot be read."""

_TEXT = 1 << 20
"""How many bytes of a file are searched for the names of other files; no program is longer."""

_ABOVE = re.compile(rb"[\"'](\.\./[^\"'\n]{1,200})[\"']")

_INSTALLED = frozenset({"library", "staging", "sandbox"})
"""Folders of packages that renv installs: renv.lock says which."""

_HEADERS = frozenset({".h", ".hpp", ".hh", ".inc"})
"""How files end that sources of C and Fortran include by their names."""

_OURS = ("case.toml", "document.toml", "probes.toml")
_RECORDS = frozenset({"results.jsonl", "results.jsonl.partial"})
_REPORTS = frozenset(
    {
        "report.html",
        "junit.xml",
        "summary.md",
        "badge.json",
        "badge.svg",
        "cells.csv",
        "cells.parquet",
        "logs",
    }
)


class _File(msgspec.Struct, frozen=True):
    """A file's sha256, and those files it names that count only if they are named."""

    sha256: str
    names: frozenset[str]


class FilesBeside:
    """The files beside the sources of one case, read once, when they are first needed.

    Parameters
    ----------
    folder : Path
        The case's folder.
    sources : iterable of Path
        The source files of all its implementations.
    """

    def __init__(self, folder: Path, sources: Iterable[Path]) -> None:
        self._folder = folder
        self._apart = {*_OURS, *(source.name for source in sources)}
        self._lock = threading.Lock()
        self._files: dict[str, _File] | FixtureError | None = None

    def anew(self) -> FilesBeside:
        """The same of the files as they are now."""
        return FilesBeside(self._folder, [self._folder / name for name in self._apart])

    def of(self, *sources: Path) -> dict[str, str]:
        """The files that sources may read besides themselves.

        Parameters
        ----------
        *sources : Path
            Source files of this case.

        Returns
        -------
        dict of str to str
            The sha256 of each file by its path in the folder, sorted; empty if there are no such files.

        Raises
        ------
        FixtureError
            If there are more files, or larger ones, than are read.
        """
        with self._lock:
            if self._files is None:
                try:
                    self._files = dict(self._read())
                except FixtureError as error:
                    self._files = error
        files = self._files
        if isinstance(files, FixtureError):
            raise files
        names = {name for source in sources for name in _reached(source.name, files, self._apart)}
        return {name: files[name].sha256 for name in sorted(names)}

    def _read(self) -> Iterator[tuple[str, _File]]:
        size = 0
        with contextlib.suppress(OSError):
            self._apart |= {path.name for path in self._folder.iterdir() if path.suffix in _HEADERS}
        patterns = {name: _named(name) for name in self._apart}
        elsewhere: dict[Path, None] = {}
        for number, path in enumerate(_and_then(_walk(self._folder), elsewhere), 1):
            name = Path(os.path.relpath(path, self._folder)).as_posix()
            try:
                size += path.stat().st_size
                if number > MOST_FILES or size > MOST_BYTES:
                    raise _too_much(self._folder)
                content = path.read_bytes()
            except OSError:
                yield name, _File(UNREADABLE, frozenset())
                continue
            begin = content[:_TEXT]
            elsewhere |= dict.fromkeys(_above(begin, path, self._folder))
            names = frozenset(apart for apart, pattern in patterns.items() if pattern.search(begin))
            yield name, _File(hashlib.sha256(content).hexdigest(), names)


def differing(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the files that were changed, added or removed, each in a few words."""
    changed = [name for name in now if name in then and then[name] != now[name]]
    new = [f"{name} (new, or not noted then)" for name in now if name not in then]
    return [*changed, *new, *(f"{name} (gone)" for name in then if name not in now)]


def _and_then(first: Iterable[Path], later: Mapping[Path, None]) -> Iterator[Path]:
    """Yield some paths, then those that were added to others meanwhile, each once."""
    yield from first
    done: set[Path] = set()
    while waiting := [path for path in later if path not in done]:
        done.update(waiting)
        yield from waiting


def _above(text: bytes, path: Path, folder: Path) -> Iterator[Path]:
    """Yield the files outside of a folder that a file names by a quoted path that begins with ``../``."""
    for match in _ABOVE.finditer(text):
        try:
            named = Path(os.path.normpath(path.absolute().parent / match[1].decode()))
            if named.is_file() and not named.is_relative_to(folder.absolute()):
                yield named
        except (OSError, ValueError):
            continue


def _named(name: str) -> re.Pattern[bytes]:
    """Match a quoted path that ends in a file name; of a Python file, also its module, quoted or imported."""
    stem, dot, suffix = name.rpartition(".")
    whole, module = re.escape(name.encode()), re.escape(stem.encode())
    if dot + suffix != ".py":
        return re.compile(rb"[\"'/]%b[\"']" % whole)
    return re.compile(
        rb"[\"'/]%b(?:\.py)?[\"']|^[ \t]*(?:from|import)\b.*\b%b\b" % (module, module), re.MULTILINE
    )


def _reached(source: str, files: Mapping[str, _File], apart: Collection[str]) -> set[str]:
    """Return the files that count for a source: all that are not apart, and those apart that are named."""
    counted = {name for name in files if name not in apart}
    waiting = counted | {source}
    while waiting:
        named = {name for path in waiting if path in files for name in files[path].names if name in files}
        counted, waiting = counted | named, named - counted
    return counted - {source}


def _walk(folder: Path, above: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """Yield all regular files, links followed, except hidden files, compiled files and those of a run."""
    real = folder.resolve()
    if real in above:
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    of_a_run = any(entry.name in _RECORDS for entry in entries)
    for entry in entries:
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        if of_a_run and entry.name in _RECORDS | _REPORTS:
            continue
        if folder.name == "renv" and entry.name in _INSTALLED:
            continue
        if entry.is_dir():
            yield from _walk(entry, above | {real})
        elif entry.is_file():
            yield entry


def _too_much(folder: Path) -> FixtureError:
    return FixtureError(
        f"holds more than {MOST_FILES:,} files or {MOST_BYTES >> 20} MiB that a source may read",
        path=folder,
        advice="move what no source reads out of the case's folder",
    )
