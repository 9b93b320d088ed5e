"""Libraries that all files of a process share: what a file replaces in them is put back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

SHARED = (
    "math",
    "cmath",
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "scipy.special",
    "torch",
    "torch.nn.functional",
)
"""Modules whose functions are watched, where they are imported."""


class ReplacedError(Exception):
    """A file gave a function of a library another meaning."""


@contextmanager
def unreplaced() -> Iterator[None]:
    """Put back every function of a shared library that is replaced meanwhile.

    New attributes stay, such as ``numpy.float`` for old code; other files do not use them.

    Raises
    ------
    ReplacedError
        If a function was replaced.
    """
    before = {name: (module, _functions(module)) for name in SHARED if (module := sys.modules.get(name))}
    try:
        yield
    finally:
        replaced = [
            f"{name}.{attribute}"
            for name, (module, functions) in before.items()
            for attribute, function in functions.items()
            if _put_back(module, attribute, function)
        ]
    if replaced:
        raise ReplacedError(
            f"the file replaces {', '.join(replaced[:3])}, and every other file that this process loads would"
            " use that: give the function a name of its own"
        )


def _functions(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if callable(value)}


def _put_back(module: ModuleType, attribute: str, function: Any) -> bool:
    """Whether a function was replaced; it no longer is."""
    if vars(module).get(attribute) is function:
        return False
    setattr(module, attribute, function)
    return True
