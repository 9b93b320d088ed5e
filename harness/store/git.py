"""What git knows of a file, where there is a git checkout."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def last_commit(path: Path) -> str:
    """The last commit that changed a file: short hash, day and subject; empty if that cannot be known."""
    return (_git(path.parent, "log", "-1", "--format=%h %cs %s", "--", path.name) or "").strip()


def uncommitted(folder: Path) -> tuple[str, ...]:
    """Files of a folder that were committed and are changed since; none outside of a git checkout."""
    lines = (_git(folder, "status", "--porcelain", "--", ".") or "").splitlines()
    return tuple(line[3:] for line in lines if not line.startswith("??"))


def _git(folder: Path, *args: str) -> str | None:
    git = shutil.which("git")
    if git is None or not folder.is_dir():
        return None
    command = [git, "-C", str(folder), "--no-optional-locks", *args]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
