"""Suites: where they are, and which folders of them are cases."""

from __future__ import annotations

from pathlib import Path

from harness.errors import UsageError

FILE = "case.toml"


def find_suite(start: Path) -> Path:
    """Return the ``reference_impls`` of the nearest folder, ``start`` or above it, that has a suite.

    Raises
    ------
    UsageError
        If no folder upward holds both ``reference_impls`` and ``fixtures``.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / "reference_impls").is_dir() and (folder / "fixtures").is_dir():
            return folder / "reference_impls"
    raise UsageError(
        "no suite here: neither this folder nor any above it holds reference_impls/ and fixtures/",
        path=start,
        advice="name a folder of cases with --suite DIR",
    )


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
