"""The folders of one worker: its pipes, its scratch folder, and the files that its code may read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

_LARGEST = 32 << 20
"""Bytes of one file that is copied: the scratch folder is in memory."""
_MOST = 96 << 20
"""Bytes of all files that are copied."""


class ScratchDirs(msgspec.Struct, frozen=True, kw_only=True):
    """What is made ready for one worker: a folder of the parent's, and what the code may read.

    ``copied`` are the names of the files of which it gets a copy that it may change.
    """

    folder: Path
    files: Mapping[str, Path]
    readable: tuple[Path, ...] = ()
    place: str = ""
    copied: frozenset[str] = frozenset()

    @property
    def pipes(self) -> Path:
        """The folder of the pipes that the worker prints into."""
        return self.folder / "pipes"

    @property
    def scratch(self) -> Path:
        """Where the code runs, outside bubblewrap."""
        return self.folder / "scratch"

    def copy_files(self, user: int | None) -> None:
        """Copy the files into the scratch folder, and give it to a user, who may write there."""
        (self.scratch / self.place).mkdir(parents=True, exist_ok=True)
        for name, path in self.files.items():
            (self.scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.scratch / name)
            (self.scratch / name).chmod(0o644 if name in self.copied else 0o444)
        if user is not None:
            copies = [self.scratch / name for name in self.copied]
            for path in (self.scratch, *(path for path in self.scratch.rglob("*") if path.is_dir()), *copies):
                os.chown(path, user, user)


def make_scratch_dirs(
    folder: Path, files: Mapping[str, Path], readable: Iterable[Path] = (), *, place: str = ""
) -> ScratchDirs:
    """Make a worker's folders; ``files`` appear in the scratch folder, by their names.

    The code may change a copy of each; those that are larger than `_LARGEST` are read-only, and so are the
    largest where all together are larger than `_MOST`.

    Parameters
    ----------
    folder : Path
        An empty folder.
    files : mapping of str to Path
        Name in the scratch folder, as seen from ``place``, and where the file is.
    readable : iterable of Path
        Files and folders that the code may read where they are.
    place : str
        Where in the scratch folder the code runs.
    """
    given = {os.path.normpath(Path(place, name)): path.resolve() for name, path in files.items()}
    dirs = ScratchDirs(
        folder=folder,
        files=given,
        copied=frozenset(_copied(given)),
        readable=tuple(path.resolve() for path in readable),
        place=place,
    )
    for directory in (folder, dirs.pipes, dirs.scratch):
        directory.mkdir(exist_ok=True)
        # The account that the code runs as must reach the pipes, but not list the folder.
        directory.chmod(0o711)
    return dirs


def _copied(files: Mapping[str, Path]) -> Iterator[str]:
    """Yield the names of the files that are copied, the smallest first."""
    left = _MOST
    for size, name in sorted((path.stat().st_size, name) for name, path in files.items()):
        left -= size
        if size > _LARGEST or left < 0:
            return
        yield name
