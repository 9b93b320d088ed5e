"""How a check ends before it passes."""

from __future__ import annotations

from typing import NoReturn


class Wrong(Exception):
    """The worker does not do what the protocol says."""


class NotOffered(Exception):
    """The worker does not have what the check is of, and need not."""


def wrong(what: str) -> NoReturn:
    """End a check: the worker is wrong."""
    raise Wrong(what)
