"""The stand-ins for missing packages; the stand_in.toml of each folder says what it stands in for."""

from __future__ import annotations

import re
from pathlib import Path

import harness.workers
from harness.errors import UsageError
from harness.model import Frozen
from harness.store.toml import Toml

FILE = "stand_in.toml"
FOLDER = Path(harness.workers.__file__).with_name("stand_ins")


class StandIn(Frozen, frozen=True, kw_only=True):
    """A stand-in for a package, or for a function of a later version of the language.

    ``used_by`` is a regular expression that code which needs it matches; by default its name, as a word.
    """

    name: str
    used_by: str = ""

    def is_used(self, code: str) -> bool:
        """Whether code needs what this stands in for."""
        return bool(re.search(self.used_by or rf"\b{re.escape(self.name)}\b", code))


class _File(Frozen, frozen=True, kw_only=True):
    stand_in: StandIn


def stand_ins(language: str, folder: Path = FOLDER) -> tuple[StandIn, ...]:
    """Return a language's stand-ins, by the names of their folders; none where it has no folder.

    Parameters
    ----------
    language : str
        ``python``, ``r`` or ``julia``.
    folder : Path
        Where the folders of the languages are.

    Raises
    ------
    UsageError
        A stand_in.toml is missing or wrong, with its line.
    """
    if not (folder / language).is_dir():
        return ()
    return tuple(_read(path) for path in sorted((folder / language).iterdir()) if path.is_dir())


def _read(folder: Path) -> StandIn:
    toml = Toml(folder / FILE, UsageError)
    stand_in = toml.convert(_File).stand_in
    try:
        re.compile(stand_in.used_by)
    except re.error as problem:
        raise toml.refuse(
            f"'used_by' is not a regular expression: {problem}", "stand_in", "used_by", advice="correct it"
        ) from problem
    # A worker finds a package by its name.
    if not stand_in.used_by and stand_in.name != folder.name:
        raise toml.refuse(
            f"the package is called {stand_in.name!r}, its folder {folder.name!r}",
            *("stand_in", "name"),
            advice="give both the same name",
        )
    return stand_in
