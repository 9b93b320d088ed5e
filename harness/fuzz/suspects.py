"""Which of the inputs that part the languages are judged: the widest first, and fewer where none is off."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec
import numpy as np

from harness.fuzz.draw import Batch
from harness.fuzz.finding import Key
from harness.fuzz.screen import Floats
from harness.model import Array

EACH = 2
"""Inputs of a batch that are judged for one implementation and stage."""
PATIENCE = 4
"""After so many inputs that turn out right, half as many are judged; and again after so many."""
FAR = 64.0
"""An input is judged in any case that parts the languages so many times further than any that was right."""


class Suspect(msgspec.Struct, frozen=True, kw_only=True):
    """An input to be judged, where it was drawn, and how far it parts which implementation at which stage."""

    inputs: Mapping[str, Array]
    batch: int
    place: int
    scores: Mapping[Key, float]

    @property
    def worst(self) -> float:
        """The largest of its scores."""
        return max(self.scores.values(), default=0.0)


class _Known(msgspec.Struct):
    """What came of earlier suspects of one implementation and stage; scores that are infinite apart."""

    seen: int = 0
    right: int = 0
    largest: float = 0.0


class Suspects:
    """Inputs that wait to be judged, and what was learnt from those that were."""

    def __init__(self) -> None:
        self.waiting: list[Suspect] = []
        self._known: dict[tuple[Key, bool], _Known] = {}

    def choose(self, scores: Mapping[Key, Floats], batch: Batch) -> dict[int, Suspect]:
        """The inputs of a batch that are to be judged, by their place.

        Parameters
        ----------
        scores : mapping
            By implementation and stage, how far each input parts it from the reference.
        batch : Batch
            The inputs.
        """
        chosen: dict[int, dict[Key, float]] = {}
        for key, row in scores.items():
            places = np.flatnonzero(row > 1.0)
            ranked = places[np.argsort(-row[places], kind="stable")][:EACH]
            for place in ranked.tolist():
                score = float(row[place])
                known = self._known.setdefault((key, score == np.inf), _Known())
                known.seen += 1
                rare = known.seen % (1 << min(30, known.right // PATIENCE)) == 0
                if rare or (known.largest and score < np.inf and score > FAR * known.largest):
                    chosen.setdefault(place, {})[key] = score
        return {
            place: Suspect(
                inputs=batch.one(place), batch=batch.number, place=batch.place(place), scores=found
            )
            for place, found in sorted(chosen.items())
        }

    def learn(self, suspect: Suspect, off: Collection[Key]) -> None:
        """Note what was judged of a suspect: where it is off; everywhere else it is right."""
        for key, score in suspect.scores.items():
            if key in off:
                continue
            known = self._known.setdefault((key, score == np.inf), _Known())
            known.right += 1
            if score < np.inf:
                known.largest = max(known.largest, score)
