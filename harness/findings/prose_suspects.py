"""Numbers in prose and comments that are worth a look: a result by their words, and nothing beside is it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from harness.documents.model import Document
from harness.findings.prose_runs import Runs
from harness.findings.prose_signs import Other, Place, Reading, is_candidate
from harness.findings.prose_stated import Stated
from harness.model.article import Finding, Kind

_WEIGHTS = {
    "large": -2.7,
    "like": 2.0,
    "turned": 3.4,
    "next": 1.4,
    "line": 1.8,
    "companions": 1.6,
    "rate": 0.4,
    "again": -2.5,
    "anywhere": -0.9,
    "small": -0.5,
    "small like": 1.7,
    "small like rate": -0.9,
    "small again": -1.2,
}
"""What each sign says, as log odds: a logistic regression over 6,700 numbers that 500 published documents
state beside outputs, and 1,300 of these with a digit changed, or two turned."""
_WORTH_A_LOOK = 0.3
"""What fewer than one in four documents have a number above that is as its author wants it."""
_LIST = 2.0
"""How suspicious a list is that the document has with another number, which one of 673 had by design."""
_MOST, _AROUND = 3, 60


class Suspect(msgspec.Struct, frozen=True):
    """A number that is worth a look, and accuses nobody.

    Attributes
    ----------
    line, cell : int
        Where it stands; of a notebook, the cell's number, which is 0 elsewhere.
    number, sentence : str
        As the text has them.
    why : str
        What makes it look so.
    score : float
        How suspicious it is: higher is more.
    """

    line: int
    cell: int
    number: str
    sentence: str
    why: str
    score: float

    @property
    def place(self) -> str:
        """Where it stands, as its author would say."""
        return f"cell {self.cell}" if self.cell else f"line {self.line}"


def prose_suspects(document: Document, findings: Iterable[Finding] = ()) -> tuple[Suspect, ...]:
    """Return at most three numbers of prose and comments that are worth a look, the most suspicious first.

    Parameters
    ----------
    document : Document
        As it was read; nothing of it is run.
    findings : iterable of Finding
        What is said of it already, which is not said again.
    """
    if not document.read:
        return ()
    said = {(one.place, one.evidence) for one in findings if one.kind is Kind.PROSE}
    reading = Reading(document)
    found = [
        one for one in (*_lists(reading, Runs(document)), *_suspects(reading)) if not _is_said(one, said)
    ]
    return tuple(sorted(found, key=lambda one: -one.score)[:_MOST])


def _suspects(reading: Reading) -> Iterable[Suspect]:
    for place in reading.places:
        for one in place.stated:
            if is_candidate(one, place):
                signs, other = reading.signs(place, one)
                score = sum(_WEIGHTS[name] * sign for name, sign in signs.items())
                if score > _WORTH_A_LOOK:
                    yield _suspect(place, one, other, score)


def _lists(reading: Reading, runs: Runs) -> Iterable[Suspect]:
    for place in reading.places:
        for one in runs.otherwise(place.text) if not place.comment else ():
            shown = ", ".join(f"{number:g}" for number in one.shown)
            why = f"the document has {shown}, and this nowhere"
            yield Suspect(
                _line(place, one.start), place.cell, one.text, " ".join(place.text.split()), why, _LIST
            )


def _line(place: Place, start: int) -> int:
    return place.line + (0 if place.cell else place.text.count("\n", 0, start))


def _suspect(place: Place, one: Stated, other: Other | None, score: float) -> Suspect:
    has = ""
    if other is not None:
        has = f", but {other.digits}"
        if other.counted:
            has += " of something"
    sentence = " ".join(place.text[one.sentence].split())
    why = f"the code beside it and its output have no {one.text}{has}"
    return Suspect(_line(place, one.start), place.cell, one.text, sentence, why, round(score, 2))


def _is_said(one: Suspect, said: Iterable[tuple[str, str]]) -> bool:
    # A finding may name the cell's count and the line too.
    return any(
        (place == one.place or place.startswith((f"{one.place} ", f"{one.place},")))
        and f" {one.number}" in evidence
        for place, evidence in said
    )
