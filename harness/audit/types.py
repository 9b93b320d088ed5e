"""The types of an audit: faults, mutants, and their fates."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from harness.model import Frozen, Precision


class Level(StrEnum):
    """Where a fault is put in: into an array that a worker returned, or into a source file."""

    BOUNDARY = "boundary"
    SOURCE = "source"


class InjectedFault(StrEnum):
    """The kind of a fault."""

    FOUR_LIMITS = "one element moved by 4 limits"
    THOUSANDTH = "one element moved by a thousandth"
    ROWS_SWAPPED = "two rows swapped"
    TRANSPOSED = "transposed"
    NAN = "NaN for one element"
    NEGATIVE_ZERO = "-0.0 for +0.0 where exact"
    ANOTHER_NAME = "another stage's value"
    ONE_ROW = "one row for all"
    SINGLE = "rounded to float32"
    SCALE = "√d is d"
    AXIS = "over the wrong axis"
    MAXIMUM = "maximum not subtracted"
    BIAS = "bias dropped"
    SINGLE_INSIDE = "rounded to float32 inside"
    TRANSPOSE_REMOVED = "transpose removed"
    SIGN = "plus is minus"
    CONSTANT = "constant off by one"


class Fate(StrEnum):
    """The fate of a mutant. An equivalent one computes the same, and is no fault."""

    KILLED = "killed"
    EQUIVALENT = "equivalent"
    SURVIVED = "survived"


class Mutant(Frozen, frozen=True, kw_only=True):
    """One fault in one place.

    ``place`` is a stage's output and the element, or a definition, its line and the change; ``sample`` is
    empty for a fault in a source file, which is tried on all.
    """

    level: Level
    case: str
    implementation: str
    precision: Precision
    fault: InjectedFault
    place: str
    sample: str = ""


class Tried(Frozen, frozen=True, kw_only=True):
    """A mutant and its fate.

    ``reason`` is the verdict that killed it, the proof that it is no fault, or what is known of its survival;
    ``tells`` names inputs that show the fault, if those of the fixture do not.
    """

    mutant: Mutant
    fate: Fate
    reason: str
    tells: str = ""


class AuditTally(Frozen, frozen=True, kw_only=True):
    """One line of the table; those that are equivalent do not count as injected."""

    case: str
    level: Level
    fault: InjectedFault
    injected: int
    killed: int
    equivalent: int
    survived: int


class Audit(Frozen, frozen=True, kw_only=True):
    """A whole audit; ``complaints`` say what could not be audited."""

    tallies: tuple[AuditTally, ...]
    equivalent: tuple[Tried, ...]
    survivors: tuple[Tried, ...]
    implementations: tuple[str, ...]
    sources: dict[str, str]
    complaints: tuple[str, ...]
    seconds: float

    @property
    def injected(self) -> int:
        """The number of mutants that are not equivalent."""
        return sum(tally.injected for tally in self.tallies)

    @property
    def killed(self) -> int:
        """The number of mutants that the judge found."""
        return sum(tally.killed for tally in self.tallies)

    @property
    def perfect(self) -> bool:
        """Whether faults were injected, all of them were killed, and nothing was left out."""
        return 0 < self.injected == self.killed and not self.complaints


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A source file with one fault in it: its text, or its bytes where it is a model, which has no lines."""

    fault: InjectedFault
    definition: str
    was: str
    now: str
    line: int = 0
    text: str = ""
    data: bytes = b""

    @property
    def place(self) -> str:
        """The place of the fault, and the change."""
        line = f", line {self.line}" if self.line else ""
        return f"{self.definition}{line}: {self.was} -> {self.now}"
