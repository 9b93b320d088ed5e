"""Which files the sdist and the wheel hold, beside those of the checkout."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from pathlib import Path

MADE = {"PKG-INFO"}
"""What building adds to an sdist."""


LINK = "120000"
"""How git writes the mode of a link: hatchling leaves links to folders out."""


def tracked(root: Path) -> set[str]:
    """The files that git knows of, without links."""
    command = ["git", "ls-files", "-z", "--format=%(objectmode) %(path)"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    modes = (line.partition(" ") for line in listed.split("\0") if line)
    return {path for mode, _, path in modes if mode != LINK}


def in_sdist(path: Path) -> set[str]:
    """The files of an sdist, below its folder."""
    with tarfile.open(path) as archive:
        return {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}


def in_wheel(path: Path) -> set[str]:
    """The files of a wheel that a program imports: neither its metadata nor the manual page."""
    with zipfile.ZipFile(path) as archive:
        names = [info.filename for info in archive.infolist() if not info.is_dir()]
    return {name for name in names if ".dist-info/" not in name and ".data/" not in name}


def differences(sdist: Path, wheel: Path, tree: set[str]) -> list[str]:
    """Where an archive holds what the checkout does not have, or lacks what it has; one sentence each.

    Parameters
    ----------
    sdist, wheel : Path
        The archives.
    tree : set of str
        The files of the checkout: the sdist holds all of them, the wheel those of ``harness/``.
    """
    package = {name for name in tree if name.startswith("harness/")}
    found = []
    for path, held, due in ((sdist, in_sdist(sdist) - MADE, tree), (wheel, in_wheel(wheel), package)):
        found += [f"{path.name} lacks {name}" for name in sorted(due - held)]
        found += [f"{path.name} holds {name}, which git does not know" for name in sorted(held - due)]
    return found
