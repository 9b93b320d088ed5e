"""Libraries that all files of a process share: what a file replaces in them is put back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

SHARED = (
    "builtins",
    "math",
    "cmath",
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "scipy.special",
    "torch",
    "torch.nn.functional",
)
"""Modules whose functions and numbers are watched, where they are imported."""


class ReplacedError(Exception):
    """A file gave a function or a number of a library another meaning."""


@contextmanager
def unreplaced() -> Iterator[None]:
    """Put back every function and number of a shared library that is replaced meanwhile.

    New attributes stay, such as ``numpy.float`` for old code; other files do not use them.

    Raises
    ------
    ReplacedError
        If one was replaced.
    """
    before = {name: (module, _members(module)) for name in SHARED if (module := sys.modules.get(name))}
    try:
        yield
    finally:
        replaced = [
            f"{name}.{attribute}"
            for name, (module, members) in before.items()
            for attribute, member in members.items()
            if _put_back(module, attribute, member)
        ]
    if replaced:
        raise ReplacedError(
            f"the file replaces {', '.join(replaced[:3])}, and every other file that this process loads would"
            " use that: give it a name of its own"
        )


def _members(module: ModuleType) -> dict[str, Any]:
    return {
        name: value
        for name, value in vars(module).items()
        if callable(value) or (isinstance(value, (int, float, complex)) and not name.startswith("_"))
    }


def _put_back(module: ModuleType, attribute: str, member: Any) -> bool:
    """Whether a member was replaced; it no longer is."""
    if vars(module).get(attribute) is member:
        return False
    setattr(module, attribute, member)
    return True
