"""What a whole run comes to: one value, from which every report and the exit code follow."""

from __future__ import annotations

from enum import StrEnum

from harness.model.base import Frozen


class Outcome(StrEnum):
    """One word for a run."""

    AGREEMENT = "AGREEMENT"
    """Every output of every chosen implementation whose runtime is there was held, chained, against
    something that is not itself, and none is off."""
    DIVERGENCE = "DIVERGENCE"
    """Something is off, or a known divergence no longer shows."""
    INCOMPLETE = "INCOMPLETE"
    """Nothing is off in what was compared, and not everything was: interrupted, a required runtime is
    missing, or an output was held against nothing."""
    FAULT = "FAULT"
    """A worker crashed, hung or raised, or the harness itself failed: nothing follows from that cell."""


class RunOutcome(Frozen, frozen=True, kw_only=True):
    """The outcome of a run, what the process returns for it, and why.

    Attributes
    ----------
    outcome : Outcome
        The word.
    exit_code : int
        0 agreement, 1 divergence, 3 a required runtime is missing, 4 fault, 5 incomplete, 130 interrupted.
    reasons : tuple of str
        Why it is no agreement, one sentence each, the weightiest first; empty where it is one.
    """

    outcome: Outcome
    exit_code: int
    reasons: tuple[str, ...] = ()
