"""Which files the sdist and the wheel hold, beside those of the checkout."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from pathlib import Path

MADE = {"PKG-INFO"}
"""What building adds to an sdist."""


def tracked(root: Path) -> set[str]:
    """The files that git knows of."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True)
    return set(filter(None, listed.stdout.split("\0")))


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
