"""Packages of a document's own: the variables by which its sessions find them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from harness.runtimes.registry import Launch

DISTRIBUTION = ".distribution"
"""The folder of a library of R that stands for the system's root: what the distribution's packages hold."""
_R_LIBRARIES = ("usr/lib/R/site-library", "usr/lib/R/library")
_SHARED = ("usr/lib", "lib", "usr/local/lib")


def with_packages(launch: Launch, folder: Path, variable: str) -> Launch:
    """Return a launch whose program finds the packages in a folder.

    Parameters
    ----------
    launch : Launch
        A session's.
    folder : Path
        What was installed for a document.
    variable : str
        The variable that names it: ``PYTHONPATH`` or ``R_LIBS``.
    """
    root = folder.resolve()
    tree = root / DISTRIBUTION
    env = {**launch.env, variable: str(root)}
    if variable == "R_LIBS":
        own = [root, *(tree / name for name in _R_LIBRARIES)]
        env[variable] = _joined((path for path in own if path.is_dir()), os.environ.get(variable))
        shared = list(_folders_of_libraries(tree))
        if shared:
            before = launch.env.get("LD_LIBRARY_PATH") or os.environ.get("LD_LIBRARY_PATH")
            env["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [before, *map(str, shared)]))
    return Launch(command=launch.command, env=env)


def _joined(folders: Iterable[Path], more: str | None) -> str:
    return os.pathsep.join([*map(str, folders), *filter(None, [more])])


def _folders_of_libraries(tree: Path) -> Iterable[Path]:
    """Yield the folders of shared libraries: that of the system's kind, and those right below it."""
    for name in _SHARED:
        folder = tree / name
        for below in (folder, *sorted(folder.glob("*-linux-*"))):
            if any(below.glob("*.so*")):
                yield below
