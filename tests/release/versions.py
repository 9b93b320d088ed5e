"""Every file that states the version states the same one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PLACES = {
    "harness/__init__.py": r'^__version__ = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
}
CHANGELOG = "CHANGELOG.md"


def disagreements(root: Path, tag: str | None = None) -> list[str]:
    """What does not state the version of pyproject.toml, one sentence each.

    Parameters
    ----------
    root : Path
        The checkout.
    tag : str, optional
        A release's tag, ``v`` and the version; CHANGELOG.md must then have its section.
    """
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    found = []
    for name, pattern in PLACES.items():
        stated = re.findall(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        if stated != [version]:
            found.append(f"{name} states {', '.join(stated) or 'no version'}, pyproject.toml {version}")
    if tag is not None:
        if tag != f"v{version}":
            found.append(f"the tag is {tag}, and pyproject.toml states {version}")
        if not changes(root, version):
            found.append(f"{CHANGELOG} has no section [{version}], or nothing in it")
    return found


def changes(root: Path, version: str) -> str:
    """The section of CHANGELOG.md on a version, without its heading; empty where there is none."""
    text = (root / CHANGELOG).read_text(encoding="utf-8")
    section = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|^\[|\Z)", text, re.M | re.S)
    return section[1].strip() if section else ""
