"""Suites: where they are, and which folders of them are cases."""

from __future__ import annotations

from pathlib import Path

from harness.errors import UsageError

FILE = "case.toml"


def find_suite(start: Path) -> Path:
    """Return the suite that a folder belongs to.

    It is ``start`` where that holds a case, or the folder around it where it is a case; else the
    ``reference_impls`` of the nearest folder, ``start`` or above it, that has ``fixtures`` too; else the one
    folder in ``start`` that holds a case.

    Raises
    ------
    UsageError
        There is none, or ``start`` holds several.
    """
    start = start.resolve()
    if (start / FILE).is_file():
        return start.parent
    if _has_case(start):
        return start
    for folder in (start, *start.parents):
        if (folder / "reference_impls").is_dir() and (folder / "fixtures").is_dir():
            return folder / "reference_impls"
    inside = suites_in(start)
    if len(inside) == 1:
        return inside[0]
    if inside:
        raise UsageError(
            f"there are several suites here: {', '.join(folder.name for folder in inside)}",
            path=start,
            advice="name one with --suite DIR",
        )
    raise UsageError(
        "no suite here: no folder in it holds a case.toml, none above holds reference_impls/ and fixtures/",
        path=start,
        advice="name a folder of cases with --suite DIR, or begin one: harness new case NAME",
    )


def suites_in(folder: Path) -> list[Path]:
    """The folders directly in a folder that hold a case."""
    return [inner for inner in _folders(folder) if _has_case(inner)]


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.is_dir())
    except OSError:  # not ours to read
        return []


def _has_case(folder: Path) -> bool:
    return any((inner / FILE).is_file() for inner in _folders(folder))


def current_folder() -> Path:
    """The current folder.

    Raises
    ------
    UsageError
        It was removed, or may not be read.
    """
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError(
            f"the current folder cannot be read: {error.strerror}", advice="cd to a folder that is there"
        ) from error


def case_folders(suite: Path) -> tuple[Path, ...]:
    """Return the folders of a suite that hold a case.toml, by name.

    Raises
    ------
    UsageError
        If the suite is not a folder, or is itself a case.
    """
    if not suite.is_dir():
        raise UsageError(
            "is not a folder" if suite.exists() else "does not exist",
            path=suite,
            advice="--suite takes a folder of case folders",
        )
    if (suite / FILE).exists():
        raise UsageError("is a case, not a suite", path=suite, advice="--suite takes the folder above it")
    return tuple(sorted(folder for folder in suite.iterdir() if (folder / FILE).is_file()))
