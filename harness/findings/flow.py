"""What each top-level statement of code sets and reads, with its lines; read by a grammar, never run."""

from __future__ import annotations

from collections.abc import Collection

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


class StatementNames:
    """The names of a statement that is being read, as a `Part` has them."""

    def __init__(self) -> None:
        self.sets: set[str] = set()
        self.reads: set[str] = set()
        self.inner: set[str] = set()
        self.defines: set[str] = set()
        self.anything = False

    def part(self, line: int, end_line: int, whole: Collection[str]) -> Part:
        """The statement, once all of it is read."""
        return Part(
            line=line,
            end_line=end_line,
            sets=frozenset(self.sets),
            whole=frozenset(whole),
            reads=frozenset(self.reads),
            inner=frozenset(self.inner),
            defines=frozenset(self.defines),
            anything=self.anything,
        )


class NotRead(Exception):
    """Code that a grammar does not know."""
