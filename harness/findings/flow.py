"""What each top-level statement of code sets and reads, with its lines; read by a grammar, never run."""

from __future__ import annotations

import msgspec


class Part(msgspec.Struct, frozen=True):
    """One top-level statement.

    Attributes
    ----------
    line, end_line : int
        In its code, counted from 1.
    sets : frozenset of str
        Names that it sets, or of which it may change a part.
    whole : frozenset of str
        Those that it sets whatever they were before.
    reads : frozenset of str
        Names that it reads, functions that it calls among them.
    inner : frozenset of str
        Names that functions in it read from outside of themselves, when they are called.
    defines : frozenset of str
        Functions and types that it defines.
    anything : bool
        Whether it may set names that its text does not show, or changes how all below it is run.
    """

    line: int
    end_line: int
    sets: frozenset[str]
    whole: frozenset[str]
    reads: frozenset[str]
    inner: frozenset[str]
    defines: frozenset[str] = frozenset()
    anything: bool = False


class NotRead(Exception):
    """Code that a grammar does not know."""
