"""Why an output may differ without being wrong, and what proves the document at fault all the same.

A proof is an observation that no reason of some kinds explains: it may overrule those, and no other. That two
digits are turned says that no other version computed the number; that the author's locale calls a month so,
it leaves as it is. All reasons that a difference has are asked for, and not only the one that is told.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, auto


class Reason(Enum):
    """What kind of reason an output has to differ without being wrong."""

    FORM = auto()
    """What stands there is what is printed, in part or in another form: cut, or in other quotes."""
    MACHINE = auto()
    """It is of the machine, of the moment, or of what else is loaded."""
    SESSION = auto()
    """The author's session or locale decides."""
    ORDER = auto()
    """The code leaves open what comes first."""
    DIGITS = auto()
    """Rounding decides, or how many bits a number has."""
    CHANGED = auto()
    """Versions are known to give just this otherwise."""
    DRAWN = auto()
    """Random numbers are others in another version."""
    VERSION = auto()
    """Some version may print it otherwise: what it would print is not known."""
    GROUND = auto()
    """What is known of the code and its data is too little to accuse anybody."""


class Proof(Enum):
    """What proves a document at fault although its output has a reason to differ."""

    TYPED = auto()
    """One value alone is published as a hand mistypes what is printed, and all else is the same."""
    DENIED = auto()
    """What is published denies itself, or is what no machine prints, and all else is the same."""
    PICKED = auto()
    """With one small change, the code prints few values that are published, and says them elsewhere too."""
    OUTDATED = auto()
    """With one small change, the code prints what is published, which is more, or stands nowhere in it."""
    TOGETHER = auto()
    """With one small change, the code prints several outputs as they are published."""
    ELSEWHERE = auto()
    """The document's other outputs, of the same packages, are reproduced, and one place differs."""
    STEADY = auto()
    """Many draws, each with other numbers, give the same there."""
    SAMPLED = auto()
    """R's older way to sample gives something else there as well."""


_UNKNOWN = frozenset({Reason.DRAWN, Reason.VERSION, Reason.GROUND})
"""Reasons by which another value altogether would stand there, of which nothing is known."""
_MAY_OVERRULE = {
    # No draw and no version makes a slip of the hand out of a value.
    Proof.TYPED: _UNKNOWN,
    # Nor does what is left out.
    Proof.DENIED: _UNKNOWN | {Reason.FORM},
    # Which of the code's own values comes first, an open order decides as well as a change.
    Proof.PICKED: _UNKNOWN,
    Proof.OUTDATED: _UNKNOWN | {Reason.ORDER},
    # What a version changes of one output, it does not change of several as one number of the code does.
    Proof.TOGETHER: _UNKNOWN | {Reason.ORDER, Reason.CHANGED},
    # Draws, and how far the source of a value is another one's, are weighed with what is reproduced of them.
    Proof.ELSEWHERE: frozenset({Reason.VERSION}),
    Proof.STEADY: frozenset({Reason.DRAWN}),
    Proof.SAMPLED: frozenset({Reason.DRAWN}),
}


def overruled(proofs: Collection[Proof]) -> frozenset[Reason]:
    """Return the kinds of reasons that some proofs overrule.

    Parameters
    ----------
    proofs : collection of Proof
        What is proven of an output.
    """
    return frozenset().union(*(_MAY_OVERRULE[proof] for proof in proofs))
