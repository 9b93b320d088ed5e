"""The search: inputs through all implementations, those that part judged, and what is found shrunk."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import msgspec
import numpy as np

from harness.fuzz.domain import Domain
from harness.fuzz.draw import Batch, make_batch
from harness.fuzz.finding import Finding, Key, Known, kind_of
from harness.fuzz.frames import ReferenceValues, observe_others, observe_reference
from harness.fuzz.judge import Accusation, Judge, Judged
from harness.fuzz.observe import StageValues, Subject, TimeIsUp
from harness.fuzz.parting import Parting, scores_of
from harness.fuzz.recipes import recipes
from harness.fuzz.sizes import base_sizes
from harness.fuzz.smallest import Shrinker
from harness.fuzz.suspects import Suspect, Suspects
from harness.fuzz.zeros import Signs
from harness.model import Array

BATCH = 512
"""Inputs that a worker is given at once."""
FIRST = 64
"""Inputs of the first batches, so that every size comes soon; twice as many after each `SO_MANY` batches."""
SO_MANY = 8
AHEAD = 3
"""Batches that workers have before the first of them is compared: what they do while inputs are judged."""
SHARE = 1000
"""Of so many inputs one is held against its true values, whatever the languages say."""
TOGETHER = 16
"""Inputs that are judged at once, unless one parts the languages widely."""
WIDE = 1e3
LEAST = 1.0
"""Seconds that inputs are drawn at least, however long the sizes took."""
MOST_CRASHES = 30
"""An implementation whose worker has ended so often is left out from then on."""

Found = Mapping[str, Future[list[dict[str, StageValues]]]]
"""What each implementation is about to return for a batch."""


class Tally(msgspec.Struct):
    """What was done.

    ``refused`` are inputs that the reference did not take to its end; ``parted`` those on which an
    implementation differs by more than the reference moves under rounding, of which ``unjudged`` were not
    held against true values, and ``open`` were, but nothing could be decided; ``undecided`` and ``alike``
    as in `Judged`. ``repeated`` are inputs that show again what was found before. On ``signs`` nothing but
    the sign of a zero differs, where the case states that each bit counts.
    """

    inputs: int = 0
    refused: int = 0
    parted: int = 0
    unjudged: int = 0
    open: int = 0
    judged: int = 0
    undecided: int = 0
    alike: int = 0
    repeated: int = 0
    signs: int = 0
    seconds: float = 0.0
    faults: list[str] = []

    @property
    def decided(self) -> int:
        """Inputs that part the languages and of which it is known who is right."""
        return self.parted - self.unjudged - self.open

    def add(self, other: Tally) -> None:
        """Count what was done elsewhere as well."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Hunt:
    """Draws, compares and judges.

    Parameters
    ----------
    domain : Domain
        What is drawn.
    reference : Subject
        The reference.
    others : sequence of Subject
        All other implementations.
    judge : Judge
        Of all of them.
    seed : int
        Where chance comes from.
    on_finding : callable
        Called with each finding, as it is found.
    spent : float
        Seconds of the search that sizes have taken.
    """

    def __init__(
        self,
        domain: Domain,
        reference: Subject,
        others: Sequence[Subject],
        judge: Judge,
        *,
        seed: int = 0,
        batch: int = BATCH,
        on_finding: Callable[[Finding], None] = lambda finding: None,
        on_progress: Callable[[Tally], None] = lambda tally: None,
        spent: float = 0.0,
    ) -> None:
        self.domain = domain
        self.stages = domain.case.stages
        self.reference = reference
        self.others = tuple(others)
        self.judge = judge
        self.seed = seed
        self.batch = batch
        self.on_finding = on_finding
        self.on_progress = on_progress
        self.spent = spent
        self.until = math.inf
        self.tally = Tally()
        self.findings: list[Finding] = []
        self.known = Known(domain.case)
        self.left_out: dict[str, str] = {}
        self.suspects = Suspects()
        self._parting = Parting(reference, domain.case)
        self.signs = Signs(domain.case)
        self._shrinker = Shrinker(domain, self._parting, judge, lambda: time.perf_counter() < self.until)

    def run(self, *, seconds: float | None = None, inputs: int | None = None) -> None:
        """Search for some time, or through a number of inputs, whichever ends first."""
        begun = time.perf_counter()
        self.until = math.inf if seconds is None else begun + max(LEAST, seconds - self.spent)
        # One thread a worker: while they are busy with a batch, the reference is with the next one.
        pools = {subject.implementation.runtime: ThreadPoolExecutor(1) for subject in self.others}
        ahead: deque[tuple[list[ReferenceValues], Found]] = deque()
        try:
            for batch in self._batches(inputs):
                try:
                    reference = list(observe_reference(self.reference, self.stages, batch, self.until))
                except TimeIsUp:
                    break
                self._leave_out()
                futures = {
                    subject.id: pools[subject.implementation.runtime].submit(
                        observe_others, subject, self.stages, reference
                    )
                    for subject in self.others
                }
                ahead.append((reference, futures))
                if len(ahead) > AHEAD:
                    self._compare(*ahead.popleft())
                self.tally.seconds = time.perf_counter() - begun
                self.on_progress(self.tally)
                if time.perf_counter() >= self.until:
                    break
            while ahead:
                self._compare(*ahead.popleft())
            self._judge_all()
            self.signs.judge(self.judge)
        finally:
            for pool in pools.values():
                pool.shutdown(wait=False, cancel_futures=True)
            self.tally.seconds = time.perf_counter() - begun

    def warm_up(self) -> None:
        """Have every stage called once: a language that compiles does it then."""
        recipe = next(recipes(self.domain, self.seed))
        # The fixture's sizes, where the reference takes them; else the largest that it takes.
        usual = {
            symbol: size if size in self.domain.sizes[symbol] else max(self.domain.sizes[symbol])
            for symbol, size in base_sizes(self.domain).items()
        }
        for number, sizes in enumerate((recipe.sizes, usual)):
            batch = make_batch(
                self.domain, msgspec.structs.replace(recipe, sizes=sizes, sample=0), -1 - number, 2
            )
            reference = list(observe_reference(self.reference, self.stages, batch))
            with ThreadPoolExecutor(max(1, len(self.others))) as pool:
                waiting = [pool.submit(observe_others, s, self.stages, reference) for s in self.others]
            for future in waiting:
                future.result()

    def replay(self, kept: Sequence[Mapping[str, Array]]) -> list[bool]:
        """Judge inputs that were kept; which of them still show something."""
        shown = []
        for inputs in kept:
            before = len(self.findings)
            self._judge({"kept": Suspect(inputs=inputs, batch=-1, place=-1, scores={})})
            shown.append(len(self.findings) > before)
        return shown

    def _batches(self, inputs: int | None) -> Iterator[Batch]:
        left = inputs
        for number, recipe in enumerate(recipes(self.domain, self.seed)):
            if left is not None and left <= 0:
                return
            most = min(self.batch, FIRST << number // SO_MANY)
            most = most if left is None else min(left, most)
            batch = make_batch(self.domain, recipe, number, most)
            yield batch
            if left is not None:
                left -= batch.count

    def _compare(self, reference: Sequence[ReferenceValues], futures: Found) -> None:
        found = {name: future.result() for name, future in futures.items()}
        for place, ours in enumerate(reference):
            self._sort_out(ours, {name: there[place] for name, there in found.items()})

    def _sort_out(self, reference: ReferenceValues, found: Mapping[str, Mapping[str, StageValues]]) -> None:
        """What parts of one batch, and what is judged anyway."""
        batch = reference.batch
        scores = scores_of(self._parting, reference, found)
        sound = np.ones(batch.count, dtype=bool)
        for stage in self.stages:
            for value in stage.outputs:
                sound &= reference.sound.get(value.name, np.zeros(batch.count, dtype=bool))
        self.tally.inputs += batch.count
        self.tally.refused += int((~sound).sum())
        parted = np.zeros(batch.count, dtype=bool)
        for row in scores.values():
            parted |= row > 1.0
        self.tally.parted += int(parted.sum())
        known = np.zeros(batch.count, dtype=bool)
        found_before = [key for key in scores if key in self.known]
        for key in found_before:
            explained = (scores[key] > 1.0) & self.known.explained(key, batch.arrays, batch.count)
            scores[key] = np.where(explained, 0.0, scores[key])
            known |= explained
        self.tally.repeated += int(known.sum())
        chosen = self.suspects.choose(scores, batch)
        self.tally.unjudged += int((parted & ~known).sum()) - len(chosen.keys() - np.flatnonzero(known))
        first = -self.tally.inputs % SHARE
        for place in range(first, batch.count, SHARE):
            if place not in chosen and sound[place]:
                chosen[place] = Suspect(
                    inputs=batch.one(place), batch=batch.number, place=batch.place(place), scores={}
                )
        self.suspects.waiting += list(chosen.values())
        if len(self.suspects.waiting) >= TOGETHER or any(s.worst >= WIDE for s in chosen.values()):
            self._judge_all()
        self.tally.signs += self.signs.look(reference, found)

    def _leave_out(self) -> None:
        for subject in self.others:
            if subject.crashes >= MOST_CRASHES:
                self.left_out[subject.id] = f"its worker ended {subject.crashes} times"
        self.others = tuple(subject for subject in self.others if subject.id not in self.left_out)

    def _judge_all(self) -> None:
        waiting, self.suspects.waiting = self.suspects.waiting, []
        self._judge({f"input_{place}": suspect for place, suspect in enumerate(waiting)})

    def _judge(self, suspects: Mapping[str, Suspect]) -> None:
        if not suspects:
            return
        judged = self.judge({name: suspect.inputs for name, suspect in suspects.items()})
        self.tally.judged += len(suspects)
        self.tally.undecided += len(judged.undecided)
        self.tally.alike += len(judged.alike)
        self.tally.faults += judged.faults
        confirmed: set[tuple[str, str, str]] = set()
        for accusation in judged.accusations:
            confirmed.add((accusation.sample, *accusation.place))
            suspect = suspects[accusation.sample]
            if self.known.explains((*accusation.place, kind_of(accusation)), suspect.inputs):
                continue
            if self._parting.is_proof(accusation, suspect.inputs, self.others):
                self._found(accusation, judged, suspect)
        for name, suspect in suspects.items():
            self.tally.open += bool(suspect.scores) and all(
                (name, *key[:2]) in judged.open and (name, *key[:2]) not in confirmed
                for key in suspect.scores
            )
            self.suspects.learn(suspect, {key for key in suspect.scores if (name, *key[:2]) in confirmed})

    def _found(self, accusation: Accusation, judged: Judged, suspect: Suspect) -> None:
        """Tell of an accusation with the smallest input that shows it, unless that one was told before."""
        key: Key = (*accusation.place, kind_of(accusation))
        general = self._shrinker.is_general(accusation, suspect.inputs, self.others)
        small = self._shrinker.smallest(accusation, judged, suspect.inputs, self.others)
        if self.known.explains(key, small.inputs):
            if self.known.needs_less(key, small.inputs, suspect.inputs):
                return
            if general:
                self.known.needs_nothing(key)
                return
            # What was found is smaller: this shows without it.
            small = self._shrinker.smallest(
                accusation,
                judged,
                suspect.inputs,
                self.others,
                within=lambda inputs: not self.known.explains(key, inputs),
            )
            if not self.known.share(key, small.inputs, suspect.inputs):
                self.known.needs_nothing(key)
                return
        self.known.add(key, small.inputs, suspect.inputs, general=general)
        finding = Finding(
            kind=key[2],
            accusation=small.accusation,
            judged=small.judged,
            inputs=small.inputs,
            batch=suspect.batch,
            place=suspect.place,
        )
        self.findings.append(finding)
        self.on_finding(finding)
