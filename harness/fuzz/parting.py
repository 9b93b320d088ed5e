"""How far inputs part implementations, and whether rounding could be what parts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from harness.fuzz.draw import batch_of
from harness.fuzz.finding import Key, kind_of
from harness.fuzz.frames import ReferenceValues, observe_other, observe_reference
from harness.fuzz.judge import Accusation, is_coarse
from harness.fuzz.observe import Mask, StageValues, Subject
from harness.fuzz.screen import Floats, apart, nudged
from harness.model import Array, Case, Check, Failure, Mode, Stage, Verdict
from harness.model.outcome import NO_ANSWER

NUDGES = (1, 2)
"""The reference is run so many times more on inputs that are a last place off."""
PROOFS = range(1, 17)
"""As many times where it is a proof: terms that cancel exactly stay so where both happen to move alike."""
SURELY = 2.0**16
"""Where no limit is known, who is off is so many times further away than rounding explains."""

NEAR = 2.0**-10
"""Of the largest float, from where on sums of right order may be infinite."""

Scores = dict[Key, Floats]


class Parting:
    """Compares with the reference.

    Parameters
    ----------
    reference : Subject
        The reference.
    case : Case
        Its graph.
    """

    def __init__(self, reference: Subject, case: Case) -> None:
        self.reference = reference
        self.case = case
        self.stages = case.stages

    def stage(
        self,
        stage: Stage,
        reference: ReferenceValues,
        others: Mapping[str, StageValues],
        nudges: Sequence[int] = NUDGES,
    ) -> dict[str, Floats]:
        """How far each input of a batch parts each of others at a stage."""
        count = reference.batch.count
        if stage.name not in reference.stages:
            return {name: np.zeros(count) for name in others}
        ours = reference.stages[stage.name]
        known: dict[bytes, Mapping[str, Floats]] = {}

        def spread(rows: Mask) -> Mapping[str, Floats]:
            key = rows.tobytes()
            if key not in known:
                known[key] = self._moved(stage, reference, rows, nudges)
            return known[key]

        scores = {}
        for name, theirs in others.items():
            scores[name] = np.zeros(count)
            scores[name][ours.places] = apart(stage, ours, theirs, spread)
        return scores

    def parts(
        self, accusation: Accusation, inputs: Sequence[Mapping[str, Array]], others: Sequence[Subject]
    ) -> list[bool]:
        """Which inputs, all of the same shapes, part at the place of an accusation; nobody else is asked.

        Where the reference is accused, all others have to part from it.
        """
        return [bool(score > 1.0) for score in self.scores(accusation, inputs, others)]

    def scores(
        self,
        accusation: Accusation,
        inputs: Sequence[Mapping[str, Array]],
        others: Sequence[Subject],
        nudges: Sequence[int] = NUDGES,
    ) -> Floats:
        """How far the inputs part there."""
        accused = [s for s in others if s.id == accusation.implementation] or list(others)
        stage = next(stage for stage in self.stages if stage.name == accusation.stage)
        arrays = {name: np.stack([given[name] for given in inputs]) for name in inputs[0]}
        batch = batch_of(self.case, arrays)
        least: Floats = np.zeros(batch.count)
        for reference in observe_reference(self.reference, self.stages, batch):
            rows, nothing = [], np.zeros(reference.batch.count)
            for subject in accused:
                found = observe_other(subject, (stage,), reference).get(stage.name)
                if found is None:
                    rows.append(nothing)
                    continue
                row = self.stage(stage, reference, {subject.id: found}, nudges)[subject.id]
                if subject.id == accusation.implementation:
                    row = np.where(_answers(found, nothing) == (kind_of(accusation) == "value"), row, 0.0)
                rows.append(row)
            places = [reference.batch.place(place) for place in range(reference.batch.count)]
            least[places] = np.min(rows, axis=0) if rows else 0.0
        return least

    def is_proof(
        self, accusation: Accusation, inputs: Mapping[str, Array], others: Sequence[Subject]
    ) -> bool:
        """Whether an accusation holds against a right implementation's excuses.

        A limit that is derived is proof. Where none is known, or whole numbers differ, the difference has to
        be far beyond what the reference's values do when its inputs move by a last place; and who raises an
        error is off only where the reference, given the same, has a sound value.
        """
        cell = accusation.cell
        if cell.mode is Mode.CHAINED:
            return False
        if cell.check is Check.ORACLE and accusation.verdict.verdict is Verdict.FAIL:
            return not self._at_the_end(accusation, inputs, others, limited=True)
        if accusation.verdict.verdict in NO_ANSWER or is_coarse(accusation):
            if accusation.implementation == self.reference.id:
                return False
            far = self.scores(accusation, [inputs], others, PROOFS)[0] >= SURELY
            return bool(far) and not self._at_the_end(accusation, inputs, others, limited=False)
        return bool(self.scores(accusation, [inputs], others, PROOFS)[0] > 1.0)

    def is_excused(
        self, accusation: Accusation, inputs: Mapping[str, Array], others: Sequence[Subject]
    ) -> bool:
        """Whether a right implementation could be as far off, for the numbers leave the format."""
        limited = accusation.cell.check is Check.ORACLE and accusation.verdict.verdict is Verdict.FAIL
        return self._at_the_end(accusation, inputs, others, limited=limited)

    def _at_the_end(
        self,
        accusation: Accusation,
        inputs: Mapping[str, Array],
        others: Sequence[Subject],
        *,
        limited: bool,
    ) -> bool:
        """Whether numbers leave the format: where they do depends on the order of right operations.

        Without a limit, infinities and NaN on either side may come of that; with one, those of the accused
        where the other's numbers are near the largest.
        """
        batch = batch_of(self.case, {name: array[None] for name, array in inputs.items()})
        reference = next(observe_reference(self.reference, self.stages, batch))
        stage = next(stage for stage in self.stages if stage.name == accusation.stage)
        ours = reference.stages.get(stage.name)
        accused = [subject for subject in others if subject.id == accusation.implementation]
        against = accused or others[:1]
        if ours is None or not against:
            return False
        theirs = observe_other(against[0], (stage,), reference).get(stage.name)
        if theirs is None or not ours.usual.all():
            return False
        if not theirs.usual.all():
            # A language may raise an error where another one has an infinite number.
            return _any_ends(ours, NEAR)
        if any(theirs.stacks[name].shape != array.shape for name, array in ours.stacks.items()):
            # Which numbers are kept may hang on an infinite one.
            return _any_ends(ours, NEAR) or _any_ends(theirs, NEAR)
        there, beside = (theirs, ours) if accused else (ours, theirs)
        pairs = [(array, beside.stacks[name]) for name, array in there.stacks.items()]
        if not limited:
            return any(_ends(array, 1.0).any() for pair in pairs for array in pair)
        # Only where they differ: an infinity that both have may be meant.
        lost = [
            (far, other[far])
            for array, other in pairs
            if (far := _ends(array, 1.0) & _differ(array, other)).any()
        ]
        return bool(lost) and all(_ends(other, NEAR).all() for _, other in lost)

    def _moved(
        self, stage: Stage, reference: ReferenceValues, rows: Mask, nudges: Sequence[int]
    ) -> Mapping[str, Floats]:
        """How far the reference's outputs move in some of a stage's inputs; infinitely where they end."""
        places, given = reference.inputs(stage)
        chosen = {name: array[rows] for name, array in given.items()}
        ours = reference.stages[stage.name]
        moved = {
            value.name: np.zeros((int(rows.sum()), *ours.stacks[value.name].shape[1:]))
            for value in stage.outputs
        }
        for salt in nudges:
            there = self.reference.stage(
                stage,
                places[rows],
                {name: nudged(array, salt) for name, array in chosen.items()},
                reference.batch.sizes,
            )
            for name, far in moved.items():
                if name not in there.stacks or there.stacks[name].shape[1:] != far.shape[1:]:
                    continue
                with np.errstate(all="ignore"):
                    before = ours.stacks[name][rows].astype(np.complex128)
                    step = np.abs(there.stacks[name].astype(np.complex128) - before)
                step = np.where(there.stacks[name] == ours.stacks[name][rows], 0.0, step)
                # What is no number on either side says nothing of rounding.
                np.maximum(far, np.where(np.isfinite(step), step, 0.0), out=far)
        return moved


def _ends(array: Array, share: float) -> Mask:
    """Which numbers are not finite, or at least this share of the largest."""
    if array.dtype.kind not in "fc":
        return np.zeros(array.shape, dtype=bool)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(~(np.abs(array) < share * float(np.finfo(array.real.dtype.name).max)))


def _any_ends(values: StageValues, share: float) -> bool:
    return any(_ends(array, share).any() for array in values.stacks.values())


def _differ(array: Array, other: Array) -> Mask:
    """Which numbers are not the same; NaN is the same as NaN."""
    return np.asarray((array != other) & ~(np.isnan(array) & np.isnan(other)))


def scores_of(
    parting: Parting, reference: ReferenceValues, others: Mapping[str, Mapping[str, StageValues]]
) -> Scores:
    """How far each input of a batch parts each implementation from the reference, stage by stage."""
    scores: Scores = {}
    for stage in parting.stages:
        there = {name: found[stage.name] for name, found in others.items() if stage.name in found}
        for name, row in parting.stage(stage, reference, there).items():
            answers = _answers(there[name], row)
            scores[name, stage.name, "value"] = np.where(answers, row, 0.0)
            if not answers.all():
                scores[name, stage.name, "no answer"] = np.where(answers, 0.0, row)
    return scores


def _answers(values: StageValues, row: Floats) -> Mask:
    """For which inputs of a batch a stage gave something back."""
    mask = np.ones(len(row), dtype=bool)
    for place, odd in values.odd.items():
        mask[values.places[place]] = not (isinstance(odd, Failure) and odd.verdict in NO_ANSWER)
    return mask
