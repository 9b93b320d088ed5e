"""What is known of one runtime on this machine: whether it can be used, how, and what to do if not."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from harness.runtime_names import RuntimeName

__all__ = ["FIX", "Provision", "RuntimeName", "Say", "silent", "version_tuple"]

Say = Callable[[str], None]
"""Told, one line at a time, what an installation is doing."""

FIX = "harness doctor --fix"


class Provision(msgspec.Struct, frozen=True, kw_only=True):
    """One runtime as it was found.

    Parameters
    ----------
    runtime : str
        Which runtime.
    available : bool
        Whether a worker can be started with ``env``.
    version : str, optional
        The interpreter's (for PyTorch: the library's) version.
    hosting : str
        What hosts it in the worker, e.g. ``"rpy2 3.6.4"``, ``"juliacall 0.9.37"`` or ``"process"``.
    env : dict of str to str
        Environment variables that a worker process must be started with, on top of the parent's.
    executable : str, optional
        The interpreter. With ``hosting == "process"`` this is what to start.
    reason : str
        Why it is missing; or, where it is available, why not in the preferred way.
    broken : bool
        Whether it is found, or named by a setting, and does not run; then it is not missing.
    advice : tuple of str
        What to do about ``reason``, one line for each platform or step. Empty: nothing is to be done.
    """

    runtime: RuntimeName
    available: bool
    version: str | None = None
    hosting: str = ""
    env: dict[str, str] = {}
    executable: str | None = None
    reason: str = ""
    broken: bool = False
    advice: tuple[str, ...] = ()


def silent(line: str) -> None:
    """Say nothing."""


def version_tuple(text: str) -> tuple[int, ...]:
    """Leading dotted numbers of a version, e.g. ``(4, 2, 2)`` of ``"4.2.2-rc1"``."""
    numbers: list[int] = []
    for part in text.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)
