"""Versions of Python's packages that a file beside a document pins, and whether they are here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import msgspec

from harness.findings.fix import DISTRIBUTIONS

_FILES = ("requirements.txt", "environment.yml", "environment.yaml")
_LARGEST = 1 << 20
_EXACT = re.compile(
    r"^\s*(?:-\s+)?[\"']?(?:[\w-]+::)?([A-Za-z][\w.-]*)(?:\[[\w,\s-]*\])?\s*={1,3}\s*(\d[\w.]*)"
    r"(?=\s*(?:[;=#\"']|$))"
)


class Pin(msgspec.Struct, frozen=True):
    """One package's version as a file pins it, and as it is here; ``here`` is empty where it is not."""

    file: str
    version: str
    here: str

    @property
    def same(self) -> bool:
        """Whether the pinned version is the one that is here, but for zeros at its end."""
        return _plain(self.version) == _plain(self.here)


def pins_of(document: Path) -> dict[str, Pin]:
    """Return the packages, by the name of their module, of which files beside a document pin the version.

    Parameters
    ----------
    document : Path
        The document. Only exact versions count (``numpy==1.26.4``; for conda, ``numpy=1.26.4``);
        of a package that is pinned twice in two ways, none does.
    """
    found: dict[str, Pin] = {}
    parted: set[str] = set()
    for name in _FILES:
        for module, version in _pinned(document.with_name(name)):
            pin = Pin(file=name, version=version, here=_installed(module))
            if _plain(found.setdefault(module, pin).version) != _plain(version):
                parted.add(module)
    return {module: pin for module, pin in found.items() if module not in parted}


def _pinned(file: Path) -> Iterator[tuple[str, str]]:
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST:
            return
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    modules = {name.lower(): module for module, name in DISTRIBUTIONS.items()}
    for line in lines:
        match = _EXACT.match(line)
        if match is not None:
            name = match[1].lower().replace("_", "-")
            yield modules.get(name, name.replace("-", "_")), match[2]


def _installed(module: str) -> str:
    try:
        return metadata.version(DISTRIBUTIONS.get(module, module))
    except metadata.PackageNotFoundError:
        return ""


def _plain(version: str) -> str:
    return re.sub(r"(?:\.0)+$", "", version.partition("+")[0])
