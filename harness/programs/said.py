"""What is said of two programs: matches, divergences, and what has no counterpart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from harness.errors import UsageError
from harness.model import Frozen
from harness.model.outcome import Outcome
from harness.programs.program import Where


class Place(Frozen, frozen=True, kw_only=True):
    """A variable and the statement that sets it; ``line`` is of the ``cell`` of a notebook."""

    name: str
    file: str
    line: int
    text: str = ""
    cell: int = 0

    @property
    def at(self) -> str:
        """The file and line, or of a notebook the file, cell and line."""
        return str(Where(self.file, self.line, self.cell))

    @property
    def short(self) -> str:
        """The line, or the cell and line."""
        return f"cell {self.cell}, {self.line}" if self.cell else str(self.line)


class Match(Frozen, frozen=True, kw_only=True):
    """Two variables that are the same quantity, and whether they agree."""

    a: Place
    b: Place
    layout: str
    confidence: float
    agrees: bool
    evidence: Mapping[str, float] = msgspec.field(default_factory=dict)


class Divergence(Frozen, frozen=True, kw_only=True):
    """Two statements that differ; ``occurrence`` is counted from 1."""

    rank: int
    a: Place
    b: Place
    kind: str
    occurrence: int
    relation: str = ""
    why: str = ""
    values: tuple[str, str] = ("", "")


class Alignment(Frozen, frozen=True, kw_only=True):
    """What is said of two programs."""

    outcome: Outcome
    sentence: str
    matches: tuple[Match, ...]
    divergences: tuple[Divergence, ...]
    unmatched: dict[str, tuple[Place, ...]]
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = msgspec.field(default_factory=dict)

    def raise_for_divergence(self) -> None:
        """Raise unless all results agree.

        Raises
        ------
        AlignmentError
            Results differ, a program failed, or nothing could be compared; the message is what the command
            prints.
        """
        if self.outcome is not Outcome.AGREEMENT:
            raise AlignmentError(self)

    def _repr_markdown_(self) -> str:
        from harness.programs.say import as_markdown

        return as_markdown(self)


class AlignmentError(AssertionError):
    """Two programs do not agree.

    Attributes
    ----------
    alignment : Alignment
        What is said of them.
    """

    def __init__(self, alignment: Alignment) -> None:
        from harness.programs.say import as_text

        super().__init__(as_text(alignment))
        self.alignment = alignment


def given_maps(texts: Iterable[str]) -> dict[str, str]:
    """The names of ``--map NAME=NAME``.

    Raises
    ------
    UsageError
        One is not that.
    """
    given: dict[str, str] = {}
    for text in texts:
        one, equals, other = text.partition("=")
        if not equals or not one or not other:
            raise UsageError(f"--map {text}: two names are due", advice="--map NAME=NAME")
        given[one] = other
    return given
