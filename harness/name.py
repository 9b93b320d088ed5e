"""The name under which the project is distributed, and the package that would overwrite its files."""

from __future__ import annotations

from importlib import metadata
from typing import Final

DISTRIBUTION: Final = "polyglot-harness"
"""``harness`` on PyPI is an unrelated package of 2020."""
OTHER: Final = "harness"


def clash() -> str:
    """Say that the unrelated package is installed too, and how to get out of it; empty where it is not.

    Both install a package and a command named ``harness``: files of the one overwrite those of the other.

    Returns
    -------
    str
        A sentence, and in a second line what to do.
    """
    try:
        version = metadata.version(OTHER)
    except metadata.PackageNotFoundError:
        return ""
    return (
        f"{OTHER} {version}, an unrelated package, is installed in this environment too, and its files"
        f" overwrite those of {DISTRIBUTION}\n"
        f"  -> python3 -m pip uninstall -y {OTHER} {DISTRIBUTION}, then install {DISTRIBUTION} again"
    )
